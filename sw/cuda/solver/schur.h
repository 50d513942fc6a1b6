/* Eigenvalues of a matrix without symmetry: the host's part, in double precision. Matrices are
 * n x n, by columns, without gaps. */
#ifndef EVGPU_CUDA_SOLVER_SCHUR_H
#define EVGPU_CUDA_SOLVER_SCHUR_H

#include <complex.h>
#undef complex /* a name elsewhere */
#include <stddef.h>

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* t is 0 below its first subdiagonal, or its diagonal. z: the product of all that is done to t, or
 * NULL, and then t is right on its diagonal alone. */
struct schur {
    int n;
    double _Complex *t, *z;
};
struct schur_real {
    int n;
    double *t, *z;
};

/* schur.c: t becomes z* t z, a triangle. 0, or the number k > 0 of values from the first on that
 * have not been found. */
int schur_complex(const struct schur *s);
/* Column k of z becomes the vector of the k-th value of the triangle t. `scratch`: n numbers. */
void schur_vectors(const struct schur *s, double _Complex *scratch);

/* schur_real.c: the same, but pairs of complex values stay as 2 x 2 on the diagonal. */
int schur_real(const struct schur_real *s);
/* Complex values of a pair come one after the other, the one above the real axis first. */
void schur_of_real(const struct schur_real *from, const struct schur *to);

/* balance.c: t becomes t / scale, then d^-1 t d, of powers of 2, so that a row is about as long as
 * its column. Returns the scale; 0: some number is not finite. */
double schur_balance(const struct schur *s, double *d);

static inline size_t schur_at(int n, int i, int j)
{
    return (size_t)i + (size_t)j * (size_t)n;
}

#pragma GCC visibility pop

#endif
