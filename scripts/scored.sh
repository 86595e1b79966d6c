#!/usr/bin/env bash
# scored.sh [RUN]: writes recordings/scored/recorded, which "bench compare RUN recorded" reads, anew from a finished run
# of "bench run recorded" (results/runs/recorded unless another is given): its packed records, without suites and transcripts.
set -euo pipefail
cd "$(dirname "$0")/.."
run=$(realpath "${1:-results/runs/recorded}")
to=recordings/scored/recorded
[ -f "$run/manifest.json" ] || { echo "scored.sh: $run is no run: bench run recorded makes one" >&2; exit 2; }
rm -rf "$to"
mkdir -p "$to"
cp "$run/experiment.yaml" "$run/manifest.json" "$to"
for record in "$run"/cells/*/record.json; do
	cell=$to/cells/$(basename "$(dirname "$record")")
	mkdir -p "$cell"
	gzip -9n <"$record" >"$cell/record.json.gz"
done
go test ./recordings -count 1 -update
echo "$(ls "$to/cells" | wc -l) of $(grep -c '"key"' "$to/manifest.json") cells, $(du -sh --apparent-size "$to" | cut -f1)"
