#!/bin/sh
# Looks for what it was not given, and writes where it may not.
for name in "$(dirname "$LISA_BENCH_OUT")"/../../* /root/* /home/*/* /etc/hostname /etc/shadow "$HOME"/.cache/*; do
    [ -r "$name" ] && [ -f "$name" ] && { echo "read $name" >&2; exit 3; }
done
for name in "$LISA_BENCH_OUT/../x" "$(dirname "$0")/x" /x /usr/x "$(dirname "$LISA_BENCH_MANIFEST")/x"; do
    (: >"$name") 2>/dev/null && { echo "wrote $name" >&2; exit 4; }
done
if [ -n "$LISA_BENCH_LDLIBS" ]; then # the reference build, and no other of those beside it
    set -- "$(dirname "${LISA_BENCH_LDLIBS%% *}")"/../*-*-*
    [ $# -eq 1 ] || { echo "builds: $*" >&2; exit 6; }
fi
env | grep -i key >&2 && exit 5
echo 'int main(void) { return 0; }' >"$LISA_BENCH_OUT/t1.c"
