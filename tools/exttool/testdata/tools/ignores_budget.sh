#!/bin/sh
# Lists programs for ever, at a pace at which it is ended before it has too many files.
i=0
while :; do
    i=$((i + 1))
    echo "int main(void) { return 0 * $i; }" >"$LISA_BENCH_OUT/t$i.c"
    echo "{\"file\": \"t$i.c\"}" >>"$LISA_BENCH_OUT/suite.jsonl"
    sleep 0.01
done
