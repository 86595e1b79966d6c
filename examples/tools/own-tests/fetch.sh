#!/bin/sh
# Fetches the Debian source packages that the benchmark pins, for the tests that are in them, into ./sources.
# Usage: fetch.sh [LIBRARY...]
set -eu
cd "$(dirname "$0")"
data=$PWD/../../../bench/lisabench/libraries
[ $# -gt 0 ] || set -- zlib cJSON libpng libpcap lcms re2 sqlite3
here=$PWD
mkdir -p sources
for library; do
    pin() { sed -n "/^debian:/,/^[^ ]/s/^  $1: //p" "$data/$library/library.yaml"; }
    tmp=$(mktemp -d)
    (cd "$tmp" && apt-get source -qq --download-only "$(pin package)=$(pin version)" && dpkg-source -x ./*.dsc tree) >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }
    rm -rf "sources/$library"
    mkdir "sources/$library"
    case $library in # only what the tests are made of: every file is copied for each cell
    zlib) keep='*.h test' ;;
    cJSON) keep=tests ;;
    libpng) keep='*.h pngtest.c pngtest.png scripts/pnglibconf.h.prebuilt contrib/libtests/pngvalid.c contrib/libtests/pngunknown.c contrib/visupng/cexcept.h' ;;
    libpcap) keep='varattrs.h pcap.h pcap testprogs tests' ;;
    lcms) keep='include src/*.h testbed' ;;
    re2) keep='re2/*.h re2/testing util' ;;
    sqlite3) keep=test/speedtest1.c ;;
    *) echo "fetch.sh: how $library is tested is not known here" >&2; exit 2 ;;
    esac
    (cd "$tmp/tree" && cp -r --parents $keep "$here/sources/$library")
    rm -rf "$tmp"
done
