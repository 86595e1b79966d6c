#!/usr/bin/env bash
# Print the lines of Go, C and C++ by package, and their budgets of size.budget; exit 1 if the whole is over its own.
# Not counted: tests, testdata, fixtures, examples, recordings, and the corpus' own data under bench/lisabench/libraries.
set -euo pipefail
cd "$(dirname "$0")/.."
lines() {
	git ls-files '*.go' '*.c' '*.cc' '*.cpp' '*.h' '*.hpp' |
		grep -vE '_test\.go$|(^|/)(testdata|fixtures|examples)/|^recordings/.*/|^bench/lisabench/libraries/' |
		while read -r file; do
			[ ! -e "$file" ] || echo "$(dirname "$file" | sed 's,/native$,,') $(wc -l <"$file")" # C++ is its driver's
		done
}
table=$(lines | awk '
	FILENAME != "-" { if ($1 !~ /^#/) budget[$1] = $2; next }
	{ size[$1] += $2; size["whole"] += $2 }
	END {
		for (p in size) {
			most = (p in budget) ? budget[p] : budget["each"]
			over = (size[p] > most) ? "over by " (size[p] - most) : ""
			printf "%-36s %6d %6d %s\n", p, size[p], most, over
		}
	}' scripts/size.budget - | sort -k2,2n)
echo "$table"
! grep -q '^whole .* over' <<<"$table"
