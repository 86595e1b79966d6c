#!/bin/sh
# A program in C, one in C++ that is named as C, and one in Rust.
set -eu
cd "$LISA_BENCH_OUT"
echo 'int main(void) { return 0; }' >a.c
echo '#include <vector>
int main() { std::vector<int> v{1}; return (int)v.size() - 1; }' >b.c
echo 'fn main() {}' >c.rs
for f in a.c b.c c.rs; do echo "{\"file\": \"$f\"}" >>suite.jsonl; done
