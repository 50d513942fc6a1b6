/* Tables of a plan, computed in double precision. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "sw/cuda/fft/plan.h"

#define PI 3.14159265358979323846

/* exp(-2 pi i k / n) */
static double complex root(unsigned long long k, unsigned long long n)
{
    double angle = 2 * PI * (double)(k % n) / (double)n;
    return CMPLX(cos(angle), -sin(angle));
}

static void fill_roots(double complex *table, unsigned int n)
{
    for (unsigned int k = 0; k < n; k++)
        table[k] = root(k, n);
}

/* exp(-pi i j j / n) */
static void fill_chirp(double complex *table, unsigned int n)
{
    for (unsigned long long j = 0; j < n; j++)
        table[j] = root(j * j, 2ull * n);
}

/* In place; `room` is a power of two. */
static void transform(double complex *x, unsigned int room)
{
    for (unsigned int i = 1, j = 0; i < room; i++) {
        unsigned int bit = room >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex old = x[i];
            x[i] = x[j];
            x[j] = old;
        }
    }
    for (unsigned int span = 2; span <= room; span *= 2) {
        for (unsigned int k = 0; k < span / 2; k++) {
            double complex w = root(k, span);
            for (unsigned int i = k; i < room; i += span) {
                double complex a = x[i], b = w * x[i + span / 2];
                x[i] = a + b;
                x[i + span / 2] = a - b;
            }
        }
    }
}

/* The transform of the conjugate chirp, which lies around element 0. */
static void fill_transformed(double complex *table, unsigned int n, unsigned int room)
{
    for (unsigned int j = 0; j < room; j++)
        table[j] = 0;
    for (unsigned int j = 0; j < n; j++) {
        table[j] = conj(root((unsigned long long)j * j, 2ull * n));
        table[j ? room - j : 0] = table[j];
    }
    transform(table, room);
}

static void *on_device(const double complex *table, size_t count, bool is_double)
{
    void *device = NULL;
    size_t bytes = count * (is_double ? sizeof *table : sizeof(float complex));
    float complex *narrow = is_double ? NULL : malloc(bytes);
    for (size_t i = 0; narrow && i < count; i++)
        narrow[i] = (float complex)table[i];
    const void *from = is_double ? (const void *)table : narrow;
    if (from && !cudaMalloc(&device, bytes) &&
        cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice)) {
        cudaFree(device);
        device = NULL;
    }
    free(narrow);
    return device;
}

void *fft_table(struct fft_plan *plan, enum fft_kind kind, unsigned int n, unsigned int room)
{
    for (size_t i = 0; i < plan->n_tables; i++) {
        if (plan->tables[i].n == n && plan->tables[i].kind == kind)
            return plan->tables[i].data;
    }
    size_t count = kind == FFT_CHIRP_MUL ? room : n;
    double complex *table = malloc(count * sizeof *table);
    if (!table || plan->n_tables == FFT_TABLES) {
        free(table);
        return NULL;
    }
    if (kind == FFT_PASS)
        fill_roots(table, n);
    else if (kind == FFT_CHIRP_MUL)
        fill_transformed(table, n, room);
    else
        fill_chirp(table, n);
    void *data = on_device(table, count, fft_is_double(plan->type));
    free(table);
    if (data) {
        plan->tables[plan->n_tables].n = n;
        plan->tables[plan->n_tables].kind = kind;
        plan->tables[plan->n_tables++].data = data;
    }
    return data;
}
