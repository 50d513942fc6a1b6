# The 36 workloads of section 5 of the CM-BAL paper: each CPU mix beside two different GPU
# applications of each type, drawn at random. Prints [map workload] of experiments/cm/cm-workloads.inc:
#   awk -v seed=2014 -f experiments/cm/cm-draw.awk
function random(n) { # 0 .. n - 1, by the minimal standard generator
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}

BEGIN {
    applications["H"] = "BP HOT PATH MM"
    applications["M"] = "BLK PVC PVR BFS MST"
    applications["L"] = "MUM IIX SSSP SP"
    split("H M L", gpu_types)
    split("L M H", cpu_types)
    state = seed
    for (i = 0; i < 10; i++)
        random(2)
    print "; Drawn by cm-draw.awk with seed " seed "; rows are GPU type - CPU type, then the workload's number."
    print "[map workload]"
    print "over = type slot"
    for (g = 1; g <= 3; g++) {
        for (c = 1; c <= 3; c++) {
            slot = 0
            for (mix = 1; mix <= 2; mix++) {
                n = split(applications[gpu_types[g]], names)
                first = random(n) + 1
                second = random(n - 1) + 1
                if (second >= first)
                    second++
                printf "%s-%s,%d = %s%d | {%s:1} | {%s:2} | {%s:3}\n", gpu_types[g], cpu_types[c], ++slot, cpu_types[c], mix, names[first], names[first], names[first]
                printf "%s-%s,%d = %s%d | {%s:1} | {%s:2} | {%s:3}\n", gpu_types[g], cpu_types[c], ++slot, cpu_types[c], mix, names[second], names[second], names[second]
            }
        }
    }
}
