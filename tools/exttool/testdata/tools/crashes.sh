#!/bin/sh
# Ends half-way.
echo 'int main(void) { return 0; }' >"$LISA_BENCH_OUT/t1.c"
echo '{"file": "t1.c"}' >>"$LISA_BENCH_OUT/suite.jsonl"
echo 'no memory for the second program' >&2
[ "${1:-}" = signal ] && kill -SEGV $$
exit 7
