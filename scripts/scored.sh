#!/usr/bin/env bash
# scored.sh [RUN]: writes recordings/scored/recorded, which "bench compare RUN recorded" reads, anew from a finished run
# of "bench run recorded" (results/runs/recorded unless another is given): its records alone, without suites and transcripts.
set -euo pipefail
cd "$(dirname "$0")/.."
run=$(realpath "${1:-results/runs/recorded}")
to=recordings/scored/recorded
[ -f "$run/manifest.json" ] || { echo "scored.sh: $run is no run: bench run recorded makes one" >&2; exit 2; }
rm -rf "$to"
mkdir -p "$to"
cp "$run/experiment.yaml" "$run/manifest.json" "$to"
cd "$run"
find cells -mindepth 2 -maxdepth 2 \( -name record.json -o -name incomplete.json \) -exec cp --parents {} "$OLDPWD/$to" \;
cd "$OLDPWD"
go test ./recordings -count 1 -update
find "$to" -name record.json | wc -l | sed "s/$/ records, $(du -sh --apparent-size "$to" | cut -f1)/"
