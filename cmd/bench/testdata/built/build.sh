#!/bin/sh
# Two command lines of one driver, made of two sources.
set -eu
cd "$(dirname "$0")"
cat driver.c check.c >"$LISA_BENCH_OUT/driver.c"
mkdir "$LISA_BENCH_OUT/texts"
echo '{"bottles": 3, "empty": false}' >"$LISA_BENCH_OUT/texts/one.json"
cat >"$LISA_BENCH_OUT/suite.jsonl" <<'END'
{"file": "driver.c", "inputs": ["texts/one.json"], "args": ["texts/one.json", "bottles"]}
{"file": "driver.c", "inputs": ["texts/one.json"], "args": ["texts/one.json", "empty"]}
END
