#!/bin/sh
# Two command lines of one driver, made of two objects.
set -eu
cd "$(dirname "$0")"
for source in driver.c check.c; do "$LISA_BENCH_CC" -fPIC $LISA_BENCH_CFLAGS -c $source -o "/tmp/$source.o"; done
"$LISA_BENCH_CC" -r -nostdlib -o "$LISA_BENCH_OUT/driver.o" /tmp/driver.c.o /tmp/check.c.o
mkdir "$LISA_BENCH_OUT/texts"
echo '{"bottles": 3, "empty": false}' >"$LISA_BENCH_OUT/texts/one.json"
cat >"$LISA_BENCH_OUT/suite.jsonl" <<'END'
{"file": "driver.o", "inputs": ["texts/one.json"], "args": ["texts/one.json", "bottles"]}
{"file": "driver.o", "inputs": ["texts/one.json"], "args": ["texts/one.json", "empty"]}
END
