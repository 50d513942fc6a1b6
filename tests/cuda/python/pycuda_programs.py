"""Programs in PyCUDA: kernels in CUDA C++, arrays of numpy; every result is compared with numpy's.

PyCUDA compiles a kernel with the toolkit's nvcc. Ends with PASSED.
"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel

TILE = 8

KERNELS = SourceModule("""
#define TILE %d
__constant__ float weights[3];
texture<float, 2> picture;

/* Tiles of both matrices in shared memory; sizes need not be multiples of a tile. */
__global__ void matmul(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float got = 0;
    for (int first = 0; first < inner; first += TILE) {
        ta[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
        tb[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            got += ta[y][k] * tb[k][x];
        __syncthreads();
    }
    if (row < rows && column < columns)
        c[row * columns + column] = got;
}

/* Three points, weights of constant memory, a row per block in dynamic shared memory. */
__global__ void smooth(const float *in, float *out, int n)
{
    extern __shared__ float row[];
    int t = threadIdx.x;
    row[t] = in[blockIdx.x * n + t];
    __syncthreads();
    float left = t ? row[t - 1] : 0, right = t < n - 1 ? row[t + 1] : 0;
    out[blockIdx.x * n + t] = weights[0] * left + weights[1] * row[t] + weights[2] * right;
}

/* A picture, turned by the texture unit. */
__global__ void turn(float *out, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    out[y * width + x] = tex2D(picture, y, width - 1 - x);
}
""" % TILE)


def matrices(rng):
    a = rng.standard_normal((19, 30)).astype(np.float32)
    b = rng.standard_normal((30, 21)).astype(np.float32)
    c = np.zeros((19, 21), np.float32)
    KERNELS.get_function("matmul")(
        cuda.In(a), cuda.In(b), cuda.Out(c), np.int32(19), np.int32(30), np.int32(21),
        block=(TILE, TILE, 1), grid=(3, 3))
    assert np.allclose(c, a @ b, rtol=1e-4, atol=1e-5)


def stencil(rng):
    """A stream, pinned memory, events, memory of the driver's own allocator."""
    n, rows = 60, 5
    field = cuda.pagelocked_empty((rows, n), np.float32)
    field[:] = rng.random((rows, n))
    weights = np.array([0.25, 0.5, 0.125], np.float32)
    address, _ = KERNELS.get_global("weights")
    cuda.memcpy_htod(address, weights)
    stream, start, end = cuda.Stream(), cuda.Event(), cuda.Event()
    first, second = cuda.mem_alloc(field.nbytes), cuda.mem_alloc(field.nbytes)
    cuda.memcpy_htod_async(first, field, stream)
    smooth = KERNELS.get_function("smooth")
    start.record(stream)
    for _ in range(2):
        smooth(first, second, np.int32(n), block=(n, 1, 1), grid=(rows, 1), stream=stream,
               shared=4 * n)
        first, second = second, first
    end.record(stream)
    got = cuda.pagelocked_empty_like(field)
    cuda.memcpy_dtoh_async(got, first, stream)
    stream.synchronize()
    want = np.array(field, np.float64)
    for _ in range(2):
        wide = np.pad(want, ((0, 0), (1, 1)))
        want = weights[0] * wide[:, :-2] + weights[1] * wide[:, 1:-1] + weights[2] * wide[:, 2:]
    assert np.allclose(got, want, rtol=1e-5)
    assert start.time_till(end) >= 0


def textures(rng):
    picture = rng.random((12, 12)).astype(np.float32)
    reference = KERNELS.get_texref("picture")
    cuda.matrix_to_texref(picture, reference, order="C")
    out = gpuarray.empty((12, 12), np.float32)
    KERNELS.get_function("turn")(out, np.int32(12), np.int32(12), block=(12, 1, 1), grid=(12, 1),
                                 texrefs=[reference])
    assert (out.get() == np.rot90(picture, -1)).all()


def arrays(rng):
    """PyCUDA's own kernels: arrays, reductions, elementwise kernels."""
    x = rng.random(1000).astype(np.float32)
    y = rng.random(1000).astype(np.float32)
    on_x, on_y = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
    assert np.allclose((2 * on_x + on_y ** 2).get(), 2 * x + y ** 2, rtol=1e-5)
    assert np.isclose(gpuarray.dot(on_x, on_y).get(), x @ y, rtol=1e-4)
    most = ReductionKernel(np.float32, neutral="-1", reduce_expr="max(a, b)",
                           map_expr="x[i] * y[i]", arguments="const float *x, const float *y")
    assert most(on_x, on_y).get() == (x * y).max()
    z = gpuarray.empty_like(on_x)
    ElementwiseKernel("float a, float *x, float *z", "z[i] = a * x[i] + i", "axpi")(
        np.float32(3), on_x, z)
    assert np.allclose(z.get(), 3 * x + np.arange(1000), rtol=1e-6)


def main():
    rng = np.random.default_rng(27)
    device = pycuda.autoinit.device
    print(device.name(), device.compute_capability())
    for part in (matrices, stencil, textures, arrays):
        part(rng)
        print(part.__name__, "ok")
    print("PASSED")


main()
