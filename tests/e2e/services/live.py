"""Real programs at the other side of a live wire (docs/guide/live-wire.md).

live.py ping ADDRESS COUNT: ICMP echoes of several lengths by a raw socket; the TTL has been counted down.
live.py memcached SERVER CLIENT ITEMS: starts memcached, gives it ITEMS by memccp, then runs CLIENT (a program of
    libmemcached, over TCP) and memccat through a relay. It sends each GET of one key as a datagram to the simulated
    server and to memcached, and compares the answers; everything else goes to memcached alone.
live.py esp SAS COUNT: ESP packets by Scapy for each association of SAS, from here to its local address.
live.py linux SAS COUNT: the same by the kernel's own IPsec, whose states and policies are this namespace's.
live.py opened SAS COUNT: what those packets held arrives here, as UDP.
"""
import os, socket, struct, subprocess, sys, threading, time

from memcached import free_port, several, without_version

HANG_LIMIT = int(os.environ["EVGPU_HANG_LIMIT"])  # seconds, tests/e2e/lib.sh.inc
UDP_PORT = 11211
INNER_PORT = 4711


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ping(address, count):
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as s:
        s.settimeout(HANG_LIMIT)
        for number in range(int(count)):
            body = bytes((number + i) & 255 for i in range(1 + number * 211 % 1400))
            head = struct.pack("!BBHHH", 8, 0, 0, os.getpid() & 0xFFFF, number)
            head = head[:2] + struct.pack("!H", checksum(head + body)) + head[4:]
            s.sendto(head + body, (address, 0))
            while True:
                packet, sender = s.recvfrom(65536)
                kind, _, _, _, sequence = struct.unpack("!BBHHH", packet[20:28])
                if sender[0] == address and kind == 0 and sequence == number:
                    break
            assert packet[28:] == body, "the echo differs"
            assert packet[8] == 63, "TTL %d" % packet[8]
    print(count, "echoes from", address)


class Relay:
    """A memcached server of TCP whose GETs of one key are answered over UDP, by two servers."""

    def __init__(self, simulated, real):
        self.simulated, self.real, self.asked = simulated, real, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.wrong = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.talk, args=(client,), daemon=True).start()

    def talk(self, client):
        server = socket.create_connection(("127.0.0.1", self.real))

        def back():
            while data := server.recv(65536):
                client.sendall(data)

        threading.Thread(target=back, daemon=True).start()
        while data := client.recv(65536):
            get = data[:4] in (b"get ", b"gets") or (data[0] == 0x80 and data[1] in (0, 12))
            if get and not several(data):
                client.sendall(self.get(data))
            else:
                server.sendall(data)

    def get(self, request):
        self.asked += 1
        datagram = struct.pack("!4H", self.asked, 0, 1, 0) + request
        answers = []
        for server in (self.simulated, UDP_PORT), ("127.0.0.1", self.real):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.settimeout(HANG_LIMIT)
                s.sendto(datagram, server)
                answers.append(s.recv(65536))
        if answers[0][:8] != answers[1][:8] or without_version(answers[0]) != without_version(answers[1]):
            self.wrong.append((request, answers))
        return answers[0][8:]


def memcached(simulated, client, items):
    port = free_port()
    server = subprocess.Popen(
        ["memcached", "-u", "root", "-l", "127.0.0.1", "-t", "1", "-p", str(port), "-U", str(port)]
    )
    try:
        for _ in range(10 * HANG_LIMIT):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        relay = Relay(simulated, port)
        for protocol in "ascii", "binary":  # it sets the items
            subprocess.run([client, str(relay.port), protocol], check=True, timeout=HANG_LIMIT)
        for line in open(items):
            key, value = line.split()[:2]
            got = subprocess.run(
                ["memccat", "--servers=127.0.0.1:%d" % relay.port, key], capture_output=True, timeout=HANG_LIMIT
            )
            assert got.stdout.decode().strip() == value, (key, got)
        assert not relay.wrong, relay.wrong
        print(relay.asked, "answers as memcached's")
    finally:
        server.terminate()
        server.wait()


def associations(path):
    for line in open(path):
        spi, cipher, key, source, local = line.split()
        yield int(spi, 0), cipher, bytes.fromhex(key.removeprefix("0x")), source, local


def inner(spi, number):
    return b"%d of %d " % (number, spi) * (1 + number * 7 % 60)


def esp(path, count):
    from scapy.all import IP, UDP, Raw, SecurityAssociation, ESP, conf, raw

    names = {"3des": "3DES", "aes128": "AES-CBC"}
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as s:
        for spi, cipher, key, source, local in associations(path):
            sa = SecurityAssociation(
                ESP, spi=spi, crypt_algo=names[cipher], crypt_key=key, tunnel_header=IP(src=source, dst=local)
            )
            for number in range(int(count)):
                plain = IP(src="10.77.1.1", dst="10.77.2.1") / UDP(sport=spi, dport=INNER_PORT)
                s.sendto(raw(sa.encrypt(plain / Raw(inner(spi, number)))), (local, 0))
    print("sent")


def linux(path, count):
    names = {"3des": "cbc(des3_ede)", "aes128": "cbc(aes)"}
    for spi, cipher, key, source, local in associations(path):
        ends = ["src", source, "dst", local, "proto", "esp"]
        state = ["ip", "xfrm", "state", "add", *ends, "spi", hex(spi), "mode", "tunnel", "enc", names[cipher]]
        subprocess.run([*state, "0x" + key.hex()], check=True)
        policy = ["ip", "xfrm", "policy", "add", "src", "10.77.1.1", "dst", "10.77.2.1", "dir", "out"]
        subprocess.run([*policy, "tmpl", *ends, "mode", "tunnel"], check=True)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.bind(("10.77.1.1", spi))
            for number in range(int(count)):
                s.sendto(inner(spi, number), ("10.77.2.1", INNER_PORT))
    print("sent")


def opened(path, count):
    want = {(spi, inner(spi, n)) for spi, *_ in associations(path) for n in range(int(count))}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("10.77.2.1", INNER_PORT))
        s.settimeout(HANG_LIMIT)
        print("ready", flush=True)
        while want:
            payload, sender = s.recvfrom(65536)
            want.remove((sender[1], payload))
    print("all opened")


globals()[sys.argv[1]](*sys.argv[2:])
