#!/bin/sh
# Makes a suite of a library's own tests: each of its test programs is one source with its files and its command
# line. What tests the library's static functions, by including its sources, cannot be run against another build and
# is left out, and said on standard error.
set -eu
cd "$(dirname "$0")/sources/$LISA_BENCH_LIBRARY" || { echo "no tests of $LISA_BENCH_LIBRARY: run fetch.sh" >&2; exit 1; }
out=$LISA_BENCH_OUT
tmp=$(mktemp -d)
cflags="-w -D__DATE__=\"\" -D__TIME__=\"\" $LISA_BENCH_CFLAGS"

# driver NAME 'SOURCES' FLAGS...: the sources become one, with their headers in it: the program NAME. It has to compile.
driver() {
    name=$1 sources=$2
    shift 2
    case $sources in
    *.cc) compiler=$LISA_BENCH_CXX extension=cc ;;
    *) compiler=$LISA_BENCH_CC extension=c ;;
    esac
    for source in $sources; do echo "#include \"$PWD/$source\""; done >"$tmp/all.$extension"
    # Markers of lines stay: in headers that they call the system's nothing is an error that is a warning.
    "$compiler" $cflags "$@" -E -dD "$tmp/all.$extension" -o "$out/$name.$extension" &&
        "$compiler" -w -fsyntax-only "$out/$name.$extension" || { rm -f "$out/$name.$extension"; return 1; }
}

# list NAME FILES ARGS: lists the program. FILES are blank-separated, below the output directory; ARGS is JSON.
list() {
    inputs=$(echo "$2" | tr ' ' '\n' | sed '/^$/d; s/.*/"&"/' | paste -sd,)
    echo "{\"file\": \"$1.$extension\", \"inputs\": [$inputs], \"args\": [$3]}" >>"$out/suite.jsonl"
}

case $LISA_BENCH_LIBRARY in
zlib)
    for name in example infcover; do
        driver $name test/$name.c -I. -DHAVE_UNISTD_H
        list $name '' ''
    done
    driver minigzip test/minigzip.c -I. -DHAVE_UNISTD_H
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
    setup=$(cd tests && ls unity_setup.c 2>"$tmp/log" || true)
    cd "$tmp/tests"
    system= # which cJSON.c would include
    for header in string stdio stdlib stdbool math limits ctype float; do system="$system -include $header.h"; done
    for test in *.c; do
        [ "$test" != unity_setup.c ] || continue
        if driver "${test%.c}" "$test unity/src/unity.c $setup" -Iunity/src $system 2>"$tmp/log"; then
            list "${test%.c}" "$files" ''
        else
            echo "left out: $test: $(grep -m1 error: "$tmp/log")" >&2
        fi
    done
    ;;
libpng)
    [ -e pnglibconf.h ] || cp scripts/pnglibconf.h.prebuilt "$tmp/pnglibconf.h"
    driver pngtest pngtest.c -I. -I"$tmp"
    cp pngtest.png "$out"
    list pngtest pngtest.png '"pngtest.png"'
    list pngtest pngtest.png '"-m", "pngtest.png"'
    for name in pngvalid pngunknown; do driver $name contrib/libtests/$name.c -I. -I"$tmp"; done
    for what in --standard --transform '--standard", "--progressive-read", "--interlace' '--size", "--progressive-read' \
        --gamma-16-to-8 --gamma-sbit --gamma-threshold --gamma-transform --gamma-alpha-mode --gamma-background; do
        list pngvalid '' "\"--strict\", \"$what\""
    done
    for how in save if-safe discard; do list pngunknown pngtest.png "\"--strict\", \"default=$how\", \"pngtest.png\""; done
    ;;
libpcap)
    # Those that need no network device. filtertest compares nothing, but fails where a filter does not compile.
    driver filtertest testprogs/filtertest.c -I.
    for filter in 'tcp port 80' 'ip6 and not icmp6' 'vlan 100 and udp' 'ether host 0:1:2:3:4:5' 'net 10.0.0.0/8 and greater 100' \
        'tcp[tcpflags] & (tcp-syn|tcp-fin) != 0' 'pppoes and udp' 'portrange 20-25 or arp'; do
        list filtertest '' "\"EN10MB\", \"$filter\""
        list filtertest '' "\"-O\", \"EN10MB\", \"$filter\""
    done
    driver fuzz_pcap "testprogs/fuzz/fuzz_pcap.c testprogs/fuzz/onefile.c" -I.
    cp tests/* "$out"
    for file in tests/*; do list fuzz_pcap "${file#tests/}" "\"${file#tests/}\""; done
    ;;
lcms)
    cp -r testbed "$tmp"
    # The one check that fails on the reference build is left out: it passes on Debian's 2.14, without the fixes from later versions
    # that the reference build has.
    sed -i 's/DoSpeedTests = 1/DoSpeedTests = 0/; /Check("Gray Lab output profile"/d' "$tmp/testbed/testcms2.c"
    rm "$tmp/testbed/TestCLT.icc" # 2.6 MB, for other programs
    cp "$tmp"/testbed/*.icc "$out"
    cd "$tmp/testbed"
    here=$OLDPWD
    driver testcms "testcms2.c testplugin.c zoo_icc.c" -I"$here/include" -I"$here/src"
    list testcms "$(cd "$out" && echo *.icc)" ''
    ;;
re2)
    common="util/test.cc util/pcre.cc re2/testing/backtrack.cc re2/testing/dump.cc re2/testing/exhaustive_tester.cc
        re2/testing/null_walker.cc re2/testing/regexp_generator.cc re2/testing/string_generator.cc re2/testing/tester.cc"
    # Those of make test but for the exhaustive and the random ones, which take minutes.
    for test in charclass compile filtered_re2 mimics_pcre parse possible_match re2_arg re2 regexp required_prefix search set simplify string_generator; do
        if driver $test "re2/testing/${test}_test.cc $common" -I. 2>"$tmp/log"; then
            list $test '' ''
        else
            echo "left out: $test: $(grep -m1 error: "$tmp/log")" >&2
        fi
    done
    ;;
sqlite3)
    driver speedtest1 test/speedtest1.c
    list speedtest1 '' '"--memdb", "--size", "5", "--verify"'
    ;;
*)
    echo "how $LISA_BENCH_LIBRARY is tested is not known here: add it to build.sh" >&2
    exit 1
    ;;
esac
