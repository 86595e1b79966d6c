#!/bin/bash
# Works on cells of this run: task number n on the lines from n*2+1 of cells-1.txt.
#SBATCH --job-name=tiny
#SBATCH --array=0-1%7
#SBATCH --output=cells-1.%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --kill-on-invalid-dep=yes
#SBATCH --cpus-per-task=2
#SBATCH --mem=6144M
#SBATCH --time=181
# A minute before the time limit:
#SBATCH --signal=B:USR1@60
set -u
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
module load clang
first=$((SLURM_ARRAY_TASK_ID * 2 + 1))
cells=()
while IFS= read -r cell; do
    cells+=(--cell "$cell")
done < <(sed -n "${first},$((first + 2 - 1))p" cells-1.txt)
echo "$(date -u +%FT%TZ) $(hostname), session $((${SLURM_RESTART_COUNT:-0} + 1)): ${cells[*]}"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/bench-scratch-XXXXXX") || exit 1
chmod 755 "$scratch" # test programs may run as another user
trap 'rm -rf "$scratch"' EXIT
late=
trap 'late=1; kill -TERM "$bench" 2>/dev/null' USR1
trap 'kill -TERM "$bench" 2>/dev/null' TERM INT
cd /home/me || exit 1
/opt/bench --cache /shared/cache run '/shared/it'\''s a run/experiment.yaml' --dir '/shared/it'\''s a run' --scratch "$scratch" --jobs 1 "${cells[@]}" &
bench=$!
wait "$bench"
code=$?
while kill -0 "$bench" 2>/dev/null; do # a signal ended the wait, not bench
    wait "$bench"
    code=$?
done

# The time was up, or bench broke (1: a full disk, a missing program, a cell that another task
# still has) or was killed (above 130): once more from where it was. 3 is a cell with a reason,
# which waits for another submission.
# A job that is cancelled gets TERM and is not queued again.
if { [ -n "$late" ] || [ "$code" -eq 1 ] || [ "$code" -gt 130 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
    rm -rf "$scratch"
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && sleep 60 # Slurm ends this script
fi
exit "$code"
