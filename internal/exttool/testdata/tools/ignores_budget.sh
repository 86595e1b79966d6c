#!/bin/sh
# Lists programs for ever.
i=0
while :; do
    i=$((i + 1))
    echo "int main(void) { return 0 * $i; }" >"$LISA_BENCH_OUT/t$i.c"
    echo "{\"file\": \"t$i.c\"}" >>"$LISA_BENCH_OUT/suite.jsonl"
done
