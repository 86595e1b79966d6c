#!/bin/sh
# Calls every public function of a C library with zeros for all its arguments, and keeps the calls that
# the reference build survives: a library that begins to crash on NULL is found out. No model, no dependency
# but a compiler, nm and awk.
set -eu

work=$HOME # an empty directory of the sandbox, 128 MiB, that nobody keeps
{ for header in $LISA_BENCH_HEADERS; do echo "#include <$header>"; done; } >"$work/headers.h"

# The functions that the reference build exports; its archive is the first word of what is linked.
nm -g --defined-only "${LISA_BENCH_LDLIBS%% *}" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort -u >"$work/exported"

# Their numbers of arguments, from the preprocessed declarations: "name count" a line.
# shellcheck disable=SC2086 # flags are several words
"$LISA_BENCH_CC" $LISA_BENCH_CFLAGS -E -P -x c "$work/headers.h" | tr '\n' ' ' | tr ';{}' '\n\n\n' |
    awk 'NR == FNR { exported[$1] = 1; next }
        match($0, /[A-Za-z_][A-Za-z0-9_]* *\([^()]*\) *$/) {
            text = substr($0, RSTART); name = text; sub(/ *\(.*/, "", name)
            arguments = text; sub(/^[^(]*\( */, "", arguments); sub(/ *\) *$/, "", arguments)
            if (!(name in exported) || arguments ~ /\.\.\./) next
            n = (arguments == "" || arguments == "void") ? 0 : split(arguments, parts, ",")
            print name, n
        }' "$work/exported" - | LC_ALL=C sort -u >"$work/functions"

[ -s "$work/functions" ] || { echo "found no function to call in: $LISA_BENCH_HEADERS" >&2; exit 1; }

listed=0
while read -r name count; do
    [ "$listed" -lt "${LISA_BENCH_PROGRAMS:-1000}" ] || break
    zeros=0
    i=1
    while [ "$i" -lt "$count" ]; do zeros="$zeros, 0"; i=$((i + 1)); done
    [ "$count" -gt 0 ] || zeros=
    {
        for header in $LISA_BENCH_HEADERS; do echo "#include <$header>"; done
        echo "int main(void) { (void)$name($zeros); return 0; }"
    } >"$work/try.c"
    # shellcheck disable=SC2086
    "$LISA_BENCH_CC" $LISA_BENCH_CFLAGS -w "$work/try.c" $LISA_BENCH_LDLIBS -o "$work/try" 2>/dev/null || continue
    (timeout 5 "$work/try") >/dev/null 2>&1 || continue
    cp "$work/try.c" "$LISA_BENCH_OUT/zeros_$name.c"
    echo "{\"file\": \"zeros_$name.c\"}" >>"$LISA_BENCH_OUT/suite.jsonl"
    listed=$((listed + 1))
done <"$work/functions"
