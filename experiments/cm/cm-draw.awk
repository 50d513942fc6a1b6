# The 36 workloads of section 5 of the CM-BAL paper: each CPU mix beside two different GPU
# applications of each type, drawn at random. Prints [map workload] of experiments/cm/cm-workloads.inc:
#   awk -v seed=2014 -f experiments/cm/cm-draw.awk
# With several seeds, that of cm-draws.inc, whose rows begin with the seed:
#   awk -v seed='2015 2016 2017' -f experiments/cm/cm-draw.awk
function random(n) { # 0 .. n - 1, by the minimal standard generator
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}

function draw(prefix,    i, g, c, slot, mix, n, names, first, second) {
    for (i = 0; i < 10; i++)
        random(2)
    for (g = 1; g <= 3; g++) {
        for (c = 1; c <= 3; c++) {
            slot = 0
            for (mix = 1; mix <= 2; mix++) {
                n = split(applications[gpu_types[g]], names)
                first = random(n) + 1
                second = random(n - 1) + 1
                if (second >= first)
                    second++
                row(prefix, gpu_types[g], cpu_types[c], ++slot, mix, names[first])
                row(prefix, gpu_types[g], cpu_types[c], ++slot, mix, names[second])
            }
        }
    }
}

function row(prefix, gpu_type, cpu_type, slot, mix, name) {
    printf "%s%s-%s,%d = %s%d | {%s:1} | {%s:2} | {%s:3}\n", prefix, gpu_type, cpu_type, slot, cpu_type, mix, name, name, name
}

BEGIN {
    applications["H"] = "BP HOT PATH MM"
    applications["M"] = "BLK PVC PVR BFS MST"
    applications["L"] = "MUM IIX SSSP SP"
    split("H M L", gpu_types)
    split("L M H", cpu_types)
    count = split(seed, seeds)
    print "; Drawn by cm-draw.awk with seed " seed "; rows are " (count > 1 ? "seed, " : "") "GPU type - CPU type, then the workload's number."
    print "[map workload]"
    print "over = " (count > 1 ? "draw " : "") "type slot"
    for (s = 1; s <= count; s++) {
        state = seeds[s]
        draw(count > 1 ? seeds[s] "," : "")
    }
}
