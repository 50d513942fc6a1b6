// Matrices in blocks (BSR, Blocked-ELL) and slices: products, also of halves, SDDMM, DenseToSparse.
#include <cuda_fp16.h>

#include "sparse.h"

namespace
{

inline double number(__half x)
{
    return (double)(float)x;
}
inline double number(float x)
{
    return x;
}
inline double number(double x)
{
    return x;
}

// Stored elements of groups of `height` rows, and the same as a dense matrix.
template <class T> struct grouped {
    int rows, columns, height, width, base;
    std::vector<int> offsets, indices;
    std::vector<T> values;
    std::vector<double> all;
    grouped(int r, int c, int h, int w, int b)
        : rows(r), columns(c), height(h), width(w), base(b), all((size_t)r * c)
    {
    }
    void put(int i, int j, size_t at, double x)
    {
        values[at] = (T)x;
        all[(size_t)i * columns + j] = number(values[at]);
    }
};

// Columns of blocks that differ, in any order.
std::vector<int> some_columns(int most, int of)
{
    std::vector<int> out;
    for (int j = 0; j < of; j++)
        if (below(of) < most)
            out.push_back(j);
    for (size_t i = out.size(); i > 1; i--)
        std::swap(out[i - 1], out[below((int)i)]);
    return out;
}

template <class T>
grouped<T> bsr(int block_rows, int block_columns, int h, int w, int base, bool by_columns)
{
    grouped<T> m(block_rows * h, block_columns * w, h, w, base);
    m.offsets = {base};
    for (int g = 0; g < block_rows; g++) {
        for (int j : some_columns(g % 3 * 3, block_columns)) {
            size_t first = m.values.size();
            m.indices.push_back(j + base);
            m.values.resize(first + h * w);
            for (int r = 0; r < h; r++)
                for (int c = 0; c < w; c++)
                    m.put(g * h + r, j * w + c, first + (by_columns ? c * h + r : r * w + c),
                          below(9) - 4);
        }
        m.offsets.push_back((int)m.indices.size() + base);
    }
    return m;
}

template <class T> grouped<T> sliced(int rows, int columns, int h, int base)
{
    grouped<T> m(rows, columns, h, 1, base);
    m.offsets = {base};
    for (int first = 0; first < rows; first += h) {
        std::vector<std::vector<int>> of(h);
        size_t longest = 0, at = m.values.size();
        for (int r = 0; r < h && first + r < rows; r++) {
            of[r] = some_columns(r * 2, columns);
            longest = std::max(longest, of[r].size());
        }
        m.values.resize(at + longest * h, (T)7); // of the padding, too
        for (size_t k = 0; k < longest; k++)
            for (int r = 0; r < h; r++, at++) {
                bool there = k < of[r].size();
                m.indices.push_back(there ? of[r][k] + base : -1);
                if (there)
                    m.put(first + r, of[r][k], at, below(9) - 4);
            }
        m.offsets.push_back((int)m.values.size() + base);
    }
    return m;
}

template <class T> grouped<T> ell(int block_rows, int block_columns, int side, int blocks, int base)
{
    grouped<T> m(block_rows * side, block_columns * side, side, side, base);
    int stored = blocks * side;
    m.values.resize((size_t)m.rows * stored, (T)7);
    for (int g = 0; g < block_rows; g++) {
        std::vector<int> of = some_columns(blocks, block_columns);
        for (int k = 0; k < blocks; k++) {
            bool there = k < (int)of.size();
            m.indices.push_back(there ? of[k] + base : -1);
            for (int r = 0; there && r < side; r++)
                for (int c = 0; c < side; c++)
                    m.put(g * side + r, of[k] * side + c,
                          (size_t)(g * side + r) * stored + k * side + c, below(9) - 4);
        }
    }
    return m;
}

// Its arrays on the device. I: of the indices.
template <class T, class I> struct arrays {
    array<I> offsets, indices;
    array<T> values;
    cusparseIndexType_t index = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    cusparseSpMatDescr_t a = nullptr;
    explicit arrays(const grouped<T> &m)
        : offsets(std::vector<I>(m.offsets.begin(), m.offsets.end())),
          indices(std::vector<I>(m.indices.begin(), m.indices.end())), values(m.values)
    {
    }
    ~arrays()
    {
        OK(cusparseDestroySpMat(a));
    }
    void as_bsr(const grouped<T> &m, bool by_columns, cudaDataType type)
    {
        OK(cusparseCreateBsr(&a, m.rows / m.height, m.columns / m.width, (int64_t)m.indices.size(),
                             m.height, m.width, offsets.data, indices.data, values.data, index,
                             index, (cusparseIndexBase_t)m.base, type,
                             by_columns ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW));
    }
    void as_slices(const grouped<T> &m, cudaDataType type)
    {
        int64_t size = (int64_t)m.values.size(),
                nnz = size - std::count(m.indices.begin(), m.indices.end(), -1);
        OK(cusparseCreateSlicedEll(&a, m.rows, m.columns, nnz, size, m.height, offsets.data,
                                   indices.data, values.data, index, index,
                                   (cusparseIndexBase_t)m.base, type));
    }
    void as_ell(const grouped<T> &m, cudaDataType type)
    {
        OK(cusparseCreateBlockedEll(&a, m.rows, m.columns, m.height,
                                    (int64_t)m.values.size() / m.rows, indices.data, values.data,
                                    index, (cusparseIndexBase_t)m.base, type));
    }
};

template <class T> std::vector<T> whole(size_t n)
{
    std::vector<T> out(n);
    for (T &x : out)
        x = (T)(below(9) - 4);
    return out;
}

template <class T> std::vector<double> doubles(const std::vector<T> &from)
{
    std::vector<double> out;
    for (const T &x : from)
        out.push_back(number(x));
    return out;
}

// Small whole numbers: every sum is exact. S: the type of sums.
template <class T, class S>
void multiply(cusparseHandle_t h, const grouped<T> &m, cusparseSpMatDescr_t a, cudaDataType type,
              cusparseSpMVAlg_t alg)
{
    const S alpha = 2, beta = m.base ? (S)-1 : 0;
    std::vector<T> from = whole<T>(m.columns), old = whole<T>(m.rows);
    array<T> x(from), y(old);
    cusparseDnVecDescr_t vx, vy;
    OK(cusparseCreateDnVec(&vx, m.columns, x.data, type));
    OK(cusparseCreateDnVec(&vy, m.rows, y.data, type));
    size_t size = 1;
    OK(cusparseSpMV_bufferSize(h, N, &alpha, a, vx, &beta, vy, precision<S>::type, alg, &size));
    array<char> buffer(size);
    OK(cusparseSpMV(h, N, &alpha, a, vx, &beta, vy, precision<S>::type, alg, buffer.data));
    expect(doubles(y.get()) == product(m.all, m.rows, m.columns, false, doubles(from), doubles(old),
                                       1, (double)alpha, (double)beta),
           "SpMV of blocks", m.height, m.width);
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
}

// Two products of one matrix, by columns; b is stored transposed.
template <class T, class S>
void multiply_matrices(cusparseHandle_t h, const grouped<T> &m, cusparseSpMatDescr_t a,
                       cudaDataType type, cusparseSpMMAlg_t alg)
{
    const int n = 5;
    const S alpha = -1, beta = 2;
    std::vector<T> from = whole<T>(2 * (size_t)n * m.columns),
                   old = whole<T>(2 * (size_t)n * m.rows);
    array<T> x(from), y(old);
    cusparseDnMatDescr_t b, c;
    OK(cusparseCreateDnMat(&b, n, m.columns, n, x.data, type, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&c, m.rows, n, n, y.data, type, CUSPARSE_ORDER_ROW));
    OK(cusparseDnMatSetStridedBatch(b, 2, (int64_t)n * m.columns));
    OK(cusparseDnMatSetStridedBatch(c, 2, (int64_t)n * m.rows));
    size_t size = 1;
    OK(cusparseSpMM_bufferSize(h, N, T_, &alpha, a, b, &beta, c, precision<S>::type, alg, &size));
    array<char> buffer(size);
    OK(cusparseSpMM(h, N, T_, &alpha, a, b, &beta, c, precision<S>::type, alg, buffer.data));
    std::vector<double> have = doubles(y.get()), want;
    for (int i = 0; i < 2; i++) {
        std::vector<double> one = doubles(std::vector<T>(from.begin() + i * n * m.columns,
                                                         from.begin() + (i + 1) * n * m.columns));
        std::vector<double> before = doubles(
            std::vector<T>(old.begin() + i * n * m.rows, old.begin() + (i + 1) * n * m.rows));
        one = product(m.all, m.rows, m.columns, false, one, before, n, (double)alpha, (double)beta);
        want.insert(want.end(), one.begin(), one.end());
    }
    expect(have == want, "SpMM of blocks", m.height, m.width);
    OK(cusparseDestroyDnMat(b));
    OK(cusparseDestroyDnMat(c));
}

template <class T, class S, class I> void products_of_blocks(cusparseHandle_t h, cudaDataType type)
{
    const int shapes[][2] = {{1, 1}, {2, 3}, {4, 4}, {5, 2}};
    for (int kind = 0; kind < 16; kind++) {
        const int *s = shapes[kind / 4], base = kind & 1;
        const bool by_columns = kind & 2;
        grouped<T> m = bsr<T>(13, 9, s[0], s[1], base, by_columns);
        arrays<T, I> a(m);
        a.as_bsr(m, by_columns, type);
        multiply<T, S>(h, m, a.a, type, base ? CUSPARSE_SPMV_BSR_ALG1 : CUSPARSE_SPMV_ALG_DEFAULT);
        multiply_matrices<T, S>(h, m, a.a, type,
                                base ? CUSPARSE_SPMM_BSR_ALG1 : CUSPARSE_SPMM_ALG_DEFAULT);
        grouped<T> slices = sliced<T>(37, 20, s[0] + s[1], base);
        arrays<T, I> b(slices);
        b.as_slices(slices, type);
        multiply<T, S>(h, slices, b.a, type,
                       base ? CUSPARSE_SPMV_SELL_ALG1 : CUSPARSE_SPMV_ALG_DEFAULT);
        multiply_matrices<T, S>(h, slices, b.a, type, CUSPARSE_SPMM_ALG_DEFAULT);
        grouped<T> wide = ell<T>(6, 11, s[0], 4, base);
        arrays<T, I> c(wide);
        c.as_ell(wide, type);
        multiply<T, S>(h, wide, c.a, type, CUSPARSE_SPMV_ALG_DEFAULT);
        multiply_matrices<T, S>(h, wide, c.a, type,
                                base ? CUSPARSE_SPMM_BLOCKED_ELL_ALG1 : CUSPARSE_SPMM_ALG_DEFAULT);
    }
}

template <class T> struct old_calls;
#define OLD(T, R)                                                                                  \
    template <> struct old_calls<T> {                                                              \
        static constexpr auto mv = cusparse##R##bsrmv;                                             \
        static constexpr auto mm = cusparse##R##bsrmm;                                             \
    };
OLD(float, S)
OLD(double, D)

template <class T> void before_generic_calls(cusparseHandle_t h)
{
    cusparseMatDescr_t descr;
    OK(cusparseCreateMatDescr(&descr));
    for (int kind = 0; kind < 4; kind++) {
        const bool by_columns = kind & 1;
        const int n = 3, base = kind / 2;
        grouped<T> m = bsr<T>(7, 8, 3, 3, base, by_columns);
        arrays<T, int> a(m);
        a.as_bsr(m, by_columns, precision<T>::type);
        const cusparseDirection_t direction =
            by_columns ? CUSPARSE_DIRECTION_COLUMN : CUSPARSE_DIRECTION_ROW;
        OK(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base));
        std::vector<T> from = whole<T>((size_t)n * m.columns), old = whole<T>((size_t)n * m.rows);
        array<T> x(from), y(old);
        const T alpha = 3, beta = -2;
        const int blocks = (int)m.indices.size();
        OK(old_calls<T>::mv(h, direction, N, 7, 8, blocks, &alpha, descr, a.values.data,
                            a.offsets.data, a.indices.data, 3, x.data, &beta, y.data));
        std::vector<double> want =
            product(m.all, m.rows, m.columns, false, doubles(from), doubles(old), 1, 3, -2);
        std::vector<double> have = doubles(y.get());
        have.resize(m.rows);
        expect(have == want, "bsrmv", kind);
        y.set(old);
        // b transposed: its rows lie one behind the other; c by columns
        OK(old_calls<T>::mm(h, direction, N, T_, 7, n, 8, blocks, &alpha, descr, a.values.data,
                            a.offsets.data, a.indices.data, 3, x.data, n, &beta, y.data, m.rows));
        std::vector<double> turned((size_t)n * m.rows);
        for (int i = 0; i < m.rows; i++)
            for (int j = 0; j < n; j++)
                turned[(size_t)i * n + j] = (double)old[(size_t)j * m.rows + i];
        want = product(m.all, m.rows, m.columns, false, doubles(from), turned, n, 3, -2);
        have = doubles(y.get());
        bool equal = true;
        for (int i = 0; i < m.rows; i++)
            for (int j = 0; j < n; j++)
                equal &= have[(size_t)j * m.rows + i] == want[(size_t)i * n + j];
        expect(equal, "bsrmm", kind);
        IS(NOT_SUPPORTED,
           old_calls<T>::mv(h, direction, T_, 7, 8, blocks, &alpha, descr, a.values.data,
                            a.offsets.data, a.indices.data, 3, x.data, &beta, y.data));
        IS(INVALID_VALUE,
           old_calls<T>::mm(h, direction, N, N, 7, n, 8, blocks, &alpha, descr, a.values.data,
                            a.offsets.data, a.indices.data, 3, x.data, 23, &beta, y.data, m.rows));
    }
    OK(cusparseDestroyMatDescr(descr));
}

template <class T> void fill_blocks(cusparseHandle_t h)
{
    const int inner = 6;
    const T alpha = 2, beta = -1;
    for (int kind = 0; kind < 4; kind++) {
        const bool by_columns = kind & 1;
        grouped<T> m = bsr<T>(7, 8, 2, 3, kind / 2, by_columns);
        arrays<T, int> c(m);
        c.as_bsr(m, by_columns, precision<T>::type);
        dense<T> a(m.rows, inner, true), b(inner, m.columns, false);
        size_t size = 1;
        OK(cusparseSDDMM_bufferSize(h, N, N, &alpha, a.m, b.m, &beta, c.a, precision<T>::type,
                                    CUSPARSE_SDDMM_ALG_DEFAULT, &size));
        array<char> buffer(size);
        OK(cusparseSDDMM(h, N, N, &alpha, a.m, b.m, &beta, c.a, precision<T>::type,
                         CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data));
        std::vector<double> p = product(a.get(), m.rows, inner, false, b.get(), m.all, m.columns,
                                        (double)alpha, (double)beta),
                            want(m.values.size());
        for (int g = 0; g < 7; g++)
            for (int k = m.offsets[g] - m.base; k < m.offsets[g + 1] - m.base; k++)
                for (int i = 0; i < 6; i++) {
                    int r = by_columns ? i % 2 : i / 3, q = by_columns ? i / 2 : i % 3;
                    want[k * 6 + i] =
                        p[(size_t)(g * 2 + r) * m.columns + (m.indices[k] - m.base) * 3 + q];
                }
        same(c.values.get(), want, "SDDMM of blocks");
    }
    for (bool by_row : {false, true}) {
        grouped<T> m = ell<T>(6, 11, 3, 4, by_row);
        arrays<T, int> a(m);
        a.as_ell(m, precision<T>::type);
        dense<T> from(m.rows, m.columns, by_row);
        std::vector<double> all = from.get(), want;
        for (int i = 0; i < m.rows; i++)
            for (int k = 0; k < 12; k++) {
                int column = m.indices[(size_t)i / 3 * 4 + k / 3] - m.base;
                want.push_back(column < 0 ? 0 : all[(size_t)i * m.columns + column * 3 + k % 3]);
            }
        size_t size = 0;
        OK(cusparseDenseToSparse_bufferSize(h, from.m, a.a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                            &size));
        array<char> buffer(size);
        OK(cusparseDenseToSparse_analysis(h, from.m, a.a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                          buffer.data));
        OK(cusparseDenseToSparse_convert(h, from.m, a.a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         buffer.data));
        expect(doubles(a.values.get()) == want, "DenseToSparse, blocks", by_row);
        IS(NOT_SUPPORTED,
           cusparseSparseToDense(h, a.a, from.m, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.data));
    }
}

// A triangle in slices with the padding at different ends of the rows.
template <class T> void solve_slices(cusparseHandle_t h)
{
    for (int kind = 0; kind < 4; kind++) {
        const int n = 41, side = 4, base = kind & 1;
        const bool lower = kind & 2;
        grouped<T> m(n, n, side, 1, base);
        m.offsets = {base};
        for (int first = 0; first < n; first += side) {
            const int longest = 5;
            size_t at = m.values.size();
            m.values.resize(at + side * longest, (T)7);
            for (int k = 0; k < longest; k++)
                for (int i = first; i < first + side; i++, at++) {
                    int j = lower ? i - 2 * k : i + 2 * k;
                    bool there = i < n && j >= 0 && j < n && k <= i % 5;
                    m.indices.push_back(there ? j + base : -1);
                    if (there)
                        m.put(i, j, at, k ? next() / 4 : 2 + next());
                }
            m.offsets.push_back((int)m.values.size() + base);
        }
        arrays<T, int> a(m);
        a.as_slices(m, precision<T>::type);
        cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
        OK(cusparseSpMatSetAttribute(a.a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        std::vector<T> right = some<T>(n);
        vector<T> b(right), x(some<T>(n));
        T alpha = 2;
        size_t size = 0;
        cusparseSpSVDescr_t s;
        OK(cusparseSpSV_createDescr(&s));
        OK(cusparseSpSV_bufferSize(h, N, &alpha, a.a, b.v, x.v, precision<T>::type,
                                   CUSPARSE_SPSV_ALG_DEFAULT, s, &size));
        array<char> buffer(size);
        OK(cusparseSpSV_analysis(h, N, &alpha, a.a, b.v, x.v, precision<T>::type,
                                 CUSPARSE_SPSV_ALG_DEFAULT, s, buffer.data));
        OK(cusparseSpSV_solve(h, N, &alpha, a.a, b.v, x.v, precision<T>::type,
                              CUSPARSE_SPSV_ALG_DEFAULT, s));
        std::vector<T> got = x.values.get();
        std::vector<double> want(n);
        for (int i = 0; i < n; i++)
            want[i] = 2 * (double)right[i];
        std::vector<double> back =
            product(m.all, n, n, false, {got.begin(), got.end()}, want, 1, 1, 0);
        same<T>({back.begin(), back.end()}, want, "SpSV of slices");
        IS(NOT_SUPPORTED, cusparseSpSV_bufferSize(h, T_, &alpha, a.a, b.v, x.v, precision<T>::type,
                                                  CUSPARSE_SPSV_ALG_DEFAULT, s, &size));
        OK(cusparseSpSV_destroyDescr(s));
    }
}

template <class T> void descriptions_of_blocks(cusparseHandle_t h)
{
    grouped<T> m = ell<T>(4, 4, 2, 2, 1);
    arrays<T, int> a(m);
    a.as_ell(m, precision<T>::type);
    int64_t rows, columns, nnz, side, stored;
    void *indices, *values;
    cusparseIndexType_t index;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFormat_t format;
    OK(cusparseBlockedEllGet(a.a, &rows, &columns, &side, &stored, &indices, &values, &index, &base,
                             &type));
    expect(rows == 8 && columns == 8 && side == 2 && stored == 4 && indices == a.indices.data &&
               values == a.values.data && index == CUSPARSE_INDEX_32I &&
               base == CUSPARSE_INDEX_BASE_ONE && type == precision<T>::type,
           "BlockedEllGet");
    OK(cusparseSpMatGetFormat(a.a, &format));
    OK(cusparseSpMatGetSize(a.a, &rows, &columns, &nnz));
    expect(format == CUSPARSE_FORMAT_BLOCKED_ELL && nnz == 32, "a blocked format");
    T one = 1;
    vector<T> x(some<T>(8)), y(some<T>(8));
    size_t size;
    IS(NOT_SUPPORTED, cusparseSpMV_bufferSize(h, T_, &one, a.a, x.v, &one, y.v, precision<T>::type,
                                              CUSPARSE_SPMV_ALG_DEFAULT, &size));
    IS(NOT_SUPPORTED, cusparseSpMV_bufferSize(h, N, &one, a.a, x.v, &one, y.v, precision<T>::type,
                                              CUSPARSE_SPMV_CSR_ALG1, &size));
    IS(NOT_SUPPORTED, cusparseSpMV_bufferSize(h, N, &one, a.a, x.v, &one, y.v, precision<T>::type,
                                              CUSPARSE_SPMV_BSR_ALG1, &size));
    cusparseSpSVDescr_t solution;
    OK(cusparseSpSV_createDescr(&solution));
    IS(NOT_SUPPORTED, cusparseSpSV_bufferSize(h, N, &one, a.a, x.v, y.v, precision<T>::type,
                                              CUSPARSE_SPSV_ALG_DEFAULT, solution, &size));
    OK(cusparseSpSV_destroyDescr(solution));
    cusparseSpMatDescr_t no;
    IS(INVALID_VALUE,
       cusparseCreateBlockedEll(&no, 8, 8, 3, 6, nullptr, nullptr, index, base, type));
    IS(INVALID_VALUE,
       cusparseCreateBlockedEll(&no, 8, 8, 0, 4, nullptr, nullptr, index, base, type));
    OK(cusparseCreateBlockedEll(&no, 0, 8, 2, 4, nullptr, nullptr, index, base, type)); // no rows
    OK(cusparseDestroySpMat(no));
    IS(INVALID_VALUE, cusparseCreateBsr(&no, 2, 2, 1, 2, 0, nullptr, nullptr, nullptr, index, index,
                                        base, type, CUSPARSE_ORDER_ROW));
    IS(NOT_SUPPORTED, cusparseCreateBsr(&no, 1 << 16, 2, 1, 1 << 16, 2, nullptr, nullptr, nullptr,
                                        index, index, base, type, CUSPARSE_ORDER_ROW));
    IS(INVALID_VALUE, cusparseCreateSlicedEll(&no, 8, 8, 9, 8, 2, nullptr, nullptr, nullptr, index,
                                              index, base, type));
}

} // namespace

template <class T> void blocked(cusparseHandle_t h)
{
    products_of_blocks<T, T, int>(h, precision<T>::type);
    products_of_blocks<T, T, long long>(h, precision<T>::type);
    products_of_blocks<__half, float, int>(h, CUDA_R_16F);
    before_generic_calls<T>(h);
    fill_blocks<T>(h);
    solve_slices<T>(h);
    descriptions_of_blocks<T>(h);
}
template void blocked<float>(cusparseHandle_t h);
template void blocked<double>(cusparseHandle_t h);
