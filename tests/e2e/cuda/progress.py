"""progress.py PATTERN COMMAND...: runs the command on a terminal of its own until its output has the
pattern, then ends it. Status 1 where the output ends without it."""
import os
import pty
import re
import signal
import sys

pattern = re.compile(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = ""
while not pattern.search(seen):
    try:
        got = os.read(terminal, 4096)
    except OSError:  # the other end is closed
        got = b""
    if not got:
        break
    seen += got.decode(errors="replace")
os.kill(child, signal.SIGTERM)
os.waitpid(child, 0)
if not pattern.search(seen):
    sys.exit("no '%s' in:\n%s" % (sys.argv[1], seen[-2000:]))
