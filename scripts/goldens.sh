#!/usr/bin/env bash
# Write what bench answers to OUT, so that two versions can be compared with `diff -r`:
# plans, the paper's numbers, the report of one run, the bugs of shared suites, and help texts.
#   scripts/goldens.sh OUT [SUITES]     BENCH=bin/bench by default
set -uo pipefail
cd "$(dirname "$0")/.."
out=${1:?usage: scripts/goldens.sh OUT [SUITES]}
suites=${2:-}
bench=${BENCH:-bin/bench}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out/plan" "$out/suites" "$out/report"

for file in experiments/*.yaml; do
	"$bench" plan "$file" --json >"$out/plan/$(basename "$file" .yaml).json" 2>"$out/plan/$(basename "$file" .yaml).err"
done
"$bench" paper --json >"$out/paper.json" 2>&1
"$bench" paper >"$out/paper.txt" 2>&1
for kind in libraries bugs tools experiments; do
	"$bench" list "$kind" --json >"$out/list-$kind.json" 2>&1
done

"$bench" run experiments/quickstart.yaml --dir "$scratch/quickstart" >"$out/quickstart.txt" 2>"$out/quickstart.err"
"$bench" report "$scratch/quickstart" --format json >"$out/report/stdout" 2>&1
cp -r "$scratch/quickstart/report/." "$out/report/"
for record in "$scratch"/quickstart/cells/*/record.json; do
	cp "$record" "$out/report/record-$(basename "$(dirname "$record")").json"
done

[ -z "$suites" ] || for suite in "$suites"/*/; do
	library=$(basename "$suite")
	"$bench" evaluate --library "$library" --suite "$suite" --json >"$out/suites/$library.json" 2>"$out/suites/$library.err"
done
