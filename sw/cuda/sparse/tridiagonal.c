/* Systems of three diagonals (gtsv2) and of five (gpsv): one with many right sides, or many
 * systems. */
#include "sw/cuda/sparse/sparse.h"

/* The kernels' struct tri_factors. */
struct factors {
    void *times, *u0, *u1, *u2;
    int *exchanged;
};

struct tri {
    cudaDataType type;
    struct sparse_systems s;
    const void *lower, *main, *upper;
    int sides;
    long long apart; /* of the right sides */
    void *x, *buffer;
};

static size_t tri_bytes(const struct tri *t)
{
    size_t numbers = (size_t)t->s.size * (size_t)t->s.count;
    return numbers * (4 * sparse_value_bytes(t->type) + sizeof(int));
}

/* Below three rows NVIDIA's library refuses a system. */
static bool valid(const struct tri *t)
{
    return t->s.size >= 3 && t->s.count >= 0 && t->sides >= 0;
}

static cusparseStatus_t size_of(cusparseHandle_t handle, const struct tri *t, size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(valid(t) && size);
    *size = tri_bytes(t);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t solve(cusparseHandle_t handle, const struct tri *t)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(valid(t));
    if (!t->s.count || !t->sides)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(t->lower && t->main && t->upper && t->x && t->buffer);
    size_t each = (size_t)t->s.size * (size_t)t->s.count * sparse_value_bytes(t->type);
    char *at = t->buffer;
    struct factors f = {at, at + each, at + 2 * each, at + 3 * each, (int *)(at + 4 * each)};
    struct library_call factor = sparse_call(handle, t->type), back = factor;
    library_add(&factor, &t->s);
    library_add(&factor, &t->lower);
    library_add(&factor, &t->main);
    library_add(&factor, &t->upper);
    library_add(&factor, &f);
    cusparseStatus_t status = sparse_launch(&factor, "tri_factor", sparse_over(t->s.count));
    library_add(&back, &t->s);
    library_add(&back, &f);
    library_add(&back, &t->sides);
    library_add(&back, &t->apart);
    library_add(&back, &t->x);
    return status
               ? status
               : sparse_launch(&back, "tri_solve", sparse_over((long long)t->s.count * t->sides));
}

struct penta {
    cudaDataType type;
    struct sparse_systems s;
    struct sparse_diagonals d;
    void *x, *buffer;
    int algorithm;
};

static cusparseStatus_t penta_size(cusparseHandle_t handle, const struct penta *p, size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(p->s.size >= 3 && p->s.count >= 0 && !p->algorithm && size);
    *size = 5 * (size_t)p->s.size * (size_t)p->s.count * sparse_value_bytes(p->type);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t penta_solve(cusparseHandle_t handle, const struct penta *p)
{
    size_t size = 0;
    cusparseStatus_t status = penta_size(handle, p, &size);
    if (status || !p->s.count)
        return status;
    for (int i = 0; i < 5; i++)
        SPARSE_VALID(p->d.of[i]);
    SPARSE_VALID(p->x && p->buffer);
    struct library_call call = sparse_call(handle, p->type);
    library_add(&call, &p->s);
    library_add(&call, &p->d);
    library_add(&call, &p->buffer);
    library_add(&call, &p->x);
    return sparse_launch(&call, "penta", sparse_over(p->s.count));
}

/* One system, whose right sides are columns: with exchanges of rows also where none are asked for.
 */
#define SIDES(type)                                                                                \
    {                                                                                              \
        type, {m, 1, 1, 0}, lower, main, upper, n, ldb, (void *)(uintptr_t)b, NULL                 \
    }
#define ONE(R, T, type, name)                                                                      \
    cusparseStatus_t cusparse##R##name##_bufferSizeExt(                                            \
        cusparseHandle_t handle, int m, int n, const T *lower, const T *main, const T *upper,      \
        const T *b, int ldb, size_t *size)                                                         \
    {                                                                                              \
        struct tri t = SIDES(type);                                                                \
        SPARSE_VALID(ldb >= m);                                                                    \
        return size_of(handle, &t, size);                                                          \
    }                                                                                              \
    cusparseStatus_t cusparse##R##name(cusparseHandle_t handle, int m, int n, const T *lower,      \
                                       const T *main, const T *upper, T *b, int ldb, void *buffer) \
    {                                                                                              \
        struct tri t = SIDES(type);                                                                \
        SPARSE_VALID(ldb >= m);                                                                    \
        t.buffer = buffer;                                                                         \
        return solve(handle, &t);                                                                  \
    }

#define MANY(type, element, next)                                                                  \
    {                                                                                              \
        type, {m, count, element, next}, lower, main, upper, 1, 0, (void *)(uintptr_t)x, NULL      \
    }
#define STRIDED(R, T, type)                                                                        \
    cusparseStatus_t cusparse##R##gtsv2StridedBatch_bufferSizeExt(                                 \
        cusparseHandle_t handle, int m, const T *lower, const T *main, const T *upper, const T *x, \
        int count, int stride, size_t *size)                                                       \
    {                                                                                              \
        struct tri t = MANY(type, 1, stride);                                                      \
        SPARSE_VALID(stride >= m);                                                                 \
        return size_of(handle, &t, size);                                                          \
    }                                                                                              \
    cusparseStatus_t cusparse##R##gtsv2StridedBatch(cusparseHandle_t handle, int m,                \
                                                    const T *lower, const T *main, const T *upper, \
                                                    T *x, int count, int stride, void *buffer)     \
    {                                                                                              \
        struct tri t = MANY(type, 1, stride);                                                      \
        SPARSE_VALID(stride >= m);                                                                 \
        t.buffer = buffer;                                                                         \
        return solve(handle, &t);                                                                  \
    }
#define INTERLEAVED(R, T, type)                                                                    \
    cusparseStatus_t cusparse##R##gtsvInterleavedBatch_bufferSizeExt(                              \
        cusparseHandle_t handle, int algorithm, int m, const T *lower, const T *main,              \
        const T *upper, const T *x, int count, size_t *size)                                       \
    {                                                                                              \
        struct tri t = MANY(type, count, 1);                                                       \
        SPARSE_VALID(algorithm >= 0 && algorithm <= 2);                                            \
        return size_of(handle, &t, size);                                                          \
    }                                                                                              \
    cusparseStatus_t cusparse##R##gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm,     \
                                                       int m, T *lower, T *main, T *upper, T *x,   \
                                                       int count, void *buffer)                    \
    {                                                                                              \
        struct tri t = MANY(type, count, 1);                                                       \
        SPARSE_VALID(algorithm >= 0 && algorithm <= 2);                                            \
        t.buffer = buffer;                                                                         \
        return solve(handle, &t);                                                                  \
    }

#define FIVE(type)                                                                                 \
    {                                                                                              \
        type, {m, count, count, 1}, {{ds, dl, d, du, dw}}, (void *)(uintptr_t)x, NULL, algorithm   \
    }
#define PENTA(R, T, type)                                                                          \
    cusparseStatus_t cusparse##R##gpsvInterleavedBatch_bufferSizeExt(                              \
        cusparseHandle_t handle, int algorithm, int m, const T *ds, const T *dl, const T *d,       \
        const T *du, const T *dw, const T *x, int count, size_t *size)                             \
    {                                                                                              \
        struct penta p = FIVE(type);                                                               \
        return penta_size(handle, &p, size);                                                       \
    }                                                                                              \
    cusparseStatus_t cusparse##R##gpsvInterleavedBatch(cusparseHandle_t handle, int algorithm,     \
                                                       int m, T *ds, T *dl, T *d, T *du, T *dw,    \
                                                       T *x, int count, void *buffer)              \
    {                                                                                              \
        struct penta p = FIVE(type);                                                               \
        p.buffer = buffer;                                                                         \
        return penta_solve(handle, &p);                                                            \
    }

#define DIAGONALS(R, T, type)                                                                      \
    ONE(R, T, type, gtsv2)                                                                         \
    ONE(R, T, type, gtsv2_nopivot)                                                                 \
    STRIDED(R, T, type)                                                                            \
    INTERLEAVED(R, T, type)                                                                        \
    PENTA(R, T, type)
DIAGONALS(S, float, CUDA_R_32F)
DIAGONALS(D, double, CUDA_R_64F)
