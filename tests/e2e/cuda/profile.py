"""Checks that what kernels have been charged with is what the machine has counted: profile.py STATISTICS.json"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    statistics = json.load(file)
kernels = []
for guest in statistics["guests"].values():
    kernels += list(guest.get("kernels", {}).values()) + list(guest.get("event_kernels", {}).values())
cores, memory = statistics["gpu"]["cores"], statistics["gpu"]["memory"]
wrong = 0


def expect(name, mine, all_of_it, slack=0):
    global wrong
    if not all_of_it - slack <= mine <= all_of_it:
        print(f"{name}: kernels have {mine}, the machine has {all_of_it}")
        wrong += 1


def sum_of(key):
    return sum(k[key] for k in kernels)


for key in ("warp_instructions", "thread_instructions", "l1_hits", "l1_misses", "shared_conflict_cycles"):
    expect(key, sum_of(key), cores[key])
# A warp and the event on its place are there both; nothing is charged with instruction fetches.
events = any("event_kernels" in g for g in statistics["guests"].values())
if not events:
    expect("resident_warp_cycles", sum_of("resident_warp_cycles"), cores["resident_warp_cycles"])
    requests = memory["l2_hits"] + memory["l2_misses"]
    expect("L2 requests", sum_of("l2_hits") + sum_of("l2_misses"), requests,
           sum(c["icache_misses"] for c in statistics["gpu"]["per_core"]))
for kernel in kernels:
    states = kernel["warp_states"]
    if states and not 0.999 < sum(states.values()) < 1.001:
        print(f"states add up to {sum(states.values())}")
        wrong += 1
sys.exit(1 if wrong or not kernels else 0)
