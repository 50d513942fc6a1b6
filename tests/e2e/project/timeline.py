"""Checks a timeline file: python3 timeline.py FILE.json [STATISTICS.json]

Every event has what its kind needs; slices of a track nest or follow each other, and none ends before
it begins; processes and tracks have names; arrows end where they began, later, and on slices; and the
sums of kernels, copies, calls, events and batches are those of the statistics file."""
import json
import sys
from collections import defaultdict

failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def ns(text):
    """Microseconds with three decimals as a whole number of nanoseconds."""
    whole, _, rest = text.partition(".")
    value = abs(int(whole)) * 1000 + int(rest)
    return -value if whole.startswith("-") else value


def check_names(events):
    processes = {e["pid"] for e in events if e["name"] == "process_name"}
    tracks = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    for e in events:
        if e["ph"] in "Xi":
            expect(e["pid"] in processes, f"process {e['pid']} has no name")
            expect((e["pid"], e["tid"]) in tracks, f"track {e['pid']}.{e['tid']} has no name")


def check_nesting(events):
    tracks = defaultdict(list)
    for number, e in enumerate(events):
        if e["ph"] == "X":
            begin, length = ns(e["ts"]), ns(e["dur"])
            expect(begin >= 0 and length >= 0, f"negative time: {e}")
            tracks[e["pid"], e["tid"]].append((begin, -length, number, e["name"]))
    for track, slices in tracks.items():
        open_ends = []
        for begin, length, number, name in sorted(slices):
            end = begin - length
            while open_ends and open_ends[-1][0] <= begin:
                open_ends.pop()
            if open_ends:
                expect(end <= open_ends[-1][0],
                       f"track {track}: {name} at {begin} ns overlaps {open_ends[-1][2]}")
                # Of two that begin at once, viewers take the first in the file as the outer one.
                if open_ends[-1][1] == begin:
                    expect(open_ends[-1][3] < number, f"track {track}: {name} comes before the outer slice")
            open_ends.append((end, begin, name, number))
    return tracks


def check_arrows(events, tracks):
    spans = {t: [(b, b - l) for b, l, _, _ in s] for t, s in tracks.items()}
    begun = {}
    for e in events:
        if e["ph"] not in "sf":
            continue
        at = ns(e["ts"])
        inside = any(b <= at <= end for b, end in spans.get((e["pid"], e["tid"]), []))
        expect(inside, f"arrow {e['id']} touches no slice")
        if e["ph"] == "s":
            expect(e["id"] not in begun, f"arrow {e['id']} begins twice")
            begun[e["id"]] = at
        else:
            expect(begun.pop(e["id"], at + 1) <= at, f"arrow {e['id']} goes back in time")
    expect(not begun, f"arrows without an end: {sorted(begun)}")


def check_sums(events, statistics):
    names = {e["args"]["name"]: e["pid"] for e in events if e["name"] == "process_name"}
    for guest, figures in statistics["guests"].items():
        mine = [e for e in events if e["ph"] == "X" and e["pid"] == names.get(guest)]
        count = lambda category, name: sum(e["cat"] == category and e["name"] == name for e in mine)
        for kernel, f in figures.get("kernels", {}).items():
            expect(count("kernel", kernel) == f["launches"], f"{guest}: launches of {kernel}")
        khz = int(statistics["clock_khz"])
        cycles = sum(f["cycles"] for f in figures.get("kernels", {}).values())
        run = sum(ns(e["dur"]) for e in mine if e["name"] == "blocks run")
        expect(abs(run - cycles * 10**6 // khz) <= len(mine) + 1, f"{guest}: {run} ns of {cycles} kernel cycles")
        for kind, name in (("to_device", "copy to device"), ("to_host", "copy to host"),
                           ("on_device", "copy on device")):
            f = figures.get("copies_by_kind", {}).get(kind)
            if not f:
                continue
            copies = [e for e in mine if e["cat"] in ("copy", "stream") and e["name"] == name]
            expect(len(copies) == f["calls"], f"{guest}: {name}: {len(copies)} of {f['calls']}")
            expect(sum(e["args"]["bytes"] for e in copies) == f["bytes"], f"{guest}: {name}: bytes")
            length = sum(ns(e["dur"]) for e in copies)
            expect(abs(length - f["cycles"] * 10**6 // khz) <= len(copies) + 1, f"{guest}: {name}: time")
        if figures["kind"] == "service":
            expect(sum(e["cat"] == "event" and "args" in e for e in mine) == figures["events"],
                   f"{guest}: events")
            expect(sum(e["name"] == "batch" for e in mine) == figures["nic"]["batches"],
                   f"{guest}: batches")


def main():
    keep = lambda text: text
    with open(sys.argv[1], encoding="ascii") as file:
        trace = json.load(file, parse_float=keep)
    events = trace["traceEvents"]
    expect(events, "no events")
    for e in events:
        if e["ph"] in "Xisf":
            expect(isinstance(e["ts"], str) and len(e["ts"].partition(".")[2]) == 3, f"time: {e}")
    check_names(events)
    check_arrows(events, check_nesting(events))
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            statistics = json.load(file)
        statistics["clock_khz"] = trace["otherData"]["clock_khz"]
        check_sums(events, statistics)
    for text in failures[:10]:
        print(text)
    return 1 if failures else 0


sys.exit(main())
