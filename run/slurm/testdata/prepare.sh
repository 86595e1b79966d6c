#!/bin/bash
# Fetches and builds what the cells of this run share, and writes the run's manifest.
#SBATCH --job-name=tiny-prepare
#SBATCH --output=prepare.%j.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --cpus-per-task=2
#SBATCH --mem=6144M
#SBATCH --time=60
set -u
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
module load clang
cd /home/me || exit 1
/opt/bench --cache /shared/cache run '/shared/it'\''s a run/experiment.yaml' --dir '/shared/it'\''s a run' --prepare
code=$?
# 3: some library cannot be built. Its cells will say so; the others can be worked on.
if [ "$code" -eq 3 ]; then exit 0; fi
exit "$code"
