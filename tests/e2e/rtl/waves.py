"""Reads a waveform (fst2vcd FILE on standard input) and checks what the harness says in it.

waves.py CHECK [ARGUMENT...]; prints what is wrong and ends with 1.
"""
import re
import sys

STATIONS = ["NONE", "ACCEPTED", "ROW", "DISPATCH", "OFFERED", "ENTRY", "TAKING", "WARP", "RUNNING",
            "BLOCKS", "EXITED", "FLAGGED"]
ONE_WARP = STATIONS[1:9] + STATIONS[10:]
KHZ = 700000  # the cores' clock


def begin(cycle):
    """The file's time of a cycle, in picoseconds."""
    return cycle * 10**9 // KHZ


def read(wanted):
    """{name: [(time, value as text of 0 and 1)]} of the signals whose full name the pattern finds."""
    names, values, path, time = {}, {}, [], 0
    pattern = re.compile(wanted)
    for line in sys.stdin:
        word = line.split()
        if not word:
            continue
        if word[0] == "$scope":
            path.append(word[2])
        elif word[0] == "$upscope":
            path.pop()
        elif word[0] == "$var":
            name = ".".join(path + [word[4]])
            if pattern.search(name):
                names.setdefault(word[3], []).append(name)
                values[name] = []
        elif word[0][0] == "#":
            time = int(word[0][1:])
        elif word[0][0] in "bB" and word[-1] in names:
            for name in names[word[-1]]:
                values[name].append((time, word[0][1:]))
        elif word[0][0] in "01" and word[0][1:] in names:
            for name in names[word[0][1:]]:
                values[name].append((time, word[0][0]))
    return values


def one(values, end):
    found = [v for n, v in values.items() if n.endswith(end)]
    assert len(found) == 1, (end, len(found))
    return found[0]


def number(bits):
    return int(bits, 2)


def characters(bits):
    value = int(bits, 2)
    return value.to_bytes((value.bit_length() + 7) // 8, "big").decode()


def at(changes, time):
    """The value at that time."""
    value = None
    for t, v in changes:
        if t > time:
            break
        value = v
    return value


def clock():
    """The counter is the cycle of the time, in every cycle; the trigger is one cycle."""
    values = read(r"^run\.")
    cycles = one(values, ".cycle")
    assert len(cycles) > 1000, len(cycles)
    for t, v in cycles[1:]:
        assert t == begin(number(v)), (t, v)
    ups = [t for t, v in one(values, ".trigger") if v == "1"]
    downs = [t for t, v in one(values, ".trigger") if v == "0" and ups and t > ups[0]]
    assert len(ups) == 1, ups
    return values, ups[0], downs


def trigger_first(kind):
    """The window begins with the trigger, for this reason."""
    values, up, downs = clock()
    assert up == one(values, ".cycle")[0][0], up
    cycle = number(at(one(values, ".cycle"), up))
    assert downs == [begin(cycle + 1)], (up, downs)
    assert number(at(one(values, ".trigger_kind"), up)) == int(kind)


def trigger_within(kind, before):
    """So many cycles come before it, or more, and then the window begins in front of a doorbell."""
    values, up, _ = clock()
    cycles = one(values, ".cycle")
    led = number(at(cycles, up)) - number(cycles[0][1])
    assert number(at(one(values, ".trigger_kind"), up)) == int(kind)
    assert led >= int(before), led
    return values, up


def doorbell_first(kind, before):
    """The doorbell of an event that the trigger finds on its way to a warp is in the window."""
    values, up = trigger_within(kind, before)
    taking = taken_at(values, up)
    assert taking and all(way[0][1] == "ACCEPTED" for _, way in taking), taking


def doorbell_of_trigger():
    """Prints when the track of the oldest event begins that the trigger finds on its way to a warp."""
    values, up, _ = clock()
    print(min(way[0][0] for _, way in taken_at(values, up)))


def taken_at(values, up):
    return [(tag, way) for i in range(8) for tag, way in ways(values, i)
            if way[0][0] < up and any(s == "TAKING" and t <= up for t, s in way)
            and any(s == "WARP" and t > up for t, s in way)]


def trigger_last(kind):
    values, up, _ = clock()
    assert up == one(values, ".cycle")[-1][0], (up, one(values, ".cycle")[-1])
    assert number(at(one(values, ".trigger_kind"), up)) == int(kind)


def ways(values, track):
    """Of one track: a list of (tag, [(time, station)]) from NONE to NONE."""
    found, way, tag = [], [], None
    tags = one(values, "track[%d].tag" % track)
    for t, v in one(values, "track[%d].station" % track):
        if number(v):
            way.append((t, STATIONS[number(v)]))
            tag = number(at(tags, t))
        elif way:
            found.append((tag, way))
            way = []
    return found


def tracks():
    """Some event's way has every station, in order; each station's time is that of its tile."""
    values = read(r"^run\.|^gpu_frontend\.(acc|ev|pw|done)_(valid|tag)_[io]$"
                  r"|^sm\d+\.(ev_valid_i|ev_tag_i|cmd_push_o|push_tag_o)$")
    whole = [(tag, way) for i in range(8) for tag, way in ways(values, i)
             if [s for _, s in way] == ONE_WARP]
    assert whole, "no event with all stations"
    for i in range(8):
        for tag, way in ways(values, i):
            order = [STATIONS.index(s) for _, s in way]
            assert order == sorted(order), (tag, way)
    for tag, way in whole:
        when = dict((s, t) for t, s in way)
        for station, valid, name in (("ACCEPTED", "acc_valid_o", "acc_tag_o"),
                                     ("OFFERED", "ev_valid_o", "ev_tag_o"),
                                     ("EXITED", "done_valid_i", "done_tag_i")):
            t = when[station]
            assert at(one(values, "gpu_frontend." + valid), t) == "1", (tag, station, t)
            assert number(at(one(values, "gpu_frontend." + name), t)) == tag, (tag, station, t)
        pushed = [n for n in values if n.endswith(".cmd_push_o") and
                  at(values[n], when["WARP"]) == "1" and
                  number(at(values[n.replace("cmd_push_o", "push_tag_o")], when["WARP"])) == tag]
        assert len(pushed) == 1, (tag, when["WARP"], pushed)
        texts = [characters(v) for i in range(8) for t, v in one(values, "track[%d].text" % i)
                 if t == when["RUNNING"]]
        assert any(re.fullmatch(r"%04x RUNNING %s e[0-3] w\d+" % (tag, pushed[0].split(".")[0]), x)
                   for x in texts), (texts, tag, pushed)


def follow(tag):
    """The first track is of this event only."""
    values = read(r"^run\.")
    found = ways(values, 0)
    assert found and all(t == int(tag) for t, _ in found), found


def row():
    """The first row of the table: what launches have read, and the words of the memory."""
    values = read(r"^run\.wave_run\.row\[0\]|\.u_table\.u_table\.memory\[[01]\]|^gpu_frontend\.ev_")
    heads = one(values, "row[0].head")
    assert len(heads) > 2, heads
    size = number(at(one(values, "row[0].size"), heads[-1][0]))
    base = number(at(one(values, "row[0].base"), heads[-1][0]))
    last = number(at(one(values, "row[0].last"), heads[-1][0]))
    assert size and all(number(v) in range(base, last + 1, size) for _, v in heads[1:])
    for t, v in heads[1:]:
        word = number(at(one(values, "memory[1]"), t))
        assert (word >> 64) & ((1 << 64) - 1) == number(v), (t, word, v)
    kernel = number(at(one(values, "row[0].kernel"), heads[-1][0]))
    started = [number(v) for _, v in one(values, "gpu_frontend.ev_kernel_o")]
    assert kernel and kernel in started, (kernel, started)


def victims(*sources):
    """Every victim has a PC and an instruction, which stands in one of the PTX files."""
    lines = set()
    for source in sources:
        lines |= {line.strip().replace("\t", " ")[:64] for line in open(source)}
    values = read(r"^core\d+\.wave_core\.victim")
    seen = 0
    for name in values:
        if not name.endswith(".victim_text"):
            continue
        for t, v in values[name]:
            if not number(v):
                continue
            seen += 1
            text = characters(v)
            assert text in lines, text
            core = name[:-len("_text")]
            assert at(values[core], t) == "1" and number(at(values[core + "_pc"], t)) % 8 == 0
            assert number(at(values[core + "_pc"], t)) and characters(at(values[core + "_kernel"], t))
    assert seen, "no victim"


def bits(text):
    """Lines of the first partition have had these bits, and others, each at an address of its own."""
    values = read(r"^bits0\.")
    lines = [name[: -len("used")] for name in values if name.endswith(".used")]
    assert len(lines) == 512, len(lines)
    used = [line for line in lines if "1" in (v for _, v in values[line + "used"])]
    places = {number(values[line + "address"][-1][1]) for line in used}
    assert used and len(places) == len(used) and all(p % 128 == 0 for p in places), len(places)
    seen = {number(v) for line in used for _, v in values[line + "bits"]}
    assert int(text, 16) in seen and len(seen) > 1, sorted(seen)[:10]


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
