/* Eigenvalues and right eigenvectors of a matrix without symmetry. The device brings the matrix to
 * the form of Hessenberg, the host finds the values and vectors of that (schur.h), and the device
 * turns the vectors back. */
#include <math.h>

#include "sw/cuda/solver/schur.h"
#include "sw/cuda/solver/x_calls.h"

struct geev {
    struct dense d;
    int n;
    bool vectors, real, real_values; /* real_values: two lists of real numbers */
    struct solver_matrix a, vr;
    void *values, *tau;
    /* On the host: */
    struct schur s;
    struct schur_real r;
    double _Complex *value, *scratch;
    double *balance;
    void *raw; /* a matrix as the device has it */
};

/* --- between device and host -------------------------------------------------------------------
 */

static double _Complex number_at(const struct geev *g, size_t i)
{
    switch (g->d.precision) {
    case LIBRARY_S:
        return ((const float *)g->raw)[i];
    case LIBRARY_D:
        return ((const double *)g->raw)[i];
    case LIBRARY_C:
        return ((const float _Complex *)g->raw)[i];
    default:
        return ((const double _Complex *)g->raw)[i];
    }
}

static void set_number(const struct geev *g, size_t i, double _Complex x)
{
    switch (g->d.precision) {
    case LIBRARY_S:
        ((float *)g->raw)[i] = (float)creal(x);
        break;
    case LIBRARY_D:
        ((double *)g->raw)[i] = creal(x);
        break;
    case LIBRARY_C:
        ((float _Complex *)g->raw)[i] = (float _Complex)x;
        break;
    default:
        ((double _Complex *)g->raw)[i] = x;
        break;
    }
}

/* `rows` of n columns, whose numbers at the host lie without gaps. */
static cusolverStatus_t move(const struct geev *g, struct solver_matrix m, bool to_host)
{
    const size_t bytes = blas_bytes(g->d.precision), width = (size_t)g->n * bytes;
    const size_t pitch = (size_t)m.ld * bytes, height = (size_t)g->n;
    cudaStream_t stream = g->d.handle->stream;
    cudaError_t status = to_host ? cudaMemcpy2DAsync(g->raw, width, m.data, pitch, width, height,
                                                     cudaMemcpyDeviceToHost, stream)
                                 : cudaMemcpy2DAsync(m.data, pitch, g->raw, width, width, height,
                                                     cudaMemcpyHostToDevice, stream);
    if (!status)
        status = cudaStreamSynchronize(stream);
    return status ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t fetch(const struct geev *g, struct solver_matrix m, double _Complex *to)
{
    SOLVER_TRY(move(g, m, true));
    for (size_t i = 0; i < (size_t)g->n * (size_t)g->n; i++)
        to[i] = number_at(g, i);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t put(const struct geev *g, const double _Complex *from,
                            struct solver_matrix m)
{
    for (size_t i = 0; i < (size_t)g->n * (size_t)g->n; i++)
        set_number(g, i, from[i]);
    return move(g, m, false);
}

static cusolverStatus_t put_bytes(const struct geev *g, const void *from, void *to, size_t bytes)
{
    cudaStream_t stream = g->d.handle->stream;
    cudaError_t status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
    if (!status)
        status = cudaStreamSynchronize(stream);
    return status ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

/* As complex numbers, or as a list of real parts and one of imaginary parts. */
static cusolverStatus_t put_values(const struct geev *g)
{
    const size_t n = (size_t)g->n, part = solver_real_bytes(&g->d);
    const bool single = part == sizeof(float);
    for (size_t i = 0; i < 2 * n; i++) {
        double _Complex w = g->value[g->real_values ? i % n : i / 2];
        double x = (g->real_values ? i >= n : i % 2 != 0) ? cimag(w) : creal(w);
        if (single)
            ((float *)g->raw)[i] = (float)x;
        else
            ((double *)g->raw)[i] = x;
    }
    return put_bytes(g, g->raw, g->values, 2 * n * part);
}

/* --- the form of Hessenberg ---------------------------------------------------------------------
 */

/* Reflections of the left and the right, whose vectors stay below the first subdiagonal. */
static cusolverStatus_t reduce(const struct geev *g)
{
    const struct dense *d = &g->d;
    for (int k = 0; k < g->n - 2; k++) {
        struct solver_matrix on = solver_at(d, g->a, k + 1, k);
        void *tau = solver_behind(d, g->tau, (size_t)k);
        int rows = g->n - k - 1;
        SOLVER_TRY(solver_panel_qr(d, rows, 1, on, tau));
        struct solver_q q = {.adjoint = true,
                             .m = rows,
                             .n = rows,
                             .k = 1,
                             .a = on,
                             .c = solver_at(d, g->a, k + 1, k + 1),
                             .tau = tau};
        SOLVER_TRY(solver_apply_q(d, &q));
        q.rows = true;
        q.adjoint = false;
        q.m = g->n;
        q.c = solver_at(d, g->a, 0, k + 1);
        SOLVER_TRY(solver_apply_q(d, &q));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

/* The vectors of the form become those of the matrix that was reduced. */
static cusolverStatus_t turn_back(const struct geev *g)
{
    const struct solver_q q = {.m = g->n - 1,
                               .n = g->n,
                               .k = g->n - 2,
                               .a = solver_at(&g->d, g->a, 1, 0),
                               .c = solver_at(&g->d, g->vr, 1, 0),
                               .tau = g->tau};
    return g->n > 2 ? solver_apply_q(&g->d, &q) : CUSOLVER_STATUS_SUCCESS;
}

/* --- values and vectors -------------------------------------------------------------------------
 */

/* What schur_complex returns. */
static int find_schur(const struct geev *g)
{
    const int n = g->n;
    const size_t all = (size_t)n * (size_t)n;
    for (int j = 0; j < n; j++)
        for (int i = j + 2; i < n; i++)
            g->s.t[schur_at(n, i, j)] = 0;
    for (size_t i = 0; i < all && g->vectors; i++)
        g->s.z[i] = i % ((size_t)n + 1) == 0;
    if (!g->real)
        return schur_complex(&g->s);
    for (size_t i = 0; i < all; i++) {
        g->r.t[i] = creal(g->s.t[i]);
        if (g->vectors)
            g->r.z[i] = creal(g->s.z[i]);
    }
    int left = schur_real(&g->r);
    schur_of_real(&g->r, &g->s);
    return left;
}

/* Column k is the real part of a vector, and the next one its imaginary part. */
static bool is_pair(const struct geev *g, int k)
{
    return g->real && cimag(g->value[k]) > 0;
}

/* Real matrices have real vectors, or a vector in two columns for each pair of values. */
static void lay_out(const struct geev *g)
{
    for (int k = 0; k < g->n; k++) {
        if (!is_pair(g, k))
            continue;
        double _Complex *to = &g->s.z[schur_at(g->n, 0, k)];
        for (int i = 0; i < g->n; i++)
            to[g->n + i] = cimag(to[i]);
        k++;
    }
}

/* To length 1, with a real number where it is largest. */
static void normalise(double _Complex *v, int n)
{
    double square = 0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        if (cabs(v[i]) > cabs(v[at]))
            at = i;
    }
    const double most = cabs(v[at]);
    if (most == 0)
        return;
    const double _Complex turn = conj(v[at]) / most;
    for (int i = 0; i < n; i++) {
        v[i] = v[i] / most * turn;
        square += creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i]);
    }
    for (int i = 0; i < n; i++)
        v[i] /= sqrt(square);
}

/* Vectors of the balanced matrix become those of the given one. */
static void settle_vectors(const struct geev *g)
{
    const int n = g->n;
    for (int k = 0; k < n; k++) {
        const bool pair = is_pair(g, k);
        double _Complex *v = &g->s.z[schur_at(n, 0, k)];
        for (int i = 0; i < n; i++)
            g->scratch[i] = (pair ? v[i] + I * v[n + i] : v[i]) * g->balance[i];
        normalise(g->scratch, n);
        for (int i = 0; i < n; i++) {
            v[i] = pair ? creal(g->scratch[i]) : g->scratch[i];
            if (pair)
                v[n + i] = cimag(g->scratch[i]);
        }
        k += pair;
    }
}

static cusolverStatus_t find_vectors(const struct geev *g)
{
    schur_vectors(&g->s, g->scratch);
    lay_out(g);
    SOLVER_TRY(put(g, g->s.z, g->vr));
    SOLVER_TRY(turn_back(g));
    SOLVER_TRY(fetch(g, g->vr, g->s.z));
    settle_vectors(g);
    return put(g, g->s.z, g->vr);
}

static cusolverStatus_t geev(const struct geev *g, int *info)
{
    const int n = g->n;
    int left = n;
    SOLVER_TRY(fetch(g, g->a, g->s.t));
    const double scale = schur_balance(&g->s, g->balance);
    if (scale != 0) { /* all numbers are finite */
        SOLVER_TRY(put(g, g->s.t, g->a));
        SOLVER_TRY(reduce(g));
        SOLVER_TRY(fetch(g, g->a, g->s.t));
        left = find_schur(g);
    }
    for (int i = 0; i < n; i++)
        g->value[i] = i < left ? NAN : g->s.t[schur_at(n, i, i)] * scale;
    SOLVER_TRY(put_values(g));
    if (!left && g->vectors)
        SOLVER_TRY(find_vectors(g));
    return put_bytes(g, &left, info, sizeof left);
}

/* --- the calls ----------------------------------------------------------------------------------
 */

struct geev_types {
    cudaDataType a, values, left, right;
};

static cusolverStatus_t check(struct geev *g, cusolverEigMode_t left, cusolverEigMode_t right,
                              const struct geev_types *types)
{
    const bool single = g->d.precision == LIBRARY_S || g->d.precision == LIBRARY_C;
    g->vectors = right == CUSOLVER_EIG_MODE_VECTOR;
    g->real = !blas_is_complex(g->d.precision);
    g->real_values = is_real_of(&g->d, types->values);
    SOLVER_CHECK(g->real_values ? g->real : types->values == (single ? CUDA_C_32F : CUDA_C_64F),
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_CHECK(types->left == types->a && types->right == types->a,
                 CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID(g->vectors || right == CUSOLVER_EIG_MODE_NOVECTOR);
    SOLVER_CHECK(left == CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_STATUS_NOT_SUPPORTED);
    SOLVER_VALID(blas_fits(g->a.ld, g->n) && (!g->vectors || blas_fits(g->vr.ld, g->n)));
    return CUSOLVER_STATUS_SUCCESS;
}

/* Numbers of the host's workspace: complex ones, real ones, and those of a matrix or of values as
 * the device has them. */
static size_t host_bytes(const struct geev *g)
{
    const size_t n = (size_t)g->n, all = n * n, matrices = g->vectors ? 2 : 1;
    const size_t complex_numbers = matrices * all + 2 * n;
    const size_t real_numbers = (g->real ? matrices * all : 0) + n;
    return complex_numbers * sizeof(double _Complex) + real_numbers * sizeof(double) +
           (all > 2 * n ? all : 2 * n) * blas_bytes(g->d.precision);
}

static void *take(char **at, size_t bytes)
{
    char *taken = *at;
    *at += bytes;
    return taken;
}

static void carve(struct geev *g, void *work)
{
    const size_t n = (size_t)g->n, all = n * n;
    char *at = work;
    g->s.n = g->r.n = g->n;
    g->s.t = take(&at, all * sizeof *g->s.t);
    if (g->vectors)
        g->s.z = take(&at, all * sizeof *g->s.z);
    g->value = take(&at, n * sizeof *g->value);
    g->scratch = take(&at, n * sizeof *g->scratch);
    if (g->real)
        g->r.t = take(&at, all * sizeof *g->r.t);
    if (g->real && g->vectors)
        g->r.z = take(&at, all * sizeof *g->r.z);
    g->balance = take(&at, n * sizeof *g->balance);
    g->raw = at;
}

cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
                                            int64_t n, cudaDataType typeA, const void *a,
                                            int64_t lda, cudaDataType typeW, const void *w,
                                            cudaDataType typeVL, const void *vl, int64_t ldvl,
                                            cudaDataType typeVR, const void *vr, int64_t ldvr,
                                            cudaDataType computeType, size_t *deviceBytes,
                                            size_t *hostBytes)
{
    struct geev g = {.n = (int)n, .a.ld = (int)lda, .vr.ld = (int)ldvr};
    const struct geev_types types = {typeA, typeW, typeVL, typeVR};
    (void)params, (void)a, (void)w, (void)vl, (void)vr;
    SOLVER_TRY(prepare(handle, &g.d, typeA, computeType, SIZES(n, lda, ldvl, ldvr)));
    SOLVER_TRY(check(&g, jobvl, jobvr, &types));
    SOLVER_VALID(deviceBytes && hostBytes);
    *deviceBytes = (size_t)n * blas_bytes(g.d.precision);
    *hostBytes = host_bytes(&g);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                 cudaDataType typeA, void *a, int64_t lda, cudaDataType typeW,
                                 void *w, cudaDataType typeVL, void *vl, int64_t ldvl,
                                 cudaDataType typeVR, void *vr, int64_t ldvr,
                                 cudaDataType computeType, void *onDevice, size_t deviceBytes,
                                 void *onHost, size_t hostBytes, int *info)
{
    struct geev g = {
        .n = (int)n, .a = {a, (int)lda}, .vr = {vr, (int)ldvr}, .values = w, .tau = onDevice};
    size_t device = 0, host = 0;
    SOLVER_TRY(cusolverDnXgeev_bufferSize(handle, params, jobvl, jobvr, n, typeA, a, lda, typeW, w,
                                          typeVL, vl, ldvl, typeVR, vr, ldvr, computeType, &device,
                                          &host));
    SOLVER_TRY(prepare(handle, &g.d, typeA, computeType, SIZES(n)));
    SOLVER_TRY(check(&g, jobvl, jobvr, &(struct geev_types){typeA, typeW, typeVL, typeVR}));
    SOLVER_VALID(deviceBytes >= device && hostBytes >= host && info);
    if (!n)
        return solver_clear(&g.d, info, 1);
    SOLVER_VALID(a && w && onDevice && onHost && (vr || !g.vectors));
    carve(&g, onHost);
    return geev(&g, info);
}
