/* Loads and stores with a cache operator, and shuffles, of every type that has them. The header of
 * cuBLAS brings both 16-bit floats. */
#include <cublas_v2.h>

#include <cstring>

#include "check.h"

/* Each load's value goes on by another store: the last buffer has what the first one had. */
template <class T> __global__ void carry(T *data, int n)
{
    const int i = threadIdx.x;
    __stwb(data + n + i, __ldcs(data + i));
    __stcg(data + 2 * n + i, __ldcg(data + n + i));
    __stcs(data + 3 * n + i, __ldcv(data + 2 * n + i));
    __stwt(data + 4 * n + i, __ldca(data + 3 * n + i));
    __stcg(data + 5 * n + i, __ldlu(data + 4 * n + i));
}
template <class T> __global__ void read_only(const T *data, T *out)
{
    out[threadIdx.x] = __ldg(data + threadIdx.x);
}

template <class T> static bool moves(const char *name)
{
    const int n = 32;
    T host[6 * n], again[n], *data;
    unsigned seed = sizeof(T);
    for (size_t i = 0; i < sizeof host; i++)
        ((unsigned char *)host)[i] = i < n * sizeof(T) ? (unsigned char)next_random(&seed) : 0;
    CHECK(cudaMalloc(&data, sizeof host));
    CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    carry<<<1, n>>>(data, n);
    read_only<<<1, n>>>(data + 5 * n, data + n);
    CHECK(cudaMemcpy(again, data + n, sizeof again, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    if (!memcmp(host, again, sizeof again))
        return true;
    printf("%s is not what it was\n", name);
    return false;
}

template <class T> __global__ void turn(const T *in, T *out)
{
    const unsigned all = 0xffffffffu, lane = threadIdx.x;
    out[lane] = __shfl_sync(all, in[lane], (lane + 3) % 32);
    out[32 + lane] = __shfl_up_sync(all, in[lane], 2);
    out[64 + lane] = __shfl_down_sync(all, in[lane], 2, 16);
    out[96 + lane] = __shfl_xor_sync(all, in[lane], 5);
}
template <class T> static bool turns(const char *name)
{
    T in[32], *data;
    T out[128];
    for (unsigned i = 0; i < sizeof in; i++)
        ((unsigned char *)in)[i] = (unsigned char)(7 * i + 1);
    CHECK(cudaMalloc(&data, sizeof in + sizeof out));
    CHECK(cudaMemcpy(data, in, sizeof in, cudaMemcpyHostToDevice));
    turn<<<1, 32>>>(data, data + 32);
    CHECK(cudaMemcpy(out, data + 32, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    bool right = true;
    for (int i = 0; i < 32; i++) {
        const int from[] = {(i + 3) % 32, i < 2 ? i : i - 2, i % 16 > 13 ? i : i + 2, i ^ 5};
        for (int k = 0; k < 4; k++)
            right &= !memcmp(&out[32 * k + i], &in[from[k]], sizeof(T));
    }
    if (!right)
        printf("shuffles of %s\n", name);
    return right;
}

#define MOVES(T) right &= moves<T>(#T)
int main()
{
    bool right = true;
    MOVES(char);
    MOVES(unsigned short);
    MOVES(long long);
    MOVES(double);
    MOVES(char2);
    MOVES(uchar2);
    MOVES(short2);
    MOVES(ushort2);
    MOVES(int2);
    MOVES(longlong2);
    MOVES(ulonglong2);
    MOVES(double2);
    MOVES(char4);
    MOVES(uchar4);
    MOVES(short4);
    MOVES(ushort4);
    MOVES(uint4);
    MOVES(float4);
    MOVES(__half);
    MOVES(__half2);
    MOVES(__nv_bfloat16);
    MOVES(__nv_bfloat162);
    right &= turns<__half>("__half") & turns<__half2>("__half2") &
             turns<__nv_bfloat16>("__nv_bfloat16") & turns<__nv_bfloat162>("__nv_bfloat162");
    return verdict("cached", right);
}
