// Bands of sparse matrices: cuSOLVER's sparse part.
#ifndef EVGPU_CUDA_SOLVER_BAND_CUH
#define EVGPU_CUDA_SOLVER_BAND_CUH

#include "sw/cuda/blas/number.cuh"
#include "sw/cuda/library/device.h"

/* The host's struct sp_rows. */
struct sp_rows {
    int n, nnz, base;
    const int *offsets, *columns;
    const void *values;
};

/* Entries at the places of their rows and columns; `lower`: the lower triangle, in that of the band. Element
 * (i, j) of the band is at i + j * ld. */
template <class T>
__device__ static void fill_band(const sp_rows &rows, int lower, const int *places, T *band, int ld)
{
    const T *values = static_cast<const T *>(rows.values);
    for (EACH(i, rows.n)) {
        int x = places[i];
        for (int k = rows.offsets[i] - rows.base; k < rows.offsets[i + 1] - rows.base; k++) {
            int j = rows.columns[k] - rows.base, y = places[j];
            if (lower && i < j)
                continue;
            int row = lower && x < y ? y : x, column = lower && x < y ? x : y;
            band[row + (long long)column * ld] += values[k]; /* no other thread's */
        }
    }
}

/* `first` becomes the first place whose pivot is not larger than `most`, unless it is before that. */
template <class T> __device__ static void small_pivot(int n, const T *band, int ld, double most, int *first)
{
    for (EACH(i, n))
        if (!(fabs((double)band[i + (long long)i * ld]) > most))
            atomicMin(first, i);
}

template <class T> __device__ static void put_places(int n, const int *places, const T *from, T *to)
{
    for (EACH(i, n))
        to[places[i]] = from[i];
}

template <class T> __device__ static void take_places(int n, const int *places, const T *from, T *to)
{
    for (EACH(i, n))
        to[i] = from[places[i]];
}

#define BAND_KERNELS(T, R)                                                                         \
    KERNEL fill_band_##R(sp_rows rows, int lower, const int *places, T *band, int ld)              \
    {                                                                                              \
        fill_band(rows, lower, places, band, ld);                                                  \
    }                                                                                              \
    KERNEL put_places_##R(int n, const int *places, const T *from, T *to)                          \
    {                                                                                              \
        put_places(n, places, from, to);                                                           \
    }                                                                                              \
    KERNEL small_pivot_##R(int n, const T *band, int ld, double most, int *first)                  \
    {                                                                                              \
        small_pivot(n, band, ld, most, first);                                                     \
    }                                                                                              \
    KERNEL take_places_##R(int n, const int *places, const T *from, T *to)                         \
    {                                                                                              \
        take_places(n, places, from, to);                                                          \
    }

#endif
