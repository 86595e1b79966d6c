#!/usr/bin/env bash
# fresh.sh [RUN]: evaluates the suites of a finished "bench run recorded" (results/runs/recorded unless another is given)
# on the fresh bugs, which only the edition debian-fresh has, and prints what each cell detects of them.
# RUN/fresh/CELL.json is the result of a cell; one that is there is not evaluated again.
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:-results/runs/recorded}
mkdir -p "$run/fresh"
bugs=$(bin/bench list bugs --json | python3 -c 'import json, sys
for b in json.load(sys.stdin)["bugs"]:
    if b["selection"] == "fresh":
        print(b["library"], b["id"])')
for record in "$run"/cells/*/record.json; do
	cell=$(dirname "$record") name=$(basename "$(dirname "$record")")
	library=$(cut -d. -f3 <<<"$name")
	of=$(awk -v library="$library" '$1 == library { print $2 }' <<<"$bugs" | paste -sd,)
	[ -n "$of" ] && [ ! -f "$run/fresh/$name.json" ] || continue
	echo "$name" >&2
	bin/bench evaluate --edition debian-fresh --library "$library" --bugs "$of" --suite "$cell/suite" --json >"$run/fresh/$name.part" ||
		{ echo "$name: not evaluated (status $?)" >&2; continue; }
	mv "$run/fresh/$name.part" "$run/fresh/$name.json"
done
python3 - "$run"/fresh/*.json <<'P'
import json, os, sys
for path in sys.argv[1:]:
    bugs = [b for r in json.load(open(path))["records"] for b in r["bugs"]]
    found = [b["bug"] for b in bugs if b["detected"]]
    print(os.path.basename(path)[:-5], len(found), "of", len(bugs), *found)
P
