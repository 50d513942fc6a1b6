"""Opens a timeline in the trace viewer of Chromium: trace_viewer.py CHROMIUM FILE.json PICTURE.png

The viewer is the browser's own, chrome://tracing. It must import the file without a complaint and show
as many slices as the file has; prints what it found. The browser is spoken to over pipes."""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, chromium, folder):
        with open(os.path.join(folder, "Local State"), "w", encoding="ascii") as state:
            json.dump({"internal_only_uis_enabled": True}, state)  # chrome://tracing is one of them
        to_read, self.out = os.pipe()
        self.inward, to_write = os.pipe()

        def pipes():  # the browser reads commands from descriptor 3 and answers on 4
            os.dup2(to_read, 103)
            os.dup2(to_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--user-data-dir=" + folder, "--window-size=1600,900",
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


def evaluate(browser, session, script):
    result = browser.command("Runtime.evaluate", session, expression=script, awaitPromise=True,
                             returnByValue=True)
    if "exceptionDetails" in result:
        sys.exit("viewer: " + json.dumps(result["exceptionDetails"])[:600])
    return result["result"].get("value")


IMPORT = """(async () => {
  const model = new tr.Model();
  const importing = new tr.importer.Import(model);
  await importing.importTracesWithProgressDialog([%s]);
  const view = document.querySelector('tr-ui-timeline-view') ||
               document.querySelector('tr-ui-e-about-tracing-profiling-view').timelineView_;
  view.model = model;
  if (view.updateDocumentFavicon) view.updateDocumentFavicon();
  let slices = 0;
  for (const thread of model.getAllThreads())
    slices += thread.sliceGroup.length;
  return JSON.stringify({slices: slices, threads: model.getAllThreads().length,
                         processes: model.getAllProcesses().length,
                         arrows: model.flowEvents.length,
                         warnings: model.importWarnings.map(w => w.message)});
})()"""


def main():
    chromium, path, picture = sys.argv[1:4]
    with open(path, encoding="ascii") as file:
        text = file.read()
    events = json.loads(text)["traceEvents"]
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(chromium, folder)
        target = browser.command("Target.createTarget", url="chrome://tracing")["targetId"]
        session = browser.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for _ in range(100):
            if evaluate(browser, session, "typeof tr !== 'undefined' && !!tr.importer && "
                        "document.readyState === 'complete'"):
                break
            time.sleep(0.1)
        found = json.loads(evaluate(browser, session, IMPORT % json.dumps(text)))
        time.sleep(1)
        shot = browser.command("Page.captureScreenshot", session, format="png")["data"]
        with open(picture, "wb") as file:
            file.write(base64.b64decode(shot))
        browser.command("Browser.close")
        browser.process.wait(30)
    slices = sum(e["ph"] == "X" for e in events)
    arrows = sum(e["ph"] == "s" for e in events)
    print(json.dumps(found))
    if found["warnings"]:
        sys.exit("the viewer complains")
    if found["slices"] != slices or found["arrows"] != arrows:
        sys.exit(f"the file has {slices} slices and {arrows} arrows")


main()
