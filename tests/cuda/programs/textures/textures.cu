/* Texture references and objects: a tree in a 2D array of uint4 (as suffix trees have it), linear and
 * normalised fetches from arrays, elements narrower than a word, several addressing modes. */
#include <cuda_runtime.h>
#include <string.h>

#include "check.h"

struct Node {
    int children[3];
    int depth;
};
union PixelOfNode {
    uint4 data;
    Node node;
};

texture<uint4, 2, cudaReadModeElementType> nodetex;
texture<char, 1, cudaReadModeElementType> qrytex;
texture<float, 2, cudaReadModeElementType> imagetex;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytetex;

__global__ void walk(int *depth, int length, int width)
{
    int at = 0;
    for (int i = 0; i < length; i++) {
        PixelOfNode p;
        p.data = tex2D(nodetex, at % width, at / width);
        int c = tex1Dfetch(qrytex, blockIdx.x * length + i) - 'A';
        int next = p.node.children[c];
        if (next <= 0)
            break;
        at = next;
    }
    PixelOfNode p;
    p.data = tex2D(nodetex, at % width, at / width);
    depth[blockIdx.x] = p.node.depth;
}

__global__ void transform(float *out, int width, int height, float theta)
{
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta) + 0.5f, tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
    out[y * width + x] = tex2D(imagetex, tu, tv);
}

__global__ void with_objects(cudaTextureObject_t linear, cudaTextureObject_t image, float *out, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex1Dfetch<float>(linear, i) + tex2D<float>(image, i % width + 0.5f, i / width + 0.5f) +
             tex1Dfetch(bytetex, i);
}

__global__ void gather(cudaTextureObject_t pixels, float4 *out, unsigned *packed, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i % width + 1.0f, y = i / width + 1.0f; /* between four texels */
    uchar4 green = tex2Dgather<uchar4>(pixels, x, y, 1), alpha;
    tex2Dgather(&alpha, pixels, x, y, 3);
    packed[i] = green.x | green.y << 8 | green.z << 16 | alpha.w << 24;
    out[i] = tex2Dgather(imagetex, x / width, y / width);
}

static float at(const float *image, int w, int h, int x, int y)
{
    return image[(y % h + h) % h * w + (x % w + w) % w];
}

/* Four texels at once: of an object of bytes, and of imagetex, which wraps. */
static bool gathers(const float *image, int w, int h, cudaTextureDesc how)
{
    const int n = w * h;
    uchar4 *pixels = (uchar4 *)malloc(n * sizeof *pixels);
    for (int i = 0; i < n; i++)
        pixels[i] = make_uchar4(1, i, 2, i * 7);
    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    bool ok = cudaMallocArray(&array, &four, w, 0, cudaArrayTextureGather) == cudaErrorInvalidValue;
    CHECK(cudaMallocArray(&array, &four, w, h, cudaArrayTextureGather));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels, w * 4, w * 4, h, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, NULL));
    float4 *texels;
    unsigned *packed;
    CHECK(cudaMallocManaged(&texels, n * sizeof *texels));
    CHECK(cudaMallocManaged(&packed, n * sizeof *packed));
    gather<<<n / 64, 64>>>(object, texels, packed, w);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        int x = i % w, y = i / w, right = x + 1 < w ? x + 1 : x, down = y + 1 < h ? y + 1 : y;
        unsigned want = pixels[down * w + x].y | pixels[down * w + right].y << 8 | pixels[y * w + right].y << 16 |
                        (unsigned)pixels[i].w << 24;
        float4 got = texels[i];
        ok = ok && packed[i] == want && got.x == at(image, w, h, x, y + 1) &&
             got.y == at(image, w, h, x + 1, y + 1) && got.z == at(image, w, h, x + 1, y) && got.w == image[i];
    }
    printf("gathers %d\n", ok);
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFreeArray(array));
    free(pixels);
    return ok;
}

int main()
{
    /* the tree */
    const int width = 16, nodes = 61, length = 6, queries = 8;
    uint4 pixels[64];
    memset(pixels, 0, sizeof pixels);
    for (int i = 0; i < nodes; i++) {
        PixelOfNode p;
        memset(&p, 0, sizeof p);
        for (int c = 0; c < 3; c++)
            p.node.children[c] = 3 * i + c + 1 < nodes ? 3 * i + c + 1 : -1;
        p.node.depth = i ? ((PixelOfNode *)&pixels[(i - 1) / 3])->node.depth + 1 : 0;
        pixels[i] = p.data;
    }
    char query[queries * length];
    unsigned seed = 3;
    for (int i = 0; i < queries * length; i++)
        query[i] = 'A' + next_random(&seed) % 3;
    cudaArray *tree;
    cudaChannelFormatDesc desc =
        cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindUnsigned);
    CHECK(cudaMallocArray(&tree, &desc, width, 4));
    CHECK(cudaMemcpyToArray(tree, 0, 0, pixels, sizeof pixels, cudaMemcpyHostToDevice));
    nodetex.addressMode[0] = cudaAddressModeClamp;
    nodetex.addressMode[1] = cudaAddressModeClamp;
    nodetex.filterMode = cudaFilterModePoint;
    nodetex.normalized = false;
    CHECK(cudaBindTextureToArray(nodetex, tree, desc));
    char *d_query;
    int *d_depth, depth[queries];
    CHECK(cudaMalloc((void **)&d_query, sizeof query));
    CHECK(cudaMalloc((void **)&d_depth, sizeof depth));
    CHECK(cudaMemcpy(d_query, query, sizeof query, cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(0, qrytex, d_query, sizeof query));
    walk<<<queries, 1>>>(d_depth, length, width);
    CHECK(cudaMemcpy(depth, d_depth, sizeof depth, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int q = 0; q < queries; q++) {
        int node = 0, d = 0;
        for (int i = 0; i < length && 3 * node + (query[q * length + i] - 'A') + 1 < nodes; i++, d++)
            node = 3 * node + (query[q * length + i] - 'A') + 1;
        ok = ok && depth[q] == d;
    }
    printf("tree %d\n", ok);

    /* an image, rotated: wrapped, filtered, normalised coordinates */
    const int w = 32, h = 32;
    float image[w * h], got[w * h];
    for (int i = 0; i < w * h; i++)
        image[i] = next_float(&seed);
    cudaArray_t array;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &floats, w, h));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image, w * 4, w * 4, h, cudaMemcpyHostToDevice));
    imagetex.addressMode[0] = imagetex.addressMode[1] = cudaAddressModeWrap;
    imagetex.filterMode = cudaFilterModeLinear;
    imagetex.normalized = true;
    CHECK(cudaBindTextureToArray(imagetex, array));
    float *d_out;
    CHECK(cudaMalloc(&d_out, sizeof got));
    transform<<<dim3(w / 8, h / 8), dim3(8, 8)>>>(d_out, w, h, 0.5f);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            double u = x / (double)w - 0.5, v = y / (double)h - 0.5;
            double px = (u * cos(0.5) - v * sin(0.5) + 0.5) * w - 0.5, py = (v * cos(0.5) + u * sin(0.5) + 0.5) * h - 0.5;
            int ix = (int)floor(px), iy = (int)floor(py);
            double a = px - ix, b = py - iy;
            double want = (1 - b) * ((1 - a) * at(image, w, h, ix, iy) + a * at(image, w, h, ix + 1, iy)) +
                          b * ((1 - a) * at(image, w, h, ix, iy + 1) + a * at(image, w, h, ix + 1, iy + 1));
            /* Weights of hardware filtering have 8 bits of fraction. */
            ok = ok && near(got[y * w + x], want, 1.0 / 100);
        }
    }
    printf("image %d\n", ok);

    /* objects, and bytes as fractions */
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    float *d_linear;
    unsigned char bytes[w * h], *d_bytes;
    for (int i = 0; i < w * h; i++)
        bytes[i] = (unsigned char)i;
    CHECK(cudaMalloc(&d_linear, sizeof image));
    CHECK(cudaMemcpy(d_linear, image, sizeof image, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&d_bytes, sizeof bytes));
    CHECK(cudaMemcpy(d_bytes, bytes, sizeof bytes, cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(NULL, bytetex, d_bytes, bytetex.channelDesc, sizeof bytes));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_linear;
    resource.res.linear.desc = floats;
    resource.res.linear.sizeInBytes = sizeof image;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t linear = 0, object = 0;
    CHECK(cudaCreateTextureObject(&linear, &resource, &how, NULL));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, NULL));
    with_objects<<<w * h / 64, 64>>>(linear, object, d_out, w);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < w * h; i++)
        ok = ok && near(got[i], 2 * image[i] + bytes[i] / 255.0, 1e-6);
    /* the same in rows of pitched memory */
    float *d_rows;
    size_t pitch;
    cudaTextureObject_t rows = 0;
    CHECK(cudaMallocPitch((void **)&d_rows, &pitch, w * 4, h));
    CHECK(cudaMemcpy2D(d_rows, pitch, image, w * 4, w * 4, h, cudaMemcpyHostToDevice));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_rows;
    resource.res.pitch2D.desc = floats;
    resource.res.pitch2D.width = w;
    resource.res.pitch2D.height = h;
    resource.res.pitch2D.pitchInBytes = pitch;
    CHECK(cudaCreateTextureObject(&rows, &resource, &how, NULL));
    CHECK(cudaMemset(d_out, 0, sizeof got));
    with_objects<<<w * h / 64, 64>>>(linear, rows, d_out, w);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < w * h; i++)
        ok = ok && near(got[i], 2 * image[i] + bytes[i] / 255.0, 1e-6);
    CHECK(cudaDestroyTextureObject(rows));
    printf("objects %d\n", ok);
    ok = gathers(image, w, h, how) && ok;
    CHECK(cudaDestroyTextureObject(linear));
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaUnbindTexture(imagetex));
    CHECK(cudaFreeArray(array));
    return verdict("textures", ok);
}
