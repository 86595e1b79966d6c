#!/bin/sh
# Does nothing at all.
sleep 1000
