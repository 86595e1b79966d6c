#!/bin/sh
# A tool: leaves test programs for the library that it is told of.
#
# Everything it may know is in the JSON file $LISA_BENCH_MANIFEST; what a script needs most of it
# is in variables besides (docs/howto/adding-a-tool.md lists them). It runs in a sandbox: no network, its
# directory $LISA_BENCH_OUT to write to, and scratch room in $HOME and /tmp that nobody keeps.
set -eu

programs=${LISA_BENCH_PROGRAMS:-20} # budget; empty where programs are not limited
i=0
while [ "$i" -lt "$programs" ]; do
    i=$((i + 1))
    file=$(printf 't%04d.c' "$i")

    # Replace this part by what your tool does. A program defines main, or functions
    # `void test_NAME(void)`; it passes with status 0, and fails by a failed assert.
    {
        echo '#include <assert.h>'
        for header in $LISA_BENCH_HEADERS; do echo "#include <$header>"; done
        echo "int main(void) { assert($i + 1 > $i); return 0; }"
    } >"$LISA_BENCH_OUT/$file"

    # Only what is listed here counts, from this line on: the harness takes it up at once.
    echo "{\"file\": \"$file\"}" >>"$LISA_BENCH_OUT/suite.jsonl"
done
# Status 0 says that there is nothing more to try; another one, that the tool is broken.
