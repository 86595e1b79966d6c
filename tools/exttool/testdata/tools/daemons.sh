#!/bin/sh
# Leaves daemons that go on writing when it has ended itself.
for i in 1 2 3; do
    setsid sh -c 'while :; do date >>"$LISA_BENCH_OUT/daemon.log"; sleep 0.05; done' </dev/null >/dev/null 2>&1 &
done
sleep 0.3
echo 'int main(void) { return 0; }' >"$LISA_BENCH_OUT/t1.c"
echo '{"file": "t1.c"}' >>"$LISA_BENCH_OUT/suite.jsonl"
[ "${1:-}" = stays ] && sleep 1000
exit 0
