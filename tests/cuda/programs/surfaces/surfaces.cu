// Surfaces of every shape and element size, by object and by reference, what lies outside, and
// cubemaps.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "../common/check.h"

static int failures;

static void expect(bool ok, const char *what, int at)
{
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %d\n", what, at);
}

struct array {
    cudaArray_t data;
    cudaSurfaceObject_t surface;
    array(const cudaChannelFormatDesc &desc, int width, int height, int depth, unsigned flags = 0)
    {
        cudaResourceDesc resource = {};
        CHECK(cudaMalloc3DArray(&data, &desc, make_cudaExtent(width, height, depth),
                                flags | cudaArraySurfaceLoadStore));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = data;
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
    }
    ~array()
    {
        CHECK(cudaDestroySurfaceObject(surface));
        CHECK(cudaFreeArray(data));
    }
};

// Each thread writes its element through the surface, and reads its neighbour's in another launch.
template <class T> __device__ T value_of(int i);
template <> __device__ unsigned char value_of(int i)
{
    return (unsigned char)(i * 7);
}
template <> __device__ short value_of(int i)
{
    return (short)(i * 31 - 500);
}
template <> __device__ float value_of(int i)
{
    return i * 0.5f;
}
template <> __device__ float2 value_of(int i)
{
    return make_float2(i, -i);
}
template <> __device__ int4 value_of(int i)
{
    return make_int4(i, i + 1, i + 2, i + 3);
}

template <class T> __global__ void fill(cudaSurfaceObject_t s, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height)
        surf2Dwrite(value_of<T>(y * width + x), s, x * (int)sizeof(T), y);
}
template <class T> __global__ void take(cudaSurfaceObject_t s, T *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    T there;
    if (x >= width || y >= height)
        return;
    surf2Dread(&there, s, (width - 1 - x) * (int)sizeof(T), y, cudaBoundaryModeTrap);
    out[y * width + x] = there;
}
template <class T> __global__ void expected(T *out, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width * height)
        out[i] = value_of<T>(i / width * width + width - 1 - i % width);
}

template <class T> static void two_dimensions(const char *name)
{
    const int width = 37, height = 9;
    array a(cudaCreateChannelDesc<T>(), width, height, 0);
    std::vector<T> got(width * height), want(width * height);
    T *out;
    CHECK(cudaMalloc(&out, 2 * got.size() * sizeof(T)));
    fill<T><<<dim3(2, height), 32>>>(a.surface, width, height);
    take<T><<<dim3(2, height), 32>>>(a.surface, out, width, height);
    expected<T><<<11, 32>>>(out + got.size(), width, height);
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(
        cudaMemcpy(want.data(), out + got.size(), got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < got.size(); i++)
        expect(!memcmp(&got[i], &want[i], sizeof(T)), name, (int)i);
    CHECK(cudaFree(out));
}

// One and three dimensions and layers: the element's number.
__global__ void number_all(cudaSurfaceObject_t one, cudaSurfaceObject_t three,
                           cudaSurfaceObject_t layers1, cudaSurfaceObject_t layers2)
{
    int x = threadIdx.x, y = blockIdx.x % 3, z = blockIdx.x / 3;
    surf3Dwrite(x + 10 * y + 100 * z, three, 4 * x, y, z);
    surf2DLayeredwrite(-(x + 10 * y + 100 * z), layers2, 4 * x, y, z);
    if (y == 0)
        surf1DLayeredwrite(x + 1000 * z, layers1, 4 * x, z);
    if (blockIdx.x == 0)
        surf1Dwrite(7 * x, one, 4 * x);
}
__global__ void sum_all(cudaSurfaceObject_t one, cudaSurfaceObject_t three,
                        cudaSurfaceObject_t layers1, cudaSurfaceObject_t layers2, int *out)
{
    int x = threadIdx.x, y = blockIdx.x % 3, z = blockIdx.x / 3, i = blockIdx.x * blockDim.x + x;
    out[4 * i] = surf1Dread<int>(one, 4 * x);
    out[4 * i + 1] = surf3Dread<int>(three, 4 * x, y, z);
    out[4 * i + 2] = surf1DLayeredread<int>(layers1, 4 * x, z);
    out[4 * i + 3] = surf2DLayeredread<int>(layers2, 4 * x, y, z);
}

static void other_shapes()
{
    auto desc = cudaCreateChannelDesc<int>();
    array one(desc, 8, 0, 0), three(desc, 8, 3, 4), layers1(desc, 8, 0, 4, cudaArrayLayered),
        layers2(desc, 8, 3, 4, cudaArrayLayered);
    std::vector<int> got(4 * 8 * 12);
    int *out;
    CHECK(cudaMalloc(&out, got.size() * sizeof(int)));
    number_all<<<12, 8>>>(one.surface, three.surface, layers1.surface, layers2.surface);
    sum_all<<<12, 8>>>(one.surface, three.surface, layers1.surface, layers2.surface, out);
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 96; i++) {
        int x = i % 8, y = i / 8 % 3, z = i / 24;
        expect(got[4 * i] == 7 * x, "1D", i);
        expect(got[4 * i + 1] == x + 10 * y + 100 * z, "3D", i);
        expect(got[4 * i + 2] == x + 1000 * z, "1D, layered", i);
        expect(got[4 * i + 3] == -(x + 10 * y + 100 * z), "2D, layered", i);
    }
    CHECK(cudaFree(out));
}

// Outside: zero reads 0 and writes nothing, clamp takes the nearest element.
__global__ void outside(cudaSurfaceObject_t s, int *out)
{
    int x = (int)threadIdx.x - 4; // -4 ... 11 of 8
    if (threadIdx.x % 2 == 0)     // some lanes only
        surf2Dwrite(100 + x, s, 4 * x, 1, cudaBoundaryModeZero);
    out[threadIdx.x] = surf2Dread<int>(s, 4 * x, 1, cudaBoundaryModeZero);
    out[16 + threadIdx.x] = surf2Dread<int>(s, 4 * x, 5, cudaBoundaryModeClamp);
    out[32 + threadIdx.x] = surf2Dread<int>(s, 4 * x, -1, cudaBoundaryModeZero);
}

static void boundaries()
{
    array a(cudaCreateChannelDesc<int>(), 8, 3, 0);
    int cells[24], got[48], *out;
    for (int i = 0; i < 24; i++)
        cells[i] = i;
    CHECK(cudaMalloc(&out, sizeof got));
    CHECK(cudaMemcpy2DToArray(a.data, 0, 0, cells, 32, 32, 3, cudaMemcpyHostToDevice));
    outside<<<1, 16>>>(a.surface, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DFromArray(cells, 32, a.data, 0, 0, 32, 3, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++) {
        int x = i - 4, in = x >= 0 && x < 8, near = std::min(std::max(x, 0), 7);
        int cell = i % 2 == 0 ? 100 + x : 8 + x;
        expect(got[i] == (in ? cell : 0), "zero", i);
        expect(got[16 + i] == 16 + near, "clamp", i);
        expect(got[32 + i] == 0, "zero, row", i);
    }
    for (int i = 0; i < 24; i++)
        expect(cells[i] == (i / 8 == 1 && i % 2 == 0 ? 100 + i % 8 : i), "nothing else is written",
               i);
    CHECK(cudaFree(out));
}

// By reference, and in a texture afterwards.
surface<void, cudaSurfaceType2D> reference;
__global__ void by_reference(int width)
{
    uchar4 v = make_uchar4(threadIdx.x, blockIdx.x, 3, 255);
    surf2Dwrite(v, reference, threadIdx.x * 4, blockIdx.x);
}
__global__ void by_texture(cudaTextureObject_t t, int *out)
{
    uchar4 v = tex2D<uchar4>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
    out[blockIdx.x * blockDim.x + threadIdx.x] = v.x + 256 * v.y + 65536 * (v.z == 3 && v.w == 255);
}

static void references()
{
    array a(cudaCreateChannelDesc<uchar4>(), 16, 5, 0);
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    int got[80], *out;
    CHECK(cudaMalloc(&out, sizeof got));
    CHECK(cudaBindSurfaceToArray(reference, a.data));
    CHECK(cudaGetSurfaceObjectResourceDesc(&resource, a.surface));
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    by_reference<<<5, 16>>>(16);
    by_texture<<<5, 16>>>(texture, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 80; i++)
        expect(got[i] == i % 16 + 256 * (i / 16) + 65536, "reference, texture", i);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(out));

    // The driver's object is the same kind.
    CUDA_RESOURCE_DESC same = {};
    CUsurfObject object;
    same.resType = CU_RESOURCE_TYPE_ARRAY;
    same.res.array.hArray = (CUarray)a.data;
    expect(cuSurfObjectCreate(&object, &same) == CUDA_SUCCESS, "the driver's object", 0);
    CHECK(cudaMalloc(&out, 16 * sizeof(int)));
    take<int><<<1, 32>>>(object, out, 16, 1);
    CHECK(cudaMemcpy(got, out, 16 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++)
        expect((got[i] & 0xffffff) == 0x30000 + 15 - i, "through the driver's object", i);
    expect(cuSurfObjectDestroy(object) == CUDA_SUCCESS, "its end", 0);
    expect(cuSurfObjectDestroy(object) != CUDA_SUCCESS, "its second end", 0);
    CHECK(cudaFree(out));

    // An array that was not made for it.
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaSurfaceObject_t none;
    cudaArray_t plain;
    CHECK(cudaMallocArray(&plain, &desc, 16, 16));
    resource.res.array.array = plain;
    expect(cudaCreateSurfaceObject(&none, &resource) == cudaErrorInvalidValue, "a plain array", 0);
    expect(cudaGetLastError() == cudaErrorInvalidValue, "its error", 0);
    CHECK(cudaFreeArray(plain));
}

// A cube whose texels hold their numbers: directions to the middle of each texel.
__device__ __host__ static void direction(int face, float s, float t, float *d)
{
    s = 2 * s - 1;
    t = 2 * t - 1;
    const float all[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                             {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
    for (int i = 0; i < 3; i++)
        d[i] = 3 * all[face][i]; // of any length
}
__global__ void look(cudaTextureObject_t cube, float *out, int side)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, face = i / (side * side);
    float d[3];
    direction(face, (i % side + 0.5f) / side, (i / side % side + 0.5f) / side, d);
    out[i] = texCubemap<float>(cube, d[0], d[1], d[2]);
}

static void cubemap()
{
    const int side = 8, count = 6 * side * side;
    array a(cudaCreateChannelDesc<float>(), side, side, 6, cudaArrayCubemap);
    std::vector<float> texels(count), got(count);
    cudaMemcpy3DParms copy = {};
    cudaTextureDesc how = {};
    cudaResourceDesc resource = {};
    cudaTextureObject_t cube;
    float *out;
    for (int i = 0; i < count; i++)
        texels[i] = (float)i;
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), side * sizeof(float), side, side);
    copy.dstArray = a.data;
    copy.extent = make_cudaExtent(side, side, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a.data;
    how.normalizedCoords = 1;
    CHECK(cudaMalloc(&out, count * sizeof(float)));
    for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        how.filterMode = filter;
        CHECK(cudaCreateTextureObject(&cube, &resource, &how, nullptr));
        look<<<6, side * side>>>(cube, out, side);
        CHECK(cudaMemcpy(got.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; i++)
            expect(fabsf(got[i] - i) < (filter == cudaFilterModePoint ? 1e-6f : 0.1f), "cubemap",
                   i);
        CHECK(cudaDestroyTextureObject(cube));
    }
    CHECK(cudaFree(out));
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t odd;
    expect(cudaMalloc3DArray(&odd, &desc, make_cudaExtent(8, 4, 6), cudaArrayCubemap) ==
               cudaErrorInvalidValue,
           "faces that are not square", 0);
}

int main()
{
    two_dimensions<unsigned char>("1 byte");
    two_dimensions<short>("2 bytes");
    two_dimensions<float>("4 bytes");
    two_dimensions<float2>("8 bytes");
    two_dimensions<int4>("16 bytes");
    other_shapes();
    boundaries();
    references();
    cubemap();
    return verdict("surfaces", !failures);
}
