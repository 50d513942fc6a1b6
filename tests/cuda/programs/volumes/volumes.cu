/* Textures of pitched memory, of 3D arrays, and of vectors that stand for doubles. */
#include "check.h"
#include <cstring>
#include <vector>
texture<float, 2, cudaReadModeElementType> texPL;
texture<unsigned char, 3, cudaReadModeNormalizedFloat> tex3;
texture<float, cudaTextureType2DLayered> layered;
texture<int2, 1> texd;
texture<float4, 1> t4;
__global__ void shiftPL(float *o, int pitch, int w, int h, int sx, int sy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    o[y * pitch + x] = tex2D(texPL, (x + sx) / (float)w, (y + sy) / (float)h);
}
__global__ void k3(float *o, int w, int h, int d)
{
    int i = threadIdx.x;
    int x = i % w, y = i / w % h, z = i / w / h;
    o[i] = tex3D(tex3, x + .5f, y + .5f, z + .5f);
}
__global__ void of_layer(float *o, int w, int layer)
{
    int x = threadIdx.x % w, y = threadIdx.x / w;
    float u = (x + .5f) / w, v = (y + .5f) / w;
    o[layer * w * w + y * w + x] = -tex2DLayered(layered, u, v, layer) + layer;
}
__global__ void kd(double *o)
{
    int2 v = tex1Dfetch(texd, threadIdx.x);
    o[threadIdx.x] = __hiloint2double(v.y, v.x);
}
__global__ void k4(float *o)
{
    float4 v = tex1Dfetch(t4, threadIdx.x);
    o[threadIdx.x] = v.x + v.y + v.z + v.w;
}
__global__ void ko(cudaTextureObject_t t, float *o, int w)
{
    int x = threadIdx.x;
    o[x] = tex3D<float>(t, (x % 4 + .5f) / 4, (x / 4 % 4 + .5f) / 4, (x / 16 + .5f) / 4);
}
int main()
{
    bool ok = true;
    const int w = 32, h = 16;
    float *d, *o;
    size_t pitch, opitch;
    std::vector<float> im(w * h), got(w * h);
    for (int i = 0; i < w * h; i++)
        im[i] = i;
    CHECK(cudaMallocPitch((void **)&d, &pitch, w * 4, h));
    CHECK(cudaMallocPitch((void **)&o, &opitch, w * 4, h));
    CHECK(cudaMemcpy2D(d, pitch, im.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    texPL.normalized = 1;
    texPL.filterMode = cudaFilterModePoint;
    texPL.addressMode[0] = cudaAddressModeWrap;
    texPL.addressMode[1] = cudaAddressModeWrap;
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
    size_t off;
    CHECK(cudaBindTexture2D(&off, &texPL, d, &cd, w, h, pitch));
    shiftPL<<<dim3(2, 2), dim3(16, 8)>>>(o, opitch / 4, w, h, 5, 3);
    CHECK(cudaMemcpy2D(got.data(), w * 4, o, opitch, w * 4, h, cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            ok = ok && got[y * w + x] == im[(y + 3) % h * w + (x + 5) % w];
    printf("pitch %d\n", ok);
    std::vector<unsigned char> vol(4 * 4 * 4);
    for (int i = 0; i < 64; i++)
        vol[i] = i * 4;
    cudaArray *a3;
    cudaExtent ex = make_cudaExtent(4, 4, 4);
    cudaChannelFormatDesc c8 = cudaCreateChannelDesc<unsigned char>();
    CHECK(cudaMalloc3DArray(&a3, &c8, ex));
    cudaMemcpy3DParms p = {0};
    p.srcPtr = make_cudaPitchedPtr(vol.data(), 4, 4, 4);
    p.dstArray = a3;
    p.extent = ex;
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    tex3.normalized = false;
    tex3.filterMode = cudaFilterModeLinear;
    CHECK(cudaBindTextureToArray(tex3, a3, c8));
    k3<<<1, 64>>>(o, 4, 4, 4);
    CHECK(cudaMemcpy(got.data(), o, 256, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        ok = ok && near(got[i], i * 4 / 255.0, 1e-5);
    printf("3d %d\n", ok);
    std::vector<float> layers(8 * 8 * 3);
    for (size_t i = 0; i < layers.size(); i++)
        layers[i] = i * .5f;
    cudaArray *al;
    CHECK(cudaMalloc3DArray(&al, &cd, make_cudaExtent(8, 8, 3), cudaArrayLayered));
    cudaMemcpy3DParms q = {0};
    q.srcPos = make_cudaPos(0, 0, 0);
    q.dstPos = make_cudaPos(0, 0, 0);
    q.srcPtr = make_cudaPitchedPtr(layers.data(), 32, 8, 8);
    q.dstArray = al;
    q.extent = make_cudaExtent(8, 8, 3);
    q.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&q));
    layered.normalized = true;
    layered.filterMode = cudaFilterModeLinear;
    layered.addressMode[0] = layered.addressMode[1] = cudaAddressModeWrap;
    CHECK(cudaBindTextureToArray(layered, al, cd));
    for (int l = 0; l < 3; l++)
        of_layer<<<1, 64>>>(o, 8, l);
    CHECK(cudaMemcpy(got.data(), o, 192 * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 192; i++)
        ok = ok && near(got[i], -layers[i] + i / 64, 1e-5);
    printf("layered %d\n", ok);
    double dd[32], dg[32], *db, *dout;
    for (int i = 0; i < 32; i++)
        dd[i] = i * 1.25e-3;
    CHECK(cudaMalloc(&db, 256));
    CHECK(cudaMalloc(&dout, 256));
    CHECK(cudaMemcpy(db, dd, 256, cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(0, texd, (int2 *)db, 256));
    kd<<<1, 32>>>(dout);
    CHECK(cudaMemcpy(dg, dout, 256, cudaMemcpyDeviceToHost));
    ok = ok && !memcmp(dd, dg, 256);
    CHECK(cudaBindTexture(0, t4, d, 256));
    k4<<<1, 8>>>(o);
    CHECK(cudaMemcpy(got.data(), o, 32, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        ok = ok && got[i] == 16 * i + 6;
    printf("vectors %d\n", ok);
    cudaArray_t af;
    CHECK(cudaMalloc3DArray(&af, &cd, ex));
    cudaMemcpy3DParms r = {0};
    std::vector<float> vf(64);
    for (int i = 0; i < 64; i++)
        vf[i] = i;
    r.srcPtr = make_cudaPitchedPtr(vf.data(), 16, 4, 4);
    r.dstArray = af;
    r.extent = ex;
    r.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&r));
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = af;
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.normalizedCoords = 1;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t to;
    CHECK(cudaCreateTextureObject(&to, &rd, &td, 0));
    ko<<<1, 64>>>(to, o, 4);
    CHECK(cudaMemcpy(got.data(), o, 256, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        ok = ok && near(got[i], i, 1e-4);
    return verdict("volumes", ok);
}
