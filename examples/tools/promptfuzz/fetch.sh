#!/bin/sh
# Fetches the harnesses that PromptFuzz's authors publish for cJSON and zlib, as they are, into ./harnesses.
# Usage: fetch.sh [REPOSITORY]
set -eu
cd "$(dirname "$0")"
commit=c15ace4a9bb90693e1e9aaa55969b51859ec2633
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
git clone -q --filter=blob:none --no-checkout "${1:-https://github.com/PromptFuzz/PromptFuzz}" "$tmp"
git -C "$tmp" checkout -q "$commit" -- examples/cJSON examples/zlib src/extern
rm -rf harnesses
mkdir harnesses
for library in cJSON zlib; do
    mkdir "harnesses/$library"
    cp "$tmp/examples/$library"/fuzzer_0/fuzzers/id_*.cc "harnesses/$library"
done
cp "$tmp"/src/extern/*.h harnesses
