# Draws mutants for campaign.sh: awk -v count=N -v seed="S..." -f choose.awk TILE.json TILE.list...
# A .json is the tile's netlist (Yosys write_json), a .list every mutation of it (mutate -list).
# Prints a line per mutant: number, tile, module, key, arguments of `mutate`, the seeds that draw it, separated
# by tabs. Several seeds are COUNT mutants of each, and one that two of them draw is printed once.
# With `-v refused=FILE` it leaves out the mutants at the places that FILE names: lines
# of tile, module, cell and port.
# With `-v find="MODULE KEY"` it prints the commands that make this mutant in another design; where that
# has other parameters and the bit is not there, it is the lowest one.
#
# Each module gets MINIMUM mutants and its share, by cells, of the rest, each in another place of its
# source as long as there are places. Which ones depends on the seed and the keys of the module only, so
# that a change of one module does not move the mutants of another.
BEGIN {
    FS = "\n"
    MINIMUM = 3
    MODULUS = 33554393 # its square is below 2^53: awk counts in doubles
    for (i = 1; i < 128; i++)
        code[sprintf("%c", i)] = i
    while (refused != "" && (getline line < refused) > 0)
        out[line]
    only = find
    sub(/ .*/, "", only)
    sub(/^[^ ]* /, "", find)
}

function hash(text,   h, i) {
    h = drawing + 7
    for (i = 1; i <= length(text); i++)
        h = (h * 16777 + code[substr(text, i, 1)] + 1) % MODULUS
    # Keys that differ in one letter must not lie side by side.
    for (i = 0; i < 3; i++)
        h = (h * h + 4271 * h + 11) % MODULUS
    return h
}

# $paramod$HASH\NAME and $paramod\NAME\PARAMETER=VALUE are NAME.
function base(module,   part) {
    if (module !~ /^\$paramod/)
        return module
    split(module, part, "\\")
    return part[2]
}

function option(name,   at, rest) {
    at = index($0, " -" name " ")
    if (!at)
        return ""
    rest = substr($0, at + length(name) + 3)
    sub(/ .*/, "", rest)
    return rest
}

FNR == 1 {
    tile = FILENAME
    sub(/.*\//, "", tile)
    sub(/\.(json|list)$/, "", tile)
    inside = module = cell = ""
}

# --- the netlist: cells and what is constant at their ports ---------------------------------------
FILENAME ~ /\.json$/ {
    name = $0
    sub(/^ *"/, "", name)
    sub(/": .*/, "", name)
    gsub(/\\\\/, "\\", name)
    if ($0 ~ /^    "/) {
        module = name
        at = tile SUBSEP module
    } else if ($0 ~ /^      "/)
        inside = name
    else if (inside == "cells" && $0 ~ /^        "/) {
        cell = name
        cell_at[at, ++cells[at]] = cell
    } else if (inside == "cells" && $0 ~ /^          "type": "/) {
        type = $0
        sub(/.*"type": "/, "", type)
        sub(/".*/, "", type)
        # An instance goes by its name.
        kind[at, cell] = type ~ /^\$paramod/ || type !~ /^\$/ ? cell : substr(type, 2)
    } else if (inside == "cells" && $0 ~ /^ *"[A-Za-z_0-9]*": \[.*"[01x]"/) {
        bits = $0
        sub(/.*\[ /, "", bits)
        sub(/ \].*/, "", bits)
        n = split(bits, list, ", ")
        for (i = 1; i <= n; i++)
            if (list[i] ~ /"/)
                constant[at, cell, name, i - 1] = substr(list[i], 2, 1)
    }
    next
}

# --- the mutations ----------------------------------------------------------------------------------
{
    module = option("module")
    cell = option("cell")
    at = tile SUBSEP module
    place = $0
    sub(/.* -src /, "", place)
    if (!((at, cell) in kind) || (only != "" && base(module) != only))
        next
    port = option("port")
    sub(/\\/, "", port)
    bit = option("portbit")
    mode = option("mode")
    held = constant[at, cell, port, bit]
    # The clock is not a place for a mutant, a constant set to itself is none, and a read without
    # a clock has neither an enable nor a reset.
    if (port ~ /^(CLK|clk_i)$/ || (port ~ /^(EN|ARST|SRST)$/ && kind[at, cell] ~ /^memrd/) || mode == "const" held || held == "x")
        next
    if (place == $0) # made by Yosys out of a larger expression
        place = base(module) ".v"
    sub(/-[0-9.]*$/, "", place)
    sub(/.*\//, "", place)
    if (!((at, cell) in spot)) {
        spot[at, cell] = place " " kind[at, cell]
        modules[at]
    }
    if ((tile " " module " " cell " " port) in out)
        next
    n = ++candidates[at, cell]
    port_of[at, cell, n] = port
    rest_of[at, cell, n] = "." port "[" bit "] " mode (option("ctrlbit") == "" ? "" : "^" option("ctrlbit"))
    text_of[at, cell, n] = $0
}

# spot[] becomes unique in the module: the second cell of a place is KIND#2, in the netlist's order.
function number_cells(at,   i, cell, again, spots) {
    for (i = 1; i <= cells[at]; i++) {
        cell = cell_at[at, i]
        if (!((at, cell) in spot))
            continue
        place_of[at, cell] = spot[at, cell]
        again = ++spots[spot[at, cell]]
        if (again > 1)
            spot[at, cell] = spot[at, cell] "#" again
    }
}

# The cell's candidate to take: of a port that is new here; then by port, mode and bit, so that wide ports
# do not weigh more.
function best(at, cell,   n, p, x, choice, lowest) {
    choice = 0
    for (n = 1; n <= candidates[at, cell]; n++) {
        if ((at, cell, n) in taken)
            continue
        p = at place_of[at, cell] port_of[at, cell, n]
        x = (used[p] * MODULUS + hash(p)) * 16 + hash(p substr(text_of[at, cell, n], 1, 20)) % 16 + hash(p rest_of[at, cell, n]) / MODULUS
        if (!choice || x < lowest) {
            choice = n
            lowest = x
        }
    }
    return choice
}

function keep(line) {
    if (!(line in drawn_by))
        mutant[++mutants] = line
    drawn_by[line] = drawn_by[line] (drawn_by[line] == "" ? "" : " ") drawing
}

# In the order of their hash, one cell of each place before a second one of any.
function draw(at, quota,   i, j, n, cell, order, value, p, round, choice, swap, part) {
    split(at, part, SUBSEP)
    for (i = 1; i <= cells[at]; i++) {
        cell = cell_at[at, i]
        if (!((at, cell) in spot))
            continue
        value[++n] = hash(at spot[at, cell])
        order[n] = cell
        for (j = n; j > 1 && value[j] < value[j - 1]; j--) {
            swap = order[j]; order[j] = order[j - 1]; order[j - 1] = swap
            swap = value[j]; value[j] = value[j - 1]; value[j - 1] = swap
        }
    }
    for (round = 1; quota > 0 && round < 1000; round++)
        for (i = 1; i <= n && quota > 0; i++) {
            cell = order[i]
            p = at place_of[at, cell]
            if (used[p] >= round && place_of[at, cell] !~ / [ug]_/) # each port of an instance is a place
                continue
            choice = best(at, cell)
            if (!choice)
                continue
            used[p]++
            used[p port_of[at, cell, choice]]++
            taken[at, cell, choice]
            keep(part[1] "\t" base(part[2]) "\t" spot[at, cell] rest_of[at, cell, choice] "\t" text_of[at, cell, choice])
            quota--
        }
}

# The mutants of one seed: each module has its share of COUNT, by cells.
function draw_all(rest,   i, running, before) {
    split("", used)
    split("", taken)
    for (i = 1; i <= total; i++) {
        before = int(rest * running / sum)
        running += cells[order[i]]
        draw(order[i], MINIMUM + int(rest * running / sum) - before)
    }
}

function without_bits(key) {
    sub(/\[[0-9]+\]/, "", key)
    sub(/\^[0-9]+/, "", key)
    return key
}

function bit_of(key) {
    sub(/.*\[/, "", key)
    return key + 0
}

function locate(at,   i, cell, n, key, choice, lowest) {
    for (i = 1; i <= cells[at]; i++) {
        cell = cell_at[at, i]
        for (n = 1; n <= candidates[at, cell]; n++) {
            key = spot[at, cell] rest_of[at, cell, n]
            if (key == find) {
                print text_of[at, cell, n]
                return
            }
            if (without_bits(key) == without_bits(find) && (choice == "" || bit_of(key) < lowest)) {
                choice = text_of[at, cell, n]
                lowest = bit_of(key)
            }
        }
    }
    if (choice != "")
        print choice
}

END {
    for (at in modules) {
        number_cells(at)
        order[++total] = at
        for (i = total; i > 1 && order[i] < order[i - 1]; i--) {
            swap = order[i]; order[i] = order[i - 1]; order[i - 1] = swap
        }
        sum += cells[at]
    }
    for (i = 1; i <= total && only != ""; i++)
        locate(order[i])
    rest = count - MINIMUM * total
    seeds = only == "" ? split(seed, seed_of, " ") : 0
    for (i = 1; i <= seeds; i++) {
        drawing = seed_of[i]
        draw_all(rest < 0 ? 0 : rest)
    }
    for (i = 1; i <= mutants; i++)
        print i "\t" mutant[i] "\t" drawn_by[mutant[i]]
}
