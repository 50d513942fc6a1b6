/* Inside cuFFT: a plan is a list of steps, each a kernel that moves the data from one array into
 * another. */
#ifndef EVGPU_CUDA_FFT_PLAN_H
#define EVGPU_CUDA_FFT_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/fft/callback.h"
#include "sw/cuda/fft/shape.h"
#include "sw/cuda/include/cufft.h"
#include "sw/cuda/library/handles.h"
#include "sw/cuda/library/library.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* The kernels' struct sizes. */
struct fft_sizes {
    unsigned int n[FFT_RANK], batch;
};

enum fft_kind {
    FFT_PASS,      /* one factor of a length */
    FFT_CHIRP_IN,  /* into the rows of a convolution */
    FFT_CHIRP_MUL, /* in place */
    FFT_CHIRP_OUT,
    FFT_MOVE, /* between layouts */
    FFT_FROM_REAL,
    FFT_TO_REAL,
    FFT_MIRROR /* half rows to whole ones */
};

struct fft_step {
    enum fft_kind kind;
    bool rows;    /* the result lies in the arrays of the convolution */
    bool forward; /* in every direction: inside a convolution */
    struct fft_lines lines;
    struct fft_factor factor;
    unsigned int room;      /* of a convolution's row */
    void *table;            /* on the device: roots, chirp, or the chirp's transform */
    struct fft_sizes sizes; /* of a move */
    struct fft_layout from, to;
};

struct fft_callback {
    void *routine; /* NULL: none */
    void *info, *staged;
    unsigned int shared;
};

/* Returns the status, with a line that says why. */
#define FFT_CHECK LIBRARY_CHECK

#define FFT_STEPS  256
#define FFT_TABLES 16

struct fft_plan {
    struct library library;
    cudaStream_t stream;
    bool made, allocates, owns_area;
    /* what was asked for */
    cufftType type;
    int rank;
    unsigned int n[FFT_RANK], batch;
    bool packed; /* no embeds */
    struct fft_layout in, out;
    /* how it is done */
    struct fft_step steps[FFT_STEPS];
    size_t n_steps;
    struct {
        unsigned int n;
        enum fft_kind kind; /* FFT_PASS: roots, FFT_CHIRP_IN: chirp, FFT_CHIRP_MUL: its transform */
        void *data;
    } tables[FFT_TABLES];
    size_t n_tables;
    void *area;                       /* two arrays of the data, then two of a convolution's rows */
    size_t array_bytes, rows_bytes;   /* of one of them */
    struct fft_callback callbacks[2]; /* of the input and the output */
};

static inline bool fft_is_double(cufftType type)
{
    return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}
static inline bool fft_from_real(cufftType type)
{
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}
static inline bool fft_to_real(cufftType type)
{
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}
static inline size_t fft_bytes(cufftType type) /* of a complex number */
{
    return fft_is_double(type) ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
}
static inline size_t fft_area_bytes(const struct fft_plan *plan)
{
    return 2 * (plan->array_bytes + plan->rows_bytes);
}

/* steps.c: the steps and sizes of the area; with `tables`, also their tables on the device. */
cufftResult fft_steps(struct fft_plan *plan, bool tables);
/* The layout of packed data whose last dimension has so many columns. */
struct fft_layout fft_packed(const struct fft_plan *plan, unsigned int columns);
/* Columns of the complex side: half of a real transform's. */
unsigned int fft_columns(const struct fft_plan *plan);

/* tables.c: the table of a kind for lines of n elements; NULL: no memory. */
void *fft_table(struct fft_plan *plan, enum fft_kind kind, unsigned int n, unsigned int room);

/* callbacks.c: the data of the input (0) to its staged array, or that array to the output's (1). */
cufftResult fft_call_back(const struct fft_plan *plan, int side, void *data, bool in_place);
void fft_callbacks_end(struct fft_plan *plan);

/* plans.c: NULL when there is no such plan. */
struct fft_plan *fft_plan_of(cufftHandle handle);

#pragma GCC visibility pop

#endif
