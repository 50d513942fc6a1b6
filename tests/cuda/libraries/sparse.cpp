// cuSPARSE against plain loops in double precision, in both precisions: bases, operations, orders,
// factors of 0, scalars on host and device, triangles of every kind, ILU, graphs, equal bits,
// mistakes.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

static int failures, checks;

static void expect(bool ok, const char *what, long at = 0)
{
    checks++;
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %ld\n", what, at);
}
#define OK(call)         expect((call) == CUSPARSE_STATUS_SUCCESS, #call, __LINE__)
#define IS(status, call) expect((call) == CUSPARSE_STATUS_##status, #call, __LINE__)
#define DONE(call)       expect((call) == cudaSuccess, #call, __LINE__)

static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE,
                                 T_ = CUSPARSE_OPERATION_TRANSPOSE,
                                 C_ = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;

static unsigned seed = 7;
static double next()
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}
static int below(int n)
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
        static constexpr auto sv_size = cusparse##R##csrsv2_bufferSize;                            \
        static constexpr auto sv_analysis = cusparse##R##csrsv2_analysis;                          \
        static constexpr auto sv_solve = cusparse##R##csrsv2_solve;                                \
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

template <class T> static std::vector<T> some(size_t n)
{
    std::vector<T> out(n);
    for (T &x : out)
        x = (T)next();
    return out;
}

template <class T>
static void same(const std::vector<T> &have, const std::vector<double> &want, const char *what)
{
    for (size_t i = 0; i < have.size(); i++)
        expect(std::fabs(have[i] - want[i]) <=
                   precision<T>::tolerance * std::fmax(1.0, std::fabs(want[i])),
               what, (long)i);
}

template <class T> static bool equal(const std::vector<T> &a, const std::vector<T> &b)
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
static matrix<T> random_matrix(int rows, int columns, int most, int base, bool with_diagonal,
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
template <class T> static matrix<T> transposed(const matrix<T> &m)
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

// The same on the device, with its description.
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

// --- products ----------------------------------------------------------------------------------

// c (r x n) = alpha op(a) b + beta c, all row by row.
static std::vector<double> product(const std::vector<double> &a, int rows, int columns, bool turn,
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

template <class T>
static void multiply_vector(cusparseHandle_t h, const matrix<T> &m, cusparseOperation_t op, T alpha,
                            T beta, bool scalars_there)
{
    bool turn = op != N;
    on_device<T> a(m);
    std::vector<T> from = some<T>(turn ? m.rows : m.columns),
                   old = some<T>(turn ? m.columns : m.rows);
    if (beta == 0 && !old.empty())
        old[0] = std::numeric_limits<T>::quiet_NaN();
    vector<T> x(from), y(old);
    array<T> scalars(std::vector<T>{alpha, beta});
    const T *at_alpha = scalars_there ? scalars.data : &alpha,
            *at_beta = scalars_there ? scalars.data + 1 : &beta;
    OK(cusparseSetPointerMode(h, scalars_there ? CUSPARSE_POINTER_MODE_DEVICE
                                               : CUSPARSE_POINTER_MODE_HOST));
    size_t size = 1;
    OK(cusparseSpMV_bufferSize(h, op, at_alpha, a.a, x.v, at_beta, y.v, precision<T>::type,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size));
    array<char> buffer(size);
    std::vector<T> first;
    for (int run = 0; run < 2; run++) {
        y.values.set(old);
        OK(cusparseSpMV(h, op, at_alpha, a.a, x.v, at_beta, y.v, precision<T>::type,
                        run ? CUSPARSE_SPMV_CSR_ALG2 : CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
        if (run)
            expect(equal(first, y.values.get()), "SpMV again", op);
        first = y.values.get();
    }
    same(first,
         product(m.dense(), m.rows, m.columns, turn, {from.begin(), from.end()},
                 {old.begin(), old.end()}, 1, alpha, beta),
         "SpMV");
    if (turn) { // in one order: entries are sorted, whatever thread placed them
        on_device<T> rows(transposed(m));
        y.values.set(old);
        OK(cusparseSpMV(h, N, at_alpha, rows.a, x.v, at_beta, y.v, precision<T>::type,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        expect(equal(first, y.values.get()), "the bits of a transposed matrix", m.nnz());
    }
    OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
}

template <class T> static void products(cusparseHandle_t h)
{
    // Rows of few entries, of many (threads share them), and none.
    const int shapes[][3] = {{1, 1, 1}, {47, 33, 6}, {33, 300, 400}, {300, 20, 15}, {700, 900, 3}};
    for (auto &s : shapes)
        for (int base = 0; base < 2; base++)
            for (cusparseOperation_t op : {N, T_, C_}) {
                matrix<T> m = random_matrix<T>(s[0], s[1], s[2], base, false, base != 0);
                multiply_vector<T>(h, m, op, (T)1.5, (T)-0.5, base != 0);
                multiply_vector<T>(h, m, op, (T)0.5, (T)0, base == 0);
            }
    matrix<T> empty{5, 4, 1, {1, 1, 1, 1, 1, 1}, {}, {}};
    multiply_vector<T>(h, empty, N, (T)1, (T)2, false);
    multiply_vector<T>(h, empty, T_, (T)1, (T)0, false);
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

template <class T> static void products_of_matrices(cusparseHandle_t h)
{
    for (int kind = 0; kind < 16; kind++) {
        bool turn = kind & 1, turn_b = kind & 2;
        matrix<T> m = random_matrix<T>(37, 53, 9, kind & 1, false, false);
        on_device<T> a(m);
        int r = turn ? 53 : 37, inner = turn ? 37 : 53, n = 11;
        dense<T> b(turn_b ? n : inner, turn_b ? inner : n, kind & 4), c(r, n, kind & 8);
        T alpha = (T)-1.25, beta = (T)(turn_b ? 0.75 : 0);
        std::vector<T> old_all = c.values.get();
        std::vector<double> old = c.get();
        size_t size = 1;
        OK(cusparseSpMM_bufferSize(h, turn ? T_ : N, turn_b ? T_ : N, &alpha, a.a, b.m, &beta, c.m,
                                   precision<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, &size));
        array<char> buffer(size);
        OK(cusparseSpMM(h, turn ? T_ : N, turn_b ? T_ : N, &alpha, a.a, b.m, &beta, c.m,
                        precision<T>::type, CUSPARSE_SPMM_CSR_ALG2, buffer.data));
        std::vector<double> have = c.get();
        same<T>({have.begin(), have.end()},
                product(m.dense(), 37, 53, turn, b.get(turn_b), old, n, alpha, beta), "SpMM");
        c.gaps(old_all);
    }
}

// --- triangles ---------------------------------------------------------------------------------

// What the solver takes of a matrix, n x n row by row.
template <class T>
static std::vector<double> triangle_of(const matrix<T> &m, bool lower, bool unit, bool turn)
{
    int n = m.rows;
    std::vector<double> all = m.dense(), out((size_t)n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool in = i == j || (j < i) == lower;
            double v = i == j && unit ? 1 : in ? all[(size_t)i * n + j] : 0;
            out[turn ? (size_t)j * n + i : (size_t)i * n + j] = v;
        }
    return out;
}

// Entries that must not be read have no number.
template <class T> static matrix<T> poisoned(matrix<T> m, bool lower, bool unit)
{
    for (int i = 0; i < m.rows; i++)
        for (int k = m.offsets[i] - m.base; k < m.offsets[i + 1] - m.base; k++) {
            int j = m.indices[k] - m.base;
            if (j == i ? unit : (j < i) != lower)
                m.values[k] = std::numeric_limits<T>::quiet_NaN();
        }
    return m;
}

// op(a) y = alpha x, by SpSV.
template <class T>
static void solve_generic(cusparseHandle_t h, cusparseOperation_t op, T alpha, on_device<T> &a,
                          vector<T> &x, vector<T> &y)
{
    cusparseSpSVDescr_t d;
    OK(cusparseSpSV_createDescr(&d));
    size_t size = 0;
    OK(cusparseSpSV_bufferSize(h, op, &alpha, a.a, x.v, y.v, precision<T>::type,
                               CUSPARSE_SPSV_ALG_DEFAULT, d, &size));
    array<char> buffer(size);
    OK(cusparseSpSV_analysis(h, op, &alpha, a.a, x.v, y.v, precision<T>::type,
                             CUSPARSE_SPSV_ALG_DEFAULT, d, buffer.data));
    OK(cusparseSpSV_solve(h, op, &alpha, a.a, x.v, y.v, precision<T>::type,
                          CUSPARSE_SPSV_ALG_DEFAULT, d));
    OK(cusparseSpSV_destroyDescr(d));
}

// By csrsv2. The info objects of two analyses may share a buffer.
template <class T>
static void solve_csrsv2(cusparseHandle_t h, cusparseOperation_t op, T alpha, on_device<T> &a,
                         const matrix<T> &m, bool lower, bool unit, vector<T> &x, vector<T> &y)
{
    typedef precision<T> P;
    csrsv2Info_t info, other;
    cusparseMatDescr_t descr;
    int size = 0, at = 5, n = m.rows, nnz = m.nnz();
    OK(cusparseCreateCsrsv2Info(&info));
    OK(cusparseCreateCsrsv2Info(&other));
    OK(cusparseCreateMatDescr(&descr));
    OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)m.base));
    OK(cusparseSetMatFillMode(descr, lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER));
    OK(cusparseSetMatDiagType(descr, unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT));
    OK(P::sv_size(h, op, n, nnz, descr, a.values.data, a.offsets.data, a.indices.data, info,
                  &size));
    array<char> buffer(size);
    for (csrsv2Info_t of : {info, other})
        OK(P::sv_analysis(h, of == info ? op : N, n, nnz, descr, a.values.data, a.offsets.data,
                          a.indices.data, of, CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.data));
    OK(P::sv_solve(h, op, n, nnz, &alpha, descr, a.values.data, a.offsets.data, a.indices.data,
                   info, x.values.data, y.values.data, CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                   buffer.data));
    OK(cusparseXcsrsv2_zeroPivot(h, info, &at));
    expect(at == -1, "no zero on the diagonal", at);
    OK(cusparseDestroyMatDescr(descr));
    OK(cusparseDestroyCsrsv2Info(info));
    OK(cusparseDestroyCsrsv2Info(other));
}

// op(a) y is compared with alpha x.
template <class T>
static void solve_vector(cusparseHandle_t h, const matrix<T> &m, int kind, bool in_place)
{
    bool lower = kind & 1, unit = kind & 2, turn = kind & 4;
    T alpha = (T)1.5;
    int n = m.rows;
    cusparseOperation_t op = turn ? T_ : N;
    on_device<T> a(poisoned(m, lower, unit));
    a.triangle(lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER,
               unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
    std::vector<T> from = some<T>(n);
    vector<T> x(from), other(std::vector<T>((size_t)n, std::numeric_limits<T>::quiet_NaN()));
    vector<T> &y = in_place ? x : other;
    if (in_place)
        solve_csrsv2(h, op, alpha, a, m, lower, unit, x, y);
    else
        solve_generic(h, op, alpha, a, x, y);
    std::vector<T> got = y.values.get();
    std::vector<double> want(from.begin(), from.end()), have;
    for (double &v : want)
        v *= alpha;
    std::vector<double> t = triangle_of(m, lower, unit, turn);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += t[(size_t)i * n + j] * got[j];
        have.push_back(sum);
    }
    same<T>({have.begin(), have.end()}, want, "SpSV");
}

// A chain: each row waits for the one before.
template <class T> static matrix<T> chain(int n)
{
    matrix<T> m{n, n, 0, {0}, {}, {}};
    for (int i = 0; i < n; i++) {
        m.row(i == 0      ? std::vector<int>{0, 1}
              : i + 1 < n ? std::vector<int>{i - 1, i, i + 1}
                          : std::vector<int>{i - 1, i},
              false);
        for (int k = m.offsets[i]; k < m.offsets[i + 1]; k++)
            m.values[k] = m.indices[k] == i ? (T)(2.5 + next() / 4) : (T)(-1 + next() / 4);
    }
    return m;
}

template <class T> static void triangles(cusparseHandle_t h)
{
    for (int kind = 0; kind < 8; kind++) {
        solve_vector<T>(h, random_matrix<T>(1, 1, 1, 0, true, false), kind, false);
        solve_vector<T>(h, random_matrix<T>(90, 90, 8, kind & 1, true, true), kind, kind & 2);
        solve_vector<T>(h, random_matrix<T>(120, 120, 400, 1, true, false), kind, false);
        solve_vector<T>(h, chain<T>(200), kind, true);
    }
    // A wide level, and narrow ones around it.
    matrix<T> wide = random_matrix<T>(2200, 2200, 1, 0, true, false);
    solve_vector<T>(h, wide, 1, false);
    solve_vector<T>(h, wide, 4, false);
}

template <class T> static void triangles_of_matrices(cusparseHandle_t h)
{
    for (int kind = 0; kind < 32; kind++) {
        bool lower = kind & 1, unit = kind % 3 == 0, turn = kind & 2, turn_b = kind & 4;
        const int n = 60, count = 7;
        T alpha = (T)-0.5;
        matrix<T> m = random_matrix<T>(n, n, 5, kind & 1, true, false);
        on_device<T> a(poisoned(m, lower, unit));
        a.triangle(lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER,
                   unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
        dense<T> b(turn_b ? count : n, turn_b ? n : count, kind & 8), c(n, count, kind & 16);
        std::vector<T> old = c.values.get();
        cusparseOperation_t op = turn ? C_ : N, op_b = turn_b ? T_ : N;
        cusparseSpSMDescr_t d;
        OK(cusparseSpSM_createDescr(&d));
        size_t size = 0;
        OK(cusparseSpSM_bufferSize(h, op, op_b, &alpha, a.a, b.m, c.m, precision<T>::type,
                                   CUSPARSE_SPSM_ALG_DEFAULT, d, &size));
        array<char> buffer(size);
        OK(cusparseSpSM_analysis(h, op, op_b, &alpha, a.a, b.m, c.m, precision<T>::type,
                                 CUSPARSE_SPSM_ALG_DEFAULT, d, buffer.data));
        OK(cusparseSpSM_solve(h, op, op_b, &alpha, a.a, b.m, c.m, precision<T>::type,
                              CUSPARSE_SPSM_ALG_DEFAULT, d));
        OK(cusparseSpSM_destroyDescr(d));
        std::vector<double> back = product(triangle_of(m, lower, unit, turn), n, n, false, c.get(),
                                           {}, count, 1, 0),
                            want = b.get(turn_b);
        for (double &v : want)
            v *= alpha;
        same<T>({back.begin(), back.end()}, want, "SpSM");
        c.gaps(old);
    }
}

// --- ILU ---------------------------------------------------------------------------------------

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

// Factors in place; where zeroPivot finds one, after the analysis and after the factoring.
template <class T>
static void factor(cusparseHandle_t h, const matrix<T> &m, on_device<T> &a, int at[2])
{
    typedef precision<T> P;
    ilu_state s(m.base);
    int size = 0, n = m.rows, nnz = m.nnz();
    OK(P::ilu_size(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                   &size));
    array<char> buffer(size);
    OK(P::ilu_analysis(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                       CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.data));
    for (int stage = 0; stage < 2; stage++) {
        if (stage)
            OK(P::ilu(h, n, nnz, s.descr, a.values.data, a.offsets.data, a.indices.data, s.info,
                      CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data));
        cusparseStatus_t status = cusparseXcsrilu02_zeroPivot(h, s.info, &at[stage]);
        expect(status == (at[stage] < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT),
               "zeroPivot's status", stage);
    }
}

// csrsv2 tells of a diagonal entry of 0, and of none.
template <class T> static void zero_divisors(cusparseHandle_t h)
{
    typedef precision<T> P;
    for (bool there : {true, false}) {
        matrix<T> m{3, 3, 1, {1, 2, 4, 5}, {1, 1, there ? 2 : 3, 3}, {1, 1, 0, 1}};
        on_device<T> a(m);
        vector<T> x(some<T>(3));
        csrsv2Info_t info;
        cusparseMatDescr_t descr;
        T one = 1;
        int at = 5;
        OK(cusparseCreateCsrsv2Info(&info));
        OK(cusparseCreateMatDescr(&descr));
        OK(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
        OK(P::sv_analysis(h, N, 3, 4, descr, a.values.data, a.offsets.data, a.indices.data, info,
                          CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        expect(cusparseXcsrsv2_zeroPivot(h, info, &at) ==
                   (there ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT),
               "zeroPivot of an analysis", there);
        expect(at == (there ? -1 : 2), "no diagonal entry", at);
        OK(P::sv_solve(h, N, 3, 4, &one, descr, a.values.data, a.offsets.data, a.indices.data, info,
                       x.values.data, x.values.data, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        IS(ZERO_PIVOT, cusparseXcsrsv2_zeroPivot(h, info, &at));
        expect(at == 2, "a diagonal entry of 0", at);
        OK(cusparseDestroyMatDescr(descr));
        OK(cusparseDestroyCsrsv2Info(info));
    }
}

template <class T> static void incomplete_factors(cusparseHandle_t h)
{
    for (int base = 0; base < 2; base++) {
        matrix<T> m = random_matrix<T>(150, 150, 9, base, true, false);
        on_device<T> a(m);
        int n = m.rows, at[2];
        std::vector<double> lu = m.dense(), want;
        std::vector<bool> in((size_t)n * n);
        for (int i = 0; i < n; i++)
            for (int k = m.offsets[i] - base; k < m.offsets[i + 1] - base; k++)
                in[(size_t)i * n + m.indices[k] - base] = true;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++)
                if (in[(size_t)i * n + k]) {
                    double l = lu[(size_t)i * n + k] /= lu[(size_t)k * n + k];
                    for (int j = k + 1; j < n; j++)
                        if (in[(size_t)i * n + j])
                            lu[(size_t)i * n + j] -= l * lu[(size_t)k * n + j];
                }
        for (int i = 0; i < n; i++)
            for (int k = m.offsets[i] - base; k < m.offsets[i + 1] - base; k++)
                want.push_back(lu[(size_t)i * n + m.indices[k] - base]);
        factor(h, m, a, at);
        same(a.values.get(), want, "csrilu02");
        expect(at[0] == -1 && at[1] == -1, "no zero pivot", base);
    }
    // Of three diagonals nothing is left out: L U is the matrix.
    matrix<T> m = chain<T>(300);
    on_device<T> a(m);
    int at[2];
    factor(h, m, a, at);
    matrix<T> lu = m;
    lu.values = a.values.get();
    std::vector<double> all = lu.dense(), product_of(m.values.size());
    for (int i = 0, e = 0; i < m.rows; i++)
        for (int k = m.offsets[i]; k < m.offsets[i + 1]; k++, e++)
            for (int j = 0, c = m.indices[k]; j <= std::min(i, c); j++)
                product_of[e] +=
                    (j == i ? 1 : all[(size_t)i * m.rows + j]) * all[(size_t)j * m.rows + c];
    same(m.values, product_of, "L U");
}

template <class T> static void zero_pivots(cusparseHandle_t h)
{
    int at[2];
    // [1 2; 2 4]: U's last is 0. Base 1: its row is 2.
    matrix<T> numeric{2, 2, 1, {1, 3, 5}, {1, 2, 1, 2}, {1, 2, 2, 4}};
    on_device<T> a(numeric);
    factor(h, numeric, a, at);
    expect(at[0] == -1 && at[1] == 2, "numeric zero", at[1]);
    matrix<T> structural{3, 3, 0, {0, 1, 2, 4}, {0, 2, 1, 2}, {1, 1, 1, 1}};
    on_device<T> b(structural);
    factor(h, structural, b, at);
    expect(at[0] == 1 && at[1] == 1, "structural zero", at[0]);
}

// --- sparse vectors ----------------------------------------------------------------------------

template <class T> static void vectors(cusparseHandle_t h)
{
    for (int base = 0; base < 2; base++) {
        std::vector<int> places = {3 + base, 900 + base, 17 + base, 0 + base, 999 + base};
        std::vector<T> values = some<T>(places.size()), old = some<T>(1000);
        array<int> indices(places);
        array<T> entries(values);
        vector<T> y(old);
        cusparseSpVecDescr_t x;
        OK(cusparseCreateSpVec(&x, 1000, 5, indices.data, entries.data, CUSPARSE_INDEX_32I,
                               (cusparseIndexBase_t)base, precision<T>::type));
        std::vector<double> want(old.begin(), old.end());
        T alpha = (T)2, beta = (T)-0.5, zero = 0;
        for (double &v : want)
            v *= beta;
        for (int k = 0; k < 5; k++)
            want[places[k] - base] += alpha * values[k];
        OK(cusparseAxpby(h, &alpha, x, &beta, y.v));
        same(y.values.get(), want, "Axpby");
        OK(cusparseScatter(h, x, y.v));
        for (int k = 0; k < 5; k++)
            want[places[k] - base] = values[k];
        same(y.values.get(), want, "Scatter");
        y.values.set(old);
        OK(cusparseGather(h, y.v, x));
        std::vector<T> got = entries.get();
        for (int k = 0; k < 5; k++)
            expect(got[k] == old[places[k] - base], "Gather", k);
        y.values.set(std::vector<T>(1000, std::numeric_limits<T>::quiet_NaN()));
        OK(cusparseAxpby(h, &alpha, x, &zero, y.v));
        want.assign(1000, 0);
        for (int k = 0; k < 5; k++)
            want[places[k] - base] = alpha * got[k];
        same(y.values.get(), want, "Axpby from nothing");
        OK(cusparseDestroySpVec(x));
    }
}

// --- graphs ------------------------------------------------------------------------------------

// ILU, a product with the transposed matrix and a solution, launched twice from a graph, give the
// bits that calls give.
template <class T> static void graphs(cusparseHandle_t h)
{
    typedef precision<T> P;
    matrix<T> m = random_matrix<T>(400, 400, 6, 0, true, false);
    on_device<T> a(m), lu(m);
    lu.triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT);
    vector<T> x(some<T>(400)), y(some<T>(400)), z(some<T>(400));
    ilu_state s(0);
    cusparseSpSVDescr_t d;
    cudaStream_t stream;
    T one = 1, zero = 0;
    size_t size_mv = 0, size_sv = 0;
    int size_lu = 0, n = m.rows, nnz = m.nnz();
    DONE(cudaStreamCreate(&stream));
    OK(cusparseSetStream(h, stream));
    OK(cusparseSpSV_createDescr(&d));
    OK(cusparseSpMV_bufferSize(h, T_, &one, a.a, x.v, &zero, y.v, P::type,
                               CUSPARSE_SPMV_ALG_DEFAULT, &size_mv));
    OK(cusparseSpSV_bufferSize(h, N, &one, lu.a, y.v, z.v, P::type, CUSPARSE_SPSV_ALG_DEFAULT, d,
                               &size_sv));
    OK(P::ilu_size(h, n, nnz, s.descr, lu.values.data, lu.offsets.data, lu.indices.data, s.info,
                   &size_lu));
    array<char> buffer_mv(size_mv), buffer_sv(size_sv), buffer_lu(size_lu);
    OK(P::ilu_analysis(h, n, nnz, s.descr, lu.values.data, lu.offsets.data, lu.indices.data, s.info,
                       CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer_lu.data));
    OK(cusparseSpSV_analysis(h, N, &one, lu.a, y.v, z.v, P::type, CUSPARSE_SPSV_ALG_DEFAULT, d,
                             buffer_sv.data));
    auto all = [&] {
        OK(P::ilu(h, n, nnz, s.descr, lu.values.data, lu.offsets.data, lu.indices.data, s.info,
                  CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer_lu.data));
        OK(cusparseSpMV(h, T_, &one, a.a, x.v, &zero, y.v, P::type, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer_mv.data));
        OK(cusparseSpSV_solve(h, N, &one, lu.a, y.v, z.v, P::type, CUSPARSE_SPSV_ALG_DEFAULT, d));
    };
    all();
    DONE(cudaStreamSynchronize(stream));
    std::vector<T> want = z.values.get(), nothing(400);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    all();
    DONE(cudaStreamEndCapture(stream, &graph));
    DONE(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int run = 0; run < 2; run++) {
        lu.values.set(m.values);
        z.values.set(nothing);
        DONE(cudaGraphLaunch(exec, stream));
        DONE(cudaStreamSynchronize(stream));
        expect(equal(want, z.values.get()), "graph", run);
    }
    DONE(cudaGraphExecDestroy(exec));
    DONE(cudaGraphDestroy(graph));
    OK(cusparseSpSV_destroyDescr(d));
    OK(cusparseSetStream(h, nullptr));
    DONE(cudaStreamDestroy(stream));
}

// --- descriptions and mistakes -----------------------------------------------------------------

static void descriptions(cusparseHandle_t h)
{
    int version = 0, major = 0;
    OK(cusparseGetVersion(h, &version));
    OK(cusparseGetProperty(MAJOR_VERSION, &major));
    expect(version == CUSPARSE_VERSION && major == version / 1000, "version", version);
    expect(std::string(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)) ==
               "CUSPARSE_STATUS_ZERO_PIVOT",
           "name");
    expect(std::string(cusparseGetErrorName((cusparseStatus_t)99)) == "unknown status", "no name");
    cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
    OK(cusparseGetPointerMode(h, &mode));
    expect(mode == CUSPARSE_POINTER_MODE_HOST, "pointer mode");
    cudaStream_t stream = nullptr, back = nullptr;
    DONE(cudaStreamCreate(&stream));
    OK(cusparseSetStream(h, stream));
    OK(cusparseGetStream(h, &back));
    expect(stream == back, "stream");
    OK(cusparseSetStream(h, nullptr));
    DONE(cudaStreamDestroy(stream));

    cusparseMatDescr_t descr;
    OK(cusparseCreateMatDescr(&descr));
    expect(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_GENERAL &&
               cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ZERO,
           "a new type");
    OK(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
    OK(cusparseSetMatFillMode(descr, CUSPARSE_FILL_MODE_UPPER));
    OK(cusparseSetMatDiagType(descr, CUSPARSE_DIAG_TYPE_UNIT));
    OK(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
    IS(INVALID_VALUE, cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)2));
    expect(cusparseGetMatType(descr) == CUSPARSE_MATRIX_TYPE_TRIANGULAR &&
               cusparseGetMatFillMode(descr) == CUSPARSE_FILL_MODE_UPPER &&
               cusparseGetMatDiagType(descr) == CUSPARSE_DIAG_TYPE_UNIT &&
               cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE,
           "a type");
    OK(cusparseDestroyMatDescr(descr));

    matrix<float> m = random_matrix<float>(20, 30, 4, 1, false, false);
    on_device<float> a(m);
    int64_t rows = 0, columns = 0, nnz = 0;
    void *offsets = nullptr, *indices = nullptr, *values = nullptr;
    cusparseIndexType_t of_offsets, of_indices;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFormat_t format;
    OK(cusparseCsrGet(a.a, &rows, &columns, &nnz, &offsets, &indices, &values, &of_offsets,
                      &of_indices, &base, &type));
    expect(rows == 20 && columns == 30 && nnz == m.nnz() && offsets == a.offsets.data &&
               indices == a.indices.data && values == a.values.data &&
               of_offsets == CUSPARSE_INDEX_32I && of_indices == CUSPARSE_INDEX_32I &&
               base == CUSPARSE_INDEX_BASE_ONE && type == CUDA_R_32F,
           "CsrGet");
    OK(cusparseSpMatGetFormat(a.a, &format));
    expect(format == CUSPARSE_FORMAT_CSR, "format");
    OK(cusparseSpMatSetValues(a.a, a.offsets.data));
    OK(cusparseSpMatGetValues(a.a, &values));
    expect(values == a.offsets.data, "values");
    OK(cusparseCsrSetPointers(a.a, a.offsets.data, a.indices.data, a.values.data));
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER;
    cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_UNIT;
    a.triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT);
    OK(cusparseSpMatGetAttribute(a.a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpMatGetAttribute(a.a, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
    expect(fill == CUSPARSE_FILL_MODE_LOWER && diag == CUSPARSE_DIAG_TYPE_UNIT, "attributes");
    IS(INVALID_VALUE, cusparseSpMatSetAttribute(a.a, CUSPARSE_SPMAT_FILL_MODE, &fill, 1));
}

static void mistakes(cusparseHandle_t h)
{
    matrix<float> m = random_matrix<float>(20, 30, 4, 0, false, false);
    matrix<float> square = random_matrix<float>(20, 20, 4, 0, true, false);
    on_device<float> a(m), sq(square);
    vector<float> x(some<float>(30)), y(some<float>(20));
    vector<double> wide(some<double>(20));
    float one = 1;
    size_t size = 0;
    IS(NOT_INITIALIZED, cusparseSetStream(nullptr, nullptr));
    IS(NOT_INITIALIZED, cusparseDestroy(nullptr));
    IS(INVALID_VALUE, cusparseCreate(nullptr));
    IS(INVALID_VALUE, cusparseSetPointerMode(h, (cusparsePointerMode_t)5));
    cusparseSpMatDescr_t none;
    IS(NOT_SUPPORTED,
       cusparseCreateCsr(&none, 2, 2, 1, nullptr, nullptr, nullptr, CUSPARSE_INDEX_64I,
                         CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    IS(INVALID_VALUE,
       cusparseCreateCsr(&none, -1, 2, 1, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    cusparseDnMatDescr_t flat;
    IS(INVALID_VALUE,
       cusparseCreateDnMat(&flat, 4, 3, 3, x.values.data, CUDA_R_32F, CUSPARSE_ORDER_COL));
#define SPMV(op, a, x, y, type, alg) cusparseSpMV(h, op, &one, a, x, &one, y, type, alg, nullptr)
    IS(INVALID_VALUE, SPMV(N, a.a, y.v, x.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(INVALID_VALUE, SPMV(T_, a.a, y.v, x.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT)); // no buffer
    IS(INVALID_VALUE, SPMV(N, nullptr, x.v, y.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(NOT_SUPPORTED, SPMV(N, a.a, x.v, y.v, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(NOT_SUPPORTED, SPMV(N, a.a, x.v, wide.v, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    IS(NOT_SUPPORTED, SPMV(N, a.a, x.v, y.v, CUDA_R_32F, CUSPARSE_SPMV_COO_ALG1));
    IS(INVALID_VALUE, cusparseSpMV_bufferSize(h, (cusparseOperation_t)7, &one, a.a, x.v, &one, y.v,
                                              CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size));

    cusparseSpSVDescr_t d;
    OK(cusparseSpSV_createDescr(&d));
#define SPSV(call, a, ...)                                                                         \
    cusparseSpSV_##call(h, N, &one, a, y.v, y.v, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,            \
                        d __VA_ARGS__)
    IS(INVALID_VALUE, SPSV(solve, sq.a, )); // not analysed
    IS(INVALID_VALUE, SPSV(bufferSize, a.a, , &size));
    OK(SPSV(bufferSize, sq.a, , &size));
    array<char> buffer(size);
    std::vector<int> bad = square.indices;
    bad[5] = 20;
    sq.indices.set(bad);
    IS(INVALID_VALUE, SPSV(analysis, sq.a, , buffer.data)); // a column beyond the matrix
    sq.indices.set(square.indices);
    OK(SPSV(analysis, sq.a, , buffer.data));
    sq.triangle(CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_UNIT);
    IS(INVALID_VALUE, SPSV(solve, sq.a, )); // the other triangle
    OK(cusparseSpSV_destroyDescr(d));

    ilu_state s(0);
    matrix<float> open = random_matrix<float>(30, 30, 9, 0, true, true);
    on_device<float> unsorted(open);
    array<char> room(4096);
#define ILU(call)                                                                                  \
    cusparseScsrilu02##call(h, 30, open.nnz(), s.descr, unsorted.values.data,                      \
                            unsorted.offsets.data, unsorted.indices.data, s.info,                  \
                            CUSPARSE_SOLVE_POLICY_USE_LEVEL, room.data)
    IS(NOT_SUPPORTED, ILU(_analysis));
    IS(INVALID_VALUE, ILU()); // not analysed
    OK(cusparseSetMatType(s.descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    IS(MATRIX_TYPE_NOT_SUPPORTED, ILU(_analysis));
}

template <class T> static void both(cusparseHandle_t h)
{
    products<T>(h);
    products_of_matrices<T>(h);
    triangles<T>(h);
    triangles_of_matrices<T>(h);
    incomplete_factors<T>(h);
    zero_pivots<T>(h);
    zero_divisors<T>(h);
    vectors<T>(h);
    graphs<T>(h);
}

int main()
{
    cusparseHandle_t h;
    OK(cusparseCreate(&h));
    both<float>(h);
    both<double>(h);
    descriptions(h);
    mistakes(h);
    OK(cusparseDestroy(h));
    DONE(cudaDeviceSynchronize());
    printf("%d checks, %d failures\n", checks, failures);
    puts(failures ? "FAILED" : "PASSED");
    return failures != 0;
}
