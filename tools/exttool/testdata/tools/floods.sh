#!/bin/sh
# Fills its output directory with small files, and then with large ones.
[ "${1:-}" = bytes ] && while :; do cat /dev/zero >>"$LISA_BENCH_OUT/large" || rm "$LISA_BENCH_OUT/large"; done
i=0
while :; do i=$((i + 1)); : >"$LISA_BENCH_OUT/f$i"; done
