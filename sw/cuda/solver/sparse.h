/* Inside cuSOLVER's sparse part: matrices by rows, their graphs, and bands. */
#ifndef EVGPU_CUDA_SOLVER_SPARSE_H
#define EVGPU_CUDA_SOLVER_SPARSE_H

#include "sw/cuda/include/cusolverSp.h"
#include "sw/cuda/solver/solver.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

struct cusolverSpContext {
    cusolverDnHandle_t dense; /* whose kernels and stream it uses */
};

/* A square matrix by rows. What offsets and columns hold begins at `base`. */
struct sp_rows {
    int n, nnz, base;
    const int *offsets, *columns; /* on the host, or for the calls of the device there */
    const void *values;
};
/* A general matrix of the description; false: it is another one, or null. */
bool sp_base(const cusparseMatDescr_t descr, int *base);
/* On the host: rows lie within the entries, and these in so many columns; and with offsets that are
 * those of a whole matrix; and of a square one. */
bool sp_inside(const struct sp_rows *rows, const int *ends, int columns);
bool sp_whole(const struct sp_rows *rows, int columns);
bool sp_valid(const struct sp_rows *rows);
/* Compares two ints, for qsort and bsearch. */
int sp_ascending(const void *a, const void *b);

/* graph.c: the neighbours of each row in A + A*, without itself; ascending. NULL: no memory. */
struct sp_graph {
    int n;
    int *starts, *list;
};
struct sp_graph *sp_graph_make(const struct sp_rows *rows);
void sp_graph_free(struct sp_graph *graph);

/* order.c, degree.c: row p[i] comes at place i. False: no memory. */
bool sp_order_band(const struct sp_graph *graph, int *p);
bool sp_order_dissect(const struct sp_graph *graph, int *p);
bool sp_order_degree(const struct sp_graph *graph, int *p);

/* The places of rows in a band, and how far entries are below and above its diagonal: those of the
 * given order, or of order_band where that is narrower. NULL: no memory. */
struct sp_band {
    int below, above;
    int *places;
};
struct sp_band sp_band_of(const struct sp_rows *rows);

enum sp_method { SP_LU, SP_QR, SP_CHOLESKY };

/* sp_host.c, sp_device.c: factors of a band, made for the pattern of `rows`, which are on the host,
 * then computed from values, and then used for any b. Numbers are of a precision, on the host
 * computed as doubles. */
struct sp_host {
    enum sp_method method;
    int n, below, above;
    size_t width;
    int *places, *pivots; /* of the band; LU: the row that comes to each */
    double *a, *b, *tau, *sums;
};
bool sp_host_make(struct sp_host *f, const struct sp_rows *rows, enum sp_method method);
void sp_host_free(struct sp_host *f);
void sp_host_factor(struct sp_host *f, const struct sp_rows *rows,
                    enum library_precision precision);
/* The first pivot that is not larger, or -1. */
int sp_host_pivot(const struct sp_host *f, double tolerance);
void sp_host_solve(const struct sp_host *f, enum library_precision precision, const void *b,
                   void *x);
/* An element: row by row, each from `below` elements left of the diagonal to `above` right of it.
 */
static inline double *sp_host_at(const struct sp_host *f, int i, int j)
{
    return f->a + (size_t)i * f->width + (size_t)(j - i + f->below);
}

/* sp_extract.c: p a q* = l u of a factored LU. Row i of it is row p[i] of the matrix, column j is
 * column q[j]; l is without its diagonal of ones. Entries that the pattern fills are there,
 * whatever their values. */
struct sp_entries {
    int *offsets, *columns; /* from 0; of each row ascending */
};
struct sp_factors {
    int *p, *q;
    struct sp_entries l, u;
};
/* False: no memory. To be freed in both cases. */
bool sp_factors_find(struct sp_factors *to, const struct sp_host *host, const struct sp_rows *rows);
void sp_factors_free(struct sp_factors *f);
bool sp_factors_values(const struct sp_factors *f, const struct sp_host *host,
                       enum library_precision precision, void *l, void *u);

struct sp_device {
    struct dense d;
    enum sp_method method;
    int n, below, above;    /* entries; above: of R */
    struct solver_matrix a; /* as if it were dense */
    void *memory, *tau, *b; /* b in the order of the band */
    int *places, *info;
    size_t bytes;
};
cusolverStatus_t sp_device_make(struct sp_device *f, const struct sp_rows *rows,
                                enum sp_method method, struct dense d);
void sp_device_free(struct sp_device *f);
/* `rows` are on the device. */
cusolverStatus_t sp_device_factor(struct sp_device *f, const struct sp_rows *rows);
/* Waits, as does the solution. */
cusolverStatus_t sp_device_pivot(const struct sp_device *f, double tolerance, int *position);
cusolverStatus_t sp_device_solve(const struct sp_device *f, const void *b, void *x);

/* sp_steps.c: one of both. */
struct sp_steps {
    bool on_host;
    enum sp_method method;
    struct dense d; /* of the factor */
    struct sp_rows rows;
    int *pattern; /* of the matrix, copied */
    struct sp_host host;
    struct sp_device device;
    bool made, factored;
};
/* Rows of the host or the device; what an earlier call has made is freed. */
cusolverStatus_t sp_steps_analyse(struct sp_steps *s, cusolverSpHandle_t handle,
                                  const struct sp_rows *rows);
/* What a factor of this precision needs; its bytes. */
cusolverStatus_t sp_steps_prepare(struct sp_steps *s, enum library_precision precision,
                                  size_t *bytes);
/* They have the pattern that was analysed, in the same order. */
cusolverStatus_t sp_steps_check(const struct sp_steps *s, const struct sp_rows *rows);
cusolverStatus_t sp_steps_factor(struct sp_steps *s, const struct sp_rows *rows,
                                 enum library_precision precision);
cusolverStatus_t sp_steps_pivot(const struct sp_steps *s, double tolerance, int *position);
cusolverStatus_t sp_steps_solve(const struct sp_steps *s, enum library_precision precision,
                                const void *b, void *x);
void sp_steps_free(struct sp_steps *s);

#pragma GCC visibility pop

#endif
