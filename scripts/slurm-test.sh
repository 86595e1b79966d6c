#!/bin/bash
# Runs bench on a Slurm of one node, set up in a temporary directory and taken down at the end.
# Installs Debian's slurm-wlm and munge if they are missing. Needs root, for slurmd does.
#
#   scripts/slurm-test.sh              the run through Slurm equals the local one, also when the
#                                      node dies and the controller restarts in the middle
#   scripts/slurm-test.sh shell        a shell with this Slurm
#
# Uses the cache of sources and builds in $BENCH_CACHE, or bench's own default.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-test}
[ "$(id -u)" = 0 ] || { echo "slurm-test.sh: slurmd needs root" >&2; exit 1; }

missing=
for p in slurm-wlm munge; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
done
if [ -n "$missing" ]; then
    apt-get update -qq
    # Debian would start the daemons; this script starts its own.
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

T=$(mktemp -d /tmp/bench-slurm-XXXXXX)
host=$(hostname -s)
cpus=$(nproc)
export SLURM_CONF=$T/slurm.conf
say() { printf '%6ds  %s\n' $((SECONDS)) "$*"; }
die() { echo "slurm-test.sh: $*" >&2; exit 1; }

write_config() {
    ports=$((20000 + $$ % 20000))
    cat >"$SLURM_CONF" <<CONF
ClusterName=bench
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
SlurmdPort=$((ports + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$T/munge.sock
CredType=cred/munge
StateSaveLocation=$T/state
SlurmdSpoolDir=$T/spool
SlurmctldPidFile=$T/slurmctld.pid
SlurmdPidFile=$T/slurmd.pid
SlurmctldLogFile=$T/slurmctld.log
SlurmdLogFile=$T/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=5
MinJobAge=600
MaxJobCount=20000
SchedulerParameters=batch_sched_delay=1,sched_interval=2,bf_interval=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=65536 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    # This node's memory is its own business: jobs ask for some, nothing is kept from them.
    echo "SlurmdParameters=config_overrides" >>"$SLURM_CONF"
}

start_munge() {
    dd if=/dev/urandom of="$T/munge.key" bs=1 count=1024 2>/dev/null
    chmod 600 "$T/munge.key"
    munged --force --key-file="$T/munge.key" --socket="$T/munge.sock" --pid-file="$T/munged.pid" \
        --log-file="$T/munged.log" --seed-file="$T/munge.seed"
}
start_controller() { slurmctld; }
start_node() { slurmd -N "$host"; }

await_node() { # until the node takes jobs
    for _ in $(seq 150); do
        case "$(sinfo -h -o %t 2>/dev/null)" in idle | mix | alloc) return ;; esac
        sleep 0.2
    done
    tail -n 5 "$T"/slurm*.log >&2
    die "the node does not come up"
}

# of_jobs prints the processes of this Slurm's jobs.
of_jobs() {
    local p env
    for p in /proc/[0-9]*; do
        env=$(cat "$p/environ" 2>/dev/null | tr '\0' '\n') || continue
        case $'\n'"$env"$'\n' in
        *$'\nSLURM_JOB_ID='*) ;;
        *) continue ;;
        esac
        case $'\n'"$env"$'\n' in *$'\n'"SLURM_CONF=$SLURM_CONF"$'\n'*) echo "${p#/proc/}" ;; esac
    done
}
stepd_of() { # the slurmstepd above a process
    local parent
    parent=$(awk '/^PPid:/ {print $2}' "/proc/$1/status" 2>/dev/null) || return 0
    if [ -n "$parent" ] && grep -q '^slurmstepd' "/proc/$parent/comm" 2>/dev/null; then echo "$parent"; fi
}

pid_of() { cat "$T/$1.pid" 2>/dev/null || true; }
stop() { # a daemon, with a signal
    local pid
    pid=$(pid_of "$1")
    [ -n "$pid" ] || return 0
    kill "-$2" "$pid" 2>/dev/null || true
    for _ in $(seq 50); do
        case "$(awk '/^State:/ {print $2}' "/proc/$pid/status" 2>/dev/null)" in '' | Z) break ;; esac
        sleep 0.1
    done
    rm -f "$T/$1.pid"
}
kill_node() { # as if it lost its power
    local jobs steps
    stop slurmd KILL
    jobs=$(of_jobs)
    steps=$(for p in $jobs; do stepd_of "$p"; done | sort -u)
    # shellcheck disable=SC2086
    [ -z "$steps$jobs" ] || kill -KILL $steps $jobs 2>/dev/null || true
}

take_down() {
    local code=$? left
    [ ! -S "$T/munge.sock" ] || scancel --user=root 2>/dev/null || true
    kill_node
    stop slurmctld TERM
    stop munged TERM
    left=$(for f in slurmd slurmctld munged; do pid_of $f; done; of_jobs)
    [ -z "$left" ] || echo "slurm-test.sh: still running: $left" >&2
    if [ "$code" = 0 ]; then rm -rf "$T"; else echo "slurm-test.sh: logs are in $T" >&2; fi
    exit "$code"
}
trap take_down EXIT

export PATH=$PATH:/usr/local/go/bin
go build -o "$T/bench" ./cmd/bench
bench() { "$T/bench" ${BENCH_CACHE:+--cache "$BENCH_CACHE"} "$@"; }

write_config
mkdir "$T/state" "$T/spool"
start_munge
start_controller
start_node
await_node
say "slurmctld, slurmd and munged run in $T"

tiny() { # an experiment that ends by counting programs, so that its report depends on no clock
    cat >"$T/tiny.yaml" <<YAML
name: tiny
trials: $1
budget: {programs: $2}
test: {timeout: 10s}
libraries:
  - {name: cJSON, edition: debian}
tools:
  - name: randoop
    params: {batch: 10}
YAML
}
submit() { bench submit --engine slurm "$T/tiny.yaml" --dir "$1" "${@:2}"; }
await_end() { # until nothing is queued
    for _ in $(seq 1800); do
        [ -n "$(squeue -h 2>/dev/null || echo down)" ] || return 0
        sleep 1
    done
    squeue
    die "jobs do not end"
}
same_report() {
    diff -r "$T/local/report" "$1/report" || die "the report of $1 differs from the local one"
    say "the report of $(basename "$1") is the local one's, byte for byte"
}
count() { bench status "$1" --json | awk -F'[:,]' -v k="\"$2\"" '$1 ~ k {print $2 + 0; exit}'; }
await_count() { # of cells in a state
    for _ in $(seq 600); do
        [ "$(count "$1" "$2")" -lt "$3" ] || return 0
        sleep 0.2
    done
    bench status "$1"
    tail -n 20 "$1"/slurm/*/*.log
    die "no cell is $2"
}

run_tests() {
    tiny 4 40
    bench run "$T/tiny.yaml" --dir "$T/local" >/dev/null 2>&1
    say "local run: $(bench status "$T/local" | head -n 1)"

    submit "$T/slurm"
    await_count "$T/slurm" running 1
    bench status "$T/slurm"
    bench report "$T/slurm" 2>/dev/null # also while it runs
    await_end
    same_report "$T/slurm"

    bench run "$T/tiny.yaml" --dir "$T/disturbed" --cell randoop.default.cJSON.debian.2 2>/dev/null
    say "one cell by hand: $(bench status "$T/disturbed" | head -n 1)"
    submit "$T/disturbed"
    await_count "$T/disturbed" running 1
    sleep 3
    kill_node
    sleep 1
    say "the node is dead: $(bench status "$T/disturbed" | head -n 1)"
    [ "$(count "$T/disturbed" running)" = 0 ] || die "a cell of a dead node is said to run"
    for _ in $(seq 100); do
        case "$(sinfo -h -o %t)" in down*) break ;; esac
        sleep 0.5
    done
    say "Slurm has noticed: node $(sinfo -h -o %t), jobs $(squeue -h -r -o %T | sort | uniq -c | xargs)"
    start_node
    await_node
    # Slurm holds what it queues again back for two minutes; there is no other node to spare.
    for j in $(squeue -h -r -t PD -o %i); do scontrol update JobId="$j" StartTime=now 2>/dev/null || true; done
    await_count "$T/disturbed" running 1
    say "the node is back: $(bench status "$T/disturbed" | head -n 1)"
    stop slurmctld KILL
    sleep 1
    start_controller
    await_node
    say "the controller is restarted: jobs $(squeue -h -r -o %T | sort | uniq -c | xargs)"
    await_end
    grep -h ', session ' "$T"/disturbed/slurm/*/cells-*.log
    grep -qh ', session [2-9]' "$T"/disturbed/slurm/*/cells-*.log || die "no task was queued again"
    same_report "$T/disturbed"

    if bench submit --engine slurm "$T/tiny.yaml" --dir "$T/none" --partition nowhere; then die "a wrong partition is accepted"; fi
    [ -z "$(squeue -h)" ] || die "something is left in the queue"
    submit "$T/disturbed" # nothing to do
}

case $what in
test) run_tests && say "done" ;;
shell) bash -i || true ;;
*) die "unknown $what: see the head of this script" ;;
esac
