// Of the tests of cuSPARSE: matrices on the host and on the device, and what the
// parts test in a precision.
#ifndef EVGPU_TESTS_SPARSE_H
#define EVGPU_TESTS_SPARSE_H

#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "checks.h"

#define OK(call)         expect((call) == CUSPARSE_STATUS_SUCCESS, #call, __LINE__)
#define IS(status, call) expect((call) == CUSPARSE_STATUS_##status, #call, __LINE__)
#define DONE(call)       expect((call) == cudaSuccess, #call, __LINE__)

static const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                           CUSPARSE_FORMAT_COO};
static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE,
                                 T_ = CUSPARSE_OPERATION_TRANSPOSE,
                                 C_ = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;

inline unsigned seed = 7;
inline double next()
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}
inline int below(int n)
{
    return std::min(n - 1, (int)((next() + 1) / 2 * n));
}

template <class T> struct precision;
#define PRECISION(T, R, Type, Tolerance)                                                           \
    template <> struct precision<T> {                                                              \
        static constexpr cudaDataType type = Type;                                                 \
        static constexpr double tolerance = Tolerance;                                             \
        static constexpr auto ilu_size = cusparse##R##csrilu02_bufferSize;                         \
        static constexpr auto ilu_analysis = cusparse##R##csrilu02_analysis;                       \
        static constexpr auto ilu = cusparse##R##csrilu02;                                         \
        static constexpr auto ic_size = cusparse##R##csric02_bufferSize;                           \
        static constexpr auto ic_analysis = cusparse##R##csric02_analysis;                         \
        static constexpr auto ic = cusparse##R##csric02;                                           \
        static constexpr auto tri_size = cusparse##R##gtsv2_bufferSizeExt;                         \
        static constexpr auto tri = cusparse##R##gtsv2;                                            \
        static constexpr auto tri_plain_size = cusparse##R##gtsv2_nopivot_bufferSizeExt;           \
        static constexpr auto tri_plain = cusparse##R##gtsv2_nopivot;                              \
        static constexpr auto tri_strided_size = cusparse##R##gtsv2StridedBatch_bufferSizeExt;     \
        static constexpr auto tri_strided = cusparse##R##gtsv2StridedBatch;                        \
        static constexpr auto tri_turns_size = cusparse##R##gtsvInterleavedBatch_bufferSizeExt;    \
        static constexpr auto tri_turns = cusparse##R##gtsvInterleavedBatch;                       \
        static constexpr auto penta_size = cusparse##R##gpsvInterleavedBatch_bufferSizeExt;        \
        static constexpr auto penta = cusparse##R##gpsvInterleavedBatch;                           \
        static constexpr auto sv_size = cusparse##R##csrsv2_bufferSize;                            \
        static constexpr auto sv_analysis = cusparse##R##csrsv2_analysis;                          \
        static constexpr auto sv_solve = cusparse##R##csrsv2_solve;                                \
        static constexpr auto gthr = cusparse##R##gthr;                                            \
        static constexpr auto sctr = cusparse##R##sctr;                                            \
        static constexpr auto nnz = cusparse##R##nnz;                                              \
    };
PRECISION(float, S, CUDA_R_32F, 1e-4)
PRECISION(double, D, CUDA_R_64F, 1e-11)

// An array on the device.
template <class E> struct array {
    E *data = nullptr;
    size_t n;
    explicit array(size_t size) : n(size)
    {
        DONE(cudaMalloc(&data, std::max<size_t>(n, 1) * sizeof(E)));
    }
    explicit array(const std::vector<E> &from) : array(from.size())
    {
        set(from);
    }
    array(const array &) = delete;
    ~array()
    {
        cudaFree(data);
    }
    void set(const std::vector<E> &from)
    {
        DONE(cudaMemcpy(data, from.data(), n * sizeof(E), cudaMemcpyHostToDevice));
    }
    std::vector<E> get() const
    {
        std::vector<E> out(n);
        DONE(cudaMemcpy(out.data(), data, n * sizeof(E), cudaMemcpyDeviceToHost));
        return out;
    }
};

template <class T> std::vector<T> some(size_t n)
{
    std::vector<T> out(n);
    for (T &x : out)
        x = (T)next();
    return out;
}

template <class T>
void same(const std::vector<T> &have, const std::vector<double> &want, const char *what)
{
    for (size_t i = 0; i < have.size(); i++)
        expect(std::fabs(have[i] - want[i]) <=
                   precision<T>::tolerance * std::fmax(1.0, std::fabs(want[i])),
               what, (long)i);
}

template <class T> bool equal(const std::vector<T> &a, const std::vector<T> &b)
{
    return a.size() == b.size() && !memcmp(a.data(), b.data(), a.size() * sizeof(T));
}

// A matrix in rows on the host; indices begin at `base`.
template <class T> struct matrix {
    int rows, columns, base;
    std::vector<int> offsets, indices;
    std::vector<T> values;
    int nnz() const
    {
        return (int)indices.size();
    }
    void row(std::vector<int> of, bool shuffled)
    {
        std::sort(of.begin(), of.end());
        for (size_t i = of.size(); shuffled && i > 1; i--)
            std::swap(of[i - 1], of[below((int)i)]);
        for (int j : of) {
            indices.push_back(j + base);
            values.push_back((T)next());
        }
        offsets.push_back(nnz() + base);
    }
    std::vector<double> dense() const
    {
        std::vector<double> out((size_t)rows * columns);
        for (int i = 0; i < rows; i++)
            for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
                out[(size_t)i * columns + indices[k] - base] = values[k];
        return out;
    }
};

// Rows of 0 to `most` entries; with_diagonal: a strong one.
template <class T>
matrix<T> random_matrix(int rows, int columns, int most, int base, bool with_diagonal,
                        bool shuffled)
{
    matrix<T> m{rows, columns, base, {base}, {}, {}};
    for (int i = 0; i < rows; i++) {
        std::vector<int> of;
        for (int k = below(most + 1); k > 0; k--)
            of.push_back(below(columns));
        if (with_diagonal)
            of.push_back(i);
        std::sort(of.begin(), of.end());
        of.erase(std::unique(of.begin(), of.end()), of.end());
        m.row(of, shuffled);
        for (int k = m.offsets[i] - base; with_diagonal && k < m.nnz(); k++)
            m.values[k] = m.indices[k] - base == i ? (T)(2 + next()) : m.values[k] / (T)(most + 1);
    }
    return m;
}

// The transposed matrix: entries of a row ascend.
template <class T> matrix<T> transposed(const matrix<T> &m)
{
    matrix<T> out{m.columns, m.rows, m.base, {m.base}, {}, {}};
    std::vector<std::vector<std::pair<int, T>>> rows(m.columns);
    for (int i = 0; i < m.rows; i++)
        for (int k = m.offsets[i] - m.base; k < m.offsets[i + 1] - m.base; k++)
            rows[m.indices[k] - m.base].push_back({i + m.base, m.values[k]});
    for (auto &row : rows) {
        for (auto &entry : row) {
            out.indices.push_back(entry.first);
            out.values.push_back(entry.second);
        }
        out.offsets.push_back(out.nnz() + m.base);
    }
    return out;
}

// The row of each entry.
template <class T> std::vector<int> rows_of(const matrix<T> &m)
{
    std::vector<int> out;
    for (int i = 0; i < m.rows; i++)
        out.insert(out.end(), m.offsets[i + 1] - m.offsets[i], i + m.base);
    return out;
}

// The same on the device, with its description. `offsets` are of rows or columns, or each entry's
// row; entries come in any order.
template <class T> struct on_device {
    array<int> offsets, indices;
    array<T> values;
    cusparseSpMatDescr_t a = nullptr;
    explicit on_device(const matrix<T> &m)
        : offsets(m.offsets), indices(m.indices), values(m.values)
    {
        OK(cusparseCreateCsr(&a, m.rows, m.columns, m.nnz(), offsets.data, indices.data,
                             values.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             (cusparseIndexBase_t)m.base, precision<T>::type));
    }
    on_device(const matrix<T> &m, cusparseFormat_t format)
        : on_device(format == CUSPARSE_FORMAT_CSC ? transposed(m) : m)
    {
        if (format == CUSPARSE_FORMAT_CSR)
            return;
        OK(cusparseDestroySpMat(a));
        if (format == CUSPARSE_FORMAT_CSC) {
            OK(cusparseCreateCsc(&a, m.rows, m.columns, m.nnz(), offsets.data, indices.data,
                                 values.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 (cusparseIndexBase_t)m.base, precision<T>::type));
            return;
        }
        std::vector<int> rows = rows_of(m), columns = m.indices;
        std::vector<T> numbers = m.values;
        for (int i = m.nnz(); i > 1; i--) {
            int j = below(i);
            std::swap(rows[i - 1], rows[j]);
            std::swap(columns[i - 1], columns[j]);
            std::swap(numbers[i - 1], numbers[j]);
        }
        DONE(cudaFree(offsets.data));
        DONE(cudaMalloc(&offsets.data, (rows.size() + 1) * sizeof(int)));
        offsets.n = rows.size();
        offsets.set(rows);
        indices.set(columns);
        values.set(numbers);
        OK(cusparseCreateCoo(&a, m.rows, m.columns, m.nnz(), offsets.data, indices.data,
                             values.data, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)m.base,
                             precision<T>::type));
    }
    ~on_device()
    {
        OK(cusparseDestroySpMat(a));
    }
    void triangle(cusparseFillMode_t fill, cusparseDiagType_t diag)
    {
        OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
    }
};

template <class T> struct vector {
    array<T> values;
    cusparseDnVecDescr_t v = nullptr;
    explicit vector(const std::vector<T> &from) : values(from)
    {
        OK(cusparseCreateDnVec(&v, (int64_t)from.size(), values.data, precision<T>::type));
    }
    ~vector()
    {
        OK(cusparseDestroyDnVec(v));
    }
};

// c (r x n) = alpha op(a) b + beta c, all row by row.
inline std::vector<double> product(const std::vector<double> &a, int rows, int columns, bool turn,
                                   const std::vector<double> &b, const std::vector<double> &c,
                                   int n, double alpha, double beta)
{
    int r = turn ? columns : rows, inner = turn ? rows : columns;
    std::vector<double> out((size_t)r * n);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < inner; k++)
                sum += (turn ? a[(size_t)k * columns + i] : a[(size_t)i * columns + k]) *
                       b[(size_t)k * n + j];
            out[(size_t)i * n + j] = alpha * sum + (beta == 0 ? 0 : beta * c[(size_t)i * n + j]);
        }
    return out;
}

// Rows x columns on the device, in an order, with a gap after each line.
template <class T> struct dense {
    int rows, columns, ld;
    bool by_row;
    array<T> values;
    cusparseDnMatDescr_t m = nullptr;
    dense(int r, int c, bool row_order)
        : rows(r), columns(c), ld((row_order ? c : r) + 3), by_row(row_order),
          values(some<T>((size_t)ld * (row_order ? r : c)))
    {
        OK(cusparseCreateDnMat(&m, r, c, ld, values.data, precision<T>::type,
                               by_row ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    }
    ~dense()
    {
        OK(cusparseDestroyDnMat(m));
    }
    size_t at(int i, int j) const
    {
        return by_row ? (size_t)i * ld + j : (size_t)j * ld + i;
    }
    std::vector<double> get(bool turn = false) const // row by row
    {
        std::vector<T> all = values.get();
        std::vector<double> out;
        for (int i = 0; i < (turn ? columns : rows); i++)
            for (int j = 0; j < (turn ? rows : columns); j++)
                out.push_back(all[turn ? at(j, i) : at(i, j)]);
        return out;
    }
    // Between the lines nothing changed.
    void gaps(const std::vector<T> &old) const
    {
        std::vector<T> all = values.get();
        for (size_t k = 0; k < all.size(); k++)
            if ((int)(k % ld) >= (by_row ? columns : rows))
                expect(all[k] == old[k], "a gap", (long)k);
    }
};

struct ilu_state {
    csrilu02Info_t info = nullptr;
    cusparseMatDescr_t descr = nullptr;
    explicit ilu_state(int base)
    {
        OK(cusparseCreateCsrilu02Info(&info));
        OK(cusparseCreateMatDescr(&descr));
        OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base));
    }
    ~ilu_state()
    {
        OK(cusparseDestroyCsrilu02Info(info));
        OK(cusparseDestroyMatDescr(descr));
    }
};

// SpMV and SpMM (sparse_products.cpp); formats (sparse_formats.cpp); dense matrices, SDDMM, the
// order of entries, batches (sparse_dense.cpp); 64-bit indices (sparse_wide.cpp); SpGEMM
// (sparse_gemm.cpp); SpSV, SpSM, csrsv2 and csrilu02 (sparse_triangles.cpp); csric02
// (sparse_cholesky.cpp); systems of few diagonals (sparse_diagonals.cpp); blocks and slices
// (sparse_blocked.cpp): for float and double.
template <class T> void products(cusparseHandle_t h);
template <class T> void conversions(cusparseHandle_t h);
template <class T> void dense_matrices(cusparseHandle_t h);
template <class T> void wide_indices(cusparseHandle_t h);
template <class T> void sparse_products(cusparseHandle_t h);
template <class T> void triangles(cusparseHandle_t h);
template <class T> void incomplete_cholesky(cusparseHandle_t h);
template <class T> void diagonals(cusparseHandle_t h);
template <class T> void blocked(cusparseHandle_t h);

#endif
