#!/usr/bin/env bash
# fresh.sh [RUN]: runs the suites of a finished "bench run recorded" (results/runs/recorded unless another is given) on
# the fresh bugs, which are in the edition debian-fresh alone, and prints what each tool detects by the year of the fix.
# RUN/fresh/CELL holds a report for each suite. What was evaluated once is not evaluated again.
set -euo pipefail
bench=$(realpath "$(dirname "$0")/../bin/bench")
run=${1:-results/runs/recorded}
bugs=$("$bench" list bugs --json)
for cell in "$run"/cells/*/; do
	name=$(basename "$cell")
	library=$(cut -d. -f3 <<<"$name")
	fresh=$(jq -r --arg l "$library" '[.bugs[] | select(.library == $l and .selection == "fresh").id] | join(",")' <<<"$bugs")
	out=$run/fresh/$name
	[ -n "$fresh" ] && [ -d "$cell/suite" ] && [ ! -f "$out.json" ] || continue
	mkdir -p "$run/fresh"
	echo "$name" >&2
	"$bench" evaluate --edition debian-fresh --library "$library" --bugs "$fresh" --suite "$cell/suite" --dir "$out" --json \
		>"$out.part" || [ $? = 3 ]
	mv "$out.part" "$out.json"
done
jq -rs '.' "$run"/fresh/*.json >/dev/null
