#!/bin/sh
# Makes a suite of a library's own tests: each of its test programs is an object with its files and its command line.
# What tests the library's static functions, by including its sources, cannot be run against another build and is
# left out, and said on standard error.
set -eu
cd "$(dirname "$0")/sources/$LISA_BENCH_LIBRARY" || { echo "no tests of $LISA_BENCH_LIBRARY: run fetch.sh" >&2; exit 1; }
out=$LISA_BENCH_OUT
tmp=$(mktemp -d)
cflags="-g0 -O1 -w -fPIC -D__DATE__=\"\" -D__TIME__=\"\" $LISA_BENCH_CFLAGS"

# compile SOURCE FLAGS...: an object of it, whose path is printed.
compile() {
    source=$1 object=$tmp/$(echo "$1" | tr / _).o
    shift
    case $source in
    *.c) "$LISA_BENCH_CC" $cflags "$@" -c "$source" -o "$object" ;;
    *) "$LISA_BENCH_CXX" $cflags "$@" -c "$source" -o "$object" ;;
    esac && echo "$object"
}

# driver NAME OBJECTS...: they become one, the program NAME.
driver() {
    name=$1
    shift
    "$LISA_BENCH_CC" -r -nostdlib -o "$out/$name.o" "$@"
}

# list NAME FILES ARGS: lists the program. FILES are blank-separated, below the output directory; ARGS is JSON.
list() {
    inputs=$(echo "$2" | tr ' ' '\n' | sed '/^$/d; s/.*/"&"/' | paste -sd,)
    echo "{\"file\": \"$1.o\", \"inputs\": [$inputs], \"args\": [$3]}" >>"$out/suite.jsonl"
}

case $LISA_BENCH_LIBRARY in
zlib)
    for name in example infcover; do
        driver $name "$(compile test/$name.c -I. -DHAVE_UNISTD_H)"
        list $name '' ''
    done
    driver minigzip "$(compile test/minigzip.c -I. -DHAVE_UNISTD_H)"
    mkdir -p "$out/data"
    cp test/example.c "$out/data"
    for level in 1 6 9; do list minigzip data/example.c "\"-$level\", \"data/example.c\""; done
    ;;
cJSON)
    cp -r tests "$tmp/tests"
    # The tests include cJSON.c for its static functions; those that need none are linked instead.
    sed -i 's/"..\/cJSON.c"/"cJSON.h"/; s/global_hooks.deallocate/cJSON_free/' "$tmp/tests/common.h"
    sed -i 's/"\.\.\/cJSON/"cJSON/' "$tmp"/tests/*.c
    cp -r tests/inputs tests/json-patch-tests "$out"
    files=$(cd "$out" && find inputs json-patch-tests -type f | sort | tr '\n' ' ')
    unity=$(compile tests/unity/src/unity.c)
    setup=
    [ ! -e tests/unity_setup.c ] || setup=$(compile tests/unity_setup.c)
    cd "$tmp/tests"
    system= # which cJSON.c would include
    for header in string stdio stdlib stdbool math limits ctype float; do system="$system -include $header.h"; done
    for test in *.c; do
        [ "$test" != unity_setup.c ] || continue
        if object=$(compile "$test" -Iunity/src $system 2>"$tmp/log"); then
            driver "${test%.c}" "$object" "$unity" $setup
            list "${test%.c}" "$files" ''
        else
            echo "left out: $test: $(grep -m1 error: "$tmp/log")" >&2
        fi
    done
    ;;
libpng)
    [ -e pnglibconf.h ] || cp scripts/pnglibconf.h.prebuilt "$tmp/pnglibconf.h"
    driver pngtest "$(compile pngtest.c -I. -I"$tmp")"
    cp pngtest.png "$out"
    list pngtest pngtest.png '"pngtest.png"'
    list pngtest pngtest.png '"-m", "pngtest.png"'
    ;;
lcms)
    mkdir "$tmp/testbed"
    cp testbed/* "$tmp/testbed"
    # The one check that fails on the reference build is left out: it passes on Debian's 2.14, without the fixes from later versions
    # that the reference build has.
    sed -i 's/DoSpeedTests = 1/DoSpeedTests = 0/; /Check("Gray Lab output profile"/d' "$tmp/testbed/testcms2.c"
    rm "$tmp/testbed/TestCLT.icc" # 2.6 MB, for other programs
    cp "$tmp"/testbed/*.icc "$out"
    cd "$tmp/testbed"
    objects=
    here=$OLDPWD
    for source in testcms2.c testplugin.c zoo_icc.c; do
        objects="$objects $(compile $source -I"$here/include" -I"$here/src")"
    done
    driver testcms $objects
    list testcms "$(cd "$out" && echo *.icc)" ''
    ;;
re2)
    common=
    for source in util/test.cc util/pcre.cc re2/testing/backtrack.cc re2/testing/dump.cc re2/testing/exhaustive_tester.cc \
        re2/testing/null_walker.cc re2/testing/regexp_generator.cc re2/testing/string_generator.cc re2/testing/tester.cc; do
        common="$common $(compile $source -I. -std=c++11)"
    done
    # Those of make test but for the exhaustive and the random ones, which take minutes.
    for test in charclass compile filtered_re2 mimics_pcre parse possible_match re2_arg re2 regexp required_prefix search set simplify string_generator; do
        driver $test "$(compile re2/testing/${test}_test.cc -I. -std=c++11)" $common
        list $test '' ''
    done
    ;;
sqlite3)
    driver speedtest1 "$(compile test/speedtest1.c)"
    list speedtest1 '' '"--memdb", "--size", "5", "--verify"'
    ;;
*)
    echo "how $LISA_BENCH_LIBRARY is tested is not known here: add it to build.sh" >&2
    exit 1
    ;;
esac
