"""Machines and programs by chance, each run with 1, 2, 3 and 7 threads: statistics, what is printed,
timelines, waveforms and sent frames must be the same, byte for byte. The same number gives the same
machine. Usage: machines.py BUILD COUNT [FIRST]."""

import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

THREADS = (1, 2, 3, 7)
LIMIT = 1200  # seconds: ends a hang

PROGRAMS = (
    "vectorAdd --elements 3000",
    "matrixMul 48",
    "bfs --nodes 400 --block 64",
    "bfs --nodes 300 --frontier",
    "histogram64 --kilobytes 40",
    "blackScholes --options 1500 --blocks 9",
    "hotspot --side 50 --steps 3",
    "fibLookup --threads 300",
    "kernelPair --values 2000 --rounds 3",
    "pathfinder --columns 900 --rows 20",
    "backprop --nodes 528",
    "kmeans --points 500 --features 5 --clusters 3 --rounds 2",
    "lud --rows 48",
    "srad --rows 48 --columns 64 --region 16 --iterations 1",
    "streamcluster --points 40 --dimensions 3 --chunk 20 --least 2 --most 3",
    "convColor --images 32 --image-side 6 --times 1",
    "mst --nodes 150 --degree 3",
    "mst --nodes 120 --graph road --block 64",
    "sssp --nodes 200 --degree 3",
    "sssp --nodes 150 --graph road --variant worklist --block 64",
    "pageViewCount --lines 60 --pages 7",
    "pageViewCount --lines 200 --pages 7 --sort chunks",
    "invertedIndex --documents 3 --bytes 900 --urls 5",
    "mummer --reference 200 --queries 50",
    "surveyPropagation --variables 40 --clauses 168",
)
SERVICES = ("ipv4", "ipv6", "memc", "ipsec", "echo", "gateway")
MACHINES = ("edge.ini", "edge.ini", "gtx480.ini", "gtx580.ini", "cm-bal.ini", "cm-bal-4sm.ini")


def settings(chance, machine):
    """Overrides of the machine, as a list of options."""
    found = []

    def maybe(key, values, often=0.3):
        if chance.random() < often:
            found.append(f"{key}={chance.choice(values)}")

    if not machine.startswith("cm-bal"):
        maybe("gpu.cores", (2, 3, 5, 8, 15, 24, 33), 0.7)
        maybe("network.request_latency", (1, 2, 7, 30))
        maybe("network.reply_latency", (1, 2, 7, 30))
        maybe("network.input_order", ("voq", "fifo"))
        maybe("l2.partitions", (1, 2, 3, 6, 8))
    maybe("core.schedulers", (1, 2, 4) if not machine.startswith("cm-bal") else (1, 2))
    maybe("core.scheduler", ("gto", "two-level"))
    maybe("core.warps", (16, 32, 48))
    warps = [int(key.split("=")[1]) for key in found if key.startswith("core.warps=")]
    found += [f"core.threads={32 * n}" for n in warps]
    maybe("core.l1_global_store", ("through", "evict"))
    maybe("core.l1_fetch", ("line", "sector"))
    maybe("core.l1_replacement", ("lru", "srrip"))
    maybe("core.ldst_queue", (2, 4, 8))
    maybe("core.const_fetch", ("line", "half"))
    maybe("l2.write_miss", ("lazy", "fetch", "around"))
    maybe("l2.map", ("plain", "hashed"))
    maybe("dram.scheduler", ("fr-fcfs", "fr-fcfs-cap", "fcfs"))
    maybe("gpu.lookahead", (1, 2, 5))
    return [word for key in found for word in ("--set", key)]


def command(number, build, folder):
    """The command of a machine, and the files that it writes besides the statistics."""
    chance = random.Random(number)
    machine = chance.choice(MACHINES)
    words = ["--config", machine, "--tiles", chance.choice(("model", "model", "verilator", "lockstep"))]
    words += settings(chance, machine)
    files = {}
    kind = chance.random()
    if kind < 0.55:
        service = chance.choice(SERVICES)
        words += ["--service", f"{service},packets={chance.choice((96, 200, 333))}"]
        words += ["--sched", chance.choice(("preempt", "drain", "dynamic"))]
        if chance.random() < 0.3:
            words += ["--launch", chance.choice(("edge", "cpu"))]
        if chance.random() < 0.3:
            files["sent"] = f"{folder}/sent.pcap"
            words += ["--out", files["sent"]]
    if kind > 0.35:
        for program in chance.sample(PROGRAMS, chance.choice((1, 1, 2))):
            name, _, rest = program.partition(" ")
            words += ["--program", f"{build}/apps/{name} {rest}"]
    elif chance.random() < 0.7:
        words += ["--background", str(chance.choice((32, 64)))]
    if machine.startswith("cm-bal"):
        if chance.random() < 0.5:
            words += ["--cpus", chance.choice(("H1", "M1", "L1")), "--cpu-warmup", "500",
                      "--cpu-quota", "2000", "--gpu-quota", "100000"]
        if chance.random() < 0.6:
            words += ["--concurrency", chance.choice(("cm-bal1", "cm-cpu", "cm-next", "dyncta", "fixed:8"))]
    elif chance.random() < 0.25 and "--program" in words:
        words += ["--check", "all"]
    if chance.random() < 0.4:
        files["timeline"] = f"{folder}/timeline.json"
        words += ["--timeline", files["timeline"]]
    if chance.random() < 0.2 and words[3] != "model":
        files["waves"] = f"{folder}/waves.fst"
        words += ["--trace", files["waves"], "--trace-window", "4000"]
    return words + ["--no-alone"], files


DATE = slice(202, 321)  # of the header of an FST file


def without_date(waves):
    return waves[:DATE.start] + waves[DATE.stop:]


def without_speed(text, folder):
    """Without the lines that say how fast the simulator is: the last one, and those of its progress."""
    lines = text.replace(folder.encode(), b"").replace(b"\r", b"\n").split(b"\n")
    return [line for line in lines if b" kcycle/s" not in line]


def without_about(path):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    content.pop("about", None)
    content.get("otherData", {}).pop("about", None)  # of a timeline
    return json.dumps(content)


def run(number, build, threads):
    """Everything that the run says and leaves behind."""
    with tempfile.TemporaryDirectory() as folder:
        words, files = command(number, build, folder)
        stats = f"{folder}/stats.json"
        done = subprocess.run(
            [f"{build}/evgpu", "run", *words, "--threads", str(threads), "--json", stats],
            capture_output=True, timeout=LIMIT, check=False)
        outcome = {"status": done.returncode, "printed": without_speed(done.stdout, folder),
                   "messages": without_speed(done.stderr, folder)}
        if os.path.exists(stats):
            outcome["statistics"] = without_about(stats)
        for name, path in files.items():
            if not os.path.exists(path):
                continue
            if name == "timeline":
                outcome[name] = without_about(path)
            else:
                with open(path, "rb") as file:
                    outcome[name] = without_date(file.read()) if name == "waves" else file.read()
        return outcome, words


def differences(number, build):
    first, words = run(number, build, THREADS[0])
    if "statistics" not in first and first["status"] == 0:
        return ["it left no statistics"], words, first
    found = []
    for threads in THREADS[1:]:
        other, _ = run(number, build, threads)
        found += [f"{name} with {threads} threads" for name in first.keys() | other.keys()
                  if first.get(name) != other.get(name)]
    return found, words, first


def main():
    build, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    wrong = ran = refused = 0
    number = first
    # A machine that is refused shows nothing, so another one is drawn.
    while ran < count and refused <= count:
        found, words, outcome = differences(number, build)
        if found:
            print(f"not ok machine {number}: {', '.join(found)}\n    evgpu run {shlex.join(words)}")
        elif outcome["status"] == 2:
            print(f"machine {number} is refused, with all threads alike")
        else:
            print(f"ok machine {number}: status {outcome['status']}")
        sys.stdout.flush()
        wrong += bool(found)
        refused += not found and outcome["status"] == 2
        ran += bool(found) or outcome["status"] != 2
        number += 1
    if ran < count:
        print(f"not ok {refused} machines were refused, {ran} ran")
        wrong += 1
    print(f"THREADS {'DIFFER' if wrong else 'EQUAL'}: {ran - wrong} of {count} machines and programs "
          f"gave the same with {', '.join(map(str, THREADS))} threads")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
