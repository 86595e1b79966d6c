#!/bin/sh
# suite DIR: leaves the tests that DIR has for the library, as they are.
set -eu
for file in "$1/$LISA_BENCH_LIBRARY"/*.c* "$1/$LISA_BENCH_LIBRARY"/bugs/*.c*; do
    if [ -f "$file" ]; then cp "$file" "$LISA_BENCH_OUT/"; fi
done
