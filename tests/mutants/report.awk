# The table of a campaign: awk -v count=N -v seed=SEEDS -v by_hand=N -v by_hand_killed=N -v refused=N
# -v seeds_file=FILE -f report.awk equivalent.txt RESULTS. A line of RESULTS is a mutant: number, tile, module,
# key, arguments of `mutate`, the seeds that drew it, fate, separated by tabs; equivalent.txt says what its lines
# are. Ends with the verdict. If there are several seeds, FILE gets a verdict of each. With -v unexplained=1 it
# prints the numbers of the mutants alone that are alive and have no reason in equivalent.txt.
BEGIN {
    FS = "\t"
    split("directed random assertion hang proof equivalent alive", fates, " ")
}

FNR == 1 {
    file++
}

file == 1 {
    if (/^#/)
        next
    for (at = length($0) - 2; at > 0 && substr($0, at, 3) != " | "; at--)
        ;
    if (at)
        reason[substr($0, 1, at - 1)] = substr($0, at + 3)
    next
}

function bare(line) { # without its comment
    sub(/ *\/\/.*/, "", line)
    gsub(/^ +| +$/, "", line)
    return line
}

# The source line of a key, and which one of that text it is, unless the first.
function source(key,   part, name, line, text, n, path, at, again) {
    split(key, part, /[:. ]/)
    line = key
    sub(/^[^:]*:/, "", line)
    for (n = split("common edge fe cm tiles", path, " "); n > 0; n--) {
        name = "rtl/" path[n] "/" part[1] ".v"
        if ((getline text < name) > 0) {
            at[1] = text = bare(text)
            for (n = 2; n <= line + 0; n++) {
                getline text < name
                at[n] = text = bare(text)
            }
            for (n = 1; n <= line + 0; n++)
                again += at[n] == text
            close(name)
            break
        }
    }
    if (line + 0 == 0)
        return "(no line known)"
    return text (again > 1 ? " (" again ")" : "")
}

function shown(text) {
    if (text == "(no line known)")
        return text
    gsub(/\|/, "\\|", text)
    return "`` " text " ``"
}

function what(key,   place, mode, with) {
    mode = place = key
    sub(/.* /, "", mode)
    sub(/ [^ ]*$/, "", place)
    sub(/^[^ ]* /, "", place)
    with = mode
    sub(/.*\^/, "", with)
    if (mode == "inv") return "`" place "` inverted"
    if (mode == "const0") return "`" place "` stuck at 0"
    if (mode == "const1") return "`" place "` stuck at 1"
    if (mode ~ /^cnot0/) return "`" place "` inverted while bit " with " is 0"
    return "`" place "` inverted while bit " with " is 1"
}

{
    module = $3
    fate = $7
    sub(/ .*/, "", fate)
    detail = $7
    sub(/^[^ ]* */, "", detail)
    text = source($4)
    part = $4
    sub(/:[^ ]*/, "", part)
    id = $2 " " part " | " text
    if (fate !~ /^(directed|random|assertion|hang|crash|proof|equivalent)$/)
        fate = "alive" # or its judge was ended
    if (fate == "crash")
        fate = "hang"
    if (unexplained) {
        if (fate == "alive" && !(id in reason))
            print $1
        next
    }
    if (fate == "equivalent")
        explanation = "no output of `" detail "` ever differs: proved (ABC, from the state 0, for all inputs)"
    else if (id in reason && fate == "alive") {
        fate = "equivalent"
        explanation = reason[id]
    } else if (id in reason)
        wrong = wrong "\nKilled, though equivalent.txt explains it: " id
    else
        explanation = "**not killed**"
    if (!(module in total))
        modules[++n] = module
    total[module]++
    number[module, fate]++
    all[fate]++
    mutants++
    drawn = split($6, drawers, " ")
    for (i = 1; i <= drawn; i++) {
        of_seed[drawers[i]]++
        seed_fate[drawers[i], fate]++
    }
    if (fate == "equivalent" || fate == "alive") {
        place = $4
        sub(/ .*/, "", place)
        left[++lefts] = "| " $2 " | `" place "` | " shown(text) " | " what($4) " | " explanation " |"
    }
}

# What became of all mutants of one draw; EXTRA tells more of them.
function verdict(name, mutants, equivalent, alive, extra, good,   killed) {
    killed = mutants - equivalent - alive
    good = good && !alive && killed >= 0.95 * (mutants - equivalent)
    return sprintf("mutants: %s %d killed of %d, %d equivalent, %d survive%s: %s", name, killed, mutants,
        equivalent, alive, extra, good ? "PASS" : "FAIL")
}

# A row per seed; a mutant that several seeds draw is in each of their rows.
function by_seed(   i, s, lost) {
    print ""
    print "| seed | mutants | killed | equivalent | survivors |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= several; i++) {
        s = each[i]
        lost = seed_fate[s, "equivalent"] + seed_fate[s, "alive"]
        print "| " s " | " of_seed[s] " | " of_seed[s] - lost " | " seed_fate[s, "equivalent"] + 0 " | " seed_fate[s, "alive"] + 0 " |"
    }
}

function percent(part, whole) {
    return whole ? 100 * part / whole : 100
}

END {
    if (unexplained)
        exit
    print "# Mutants"
    print ""
    print "`make mutants MUTANTS=" count " SEED=" (seed ~ / / ? "\"" seed "\"" : seed) "` breaks the netlist of each tile in one place at a time (tests/mutants/campaign.sh,"
    print "tests/mutants/choose.awk): a bit of a cell's port stuck at 0 or 1, inverted, or inverted depending on another bit."
    print "Every module of the tiles gets mutants in proportion to its cells, three at least. Each runs against the directed"
    print "block testbenches of its tile, then the random ones, with all assertions. What passes is compared with the"
    print "unbroken module, then inside each module that holds it; where it differs, or may, the proofs of tests/formal try it."
    print ""
    print "Beside these, tests/mutants/by_hand.txt lists mutants written by hand, each with the test that must notice it" (by_hand ? ":" : ".")
    if (by_hand)
        print by_hand_killed " of " by_hand " are killed. A fixed sample of them (tests/mutants/sample.txt) runs in `make test`."
    else
        print "They did not run in this campaign (`BY_HAND=0`). A fixed sample of them (tests/mutants/sample.txt) runs in `make test`."
    print ""
    killed = mutants - all["equivalent"] - all["alive"]
    counted = mutants - all["equivalent"]
    print "Equivalent mutants, proved so or explained below, cannot be killed and do not count in the percentage: of"
    printf "%d drawn, %d are equivalent, and of the other %d, %d are killed, %.1f %%. Of all %d drawn that is %.1f %%%s\n",
        mutants, all["equivalent"], counted, killed, percent(killed, counted), mutants, percent(killed, mutants), by_hand ? ", and" : "."
    if (by_hand)
        printf "with those written by hand %d of %d, %.1f %%.\n", killed + by_hand_killed, mutants + by_hand,
            percent(killed + by_hand_killed, mutants + by_hand)
    print ""
    if (refused)
        print "At " refused " places a mutant was drawn that no tool can make; others stand for them.\n"
    print "| module | mutants | directed test | random test | assertion in a test | hang or crash | proof | equivalent | survivors |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        row = "| `" modules[i] "` | " total[modules[i]]
        for (f = 1; f <= 7; f++)
            row = row " | " number[modules[i], fates[f]] + 0
        print row " |"
    }
    row = "| all | " mutants
    for (f = 1; f <= 7; f++)
        row = row " | " all[fates[f]] + 0
    print row " |"
    several = split(seed, each, " ")
    if (several > 1)
        by_seed()
    print ""
    print "## Not killed"
    print ""
    print "| tile | place | source | mutation | why |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= lefts; i++)
        print left[i]
    if (wrong != "")
        print wrong
    print ""
    print verdict((by_hand ? "by hand " by_hand_killed " killed of " by_hand "; " : "") "drawn", mutants, all["equivalent"], all["alive"],
        ", " refused + 0 " not made", wrong == "" && by_hand_killed == by_hand)
    for (i = 1; several > 1 && i <= several; i++)
        print verdict("seed " each[i] ":", of_seed[each[i]], seed_fate[each[i], "equivalent"], seed_fate[each[i], "alive"], "",
            1) >seeds_file
}
