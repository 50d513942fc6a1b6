/* Bands of doubles on the host: factors, and solutions by them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/solver/sparse.h"

static int last_of(const struct sp_host *f, int k, int distance)
{
    return k + distance < f->n ? k + distance : f->n - 1;
}

static double number(enum library_precision precision, const void *of, int k)
{
    return precision == LIBRARY_S ? (double)((const float *)of)[k] : ((const double *)of)[k];
}

bool sp_host_make(struct sp_host *f, const struct sp_rows *rows, enum sp_method method)
{
    struct sp_band reach = sp_band_of(rows);
    bool half = method == SP_CHOLESKY;
    /* Rows that change places, or are mixed, reach further; a lower triangle has both reaches. */
    int wide = reach.below > reach.above ? reach.below : reach.above;
    size_t n = (size_t)rows->n;
    *f = (struct sp_host){.method = method,
                          .n = rows->n,
                          .below = half ? wide : reach.below,
                          .above = half ? 0 : reach.below + reach.above,
                          .places = reach.places};
    f->width = (size_t)f->below + (size_t)f->above + 1;
    f->a = calloc(n * f->width + 1, sizeof *f->a);
    f->b = calloc(n + 1, sizeof *f->b);
    f->tau = calloc(n + 1, sizeof *f->tau);
    f->sums = calloc(f->width, sizeof *f->sums);
    f->pivots = calloc(n + 1, sizeof *f->pivots);
    return f->places && f->a && f->b && f->tau && f->sums && f->pivots;
}

void sp_host_free(struct sp_host *f)
{
    void *const made[] = {f->places, f->pivots, f->a, f->b, f->tau, f->sums};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        free(made[i]);
}

/* --- factors: one column, and what it does to a b later ------------------------------------- */

static void exchange(const struct sp_host *f, int k, int p)
{
    for (int j = k; j <= last_of(f, k, f->above); j++) {
        double old = *sp_host_at(f, k, j);
        *sp_host_at(f, k, j) = *sp_host_at(f, p, j);
        *sp_host_at(f, p, j) = old;
    }
}

static void factor_lu(const struct sp_host *f, int k)
{
    int last = last_of(f, k, f->below), p = k;
    for (int i = k + 1; i <= last; i++)
        p = fabs(*sp_host_at(f, i, k)) > fabs(*sp_host_at(f, p, k)) ? i : p;
    f->pivots[k] = p;
    if (p != k)
        exchange(f, k, p);
    double pivot = *sp_host_at(f, k, k);
    for (int i = k + 1; i <= last && pivot != 0; i++) {
        double *row = sp_host_at(f, i, k), factor = row[0] / pivot;
        const double *of = sp_host_at(f, k, k);
        row[0] = factor;
        for (int j = 1; factor != 0 && j <= last_of(f, k, f->above) - k; j++)
            row[j] -= factor * of[j];
    }
}

static void forward_lu(const struct sp_host *f, int k)
{
    double b = f->b[f->pivots[k]];
    f->b[f->pivots[k]] = f->b[k];
    f->b[k] = b;
    for (int i = k + 1; i <= last_of(f, k, f->below); i++)
        f->b[i] -= *sp_host_at(f, i, k) * b;
}

/* A reflection by 1 - tau v v*, whose v is 1 at k, and below it in the place of the column. */
static void factor_qr(const struct sp_host *f, int k)
{
    int last = last_of(f, k, f->below), width = last_of(f, k, f->above) - k;
    double *row = sp_host_at(f, k, k), alpha = row[0], below = 0;
    for (int i = k + 1; i <= last; i++)
        below += *sp_host_at(f, i, k) * *sp_host_at(f, i, k);
    f->tau[k] = 0;
    if (below == 0)
        return;
    double beta = alpha > 0 ? -sqrt(alpha * alpha + below) : sqrt(alpha * alpha + below);
    f->tau[k] = (beta - alpha) / beta;
    memcpy(f->sums, row, (size_t)(width + 1) * sizeof *row);
    for (int i = k + 1; i <= last; i++) {
        double *other = sp_host_at(f, i, k);
        other[0] /= alpha - beta;
        for (int j = 1; other[0] != 0 && j <= width; j++)
            f->sums[j] += other[0] * other[j];
    }
    row[0] = beta;
    for (int j = 1; j <= width; j++)
        row[j] -= f->tau[k] * f->sums[j];
    for (int i = k + 1; i <= last; i++) {
        double *other = sp_host_at(f, i, k), factor = f->tau[k] * other[0];
        for (int j = 1; factor != 0 && j <= width; j++)
            other[j] -= factor * f->sums[j];
    }
}

static void forward_qr(const struct sp_host *f, int k)
{
    double sum = f->b[k];
    for (int i = k + 1; i <= last_of(f, k, f->below); i++)
        sum += *sp_host_at(f, i, k) * f->b[i];
    sum *= f->tau[k];
    f->b[k] -= sum;
    for (int i = k + 1; i <= last_of(f, k, f->below); i++)
        f->b[i] -= *sp_host_at(f, i, k) * sum;
}

static void factor_cholesky(const struct sp_host *f, int k)
{
    double pivot = *sp_host_at(f, k, k) > 0 ? sqrt(*sp_host_at(f, k, k)) : 0;
    int last = last_of(f, k, f->below);
    *sp_host_at(f, k, k) = pivot;
    for (int i = k + 1; i <= last && pivot != 0; i++)
        *sp_host_at(f, i, k) /= pivot;
    for (int i = k + 1; i <= last && pivot != 0; i++) {
        double factor = *sp_host_at(f, i, k);
        for (int j = k + 1; factor != 0 && j <= i; j++)
            *sp_host_at(f, i, j) -= factor * *sp_host_at(f, j, k);
    }
}

static void forward_cholesky(const struct sp_host *f, int k)
{
    f->b[k] /= *sp_host_at(f, k, k);
    for (int i = k + 1; i <= last_of(f, k, f->below); i++)
        f->b[i] -= *sp_host_at(f, i, k) * f->b[k];
}

static const struct {
    void (*factor)(const struct sp_host *f, int k);
    void (*forward)(const struct sp_host *f, int k);
} methods[] = {[SP_LU] = {factor_lu, forward_lu},
               [SP_QR] = {factor_qr, forward_qr},
               [SP_CHOLESKY] = {factor_cholesky, forward_cholesky}};

/* Rows and columns at their places; of Cholesky the lower triangle, in that of the band. */
static void fill(const struct sp_host *f, const struct sp_rows *r, enum library_precision precision)
{
    bool half = f->method == SP_CHOLESKY;
    memset(f->a, 0, (size_t)f->n * f->width * sizeof *f->a);
    for (int i = 0; i < f->n; i++)
        for (int k = r->offsets[i] - r->base; k < r->offsets[i + 1] - r->base; k++) {
            int j = r->columns[k] - r->base, x = f->places[i], y = f->places[j];
            if (half && i < j)
                continue;
            bool turned = half && x < y;
            int row = turned ? y : x, column = turned ? x : y;
            *sp_host_at(f, row, column) += number(precision, r->values, k);
        }
}

void sp_host_factor(struct sp_host *f, const struct sp_rows *rows, enum library_precision precision)
{
    fill(f, rows, precision);
    for (int k = 0; k < f->n; k++)
        methods[f->method].factor(f, k);
}

int sp_host_pivot(const struct sp_host *f, double tolerance)
{
    for (int k = 0; k < f->n; k++)
        if (!(fabs(*sp_host_at(f, k, k)) > tolerance))
            return k;
    return -1;
}

/* By the upper triangle, or the transpose of the lower one. */
static void back(const struct sp_host *f, int k)
{
    bool lower = f->method == SP_CHOLESKY;
    double sum = f->b[k];
    for (int j = k + 1; j <= last_of(f, k, lower ? f->below : f->above); j++)
        sum -= (lower ? *sp_host_at(f, j, k) : *sp_host_at(f, k, j)) * f->b[j];
    f->b[k] = sum / *sp_host_at(f, k, k);
}

void sp_host_solve(const struct sp_host *f, enum library_precision precision, const void *b,
                   void *x)
{
    for (int i = 0; i < f->n; i++)
        f->b[f->places[i]] = number(precision, b, i);
    for (int k = 0; k < f->n; k++)
        methods[f->method].forward(f, k);
    for (int k = f->n - 1; k >= 0; k--)
        back(f, k);
    for (int i = 0; i < f->n; i++)
        if (precision == LIBRARY_S)
            ((float *)x)[i] = (float)f->b[f->places[i]];
        else
            ((double *)x)[i] = f->b[f->places[i]];
}
