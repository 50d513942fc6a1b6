"""Overload: what the machine takes of a service's packets, then 120 % of it, with and without `drop`.

usage: overload.py EVGPU WORK EVENTS SERVICE[,KEY=VALUE...]...; below 1000 events on a small machine, which
is full sooner

Every packet is accounted for (sent, refused by its cause, or lost at the full buffer), every batch is
one event, no doorbell is lost or rejected, the packets are right (evgpu's own verdict), and leave in
the order in which they came. Without `drop` nothing is lost and the wire is held; with it, packets
are lost and the wire is never held. One line for each check."""
import json
import re
import subprocess
import sys

from pcap import frames

evgpu, work, events = sys.argv[1], sys.argv[2], int(sys.argv[3])
failures = 0
# A wire and a buffer that are not what holds the packets up.
SMALL = events < 1000
MACHINE = ['--tiles', 'model', '--set', 'nic.gbit_per_s=400', '--set', f'nic.buffer_kib={4 if SMALL else 16}']
if SMALL:
    MACHINE += ['--set', 'gpu.cores=2', '--set', 'nic.in_flight=8']


def check(name, ok, why=''):
    global failures
    failures += not ok
    print(f"{'ok' if ok else 'not ok'} {name}{'' if ok else ': ' + str(why)}", flush=True)


def run(service, *settings):
    """Statistics, packets per second, and whether it was verified."""
    out = subprocess.run([evgpu, 'run', *MACHINE, '--service', ','.join((service, *settings)), '--json',
                          f'{work}/overload.json'], capture_output=True, text=True)
    with open(f'{work}/overload.json') as file:
        stats = json.load(file)
    rate = re.search(r'([0-9.]+) Mpackets/s', out.stdout)
    return stats, float(rate.group(1)) * 1e6, out.returncode == 0, out.stdout.splitlines()[-1]


def in_order(some, of):
    """`some` is `of` with frames left out."""
    rest = iter(of)
    return all(any(frame == other for other in rest) for frame in some)


def accounted(name, stats, total):
    guest = next(iter(stats['guests'].values()))
    nic, gpu = guest['nic'], stats['gpu']
    gone = nic['forwarded'] + sum(nic['dropped'].values()) + nic['lost']
    check(f'{name}: every packet is accounted for', gone == nic['packets_in'] == total,
          f"{gone} of {nic['packets_in']} of {total}")
    rejected = sum(gpu['doorbells_rejected'].values())
    check(f'{name}: {nic["batches"]} doorbells are as many events',
          guest['events'] == nic['batches'] == gpu['doorbells'] and not rejected
          and not nic['bad_completions'], f"{guest['events']} {gpu['doorbells']} {rejected}")
    return nic


def overload(service):
    name = service.split(',')[0]
    per_event = 1 if name == 'ipsec' else 32
    count = f'packets={events * per_event + events * per_event // 50}'
    stats, most, verified, text = run(service, count, 'pace=pps:1000000000')
    check(f'{name}: as fast as it can', verified, text)
    total = accounted(name, stats, next(iter(stats['guests'].values()))['nic']['packets_in'])['packets_in']
    pace = f'pace=pps:{int(1.2 * most)}'
    held, at_held, verified, text = run(service, count, pace, f'out={work}/held.pcap')
    check(f'{name}: at 120 % of {most / 1e6:.2f} Mpackets/s', verified, text)
    nic = accounted(name, held, total)
    check(f'{name}: nothing is lost, the wire is held {nic["pauses"]} times for {nic["pause_cycles"]} cycles',
          not nic['lost'] and nic['pauses'] > 0, nic)
    check(f'{name}: at least {events} events', nic['batches'] >= events, nic['batches'])
    lossy, _, verified, text = run(service, count, pace, 'drop', f'out={work}/lossy.pcap')
    check(f'{name}: the same with drop', verified, text)
    nic = accounted(f'{name}, drop', lossy, total)
    check(f'{name}, drop: {nic["lost"]} packets are lost, the wire is never held',
          nic['lost'] > 0 and not nic['pauses'], nic)
    sent = frames(f'{work}/held.pcap')
    # A replayed ESP packet is accepted when the first one was lost.
    if name != 'ipsec':
        check(f'{name}: what is sent with drop is in the same order',
              in_order(frames(f'{work}/lossy.pcap'), sent))
    check(f'{name}: as many frames as packets sent',
          len(sent) == next(iter(held['guests'].values()))['nic']['forwarded'], len(sent))


for wanted in sys.argv[4:]:
    overload(wanted)
print(f"OVERLOAD {'FAILED' if failures else 'VERIFIED'}: {len(sys.argv) - 4} services, {events} events each "
      f"at 120 % of what the machine takes{f', {failures} checks failed' if failures else ''}")
sys.exit(failures > 0)
