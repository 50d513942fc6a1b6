# A Slurm of one machine for tests: munged, slurmctld and slurmd with keys, sockets, states and ports of
# their own in a folder, on the loopback only, no cgroups, no systemd. Needs root, and Debian's packages
# slurmctld, slurmd, slurm-client and munge.
#   sh tests/slurm_cluster.sh missing                  says what keeps it from running, nothing when it can
#   sh tests/slurm_cluster.sh start FOLDER [LINE...]   starts it; LINEs go to slurm.conf (MaxArraySize=8)
#   sh tests/slurm_cluster.sh stop FOLDER              ends it, jobs and all
# Its clients find it with SLURM_CONF=FOLDER/slurm.conf. On its node the folder HIDDEN, where that is
# set, is another one.
missing() {
    [ "$(id -u)" = 0 ] || echo "only root can start Slurm's daemons"
    for command in slurmctld slurmd munged mungekey sbatch squeue scontrol scancel; do
        command -v $command >/dev/null || echo "$command is not installed"
    done
}

# wait_for COMMAND...: until it succeeds; only what hangs comes to the limit
wait_for() {
    tries=$((${EVGPU_HANG_LIMIT:-1200} * 10))
    while [ $tries -gt 0 ]; do
        "$@" >/dev/null 2>&1 && return 0
        tries=$((tries - 1))
        sleep 0.1
    done
    echo "slurm_cluster: gave up waiting for: $*" >&2
    return 1
}

configuration() { # FOLDER PORT LINE...
    host=$(hostname -s)
    echo "ClusterName=evgpu
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$1/munge/socket
CredType=cred/munge
SlurmctldPort=$2
SlurmdPort=$(($2 + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP"
    shift 2
    for line; do
        echo "$line"
    done
}

node() { # COMMAND...
    if [ -n "${HIDDEN:-}" ]; then
        unshare --mount sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$HIDDEN" "$@"
    else
        "$@"
    fi
}

free_port() { # two of them
    port=$((20000 + ($$ * 2 + $(date +%s)) % 10000))
    while grep -qiE ":($(printf '%04x|%04x' $port $((port + 1)))) " /proc/net/tcp 2>/dev/null; do
        port=$((port + 2))
    done
    echo $port
}

start() { # FOLDER LINE...
    folder=$1
    shift
    mkdir -p "$folder/munge" "$folder/state" "$folder/spool"
    folder=$(cd "$folder" && pwd)
    chmod 755 "$folder"
    chmod 700 "$folder/munge"
    configuration "$folder" "$(free_port)" "$@" >"$folder/slurm.conf"
    export SLURM_CONF="$folder/slurm.conf"
    { test -e "$folder/munge/key" || mungekey --create --keyfile "$folder/munge/key"; } &&
        munged --force --key-file "$folder/munge/key" --socket "$folder/munge/socket" --num-threads 1 \
            --pid-file "$folder/munged.pid" --log-file "$folder/munged.log" --seed-file "$folder/munge/seed" &&
        wait_for test -S "$folder/munge/socket" &&
        slurmctld -c -f "$SLURM_CONF" && wait_for scontrol ping &&
        node slurmd -c -f "$SLURM_CONF" && wait_for sh -c 'sinfo -h -o %T | grep -qx idle'
}

ended() { # PID; nobody may wait for a daemon
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status"
}

stop() { # FOLDER
    export SLURM_CONF="$1/slurm.conf"
    jobs=$(squeue --noheader --format %A 2>/dev/null | sort -u)
    [ -z "$jobs" ] || { scancel $jobs; wait_for sh -c '[ -z "$(squeue -h)" ]'; }
    for daemon in slurmd slurmctld munged; do
        pid=$(cat "$1/$daemon.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null && wait_for ended "$pid" || kill -KILL "$pid" 2>/dev/null
    done
    return 0
}

command=$1
[ $# -eq 0 ] || shift
case $command in
missing | start | stop) $command "$@" ;;
*) sed -n '2,/^missing/s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
