// Matrices as kernels see them.
#ifndef EVGPU_CUDA_BLAS_MATRIX_CUH
#define EVGPU_CUDA_BLAS_MATRIX_CUH

#include "sw/cuda/blas/number.cuh"

/* Element i of a vector: with a negative increment it begins at the far end, as in BLAS. */
template <class T> __device__ static T &element(T *x, int n, int increment, int i)
{
    long long first = increment < 0 ? (long long)(1 - n) * increment : 0;
    return x[first + (long long)i * increment];
}

/* alpha * sum + beta * y, where nothing is read for a factor of 0. */
template <class Y, class T> __device__ static void put(Y &y, T alpha, T sum, T beta)
{
    T kept = number<T>::is_zero(beta) ? T(0) : beta * T(y);
    y = Y(number<T>::is_zero(alpha) ? kept : alpha * sum + kept);
}

/* op(a), all of whose elements are stored: the host's struct blas_matrix. */
template <class T> struct matrix {
    typedef T type;
    const T *data;
    const T *const *list;  /* not null: of each product, in place of data */
    long long row, column; /* distance of rows and of columns: one of them is 1 */
    long long stride;      /* distance of the products' matrices */
    long long conjugated;

    __device__ const T *of(int batch) const { return list ? list[batch] : data + batch * stride; }
    __device__ bool by_rows() const { return row == 1; }
    __device__ T at(const T *a, long long i, long long k) const
    {
        T x = a[i * row + k * column];
        return conjugated ? number<T>::conjugate(x) : x;
    }
};

/* op(a) of a square matrix or a band of which a part is stored: the host's struct blas_view. */
template <class T> struct view {
    typedef T type;
    matrix<T> all; /* packed: its row is 1, or 0 if the triangle is transposed */
    int n;         /* columns of a packed triangle */
    int packing;   /* enum blas_packing */
    int below, above; /* elements further from the diagonal are 0 */
    int half, mirror; /* the triangle that is stored, or FILL_FULL; what it says of the other one */
    int unit;         /* ones are on the diagonal */

    __device__ const T *of(int batch) const { return all.of(batch); }
    __device__ bool by_rows() const { return all.row == 1; }
    __device__ long long place(int i, int k) const
    {
        if (packing == PACKED_NOT)
            return i * all.row + k * all.column;
        long long r = all.row ? i : k, c = all.row ? k : i;
        return r + (packing == PACKED_UPPER ? c * (c + 1) / 2 : c * (2LL * n - c - 1) / 2);
    }
    /* Of an element that is stored. */
    __device__ T stored(const T *a, int i, int k) const
    {
        T x = a[place(i, k)];
        return all.conjugated ? number<T>::conjugate(x) : x;
    }
    __device__ T at(const T *a, int i, int k) const
    {
        bool other = half == FILL_LOWER ? i < k : half == FILL_UPPER && i > k;
        if (i == k && unit)
            return T(1);
        if (i - k > below || k - i > above)
            return T(0);
        T x = other ? stored(a, k, i) : stored(a, i, k);
        if (mirror == MIRROR_HERMITIAN && i == k)
            return T(number<T>::real_part(x));
        return mirror == MIRROR_HERMITIAN && other ? number<T>::conjugate(x) : x;
    }
};

#endif
