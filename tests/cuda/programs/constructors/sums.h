#ifndef SUMS_H
#define SUMS_H

struct counter {
    int sum = -1;
    __device__ counter() : sum(-2)
    {
    }
    __device__ ~counter()
    {
        sum = 0;
    }
    __device__ void start(int at)
    {
        sum = at;
    }
};

template <class A, class B> struct pair {
    A first;
    B second;
};

/* In a header and of a type that only the caller knows. */
template <class T> __device__ int nested(int t)
{
    __shared__ T inner;
    if (t == 0)
        inner.start(5);
    __syncthreads();
    atomicAdd(&inner.sum, 1);
    __syncthreads();
    return inner.sum;
}

int states(); /* outside.cpp */

#endif
