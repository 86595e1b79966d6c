#!/bin/sh
# Looks for known vulnerabilities in what bench calls. It fails on any, and skips, saying so, only
# where the vulnerability database or govulncheck itself cannot be fetched.
# Another database: GOVULNDB=https://… or file:///… .
set -eu
version=v1.1.4
db=${GOVULNDB:-https://vuln.go.dev}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

skip() { echo "govulncheck: skipped: $*"; exit 0; }

GOBIN=$tmp GOFLAGS= go install "golang.org/x/vuln/cmd/govulncheck@$version" 2>"$tmp/log" ||
    skip "it cannot be installed: $(tail -n 1 "$tmp/log")"
code=0
"$tmp/govulncheck" -db "$db" ./... >"$tmp/out" 2>&1 || code=$?
# 3 says that there are some; what cannot be fetched is any other code, with these words.
if [ $code != 0 ] && [ $code != 3 ] && grep -q 'fetching vulnerabilities' "$tmp/out"; then
    skip "the vulnerability database $db cannot be reached from here: $(grep -m 1 'fetching vulnerabilities' "$tmp/out")"
fi
cat "$tmp/out"
exit $code
