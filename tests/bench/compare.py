"""Is the simulator slower than another commit's? Runs the jobs of `evgpu bench` in both builds, in pairs.

usage: compare.py BUILD BASE [--only TEXT] [--pairs N] [--least PERCENT] [--count]; `make bench-compare`

BASE is a commit, built in a worktree of its own (BUILD/compare), or a folder in which evgpu is built.

A pair runs a job once in each build, right after one another, first the one, in the next pair the
other; of a short job each takes the least of some runs. Its ratio is ours / base of user seconds, whole
process (the job's programs included). A job is slower, or faster, if all its pairs agree on the direction
and their median differs from 1 by more than
--least; what N pairs suggest, N more have to confirm. So a difference within the spread of the pairs
does not count, and what the machine does meanwhile meets both builds. With --count one run of each
counts instructions instead (valgrind: exact, but 30 times as slow).

Exit status: 0 no job is slower, 1 some job is, 2 no comparison."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

SAMPLE_SECONDS = 0.6
USER, INSTRUCTIONS = 's', 'M inst.'


class Failure(Exception):
    pass


class Tree:
    """A build and the folder in which its evgpu finds machines and applications."""

    def __init__(self, folder, evgpu):
        self.folder, self.evgpu = folder, evgpu
        told = subprocess.run([evgpu, 'bench', '--help'], cwd=folder, capture_output=True, text=True).stdout
        self.once = ['--repeat', '1', '--job'] if '--job' in told else ['--only']

    def bench(self, job, file, before=()):
        """Seconds of `evgpu bench`, or None where it has no such job."""
        arguments = [*self.once, job, '--json', file]
        began = time.monotonic()
        with tempfile.TemporaryFile() as said:
            child = subprocess.Popen([*before, self.evgpu, 'bench', *arguments], cwd=self.folder,
                                     stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read().decode(errors='replace').strip()
        if 'no job has this name' in text or 'no job has this in its name' in text:
            return None
        if child.returncode:
            raise Failure(f'{self.evgpu} bench {" ".join(arguments)}: {text.splitlines()[-1:]}')
        return time.monotonic() - began if 'threads' in job else usage.ru_utime


def git(*arguments, folder='.'):
    done = subprocess.run(['git', '-C', folder, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f'git {" ".join(arguments)}: {done.stderr.strip()}')
    return done.stdout.strip()


def build_base(build, base):
    """The tree of a commit, built in BUILD/compare, where the next comparison finds most of it again."""
    if os.path.exists(f'{base}/build/evgpu'):
        return Tree(base, os.path.abspath(f'{base}/build/evgpu')), base
    commit = git('rev-parse', '--verify', '-q', f'{base}^{{commit}}')
    folder = f'{build}/compare'
    git('worktree', 'prune')
    if os.path.exists(f'{folder}/.git'):
        git('checkout', '-q', '--detach', commit, folder=folder)
    else:
        git('worktree', 'add', '-q', '--detach', folder, commit)
    print(f'bench-compare: building {commit[:10]} in {folder}', flush=True)
    done = subprocess.run(['make', '-s', '-C', folder, 'SAN=0', 'COV=0', 'BUILD=build', 'DEPS=0',
                           f'-j{len(os.sched_getaffinity(0))}', 'build/evgpu', 'toolkit', 'apps'],
                          stdout=subprocess.DEVNULL)
    if done.returncode:
        raise Failure(f'{commit[:10]} cannot be built in {folder}')
    return Tree(folder, os.path.abspath(f'{folder}/build/evgpu')), commit[:10]


class Job:
    """A job's ratios, ours / base."""

    def __init__(self, name, trees, work):
        self.name, self.trees, self.work = name, trees, work
        self.ours, self.base, self.note, self.runs = [], [], '', 0

    def run(self, side, before=()):
        file = f'{self.work}/{side}.json'
        taken = self.trees[side].bench(self.name, file, before)
        if taken is None:
            return None
        with open(file) as f:
            records = json.load(f)
        if isinstance(records, dict):  # of commits before result files had a schema: the list itself
            records = records['jobs']
        if not records:
            return None
        return taken, [(r['name'], r['tiles'], r['cycles'], r['warp_instructions'], r['cpu_instructions'])
                       for r in records]

    def sample(self, side):
        """The least of some runs, where one is short: what disturbs a run only adds to it."""
        taken = self.run(side)
        if taken is None:
            return None
        if not self.runs:
            self.runs = max(1, min(5, round(SAMPLE_SECONDS / max(taken[0], 1e-3))))
        return min([taken] + [self.run(side) for _ in range(self.runs - 1)])

    def count(self, side):
        log = f'{self.work}/instructions'
        done = self.run(side, ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null',
                               f'--log-file={log}.%p'])
        total = 0
        for name in os.listdir(self.work):
            if name.startswith('instructions.'):
                with open(f'{self.work}/{name}') as f:
                    total += sum(int(n.replace(',', '')) for n in re.findall(r'I\s+refs:\s+([0-9,]+)', f.read()))
                os.remove(f'{self.work}/{name}')
        return done and (total / 1e6, done[1])

    def pair(self, turn, measure):
        sides = [0, 1] if turn % 2 == 0 else [1, 0]
        got = [None, None]
        for side in sides:
            got[side] = measure(side)
        if got[1] is None:
            self.note = 'only here'
            return False
        self.ours.append(got[0][0])
        self.base.append(got[1][0])
        if got[0][1] != got[1][1]:
            self.note = 'simulates other cycles or instructions'
        return True

    def ratios(self):
        return [a / b for a, b in zip(self.ours, self.base)]

    def direction(self, least):
        """1 slower, -1 faster, 0 not to be told."""
        r = self.ratios()
        if not r:
            return 0
        middle = statistics.median(r) - 1
        return (middle > least and min(r) > 1) - (middle < -least and max(r) < 1)

    def line(self, unit, verdict):
        if not self.ours:
            return f'{self.name:<31} {self.note}'
        r = self.ratios()
        percent = [f'{100 * (x - 1):+.1f} %' for x in (statistics.median(r), min(r), max(r))]
        return (f'{self.name:<31} {statistics.median(self.base):>9.3f} {statistics.median(self.ours):>9.3f} {unit:<7}'
                f' {percent[0]:>9} {percent[1]:>9} {percent[2]:>9} {len(r):>5}  {verdict}'
                f'{": " + self.note if self.note else ""}')


def job_names(tree, only):
    """Those of our build: a job's name stands before its machine in the table."""
    done = subprocess.run([tree.evgpu, 'bench', '--list'], cwd=tree.folder, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f'{tree.evgpu} bench --list: {done.stderr.strip()}')
    names = [name for name in done.stdout.splitlines() if not only or any(text in name for text in only)]
    if not names:
        raise Failure(f'--only {" ".join(only)}: no job has this in its name')
    return names


def compare(job, pairs, least):
    """All pairs of a job; 1 slower, -1 faster, 0 neither."""
    for turn in range(pairs):
        if not job.pair(turn, job.sample):
            return 0
    if job.direction(least):
        for turn in range(pairs):
            job.pair(turn, job.sample)
    return job.direction(least)


def compare_counts(job, least):
    """The same by instructions, of which each run takes as many."""
    job.pair(0, job.count)
    return job.direction(least)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('base')
    parser.add_argument('--only', action='append', default=[])
    parser.add_argument('--pairs', type=int, default=5)
    parser.add_argument('--least', type=float, default=1, help='percent')
    parser.add_argument('--count', action='store_true')
    options = parser.parse_args()
    if options.pairs < 3:
        raise Failure(f'--pairs {options.pairs}: fewer than 3 do not show their spread')
    if not options.base:
        raise Failure('say which commit to compare with: make bench-compare BASE=commit')
    base, name = build_base(options.build, options.base)
    trees = [Tree('.', os.path.abspath(f'{options.build}/evgpu')), base]
    unit = INSTRUCTIONS if options.count else USER
    found = {1: [], -1: [], 0: []}
    print(f'{"job":<18} {"base":>9} {"ours":>9} {"median":<7} {"ours/base":>9} {"least":>9} {"most":>9} {"pairs":>5}')
    with tempfile.TemporaryDirectory() as work:
        for job_name in job_names(trees[0], options.only):
            job = Job(job_name, trees, work)
            least = options.least / 100
            way = compare_counts(job, least) if options.count else compare(job, options.pairs, least)
            found[way].append(job)
            print(job.line(unit, {1: 'SLOWER', -1: 'faster', 0: 'same'}[way]), flush=True)
    measured = [job for jobs in found.values() for job in jobs if job.ours]
    if not measured:
        raise Failure(f'{name} has none of these jobs')
    spread = max((max(j.ratios()) - min(j.ratios())) / 2 for j in measured)
    verdict = 'SLOWER' if found[1] else 'NOT SLOWER'
    print(f'{verdict} than {name}: {len(found[1])} of {len(measured)} jobs slower, {len(found[-1])} faster; '
          f'widest spread +-{100 * spread:.1f} %')
    return 1 if found[1] else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (Failure, OSError) as failure:
        print(f'bench-compare: {failure}', file=sys.stderr)
        sys.exit(2)
