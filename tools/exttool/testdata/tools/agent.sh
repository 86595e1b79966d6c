#!/bin/sh
# An agent: it asks for what it may and for what it may not.
echo "$1" > tests/told.txt
echo a > tests/a.c
check a.c > tests/said.txt
ln -s /etc/passwd tests/link.c
cat ../../bugs.yaml ../../library/../bugs.yaml 2>/dev/null >> tests/said.txt
(exec 3<>/dev/tcp/127.0.0.1/22) 2>/dev/null && echo reached >> tests/said.txt
gaps 3 >> tests/said.txt
fly 2>> tests/said.txt
exit 0
