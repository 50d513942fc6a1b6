/* Solutions on the host: a band of doubles is factored, and what is done to its rows is done to b.
 */
#include <math.h>
#include <stdlib.h>

#include "sw/cuda/solver/sparse.h"

/* Row by row, each from `below` elements left of the diagonal to `above` right of it. */
struct band {
    int n, below, above;
    size_t width;
    double *a, *b;
};

static double *at(const struct band *m, int i, int j)
{
    return m->a + (size_t)i * m->width + (size_t)(j - i + m->below);
}

static int last_of(const struct band *m, int k, int distance)
{
    return k + distance < m->n ? k + distance : m->n - 1;
}

static double number(const struct sp_system *s, const void *of, int k)
{
    return s->single ? (double)((const float *)of)[k] : ((const double *)of)[k];
}

/* Rows and columns at their places; `half`: the lower triangle, in that of the band. */
static void fill(const struct band *m, const struct sp_system *s, const int *places, bool half)
{
    const struct sp_rows *r = &s->rows;
    for (int i = 0; i < m->n; i++) {
        m->b[places[i]] = number(s, s->b, i);
        for (int k = r->offsets[i] - r->base; k < r->offsets[i + 1] - r->base; k++) {
            int j = r->columns[k] - r->base, x = places[i], y = places[j];
            if (half && i < j)
                continue;
            bool turned = half && x < y;
            *at(m, turned ? y : x, turned ? x : y) += number(s, r->values, k);
        }
    }
}

static void exchange(const struct band *m, int k, int p)
{
    double old = m->b[k];
    m->b[k] = m->b[p];
    m->b[p] = old;
    for (int j = k; j <= last_of(m, k, m->above); j++) {
        old = *at(m, k, j);
        *at(m, k, j) = *at(m, p, j);
        *at(m, p, j) = old;
    }
}

static void eliminate_lu(const struct band *m, int k)
{
    int last = last_of(m, k, m->below), p = k;
    for (int i = k + 1; i <= last; i++)
        p = fabs(*at(m, i, k)) > fabs(*at(m, p, k)) ? i : p;
    if (p != k)
        exchange(m, k, p);
    double pivot = *at(m, k, k);
    for (int i = k + 1; i <= last && pivot != 0; i++) {
        double factor = *at(m, i, k) / pivot, *row = at(m, i, k);
        const double *of = at(m, k, k);
        for (int j = 1; factor != 0 && j <= last_of(m, k, m->above) - k; j++)
            row[j] -= factor * of[j];
        m->b[i] -= factor * m->b[k];
    }
}

/* Rotations of two rows each. */
static void eliminate_qr(const struct band *m, int k)
{
    for (int i = k + 1; i <= last_of(m, k, m->below); i++) {
        double *x = at(m, k, k), *y = at(m, i, k), length = hypot(*x, *y);
        if (*y == 0)
            continue;
        double c = *x / length, s = *y / length, b = m->b[k];
        for (int j = 0; j <= last_of(m, k, m->above) - k; j++) {
            double old = x[j];
            x[j] = c * old + s * y[j];
            y[j] = c * y[j] - s * old;
        }
        m->b[k] = c * b + s * m->b[i];
        m->b[i] = c * m->b[i] - s * b;
    }
}

/* The lower triangle; b by L^-1. */
static void eliminate_cholesky(const struct band *m, int k)
{
    double pivot = *at(m, k, k) > 0 ? sqrt(*at(m, k, k)) : 0;
    int last = last_of(m, k, m->below);
    *at(m, k, k) = pivot;
    if (pivot == 0)
        return;
    m->b[k] /= pivot;
    for (int i = k + 1; i <= last; i++)
        *at(m, i, k) /= pivot;
    for (int i = k + 1; i <= last; i++) {
        double factor = *at(m, i, k);
        for (int j = k + 1; factor != 0 && j <= i; j++)
            *at(m, i, j) -= factor * *at(m, j, k);
        m->b[i] -= factor * m->b[k];
    }
}

/* By the upper triangle, or the transpose of the lower one. */
static void substitute(const struct band *m, bool lower)
{
    for (int k = m->n - 1; k >= 0; k--) {
        double sum = m->b[k];
        for (int j = k + 1; j <= last_of(m, k, lower ? m->below : m->above); j++)
            sum -= (lower ? *at(m, j, k) : *at(m, k, j)) * m->b[j];
        m->b[k] = sum / *at(m, k, k);
    }
}

static void put(const struct band *m, const struct sp_system *s, const int *places)
{
    for (int i = 0; i < m->n; i++)
        if (s->single)
            ((float *)s->x)[i] = (float)m->b[places[i]];
        else
            ((double *)s->x)[i] = m->b[places[i]];
}

static void solve(const struct band *m, const struct sp_system *s, const int *places,
                  enum sp_method method)
{
    static void (*const steps[])(const struct band *, int) = {
        [SP_LU] = eliminate_lu, [SP_QR] = eliminate_qr, [SP_CHOLESKY] = eliminate_cholesky};
    fill(m, s, places, method == SP_CHOLESKY);
    *s->singularity = -1;
    for (int k = 0; k < m->n && *s->singularity < 0; k++) {
        steps[method](m, k);
        if (!(fabs(*at(m, k, k)) > s->tolerance))
            *s->singularity = k;
    }
    if (*s->singularity >= 0)
        return;
    substitute(m, method == SP_CHOLESKY);
    put(m, s, places);
}

cusolverStatus_t sp_solve_host(const struct sp_system *s, enum sp_method method)
{
    struct sp_band reach = sp_band_of(&s->rows);
    SOLVER_CHECK(reach.places, CUSOLVER_STATUS_ALLOC_FAILED);
    /* Rows that change places, or are rotated, reach further; a lower triangle has both reaches. */
    int wide = reach.below > reach.above ? reach.below : reach.above;
    struct band m = {.n = s->rows.n,
                     .below = method == SP_CHOLESKY ? wide : reach.below,
                     .above = method == SP_CHOLESKY ? 0 : reach.below + reach.above};
    m.width = (size_t)m.below + (size_t)m.above + 1;
    m.a = calloc((size_t)m.n * m.width + 1, sizeof *m.a);
    m.b = calloc((size_t)m.n + 1, sizeof *m.b);
    bool ok = m.a && m.b;
    if (ok)
        solve(&m, s, reach.places, method);
    free(reach.places);
    free(m.a);
    free(m.b);
    return ok ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
