#!/bin/sh
# Builds the toolchain image that `sandbox: docker` needs, on Debian 12. Needs root or sudo for
# what is missing of docker.io and mmdebstrap, and for a base image that cannot be pulled.
# Usage: scripts/image.sh          BASE=<image> takes another base, IMAGE=<name> another name
set -eu
cd "$(dirname "$0")/.."

base=${BASE:-debian:bookworm-slim}
image=${IMAGE:-lisa-bench-toolchain}

die() { echo "image.sh: $*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "not root and no sudo: run as root: $*"
    fi
}

# need COMMAND PACKAGE installs a package unless its command is there.
need() {
    command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || {
        as_root apt-get update -qq
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
    }
}

need docker docker.io
docker version >/dev/null 2>&1 || docker version >/dev/null ||
    die "no docker daemon answers; start it: systemctl start docker, or as root: dockerd >/tmp/dockerd.log 2>&1 &"

if ! docker image inspect "$base" >/dev/null 2>&1 && ! docker pull -q "$base"; then
    [ "$base" = debian:bookworm-slim ] || die "$base is not there and cannot be pulled"
    echo "image.sh: $base cannot be pulled; making it from Debian's packages"
    need mmdebstrap mmdebstrap
    tar=$(mktemp)
    trap 'rm -f "$tar"' EXIT
    as_root mmdebstrap --quiet --variant=minbase bookworm - >"$tar"
    docker import - "$base" <"$tar" >/dev/null
fi

runner=$(cd execute/sandbox/runner && LC_ALL=C && export LC_ALL && cat * | sha256sum | cut -d' ' -f1)
# The host's network, so that a machine without a bridge, or with a proxy of its own, can build too.
docker build --network host --build-arg BASE="$base" --build-arg RUNNER_SHA256="$runner" \
    --build-arg PACKAGES="$(scripts/install.sh --list)" -f Dockerfile.toolchain -t "$image" .
docker image inspect -f 'image.sh: {{index .RepoTags 0}} is {{.Id}}' "$image"
