"""Opens a timeline in Perfetto's user interface: trace_viewer.py CHROMIUM UI FILE.json PICTURE.png

UI is the folder of the interface's files (`make trace-viewer` gets them). Chromium opens the page without
a window, is spoken to over pipes, and loads the file from a server that ends with this program. The
file must be imported without an error, and all its slices, instants and arrows must be there."""
import base64
import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time


class Browser:
    def __init__(self, chromium, folder):
        to_read, self.out = os.pipe()
        self.inward, to_write = os.pipe()

        def pipes():  # the browser reads commands from descriptor 3 and answers on 4
            os.dup2(to_read, 103)
            os.dup2(to_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--user-data-dir=" + folder, "--window-size=1600,1000",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest = b""
        self.number = 0

    def command(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                some = os.read(self.inward, 1 << 20)
                if not some:
                    sys.exit("the browser has ended")
                self.rest += some
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def evaluate(self, session, script):
        result = self.command("Runtime.evaluate", session, expression=script, awaitPromise=True,
                              returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit("viewer: " + json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")


class Files(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *args, trace, **more):
        self.trace = trace
        super().__init__(*args, **more)

    def translate_path(self, path):
        return self.trace if path == "/timeline.json" else super().translate_path(path)

    def log_message(self, *args):
        pass


QUERY = """(async () => {
  const ask = async (sql) => {
    const result = await app.trace.engine.query(sql), rows = [];
    for (const row = result.iter({}); row.valid(); row.next())
      rows.push(result.columns().map((c) => String(row.get(c))));
    return rows;
  };
  return JSON.stringify({
    slices: Number((await ask('select count(*) as n from slice'))[0][0]),
    arrows: Number((await ask('select count(*) as n from flow'))[0][0]),
    errors: await ask("select name, value from stats where value > 0 and " +
                      "severity in ('error', 'data_loss')")});
})()"""

# All groups of tracks are opened.
EXPAND = """(() => {
  for (const node of app.trace.workspace.flatTracks) node.expand();
  return 1;
})()"""


def wait(browser, session, script):
    for _ in range(int(os.environ["EVGPU_HANG_LIMIT"]) * 5):  # seconds, tests/e2e/lib.sh.inc
        if browser.evaluate(session, script):
            return
        time.sleep(0.2)
    sys.exit(f"viewer: {script} does not come true")


def main():
    chromium, viewer, path, picture = sys.argv[1:5]
    handler = functools.partial(Files, directory=viewer, trace=os.path.abspath(path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_address[1]}"
    with open(path, encoding="ascii") as file:
        events = json.load(file)["traceEvents"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(chromium, folder)
        page = browser.command("Target.createTarget", url=f"{site}/#!/?url={site}/timeline.json")
        session = browser.command("Target.attachToTarget", targetId=page["targetId"],
                                  flatten=True)["sessionId"]
        wait(browser, session, "typeof app !== 'undefined' && !!app.trace && "
                               "app.trace.workspace.flatTracks.length > 0 && "
                               "!document.body.innerText.includes('Running plugin')")
        found = json.loads(browser.evaluate(session, QUERY))
        browser.evaluate(session, EXPAND)
        time.sleep(3)  # the picture is for people: no check depends on it
        shot = browser.command("Page.captureScreenshot", session, format="png")["data"]
        with open(picture, "wb") as file:
            file.write(base64.b64decode(shot))
        browser.command("Browser.close")
        browser.process.wait()
    print(json.dumps(found))
    slices = sum(e["ph"] in "Xi" for e in events)
    arrows = sum(e["ph"] == "s" for e in events)
    if found != {"slices": slices, "arrows": arrows, "errors": []}:
        sys.exit(f"the file has {slices} slices and {arrows} arrows, and nothing may be an error")


main()
