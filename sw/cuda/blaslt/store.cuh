// Numbers as they are stored: rounded, and within the limits of integers.
#ifndef EVGPU_CUDA_BLASLT_STORE_CUH
#define EVGPU_CUDA_BLASLT_STORE_CUH

template <class E, class V> __device__ static void store(E &to, V x) { to = E(x); }
__device__ static void store(signed char &to, float x)
{
    to = (signed char)(int)rintf(fminf(fmaxf(x, -128.0f), 127.0f)); /* to the nearest even number */
}

__device__ static void store(int &to, double x)
{
    to = (int)rint(fmin(fmax(x, -2147483648.0), 2147483647.0));
}

#endif
