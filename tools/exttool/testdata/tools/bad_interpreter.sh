#!/opt/none/python

