"""Programs in numba-cuda, as one writes them for a GPU; every result is compared with numpy's.

numba compiles a kernel with libNVVM to PTX, which the driver API loads. Ends with PASSED.
"""
import math

import numpy as np
from numba import cuda, float32, int32

THREADS = 128
TILE = 8


@cuda.reduce
def total(a, b):
    return a + b


@cuda.jit
def block_sums(values, sums):
    """A tree in shared memory, and one atomic per block."""
    shared = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    shared[t] = values[i] if i < values.size else 0
    cuda.syncthreads()
    step = THREADS // 2
    while step:
        if t < step:
            shared[t] += shared[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(sums, 0, shared[0])


@cuda.jit
def matmul(a, b, c):
    """Tiles of both matrices in shared memory; sizes need not be multiples of a tile."""
    ta = cuda.shared.array((TILE, TILE), float32)
    tb = cuda.shared.array((TILE, TILE), float32)
    row, column = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    got = float32(0)
    for first in range(0, a.shape[1], TILE):
        ta[x, y] = a[row, first + y] if row < a.shape[0] and first + y < a.shape[1] else 0
        tb[x, y] = b[first + x, column] if first + x < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(TILE):
            got += ta[x, k] * tb[k, y]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = got


@cuda.jit
def heat(old, new):
    """A stencil of five points; the edge stays as it is."""
    y, x = cuda.grid(2)
    if y >= old.shape[0] or x >= old.shape[1]:
        return
    if y == 0 or x == 0 or y == old.shape[0] - 1 or x == old.shape[1] - 1:
        new[y, x] = old[y, x]
    else:
        new[y, x] = 0.25 * (old[y - 1, x] + old[y + 1, x] + old[y, x - 1] + old[y, x + 1])


@cuda.jit(device=True)
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@cuda.jit
def histogram(numbers, bins):
    """Calls a device function, diverges, and counts with atomics."""
    i = cuda.grid(1)
    if i < numbers.size:
        cuda.atomic.add(bins, min(collatz(numbers[i]), bins.size - 1), 1)


@cuda.jit
def mathematics(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.exp(-x[i]) * math.sin(x[i]) + math.sqrt(x[i]) + math.pow(x[i], 0.3) + math.erf(x[i])


@cuda.jit
def shuffled(out):
    """The sum over a warp, by shuffles."""
    lane = cuda.laneid
    got = int32(lane * lane)
    for step in (16, 8, 4, 2, 1):
        got += cuda.shfl_down_sync(0xFFFFFFFF, got, step)
    if lane == 0:
        out[cuda.threadIdx.x // 32] = got


def reductions(rng):
    values = rng.standard_normal(1000).astype(np.float32)
    sums = cuda.to_device(np.zeros(1, np.float32))
    block_sums[(values.size + THREADS - 1) // THREADS, THREADS](cuda.to_device(values), sums)
    assert np.isclose(sums.copy_to_host()[0], values.sum(dtype=np.float64), rtol=1e-4, atol=1e-4)
    whole = np.arange(777, dtype=np.int64)
    assert total(whole) == whole.sum()


def matrices(rng):
    a = rng.standard_normal((19, 30)).astype(np.float32)
    b = rng.standard_normal((30, 21)).astype(np.float32)
    c = cuda.device_array((19, 21), np.float32)
    matmul[(3, 3), (TILE, TILE)](cuda.to_device(a), cuda.to_device(b), c)
    assert np.allclose(c.copy_to_host(), a @ b, rtol=1e-4, atol=1e-5)


def stencil(rng):
    """Two buffers, a stream, pinned memory, events."""
    field = rng.random((20, 33))
    stream = cuda.stream()
    start, end = cuda.event(), cuda.event()
    with cuda.pinned(field):
        old = cuda.to_device(field, stream=stream)
        new = cuda.device_array_like(old)
        start.record(stream)
        for _ in range(4):
            heat[(3, 5), (8, 8), stream](old, new)
            old, new = new, old
        end.record(stream)
        got = old.copy_to_host(stream=stream)
        stream.synchronize()
    want = field
    for _ in range(4):
        inner = 0.25 * (want[:-2, 1:-1] + want[2:, 1:-1] + want[1:-1, :-2] + want[1:-1, 2:])
        want = want.copy()
        want[1:-1, 1:-1] = inner
    assert np.allclose(got, want, rtol=1e-12)
    assert cuda.event_elapsed_time(start, end) >= 0


def others(rng):
    numbers = np.arange(1, 301, dtype=np.int64)
    bins = cuda.to_device(np.zeros(40, np.int32))
    histogram[3, THREADS](cuda.to_device(numbers), bins)
    want = np.zeros(40, np.int32)
    for n in numbers:
        want[min(collatz.py_func(int(n)), 39)] += 1
    assert (bins.copy_to_host() == want).all()

    x = rng.random(200) * 3
    out = cuda.device_array_like(x)
    mathematics[2, THREADS](cuda.to_device(x), out)
    want = [math.exp(-v) * math.sin(v) + math.sqrt(v) + math.pow(v, 0.3) + math.erf(v) for v in x]
    assert np.allclose(out.copy_to_host(), want, rtol=1e-12)

    out = cuda.managed_array(2, np.int32)
    shuffled[1, 64](out)
    cuda.synchronize()
    assert list(out) == [sum(i * i for i in range(32))] * 2


def main():
    rng = np.random.default_rng(27)
    print(cuda.get_current_device().name, cuda.get_current_device().compute_capability)
    for part in (reductions, matrices, stencil, others):
        part(rng)
        print(part.__name__, "ok")
    print("PASSED")


main()
