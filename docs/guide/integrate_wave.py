"""integrate_wave.py FILE.vcd OUT.svg: the first preemption of event_system_bench as a picture.

The file comes from the bench with +dump (docs/guide/integrate.md). Cycles count from the doorbell.
"""

import sys
from xml.sax.saxutils import escape

PERIOD = 10000  # ps, as in the bench
SCOPE = "event_system_bench.dut."
TAKE = ["IDLE", "CHOOSE", "SCAN", "WAIT", "CONFIRM", "FLUSH", "SAVE", "PUSH"]
SIGNALS = [  # name in the picture, variable, how its value is written
    ("doorbell", "wr_valid", None),
    ("event offered", "ev_valid", None),
    ("take_state", "u_unit.take_state_o", lambda v: TAKE[v]),
    ("cand_req", "cand_req", None),
    ("hold of vic_warp", "vic_valid", None),
    ("vic_pipe", "vic_pipe", None),
    ("cmd_save", "cmd_save", None),
    ("save_done", "save_done", None),
    ("cmd_push", "cmd_push", None),
    ("push_ok", "push_ok", None),
    ("contexts with an event", "u_core.event_q", lambda v: f"{v:04b}"),
    ("exit_valid", "exit_valid", None),
    ("cmd_pop", "cmd_pop", None),
    ("cmd_restore", "cmd_restore", None),
    ("restore_done", "restore_done", None),
    ("cmd_release", "cmd_release", None),
    ("done_valid", "done_valid", None),
    ("flag written", "flag_o", None),
]
LEFT, ROW, STEP_X = 170, 24, 4.6


def read(path, wanted):
    """{variable: [(time, value)]}; unknown bits count as 0."""
    ids, changes, scope, now = {}, {name: [] for name in wanted}, [], 0
    with open(path, encoding="ascii") as file:
        for line in file:
            word = line.split()
            if not word:
                continue
            if word[0] == "$scope":
                scope.append(word[2])
            elif word[0] == "$upscope":
                scope.pop()
            elif word[0] == "$var":
                name = ".".join(scope + [word[4]])[len(SCOPE):]
                if name in changes:
                    ids.setdefault(word[3], []).append(name)
            elif line[0] == "#":
                now = int(line[1:])
            elif line[0] in "01xz" and line[1:].strip() in ids:
                for name in ids[line[1:].strip()]:
                    changes[name].append((now, int(line[0] == "1")))
            elif line[0] == "b" and word[1] in ids:
                value = int(word[0][1:].replace("x", "0").replace("z", "0"), 2)
                for name in ids[word[1]]:
                    changes[name].append((now, value))
    return changes


def at(changes, time):
    value = 0
    for when, new in changes:
        if when > time:
            break
        value = new
    return value


def window(changes):
    """From the doorbell before the first save to the release after it."""
    save = next(t for t, v in changes["cmd_save"] if v)
    begin = max(t for t, v in changes["wr_valid"] if v and t < save)
    release = next(t for t, v in changes["cmd_release"] if v and t > save)
    return begin, release + 4 * PERIOD


def draw(changes):
    begin, end = window(changes)
    cycles = (end - begin) // PERIOD
    width, height = LEFT + STEP_X * cycles + 10, ROW * len(SIGNALS) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width:.0f}" height="{height}" fill="white"/>']
    for tick in range(0, cycles + 1, 20):
        x = LEFT + STEP_X * tick
        out.append(f'<path d="M{x:.1f} 20V{height - 14}" stroke="#ddd"/><text x="{x:.1f}" y="14" text-anchor="middle" fill="#666">{tick}</text>')
    for row, (label, name, text) in enumerate(SIGNALS):
        base = 26 + ROW * (row + 1) - 6
        out.append(f'<text x="{LEFT - 8}" y="{base - 3}" text-anchor="end">{escape(label)}</text>')
        values = [at(changes[name], begin + PERIOD * n + PERIOD // 2) for n in range(cycles)]
        spans, start = [], 0
        for n in range(1, cycles + 1):
            if n == cycles or values[n] != values[start]:
                spans.append((start, n, values[start]))
                start = n
        if text is None:
            path = f"M{LEFT} {base - 14 * values[0]}"
            for a, b, value in spans:
                path += f"V{base - 14 * value}H{LEFT + STEP_X * b:.1f}"
            out.append(f'<path d="{path}" fill="none" stroke="#1a5fb4" stroke-width="1.5"/>')
            continue
        for a, b, value in spans:
            x, w = LEFT + STEP_X * a, STEP_X * (b - a)
            shown = text(value)
            out.append(f'<rect x="{x:.1f}" y="{base - 14}" width="{w:.1f}" height="14" fill="{"#eef4fb" if value else "white"}" stroke="#1a5fb4"/>')
            if w > 6.2 * len(shown):
                out.append(f'<text x="{x + w / 2:.1f}" y="{base - 3}" text-anchor="middle" font-size="10">{shown}</text>')
    return "\n".join(out) + "\n</svg>\n"


if __name__ == "__main__":
    recorded = read(sys.argv[1], {name for _, name, _ in SIGNALS})
    with open(sys.argv[2], "w", encoding="ascii") as svg:
        svg.write(draw(recorded))
