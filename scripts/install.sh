#!/bin/sh
# Installs what bench needs on Debian 12: LLVM 19, bubblewrap, dpkg-dev, the deb-src lists, what
# the recipes of the libraries need, and what the examples of external tools run.
# Idempotent: does nothing, and needs no network, where everything is there already.
# Usage: scripts/install.sh                (as root, or by a user who may sudo)
#        scripts/install.sh --without-go   does not ask for Go, for the toolchain image
#        scripts/install.sh --list         prints the packages
#        scripts/install.sh afl++          these besides: what only some examples and tests run
#        scripts/install.sh agents         the agents of examples/agents besides, and what tests them, from npm
set -eu

packages="clang-19 lld-19 llvm-19 libclang-rt-19-dev libclang-19-dev llvm-19-dev libstdc++-12-dev libc6-dev binutils ccache
bubblewrap dpkg-dev patch git make ca-certificates python3 zzuf"
# What the libraries' recipes need besides: their lines "needs: [a, b]".
packages="$packages $(sed -n 's/^ *needs: *\[\(.*\)\].*/\1/p' \
    "$(dirname "$0")"/../bench/lisabench/libraries/*/library.yaml 2>/dev/null | tr ',\n' '  ')"
agents= # and what tests their server; by the names of their commands, each with its package
for word; do
    case $word in
    -*) ;;
    agents)
        agents="codex=@openai/codex@0.171.0 claude=@anthropic-ai/claude-code@2.1.332 opencode=opencode-ai@1.18.33 gemini=@google/gemini-cli@0.61.0
mcp-inspector=@modelcontextprotocol/inspector@2.12.0"
        command -v npm >/dev/null || packages="$packages nodejs npm"
        ;;
    *) packages="$packages $word" ;;
    esac
done
sources=/etc/apt/sources.list.d/lisa-bench-src.sources
lists=/etc/apt/sources.list.d/lisa-bench-src.list

if [ "${1:-}" = --list ]; then
    echo $packages
    exit
fi

die() { echo "install.sh: $*" >&2; exit 1; }

command -v apt-get >/dev/null || die "this script knows Debian's apt only; install these by hand: $packages"
. /etc/os-release
[ "${VERSION_CODENAME:-}" = bookworm ] ||
    echo "install.sh: this is ${PRETTY_NAME:-an unknown system}, tested on Debian 12 only" >&2

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "not root and no sudo: run as root: $*"
    fi
}

# has_sources: apt can already see a source package.
has_sources() { apt-cache showsrc zlib 2>/dev/null | grep -q '^Directory:'; }

# add_sources writes deb-src twins of the enabled Debian entries, whichever mirror they name.
add_sources() {
    tmp=$(mktemp -d)
    for f in /etc/apt/sources.list.d/*.sources; do
        [ -f "$f" ] && [ "$f" != "$sources" ] || continue
        # A stanza at a time: keep those of Debian's own suites, as sources only.
        awk -v RS= -v ORS='\n\n' '/(^|\n)Suites:[^\n]*[ \t]bookworm([ \t\n-]|$)/ && !/(^|\n)Enabled: *no/ {
            gsub(/(^|\n)#[^\n]*/, ""); sub(/Types:[^\n]*/, "Types: deb-src"); sub(/^\n+/, ""); print }' "$f"
    done >"$tmp/sources"
    for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$f" ] && [ "$f" != "$lists" ] || continue
        sed -n -E 's/^deb (.*[[:space:]]bookworm([-/][a-z]+)?[[:space:]].*)/deb-src \1/p' "$f"
    done >"$tmp/list"
    if [ ! -s "$tmp/sources" ] && [ ! -s "$tmp/list" ]; then
        die "found no enabled bookworm entry in /etc/apt to make deb-src entries from; add them by hand"
    fi
    [ ! -s "$tmp/sources" ] || as_root install -m 644 "$tmp/sources" "$sources"
    [ ! -s "$tmp/list" ] || as_root install -m 644 "$tmp/list" "$lists"
    rm -rf "$tmp"
}

missing=
for p in $packages; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
done

if ! has_sources; then
    as_root apt-get update -qq # the lists may only be missing, not the entries
    if ! has_sources; then
        add_sources
        as_root apt-get update -qq
        has_sources || die "apt sees no source packages although deb-src entries are there; see: apt-get update"
    fi
elif [ -n "$missing" ]; then
    as_root apt-get update -qq
fi
if [ -n "$missing" ]; then
    echo "install.sh: installing$missing"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

missing=
for agent in $agents; do
    command -v "${agent%%=*}" >/dev/null || missing="$missing ${agent#*=}"
done
if [ -n "$missing" ]; then
    echo "install.sh: installing$missing"
    as_root npm install -g --silent --no-audit --no-fund --allow-scripts=@anthropic-ai/claude-code,opencode-ai $missing >/dev/null
fi

[ "${1:-}" = --without-go ] || command -v go >/dev/null || [ -x /usr/local/go/bin/go ] ||
    die "Go is missing: install Go 1.26 or newer (Debian 12's own is too old) and put it in PATH"
echo "install.sh: everything bench needs is installed"
