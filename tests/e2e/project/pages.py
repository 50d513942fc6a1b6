"""Checks pages of HTML without a browser. Prints one line per mistake; the exit status is their number, 99
at most. Usage: pages.py PAGE...

whole     tags are closed in order, each id is there once, every link leads somewhere
alone     no script, style sheet, picture or font from elsewhere
contrast  text on what lies below it: 4.5 or more, in styles and in pictures (SVG)
size      text of 12 pixels or more, in styles, and in pictures as small as the page shows them
"""
import functools
import os
import re
import sys
from html.parser import HTMLParser

LEAST_SIZE = 12
LEAST_CONTRAST = 4.5
VOID = {"meta", "br", "img", "link", "input", "hr", "col", "wbr"}
NAMES = {"black": (0, 0, 0), "white": (255, 255, 255)}
# The narrowest that a page shows a picture: boxes of div.wide scroll, those of div.grid fill a phone.
SHOWN = {"wide": 720, "grid": 350, "tiles": 160}


def colour(text):
    text = text.strip().lower()
    if text in NAMES:
        return NAMES[text]
    found = re.fullmatch(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)", text)
    if found:
        return tuple(int(n) for n in found.groups())
    if re.fullmatch(r"#[0-9a-f]{3}", text):
        text = "#" + "".join(2 * c for c in text[1:])
    found = re.fullmatch(r"#([0-9a-f]{6})", text)
    return tuple(int(found[1][i:i + 2], 16) for i in (0, 2, 4)) if found else None


def luminance(rgb):
    parts = [c / 255 for c in rgb]
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def styles(css):
    """Mistakes of style rules; a rule with a colour also has its background."""
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        rule = dict(p.split(":", 1) for p in body.split(";") if ":" in p)
        rule = {k.strip(): v.strip() for k, v in rule.items()}
        size = re.search(r"(\d+)px", rule.get("font", rule.get("font-size", "")))
        if size and int(size[1]) < LEAST_SIZE:
            yield "%s: text of %s px" % (selector.strip(), size[1])
        if "color" not in rule:
            continue
        if "background" not in rule:
            yield "%s: a colour without its background" % selector.strip()
        elif contrast(colour(rule["color"]), colour(rule["background"])) < LEAST_CONTRAST:
            yield "%s: contrast of %s on %s" % (selector.strip(), rule["color"], rule["background"])


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.ids, self.links = path, [], {}, []
        self.mistakes, self.css, self.svg, self.texts = [], "", None, 0

    def wrong(self, text):
        self.mistakes.append("%s:%d: %s" % (self.path, self.getpos()[0], text))

    # --- structure -------------------------------------------------------------------------------
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if "id" in a:
            if a["id"] in self.ids:
                self.wrong("id %s is there twice" % a["id"])
            self.ids[a["id"]] = True
        if tag in ("script", "link", "iframe", "object"):
            self.wrong("<%s>" % tag)
        for key in ("src", "srcset", "data"):
            if a.get(key) and not a[key].startswith("data:"):
                self.wrong("%s=%s is not in the page" % (key, a[key]))
        if tag == "a" and a.get("href"):
            self.links.append((self.getpos()[0], a["href"]))
        if tag == "svg":
            shown = [SHOWN[c] for _, c, _ in self.open if c in SHOWN]
            width = float(a["viewbox"].split()[2])
            own = [re.search(r"min-width:(\d+)px", a.get("style") or "") for t, _, a in self.open if t == "figure"]
            shown += [int(m[1]) for m in own if m]
            self.svg = {"scale": (shown[-1] if shown else 350) / width, "shapes": [], "css": ""}
        if self.svg is not None:
            self.shape(tag, a)
        if tag not in VOID:
            self.open.append((tag, a.get("class"), a))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong("</%s> closes %s" % (tag, self.open[-1][0] if self.open else "nothing"))
            return
        self.open.pop()
        if tag == "svg":
            self.svg = None

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "style" and self.svg is None:
            self.css += data
        elif self.svg is not None and self.open and self.open[-1][0] == "style":
            self.svg["css"] += data
        elif self.svg is not None and self.open and self.open[-1][0] in ("text", "tspan") and data.strip():
            self.text(data.strip())

    # --- pictures --------------------------------------------------------------------------------
    def look(self, tag, a, name):
        """An attribute, or what the picture's own style says for the class or the element."""
        found = a.get(name)
        for selector in [tag] + ["." + c for c in (a.get("class") or "").split()]:
            rule = re.findall(r"(?:^|\s)%s\s*\{([^}]*)\}" % re.escape(selector), self.svg["css"])
            value = re.search(r"(?:^|;|\s)%s:\s*([^;]+)" % name, rule[-1]) if rule else None
            found = value[1] if value else found
        return found or ""

    def shape(self, tag, a):
        """Keeps what is filled, in the order of drawing."""
        if tag not in ("rect", "polygon") or any(t == "defs" for t, _, _ in self.open):
            return
        fill = colour(self.look(tag, a, "fill"))
        if fill is None:
            return
        if tag == "rect":
            x, y = float(a.get("x", 0)), float(a.get("y", 0))
            self.svg["shapes"].append((x, y, x + float(a["width"]), y + float(a["height"]), fill))
        elif tag == "polygon":
            points = [tuple(map(float, p.split(","))) for p in a["points"].split()]
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            self.svg["shapes"].append((min(xs), min(ys), max(xs), max(ys), fill))

    def text(self, data):
        """gnuplot gives position, size and colour to a group, others to the text itself."""
        self.texts += 1
        own = next(a for t, _, a in reversed(self.open) if t == "text")
        group = next((a for t, _, a in reversed(self.open) if t == "g" and "font-size" in a), {})
        points = self.look("text", own, "font-size") or group.get("font-size", "0")
        size = float(points.replace("px", "")) * self.svg["scale"]
        if size < LEAST_SIZE:
            self.wrong("%s: text of %.1f px" % (data, size))
        where = re.search(r"translate\(([\d.-]+),([\d.-]+)\)", group.get("transform", ""))
        x, y = (float(n) for n in where.groups()) if where else (float(own.get("x", 0)), float(own.get("y", 0)))
        below = (255, 255, 255)
        for left, top, right, bottom, fill in self.svg["shapes"]:
            if left <= x <= right and top <= y - 4 <= bottom:
                below = fill
        ink = colour(self.look("text", own, "fill") or group.get("fill", "black"))
        if contrast(ink, below) < LEAST_CONTRAST:
            self.wrong("%s: contrast of %s on %s" % (data, ink, below))


@functools.lru_cache(maxsize=None)
def anchors(path):
    page = Page(path)
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    return page.ids


def check(path):
    page = Page(path)
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    if page.open:
        page.wrong("<%s> is not closed" % page.open[-1][0])
    if not page.css:
        page.wrong("no style")
    for mistake in styles(page.css):
        page.wrong(mistake)
    for line, href in page.links:
        if "://" in href:
            continue
        name, _, anchor = href.partition("#")
        target = os.path.join(os.path.dirname(path), name) if name else path
        if not os.path.exists(target):
            page.mistakes.append("%s:%d: %s: no such file" % (path, line, href))
        elif anchor and target.endswith(".html") and anchor not in anchors(target):
            page.mistakes.append("%s:%d: %s: no such place" % (path, line, href))
    return page


def main():
    mistakes = 0
    for path in sys.argv[1:]:
        page = check(path)
        mistakes += len(page.mistakes)
        for text in page.mistakes[:20]:
            print(text)
        print("%s: %d texts in pictures, %d links" % (path, page.texts, len(page.links)))
    return min(mistakes, 99)


sys.exit(main())
