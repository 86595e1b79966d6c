#!/bin/sh
# Prints the bugs of the corpus that `make test` proves at this commit, one a line:
#   - every bug whose files, or whose library's recipe or data, differ from the merge base with the
#     main branch (at the merge base itself: from the commit before), committed or not;
#   - one other, which changes with each commit: make test-all proves all of them.
# Usage: scripts/sample-corpus.sh [MAIN]     (origin/HEAD, or else main)
set -eu
cd "$(dirname "$0")/.."
libraries=bench/lisabench/libraries
say() { echo "sample-corpus.sh: $*" >&2; }

# bugs DIR: the bugs below DIR, in the order of their names.
bugs() { find "$1" -path '*/bugs/*.yaml' | sed 's#.*/##; s#\.yaml$##' | LC_ALL=C sort -t- -k1,1 -k2,2n; }

# changed BASE: the bugs of files that differ from a commit.
changed() {
    { git diff --name-only --relative "$1" -- $libraries; git ls-files --others --exclude-standard -- $libraries; } |
        while read -r file; do
            rest=${file#"$libraries"/}
            case $rest in
            */bugs/*.*) basename "${rest%.*}" ;;
            */*) bugs "$libraries/${rest%%/*}" ;;
            esac
        done
}

n=0 base=
if head=$(git rev-parse --verify --quiet HEAD); then
    n=$(git rev-list --count HEAD)
    base=$(git merge-base HEAD "${1:-origin/HEAD}" 2>/dev/null || git merge-base HEAD main 2>/dev/null || true)
    if [ -z "$base" ] || [ "$base" = "$head" ]; then base=$(git rev-parse --verify --quiet HEAD^ || true); fi
fi
all=$(bugs $libraries)
{
    if [ -n "$base" ]; then changed "$base"; else say "no commit to compare with"; fi
    echo "$all" | sed -n "$((n % $(echo "$all" | wc -l) + 1))p"
} | LC_ALL=C sort -u | grep -Fx "$all"   # a bug that was removed is not there
say "the bugs that differ from ${base:-nothing}, and one other"
