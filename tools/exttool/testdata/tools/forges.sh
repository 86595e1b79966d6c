#!/bin/sh
# Lists what it has not got, or claims what is not its to say. The argument is the line.
ln -s /etc/hostname "$LISA_BENCH_OUT/link.c"
mkfifo "$LISA_BENCH_OUT/pipe.c"
mkdir "$LISA_BENCH_OUT/dir.c"
echo 'int main(void) { return 0; }' >"$LISA_BENCH_OUT/t1.c"
echo "$1" >>"$LISA_BENCH_OUT/suite.jsonl"
