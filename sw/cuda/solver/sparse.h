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
/* Offsets and columns, on the host, are those of a matrix. */
bool sp_valid(const struct sp_rows *rows);

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

/* A system to solve. */
struct sp_system {
    struct sp_rows rows;
    const void *b;
    void *x;
    double tolerance;
    int *singularity;
    bool single; /* numbers are floats, else doubles */
};
enum sp_method { SP_LU, SP_QR, SP_CHOLESKY };
cusolverStatus_t sp_solve_host(const struct sp_system *s, enum sp_method method);
cusolverStatus_t sp_solve_device(cusolverSpHandle_t handle, const struct sp_system *s,
                                 enum sp_method method);

#pragma GCC visibility pop

#endif
