#!/bin/bash
# Makes the report of this run, however its cells ended.
#SBATCH --job-name=tiny-report
#SBATCH --output=report.%j.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --cpus-per-task=1
#SBATCH --mem=6144M
#SBATCH --time=60
set -u
module load clang
/opt/bench --cache /shared/cache report '/shared/it'\''s a run' && /opt/bench --cache /shared/cache status '/shared/it'\''s a run'
