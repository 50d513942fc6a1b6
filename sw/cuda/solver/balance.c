/* Powers of 2 that a matrix is divided by, as a whole and by rows and columns, before its
 * eigenvalues are computed: rounding errors are as large as the largest numbers. */
#include <math.h>
#include <stdbool.h>

#include "sw/cuda/solver/schur.h"

#define SWEEPS 100 /* far more than it takes */

static double largest(const struct schur *s)
{
    double most = 0;
    for (size_t i = 0; i < (size_t)s->n * (size_t)s->n; i++) {
        double size = cabs(s->t[i]);
        if (!isfinite(size))
            return size;
        most = fmax(most, size);
    }
    return most;
}

/* Of row or column i, without its number on the diagonal. */
static double length(const struct schur *s, int i, bool row)
{
    double square = 0;
    for (int j = 0; j < s->n; j++) {
        double _Complex x = s->t[row ? schur_at(s->n, i, j) : schur_at(s->n, j, i)];
        if (j != i)
            square += creal(x) * creal(x) + cimag(x) * cimag(x);
    }
    return sqrt(square);
}

/* What brings both lengths together, as a power of 2; 1 where that is not worth while. */
static double factor(double column, double row)
{
    if (column == 0 || row == 0)
        return 1;
    double f = exp2(round(log2(row / column) / 2));
    return column * f + row / f < 0.95 * (column + row) ? f : 1;
}

static bool sweep(const struct schur *s, double *d)
{
    const int n = s->n;
    bool changed = false;
    for (int i = 0; i < n; i++) {
        double f = factor(length(s, i, false), length(s, i, true));
        if (f == 1)
            continue;
        for (int j = 0; j < n; j++) {
            s->t[schur_at(n, i, j)] /= f;
            s->t[schur_at(n, j, i)] *= f;
        }
        d[i] *= f;
        changed = true;
    }
    return changed;
}

double schur_balance(const struct schur *s, double *d)
{
    double most = largest(s);
    int exponent = 0;
    for (int i = 0; i < s->n; i++)
        d[i] = 1;
    if (!isfinite(most))
        return 0;
    if (most == 0)
        return 1;
    frexp(most, &exponent);
    double scale = ldexp(1, exponent - 1); /* finite, also of the largest numbers */
    for (size_t i = 0; i < (size_t)s->n * (size_t)s->n; i++)
        s->t[i] /= scale;
    for (int i = 0; i < SWEEPS && sweep(s, d); i++)
        ;
    return scale;
}
