# Experiments through a real Slurm of this machine (tests/slurm_cluster.sh): job arrays and their limit,
# the job that makes the tables, tasks that fail, are killed or lost, Ctrl-C, a submission that was
# interrupted, errors of Slurm.
. tests/e2e/lib.sh.inc

why=$(sh tests/slurm_cluster.sh missing | tr '\n' ';')
if [ -n "$why" ]; then
    skip "slurm: ${why%;}"
    exit 0
fi
export SLURM_CONF="$work/cluster/slurm.conf"
trap 'sh tests/slurm_cluster.sh stop "$work/cluster"; rm -rf "$work"' EXIT
mkdir "$work/unshared"
check "a Slurm of this machine starts" \
    env HIDDEN="$work/unshared" sh tests/slurm_cluster.sh start "$work/cluster" MaxArraySize=4
if [ "$failures" -ne 0 ]; then
    finish
fi

# A row: "row N KEY" ends well once $work/hold.KEY is not there, fails where $work/bad.N is, kills its
# simulation where $work/kill.N is, and the task around that where $work/slay.N is. KEY keeps equal rows of
# different experiments apart.
sed "s,WORK,$work," >"$work/row" <<'END'
#!/bin/sh
if [ -e "WORK/bad.$1" ]; then
    echo "bad $1 is there"
    exit 3
fi
[ ! -e "WORK/kill.$1" ] || kill -KILL "$PPID"
[ ! -e "WORK/slay.$1" ] || kill -KILL "$(awk '{ print $4 }' /proc/$PPID/stat)"
while [ -e "WORK/hold.$2" ]; do sleep 0.05; done
exec matrixMul 32
END
sed -i "s,WORK,$work,g" "$work/row"
chmod +x "$work/row"
experiment_of() { # NAME KEY ROWS
    echo "[experiment]
title = $1
[vary n]
$(for n in $(seq "$3"); do echo "$n = $n $2"; done)
[simulation]
config = gtx480.ini
program = $work/row {n}
tiles = model
[figures]
cycles = cycles cycles
[table]
rows = n
column cycles = cycles
[summary]
total = sum(n: cycles)" >"$work/$1.ini"
}
out=$work/results
slurm() { # NAME OPTION...: exit status in $status, what it says in $work/said
    name=$1
    shift
    "$evgpu" experiment "$work/$name.ini" --slurm --out "$out" "$@" >"$work/said" 2>&1
    status=$?
}
says() {
    grep -qE -- "$1" "$work/said" || { cat "$work/said"; false; }
}
ends() { # STATUS TEXT: the last command
    says "$2" && [ "$status" -eq "$1" ]
}
submits() { # N: as many arrays as the last command has submitted
    [ "$(grep -c '^job [0-9]*: [0-9]* simulation' "$work/said")" -eq "$1" ] || { cat "$work/said"; false; }
}
runs() { # N: so many tasks run
    [ "$(squeue --noheader --states=running | wc -l)" -ge "$1" ]
}
nothing_left() {
    [ "$(ls "$out/slurm")" = lock ]
}

# Six rows where an array has four tasks at most.
experiment_of six six 6
slurm six
check "six simulations through Slurm" ends 0 'DONE: six: 6 run, 0 kept, 0 failed, 0 left out'
check "... are two arrays where MaxArraySize is 4" submits 2
check "... and a job behind them" says '^job [0-9]+: makes the tables after all simulations'
"$evgpu" experiment "$work/six.ini" --out "$work/local" >/dev/null 2>&1
check "... the tables are those of a local run" same_figures "$out/six/six.json" "$work/local/six/six.json"
check "... and nothing else is left" nothing_left
slurm six
check "nothing has changed" ends 0 '0 run, 6 kept'
check "... so nothing is submitted" submits 0
slurm six --again --only '[12]' --jobs 1 --slurm-options "--comment='two words' --time=10"
check "two again, one at a time, with options for sbatch" ends 0 'DONE: six: 2 run, 4 kept'
experiment_of one one 2
experiment_of two two 1
printf '[experiment]\ntitle = Both\nmembers = %s %s\n' "$work/one.ini" "$work/two.ini" >"$work/both.ini"
slurm both
check "the members of a group" ends 0 'DONE: both: 2 experiments, 0 failed'
check "... are one array" says '^job [0-9]+: 3 simulations submitted'

# Simulations that fail or are killed: only they are submitted again.
experiment_of failing failing 4
touch "$work/bad.2" "$work/kill.3" "$work/slay.4"
slurm failing
check "simulations that fail" ends 1 'FAILED: failing: 1 run, 0 kept, 3 failed'
check "... are named" says '^FAILED 2: .*bad 2 is there \(job [0-9]+_1\)'
check "... so is one that was killed" says '^FAILED 3: killed by signal 9 \(job [0-9]+_2\)'
check "... and a task that was" says '^FAILED 4: job [0-9]+_3 ended without a result'
slurm failing --collect
check "... and they are, without being run" ends 1 '^FAILED 2: .*bad 2 is there'
rm "$work"/bad.2 "$work"/kill.3 "$work"/slay.4
slurm failing
check "run again, they are submitted alone" ends 0 'DONE: failing: 3 run, 1 kept, 0 failed'
check "... their failures named" says '^FAILED 2: .*bad 2 is there .*; it is submitted again'
check "... and no other simulation" says '^job [0-9]+: 3 simulations submitted'

# Ctrl-C leaves the jobs running; the same command waits for them, or their own job makes the tables.
start_and_interrupt() { # NAME
    "$evgpu" experiment "$work/$1.ini" --slurm --out "$out" >"$work/said" 2>&1 &
    pid=$!
    until_true grep -q 'makes the tables' "$work/said"
    until_true runs 2
    kill -INT $pid
    await $pid
    status=$?
}
experiment_of left left 3
touch "$work/hold.left"
start_and_interrupt left
check "Ctrl-C ends the command" \
    ends 1 '^3 simulations are left in Slurm.s queue; the same command resumes, .scancel [0-9 ]+. ends them'
task=$(sed -n 's/^job \([0-9]*\): 3 sim.*/\1/p' "$work/said")_1
scancel "$task"
until_true sh -c "! squeue --noheader --array --format=%i | grep -qx $task"
# Its jobs are held until it has found them.
resume() { # NAME
    "$evgpu" experiment "$work/$1.ini" --slurm --out "$out" >"$work/said" 2>&1 &
    pid=$!
    until_true grep -q "simulations are in Slurm's queue already" "$work/said"
    rm "$work/hold.$1"
    await $pid
    status=$?
}
resume left
check "the same command waits for its jobs" ends 0 'DONE: left: 3 run, 0 kept, 0 failed'
check "... which are in the queue" says "^2 simulations are in Slurm.s queue already"
check "... names one that was cancelled" says '^FAILED 2: .*; it is submitted again'
check "... and submits only that" says '^job [0-9]+: 1 simulation submitted'
experiment_of alone alone 2
touch "$work/hold.alone"
start_and_interrupt alone
rm "$work/hold.alone"
check "Ctrl-C, and nobody waits" ends 1 'the others wait or run; the same command continues'
check "... the job behind the array makes the tables" until_true test -s "$out/alone/index.html"
check "... of every row" until_true grep -q '"total": [1-9]' "$out/alone/summary.json"
"$evgpu" experiment "$work/alone.ini" --out "$out" >"$work/said" 2>&1
check "... and a command without Slurm finds all of it" says '0 run, 2 kept'

# A command that is killed before its sbatch, and behind it before the job's number is known.
mkdir "$work/bin" "$work/none"
experiment_of broken broken 2
with_sbatch() { # LINE...: a command of this name in front of the real one
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$work/bin/sbatch"
    chmod +x "$work/bin/sbatch"
    old_path=$PATH
    PATH=$work/bin:$PATH
    slurm broken 2>/dev/null
    PATH=$old_path
}
sbatch=$(command -v sbatch)
with_sbatch 'kill -KILL $PPID'
check "killed before sbatch" test "$status" -eq 137
touch "$work/hold.broken"
with_sbatch "$sbatch \"\$@\" >/dev/null" 'kill -KILL $PPID'
check "killed behind sbatch" test "$status" -eq 137
resume broken
check "... goes on with its jobs" ends 0 'DONE: broken: 2 run, 0 kept, 0 failed'
check "... and submits none twice" submits 0
check "... nothing is left of it" nothing_left

# Errors.
experiment_of wrong wrong 2
refuses() { # STATUS TEXT OPTION...
    want_status=$1
    text=$2
    shift 2
    fails_with "$want_status" "$text" "$evgpu" experiment "$work/wrong.ini" --slurm --out "$out" "$@"
}
check "sbatch refuses" refuses 1 "sbatch: error: Batch job submission failed: Invalid" --slurm-options --partition=none
check "... and leaves nothing" nothing_left
slurm six --again --slurm-options --partition=none
slurm six --collect
check "... and takes no kept result away" ends 0 'DONE: six: 0 run, 6 kept'
check "a word that is no option" refuses 2 "'long' is not an option of sbatch" --slurm-options long
check "a quote without its end" refuses 2 "contains an unmatched quote" --slurm-options "--comment='a"
check "options without --slurm" fails_with 2 "--slurm-options needs --slurm" \
    "$evgpu" experiment "$work/wrong.ini" --slurm-options -x
check "a folder that cannot be" refuses 2 "not a directory" --out "$work/row"
silent_slurm() { # one without its controller
    sed 's/^SlurmctldPort=.*/SlurmctldPort=1/' "$SLURM_CONF" >"$work/silent.conf"
    echo 'MessageTimeout=2' >>"$work/silent.conf"
    SLURM_CONF=$work/silent.conf refuses 1 "scontrol: "
}
check "no Slurm to speak to" silent_slurm
no_commands() {
    old_path=$PATH
    PATH=$work/none
    "$evgpu" experiment "$work/wrong.ini" --slurm --out "$out" 2>"$work/stderr"
    status=$?
    PATH=$old_path
    cat "$work/stderr"
    [ $status -eq 1 ] && grep -q "scontrol is not found: --slurm needs Slurm's commands" "$work/stderr"
}
check "no commands of Slurm" no_commands
check "no task without Slurm" fails_with 1 "SLURM_ARRAY_TASK_ID" "$evgpu" experiment --slurm-task "$out"
out=$work/unshared/results
slurm wrong
check "a folder that the nodes do not share" ends 1 '^FAILED 1: job [0-9]+_0 left nothing in .*the nodes cannot write this folder'
finish
