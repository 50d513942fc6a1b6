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

static bool send(void *device, const double complex *table, size_t count, bool is_double)
{
    size_t bytes = count * (is_double ? sizeof *table : sizeof(float complex));
    float complex *narrow = is_double ? NULL : malloc(bytes);
    for (size_t i = 0; narrow && i < count; i++)
        narrow[i] = (float complex)table[i];
    const void *from = is_double ? (const void *)table : narrow;
    bool sent = from && !cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice);
    free(narrow);
    return sent;
}

void *fft_table(struct fft_plan *plan, enum fft_kind kind, unsigned int n, unsigned int room)
{
    for (size_t i = 0; i < plan->n_tables; i++) {
        if (plan->tables[i].n == n && plan->tables[i].kind == kind)
            return plan->tables[i].data;
    }
    size_t count = kind == FFT_CHIRP_MUL ? room : n;
    bool is_double = fft_is_double(plan->type);
    /* What does not fit the device fails before it is computed. */
    void *data = NULL;
    size_t element = is_double ? sizeof(double complex) : sizeof(float complex);
    if (plan->n_tables == FFT_TABLES || cudaMalloc(&data, count * element))
        return NULL;
    double complex *table = malloc(count * sizeof *table);
    if (!table) {
        cudaFree(data);
        return NULL;
    }
    if (kind == FFT_PASS)
        fill_roots(table, n);
    else if (kind == FFT_CHIRP_MUL)
        fill_transformed(table, n, room);
    else
        fill_chirp(table, n);
    bool sent = send(data, table, count, is_double);
    free(table);
    if (!sent) {
        cudaFree(data);
        data = NULL;
    } else {
        plan->tables[plan->n_tables].n = n;
        plan->tables[plan->n_tables].kind = kind;
        plan->tables[plan->n_tables++].data = data;
    }
    return data;
}
