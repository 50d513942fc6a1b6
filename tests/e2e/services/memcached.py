"""The service memc beside a real memcached and a real client library.

memcached.py record CLIENT CAPTURE REPLIES: starts memcached with UDP, runs CLIENT (libmemcached, over
TCP: it has no GET over UDP) in both protocols through a proxy that keeps each request, sends every one
of them to memcached as a UDP datagram, and writes requests as a capture, memcached's answers as lines
of hexadecimal digits, one per datagram that was answered.
memcached.py compare SENT REPLIES: the replies in a capture against those lines.
"""
import os, socket, struct, subprocess, sys, threading, time

import pcap

HANG_LIMIT = int(os.environ["EVGPU_HANG_LIMIT"])  # seconds, tests/e2e/lib.sh.inc


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def frame(payload):
    addresses = bytes([10, 1, 0, 2, 10, 0, 0, 1])
    udp = struct.pack("!4H", 40000, 11211, 8 + len(payload), 0) + payload
    udp_sum = checksum(addresses + struct.pack("!2H", 17, len(udp)) + udp) or 0xFFFF
    udp = udp[:6] + struct.pack("!H", udp_sum) + udp[8:]
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 7, 0x4000, 64, 17, 0) + addresses
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    return (bytes(range(12)) + b"\x08\0" + ip + udp).ljust(60, b"\0")


def proxy(listener, port, requests):
    """Passes on what comes in, one connection after the other."""
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        server = socket.create_connection(("127.0.0.1", port))

        def back():
            try:
                while data := server.recv(65536):
                    client.sendall(data)
            except OSError:
                pass

        threading.Thread(target=back, daemon=True).start()
        while data := client.recv(65536):
            requests.append(data)
            server.sendall(data)
        server.close()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ask(requests, port):
    """Each request as a datagram, and what came back. The server has one thread, so that what it answers to
    the request behind shows whether it has answered at all."""
    last = 0xFFFF
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(HANG_LIMIT)
        for number, request in enumerate(requests):
            datagram = struct.pack("!4H", number, 0, 1, 0) + request
            s.sendto(datagram, ("127.0.0.1", port))
            s.sendto(struct.pack("!4H", last, 0, 1, 0) + b"version\r\n", ("127.0.0.1", port))
            reply = None
            while struct.unpack("!H", (got := s.recv(65536))[:2])[0] != last:
                reply = got
            yield datagram, reply


def record(client, capture, replies):
    port, relay = free_port(), free_port()
    server = subprocess.Popen(["memcached", "-u", "root", "-l", "127.0.0.1", "-t", "1", "-p", str(port), "-U", str(port)])
    try:
        for _ in range(10 * HANG_LIMIT):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        requests = []
        listener = socket.create_server(("127.0.0.1", relay))
        threading.Thread(target=proxy, args=(listener, port, requests), daemon=True).start()
        for protocol in "ascii", "binary":
            subprocess.run([client, str(relay), protocol], check=True, timeout=HANG_LIMIT)
        gets = [r for r in requests if r[:3] == b"get" or (r[0] == 0x80 and r[1] in (0, 9, 12, 13))]
        single = [r for r in gets if not several(r)]
        more = [b"gets k2\r\n", b"get no-such-key\r\n", b"\x80\x09\0\x02" + bytes(4) + b"\0\0\0\x02" + bytes(12) + b"no"]
        with open(capture, "wb") as out, open(replies, "w") as text:
            pcap.begin(out)
            for i, (datagram, reply) in enumerate(ask(single + more, port)):
                pcap.add(out, 1, 10 * i, frame(datagram))
                if reply and len(reply) > 8:  # a header without a reply stands for none
                    text.write(reply.hex() + "\n")
            for request in [r for r in gets if several(r)] + [b"stats\r\n"]:
                pcap.add(out, 2, 0, frame(struct.pack("!4H", 99, 0, 1, 0) + request))
        print(len(single), "requests of libmemcached,", len(gets) - len(single), "of several keys")
    finally:
        server.terminate()
        server.wait()


def several(request):
    if request[0] != 0x80:
        return len(request.split()) > 2
    return len(request) > 24 + struct.unpack("!H", request[2:4])[0]


def without_version(reply):
    """A binary reply and that of gets hold the item's version, which is the server's own."""
    body = reply[8:]
    if body[0] == 0x81:
        return body[:16] + body[24:]
    line, rest = body.split(b"\r\n", 1)
    return b" ".join(line.split()[:4]) + rest


def compare(sent, replies):
    got = {}
    for f in pcap.frames(sent):
        udp = f[34 : 34 + struct.unpack("!H", f[38:40])[0]]
        assert checksum(f[26:34] + struct.pack("!2H", 17, len(udp)) + udp) == 0, "UDP checksum"
        assert checksum(f[14:34]) == 0, "IP checksum"
        got[udp[8:10]] = udp[8:]
    want = {reply[:2]: reply for reply in map(bytes.fromhex, open(replies).read().split())}
    assert got.keys() == want.keys(), (got.keys(), want.keys())
    for number, reply in want.items():
        assert got[number][:8] == reply[:8], "memcached's header"
        assert without_version(got[number]) == without_version(reply), (got[number], reply)
    print(len(want), "replies as memcached's")


if __name__ == "__main__":
    {"record": record, "compare": compare}[sys.argv[1]](*sys.argv[2:])
