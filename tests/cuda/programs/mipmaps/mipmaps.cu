/* Mipmapped arrays: levels have values of their own, so that the host sees which ones a fetch took.
 * Coordinates and levels are such that the filters' weights have no more than 8 bits. */
#include <cuda_runtime.h>
#include <string.h>
#include <vector>

#include "check.h"

#define WIDTH  32
#define HEIGHT 16
#define LEVELS 6 /* down to 1 x 1 */
#define POINTS 256

static unsigned seed = 7;

static int halved(int size, int level)
{
    return size >> level ? size >> level : 1;
}

struct Level {
    int width, height, depth;
    std::vector<float> texels;
    float at(int x, int y, int z) const
    {
        x = (x % width + width) % width; /* wraps */
        y = (y % height + height) % height;
        z = (z % depth + depth) % depth;
        return texels[((size_t)z * height + y) * width + x];
    }
    /* By the nearest two texels in each of n dimensions; coordinates from 0 to 1. */
    double filter(int n, double x, double y, double z) const
    {
        const double places[3] = {x * width - 0.5, n > 1 ? y * height - 0.5 : 0, n > 2 ? z * depth - 0.5 : 0};
        double sum = 0;
        for (int k = 0; k < 1 << n; k++) {
            double weight = 1;
            int texel[3] = {0, 0, 0};
            for (int i = 0; i < n; i++) {
                double fraction = places[i] - floor(places[i]);
                int up = k >> i & 1;
                texel[i] = (int)floor(places[i]) + up;
                weight *= up ? fraction : 1 - fraction;
            }
            sum += weight * at(texel[0], texel[1], texel[2]);
        }
        return sum;
    }
};

struct Mipmap {
    cudaMipmappedArray_t array;
    std::vector<Level> levels;
};

static Mipmap make(cudaExtent extent, bool layered)
{
    Mipmap m;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocMipmappedArray(&m.array, &format, extent, 20, layered ? cudaArrayLayered : 0));
    for (unsigned int level = 0;; level++) {
        cudaArray_t array;
        cudaExtent size;
        if (cudaGetMipmappedArrayLevel(&array, m.array, level) != cudaSuccess)
            break;
        CHECK(cudaArrayGetInfo(NULL, &size, NULL, array));
        Level l = {(int)size.width, size.height ? (int)size.height : 1, size.depth ? (int)size.depth : 1, {}};
        for (int i = 0; i < l.width * l.height * l.depth; i++)
            l.texels.push_back(10 * level + next_float(&seed));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(l.texels.data(), l.width * sizeof(float), l.width, l.height);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(l.width, l.height, l.depth);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
        m.levels.push_back(l);
    }
    cudaGetLastError();
    return m;
}

struct Look {
    cudaTextureFilterMode between; /* levels */
    float bias, least, most;
};

static cudaTextureObject_t object_of(const Mipmap &m, const Look &look, const cudaResourceViewDesc *view = NULL)
{
    cudaTextureObject_t object;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = m.array;
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = cudaAddressModeWrap;
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    how.mipmapFilterMode = look.between;
    how.mipmapLevelBias = look.bias;
    how.minMipmapLevelClamp = look.least;
    how.maxMipmapLevelClamp = look.most;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, view));
    return object;
}

/* --- kernels: where each thread reads, and from which level ----------------------------------- */

struct Place {
    float x, y, z, level;
    float2 dx, dy;
};

static __host__ __device__ Place place(int i)
{
    Place p;
    p.x = ((i * 37) % 512 - 128) / 256.0f;
    p.y = ((i * 11) % 256) / 256.0f;
    p.z = ((i * 5) % 64) / 64.0f;
    p.level = (i - 32) / 32.0f + 1 / 64.0f;
    p.dx = make_float2((1 + i % 9) / 32.0f, 0);
    p.dy = make_float2(0, (i % 23) / 16.0f);
    return p;
}

enum Shape { ONE, TWO, THREE, LAYER, GRADIENT, TWO_PLAIN };

__global__ void fetch(cudaTextureObject_t object, Shape shape, float *out)
{
    int i = threadIdx.x;
    Place p = place(i);
    float value = 0;
    if (shape == ONE)
        value = tex1DLod<float>(object, p.x, p.level);
    else if (shape == TWO)
        value = tex2DLod<float>(object, p.x, p.y, p.level);
    else if (shape == THREE)
        value = tex3DLod<float>(object, p.x, p.y, p.z, p.level);
    else if (shape == LAYER)
        value = tex2DLayeredLod<float>(object, p.x, p.y, i % 3, p.level);
    else if (shape == GRADIENT && i % 2) /* by some threads of a warp only */
        value = tex2DGrad<float>(object, p.x, p.y, p.dx, p.dy);
    else if (shape == TWO_PLAIN)
        value = tex2D<float>(object, p.x, p.y);
    out[i] = value;
}

/* --- on the host ------------------------------------------------------------------------------ */

static double of_level(const Level &l, Shape shape, int i)
{
    Place p = place(i);
    if (shape == LAYER) { /* the layer alone */
        Level one = {l.width, l.height, 1, {}};
        size_t size = (size_t)l.width * l.height;
        one.texels.assign(l.texels.begin() + i % 3 * size, l.texels.begin() + (i % 3 + 1) * size);
        return one.filter(2, p.x, p.y, 0);
    }
    return l.filter(shape == ONE ? 1 : shape == THREE ? 3 : 2, p.x, p.y, p.z);
}

static double expected(const std::vector<Level> &levels, const Look &look, Shape shape, int i)
{
    Place p = place(i);
    double level = p.level, last = (double)levels.size() - 1;
    if (shape == TWO_PLAIN)
        return of_level(levels[0], shape, i);
    if (shape == GRADIENT) {
        double a = p.dx.x * levels[0].width, b = p.dy.y * levels[0].height;
        level = log2(a > b ? a : b);
    }
    level = fmin(fmax(level + look.bias, look.least), look.most);
    level = fmin(fmax(level, 0), last);
    if (look.between == cudaFilterModePoint)
        return of_level(levels[(int)floor(level + 0.5)], shape, i);
    int first = (int)floor(level), second = first < last ? first + 1 : first;
    double weight = level - first;
    return (1 - weight) * of_level(levels[first], shape, i) + weight * of_level(levels[second], shape, i);
}

static int compare(const Mipmap &m, const Look &look, Shape shape)
{
    float *out, got[POINTS];
    cudaTextureObject_t object = object_of(m, look);
    CHECK(cudaMalloc(&out, sizeof got));
    fetch<<<1, POINTS>>>(object, shape, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < POINTS; i++) {
        double want = shape == GRADIENT && !(i % 2) ? 0 : expected(m.levels, look, shape, i);
        /* The level of a gradient has more bits than the weight. */
        if (!near(got[i], want, shape == GRADIENT ? 0.01 : 1e-5) && wrong++ < 3)
            printf("shape %d, point %d: %g instead of %g\n", shape, i, got[i], want);
    }
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFree(out));
    return wrong;
}

static int shapes()
{
    const Look all = {cudaFilterModeLinear, 0, 0, 99}, some = {cudaFilterModeLinear, 0.25f, 0.5f, 3.5f},
               nearest = {cudaFilterModePoint, -0.375f, 1, 4}, first = {cudaFilterModeLinear, 0, 0, 0};
    Mipmap flat = make(make_cudaExtent(WIDTH, HEIGHT, 0), false), line = make(make_cudaExtent(WIDTH, 0, 0), false);
    Mipmap solid = make(make_cudaExtent(WIDTH, HEIGHT, 8), false);
    Mipmap layers = make(make_cudaExtent(WIDTH, HEIGHT, 3), true);
    int wrong = flat.levels.size() != LEVELS || line.levels.size() != LEVELS || solid.levels.size() != LEVELS ||
                layers.levels.size() != LEVELS || solid.levels[2].depth != 2 || layers.levels[2].depth != 3;
    for (int i = 0; i < LEVELS; i++)
        wrong += flat.levels[i].width != halved(WIDTH, i) || flat.levels[i].height != halved(HEIGHT, i);
    for (const Look &look : {all, some, nearest, first}) {
        wrong += compare(line, look, ONE) + compare(flat, look, TWO) + compare(solid, look, THREE) +
                 compare(layers, look, LAYER) + compare(flat, look, GRADIENT) + compare(flat, look, TWO_PLAIN);
    }
    for (const Mipmap &m : {flat, line, solid, layers})
        CHECK(cudaFreeMipmappedArray(m.array));
    return wrong;
}

/* --- a picture that the device makes smaller, level by level ---------------------------------- */

__global__ void fill(cudaSurfaceObject_t picture, int width)
{
    int x = threadIdx.x, y = blockIdx.x;
    surf2Dwrite(make_uchar4(8 * x, 16 * y, x ^ y, 255), picture, x * 4, y);
}

__global__ void reduce(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    float4 mean = tex2D<float4>(from, (x + 0.5f) / width, (y + 0.5f) / height);
    surf2Dwrite(make_uchar4(mean.x * 255, mean.y * 255, mean.z * 255, mean.w * 255), to, x * 4, y);
}

__global__ void read(cudaTextureObject_t picture, float4 *out, float level)
{
    out[threadIdx.x] = tex2DLod<float4>(picture, (threadIdx.x + 0.5f) / WIDTH, 0.5f, level);
}

static int picture()
{
    cudaMipmappedArray_t mipmap;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t levels[LEVELS];
    std::vector<std::vector<uchar4>> host(LEVELS);
    CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(WIDTH, HEIGHT, 0), LEVELS,
                                   cudaArraySurfaceLoadStore));
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = cudaReadModeNormalizedFloat;
    int wrong = 0;
    for (int i = 0; i < LEVELS; i++) {
        int width = halved(WIDTH, i), height = halved(HEIGHT, i);
        cudaResourceDesc resource = {};
        cudaSurfaceObject_t surface;
        CHECK(cudaGetMipmappedArrayLevel(&levels[i], mipmap, i));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = levels[i];
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
        if (i) {
            cudaTextureObject_t larger;
            resource.res.array.array = levels[i - 1];
            CHECK(cudaCreateTextureObject(&larger, &resource, &how, NULL));
            reduce<<<height, width>>>(larger, surface, width, height);
            CHECK(cudaDestroyTextureObject(larger));
        } else {
            fill<<<height, width>>>(surface, width);
        }
        host[i].resize(width * height);
        CHECK(cudaMemcpy2DFromArray(host[i].data(), width * 4, levels[i], 0, 0, width * 4, height,
                                    cudaMemcpyDeviceToHost));
        for (int k = 0; i && k < width * height; k++) {
            int x = k % width, y = k / width, wide = halved(WIDTH, i - 1), high = halved(HEIGHT, i - 1), sum = 0;
            for (int c = 0; c < 4; c++)
                sum += host[i - 1][(2 * y + c / 2 < high ? 2 * y + c / 2 : high - 1) * wide + 2 * x + c % 2].x;
            wrong += host[i][k].x != sum / 4 && host[i][k].x != (sum - 1) / 4;
        }
        CHECK(cudaDestroySurfaceObject(surface));
    }
    cudaResourceDesc resource = {};
    cudaTextureObject_t all;
    float4 *out, got[WIDTH];
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    how.filterMode = cudaFilterModePoint;
    how.maxMipmapLevelClamp = LEVELS - 1;
    CHECK(cudaCreateTextureObject(&all, &resource, &how, NULL));
    CHECK(cudaMalloc(&out, sizeof got));
    for (int i = 0; i < LEVELS; i++) {
        read<<<1, WIDTH>>>(all, out, (float)i);
        CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int x = 0; x < WIDTH; x++) {
            int width = halved(WIDTH, i), height = halved(HEIGHT, i);
            wrong += !near(got[x].x, host[i][height / 2 * width + (x >> i)].x / 255.0, 1e-6);
        }
    }
    /* A view of two levels; what is not there. */
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatNone;
    view.firstMipmapLevel = 1;
    view.lastMipmapLevel = 2;
    how.maxMipmapLevelClamp = 99;
    CHECK(cudaDestroyTextureObject(all));
    CHECK(cudaCreateTextureObject(&all, &resource, &how, &view));
    for (int i = 0; i < 3; i++) {
        read<<<1, WIDTH>>>(all, out, (float)i);
        CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        int level = i ? 2 : 1, width = halved(WIDTH, level);
        for (int x = 0; x < WIDTH; x++)
            wrong += !near(got[x].x, host[level][halved(HEIGHT, level) / 2 * width + (x >> level)].x / 255.0, 1e-6);
    }
    wrong += cudaGetMipmappedArrayLevel(&levels[0], mipmap, LEVELS) != cudaErrorInvalidValue;
    wrong += cudaFreeArray(levels[0]) == cudaSuccess;
    view.firstMipmapLevel = LEVELS;
    view.lastMipmapLevel = LEVELS;
    wrong += cudaCreateTextureObject(&all, &resource, &how, &view) != cudaErrorInvalidValue;
    CHECK(cudaFreeMipmappedArray(mipmap));
    wrong += cudaFreeMipmappedArray(mipmap) == cudaSuccess;
    wrong += cudaCreateTextureObject(&all, &resource, &how, NULL) == cudaSuccess;
    CHECK(cudaFree(out));
    return wrong;
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    int wrong = properties.maxTexture2DMipmap[0] < WIDTH;
    wrong += shapes();
    wrong += picture();
    return verdict("mipmaps", wrong == 0);
}
