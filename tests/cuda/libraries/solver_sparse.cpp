// cuSOLVER's sparse part: solutions put back into their systems, at once, in single steps and in
// batches.
#include "solver_rows.h"

namespace
{

cusolverSpHandle_t handle;

template <class T> struct calls;
#define CALLS(T, R)                                                                                \
    template <> struct calls<T> {                                                                  \
        static constexpr auto lu_host = cusolverSp##R##csrlsvluHost;                               \
        static constexpr auto qr = cusolverSp##R##csrlsvqr;                                        \
        static constexpr auto qr_host = cusolverSp##R##csrlsvqrHost;                               \
        static constexpr auto chol = cusolverSp##R##csrlsvchol;                                    \
        static constexpr auto chol_host = cusolverSp##R##csrlsvcholHost;                           \
    };
CALLS(float, S)
CALLS(double, D)

template <class T> using solve = decltype(calls<T>::qr);

template <class T> struct solution {
    std::vector<T> x;
    int singularity = -7;
};

template <class T>
solution<T> run(solve<T> call, bool on_host, const rows &a, const std::vector<T> &b)
{
    description d(a.base);
    std::vector<T> values(a.values.begin(), a.values.end());
    solution<T> s{std::vector<T>(a.n, (T)77), -7};
    if (on_host) {
        OK(call(handle, a.n, a.nnz(), d.of, values.data(), a.offsets.data(), a.columns.data(),
                b.data(), (T)1e-6, 1, s.x.data(), &s.singularity));
        return s;
    }
    room<T> on_values(values.size()), on_b(b.size()), on_x(s.x.size());
    room<int> offsets(a.offsets.size()), columns(a.columns.size());
    cudaMemcpy(on_values.device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(on_b.device, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(on_x.device, s.x.data(), s.x.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(offsets.device, a.offsets.data(), a.offsets.size() * sizeof(int),
               cudaMemcpyHostToDevice);
    cudaMemcpy(columns.device, a.columns.data(), a.columns.size() * sizeof(int),
               cudaMemcpyHostToDevice);
    OK(call(handle, a.n, a.nnz(), d.of, on_values.device, offsets.device, columns.device,
            on_b.device, (T)1e-6, 0, on_x.device, &s.singularity));
    s.x = on_x.got();
    return s;
}

template <class T>
void check(solve<T> call, bool on_host, const rows &given, const dense &means, const char *what)
{
    std::vector<T> b(given.n);
    for (T &x : b)
        x = (T)next_number();
    solution<T> s = run<T>(call, on_host, given, b);
    expect(s.singularity == -1, what, s.singularity);
    dense x(given.n, 1), want(given.n, 1);
    for (int i = 0; i < given.n; i++) {
        x(i, 0) = s.x[i];
        want(i, 0) = b[i];
    }
    dense back = means * x;
    double size = 1 + x.most();
    for (int i = 0; i < given.n; i++) {
        back(i, 0) /= size;
        want(i, 0) /= size;
    }
    near<T>(back, want, what);
}

template <class T> void is_singular(solve<T> call, bool on_host, const dense &a, const char *what)
{
    rows given(a, 0);
    solution<T> s = run<T>(call, on_host, given, std::vector<T>(a.n, (T)1));
    expect(s.singularity >= 0 && s.singularity < a.n, what, s.singularity);
    for (T x : s.x)
        expect(x == (T)77, what, x);
}

template <class T> void general(const dense &a, int base)
{
    rows given(a, base);
    check<T>(calls<T>::lu_host, true, given, a, "csrlsvluHost");
    check<T>(calls<T>::qr_host, true, given, a, "csrlsvqrHost");
    check<T>(calls<T>::qr, false, given, a, "csrlsvqr");
}

// Of the upper triangle, in any order of rows, only the pattern counts.
template <class T> void positive(const dense &half, int base)
{
    dense a = half, given = half;
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < i; j++) {
            a(j, i) = a(i, j) = a(i, j) + a(j, i);
            given(i, j) = a(i, j);
            given(j, i) = a(i, j) == 0.0 ? 0 : 99;
        }
    rows r(given, base);
    check<T>(calls<T>::chol_host, true, r, a, "csrlsvcholHost");
    check<T>(calls<T>::chol, false, r, a, "csrlsvchol");
}

template <class T> void solutions()
{
    general<T>(sparse_matrix(75, 4, 9, 3), 0);
    general<T>(sparse_matrix(40, 3, 40, 3), 1);
    positive<T>(sparse_matrix(75, 4, 9, 20), 1);
    positive<T>(sparse_matrix(33, 2, 33, 20), 0);
    dense full(80, 80); // a band without gaps
    for (int i = 0; i < 80; i++)
        for (int j = std::max(0, i - 5); j < std::min(80, i + 8); j++)
            full(i, j) = (float)next_number() + (i == j ? 6 : 0);
    general<T>(full, 0);
    general<T>(sparse_matrix(1, 0, 1, 2), 0);
    positive<T>(sparse_matrix(35, 0, 1, 2), 0);               // a diagonal
    dense turned = sparse_matrix(36, 0, 1, 2), other(36, 36); // nothing on the diagonal
    for (int i = 0; i < 36; i++)
        for (int j = 0; j < 36; j++)
            other(i, (j + 1) % 36) = turned(i, j) * (i % 2 ? 1.0 : -1.0);
    general<T>(other, 0);
    dense flat = sparse_matrix(40, 4, 9, 20);
    for (int i = 0; i < 40; i++)
        flat(i, 17) = flat(17, i) = 0;
    flat(17, 17) = 1e-14; // its root is a pivot, too
    is_singular<T>(calls<T>::lu_host, true, flat, "csrlsvluHost: singular");
    is_singular<T>(calls<T>::qr_host, true, flat, "csrlsvqrHost: singular");
    is_singular<T>(calls<T>::qr, false, flat, "csrlsvqr: singular");
    is_singular<T>(calls<T>::chol_host, true, flat, "csrlsvcholHost: singular");
    is_singular<T>(calls<T>::chol, false, flat, "csrlsvchol: singular");
}

// --- single steps ------------------------------------------------------------------------------

// A system on the host or on the device.
template <class T> struct system_at {
    bool on_host;
    std::vector<T> values, b, x;
    room<T> on_values, on_b, on_x;
    room<int> on_offsets, on_columns;
    const rows &given;
    system_at(const rows &a, bool host)
        : on_host(host), values(a.values.begin(), a.values.end()), b(a.n), x(a.n),
          on_values(values.size()), on_b(a.n), on_x(a.n), on_offsets(a.offsets.size()),
          on_columns(a.columns.size()), given(a)
    {
        cudaMemcpy(on_offsets.device, a.offsets.data(), a.offsets.size() * sizeof(int),
                   cudaMemcpyHostToDevice);
        cudaMemcpy(on_columns.device, a.columns.data(), a.columns.size() * sizeof(int),
                   cudaMemcpyHostToDevice);
    }
    void put()
    {
        for (T &v : b)
            v = (T)next_number();
        cudaMemcpy(on_values.device, values.data(), values.size() * sizeof(T),
                   cudaMemcpyHostToDevice);
        cudaMemcpy(on_b.device, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    void check(const dense &a, double scale, const char *what)
    {
        dense got(given.n, 1), want(given.n, 1);
        if (!on_host)
            x = on_x.got();
        for (int i = 0; i < given.n; i++) {
            got(i, 0) = x[i] * scale;
            want(i, 0) = b[i];
        }
        near<T>(a * got, want, what);
    }
};
#define AT(s, what) ((s).on_host ? (s).what.data() : (s).on_##what.device)
#define PATTERN(s)                                                                                 \
    (s).on_host ? (s).given.offsets.data() : (s).on_offsets.device,                                \
        (s).on_host ? (s).given.columns.data() : (s).on_columns.device
#define MATRIX(s) (s).given.nnz(), d.of, AT(s, values), PATTERN(s)

// Analysed once, factored twice, solved twice with each factor. The size is behind `make`.
#define STEPS(T, R, name, Where, host, make, ...)                                                  \
    {                                                                                              \
        system_at<T> s(given, host);                                                               \
        csr##name##Info##Where##_t info;                                                           \
        size_t internal = 0, work = 0;                                                             \
        int at = 7;                                                                                \
        OK(cusolverSpCreateCsr##name##Info##Where(&info));                                         \
        IS(INVALID_VALUE, cusolverSp##R##csr##name##ZeroPivot##Where(handle, info, 0, &at));       \
        OK(cusolverSpXcsr##name##Analysis##Where(handle, __VA_ARGS__, s.given.nnz(), d.of,         \
                                                 PATTERN(s), info));                               \
        OK(cusolverSp##R##csr##name##BufferInfo##Where(handle, __VA_ARGS__, MATRIX(s), info,       \
                                                       &internal, &work));                         \
        expect(internal >= s.values.size() * sizeof(T) && work > 0, "csr" #name "BufferInfo");     \
        for (double scale : {1.0, 2.0}) {                                                          \
            s.put();                                                                               \
            make;                                                                                  \
            OK(cusolverSp##R##csr##name##ZeroPivot##Where(handle, info, (T)1e-6, &at));            \
            expect(at == -1, "csr" #name "ZeroPivot", at);                                         \
            for (int turn = 0; turn < 2; turn++) {                                                 \
                s.put();                                                                           \
                OK(cusolverSp##R##csr##name##Solve##Where(handle, __VA_ARGS__, AT(s, b), AT(s, x), \
                                                          info, nullptr));                         \
                s.check(a, scale, "csr" #name "Solve" #Where);                                     \
            }                                                                                      \
            for (T & v : s.values)                                                                 \
                v *= 2;                                                                            \
        }                                                                                          \
        OK(cusolverSpDestroyCsr##name##Info##Where(info));                                         \
    }
#define SET_UP(R, Where, mu) cusolverSp##R##csrqrSetup##Where(handle, n, n, MATRIX(s), mu, info)
#define QR_STEPS(T, R, Where, host)                                                                \
    STEPS(T, R, qr, Where, host, IS(NOT_SUPPORTED, SET_UP(R, Where, 1)); OK(SET_UP(R, Where, 0));  \
          OK(cusolverSp##R##csrqrFactor##Where(handle, n, n, s.given.nnz(), nullptr, nullptr,      \
                                               info, nullptr)),                                    \
          n, n)
#define CHOL_STEPS(T, R, Where, host)                                                              \
    STEPS(T, R, chol, Where, host,                                                                 \
          OK(cusolverSp##R##csrcholFactor##Where(handle, n, MATRIX(s), info, nullptr)), n)
#define ALL_STEPS(T, R)                                                                            \
    STEPS(T, R, lu, Host, true,                                                                    \
          OK(cusolverSp##R##csrluFactorHost(handle, n, MATRIX(s), info, 1, nullptr)), n)           \
    QR_STEPS(T, R, Host, true)                                                                     \
    QR_STEPS(T, R, , false)                                                                        \
    CHOL_STEPS(T, R, Host, true)                                                                   \
    CHOL_STEPS(T, R, , false)

void steps()
{
    const int n = 40;
    dense half = sparse_matrix(n, 3, 6, 20), a = half;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a(i, j) = a(j, i) = half(i, j) + half(j, i);
    rows given(a, 1);
    description d(1);
    ALL_STEPS(float, S)
    ALL_STEPS(double, D)
    csrqrInfoHost_t info;
    OK(cusolverSpCreateCsrqrInfoHost(&info));
    IS(NOT_SUPPORTED,
       cusolverSpXcsrqrAnalysisHost(handle, n + 1, n, given.nnz(), d.of, given.offsets.data(),
                                    given.columns.data(), info)); // least squares
    OK(cusolverSpDestroyCsrqrInfoHost(info));
    IS(INVALID_VALUE, cusolverSpDestroyCsrqrInfoHost(nullptr));
}

// Three matrices of one pattern.
#define BATCH(T, R)                                                                                \
    {                                                                                              \
        std::vector<T> values, b(3 * n);                                                           \
        for (int i = 0; i < 3; i++)                                                                \
            for (double v : given.values)                                                          \
                values.push_back((T)(v * (i + 1)));                                                \
        for (T & v : b)                                                                            \
            v = (T)next_number();                                                                  \
        room<T> on_values(values.size()), on_b(b.size()), x(b.size());                             \
        cudaMemcpy(on_values.device, values.data(), values.size() * sizeof(T),                     \
                   cudaMemcpyHostToDevice);                                                        \
        cudaMemcpy(on_b.device, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);           \
        OK(cusolverSpXcsrqrAnalysisBatched(handle, n, n, given.nnz(), d.of, offsets.device,        \
                                           columns.device, info));                                 \
        OK(cusolverSp##R##csrqrBufferInfoBatched(handle, n, n, given.nnz(), d.of,                  \
                                                 on_values.device, offsets.device, columns.device, \
                                                 3, info, &internal, &work));                      \
        OK(cusolverSp##R##csrqrsvBatched(handle, n, n, given.nnz(), d.of, on_values.device,        \
                                         offsets.device, columns.device, on_b.device, x.device, 3, \
                                         info, nullptr));                                          \
        std::vector<T> solved = x.got();                                                           \
        for (int i = 0; i < 3; i++) {                                                              \
            dense got(n, 1), want(n, 1);                                                           \
            for (int k = 0; k < n; k++) {                                                          \
                got(k, 0) = solved[i * n + k] * (i + 1.0);                                         \
                want(k, 0) = b[i * n + k];                                                         \
            }                                                                                      \
            near<T>(a * got, want, "csrqrsvBatched");                                              \
        }                                                                                          \
        IS(INVALID_VALUE, cusolverSp##R##csrqrsvBatched(                                           \
                              handle, n, n, given.nnz(), d.of, on_values.device, offsets.device,   \
                              columns.device, on_b.device, x.device, 0, info, nullptr));           \
    }

void batches()
{
    const int n = 30;
    dense a = sparse_matrix(n, 3, 6, 20);
    rows given(a, 1);
    description d(1);
    room<int> offsets(given.offsets.size()), columns(given.columns.size());
    cudaMemcpy(offsets.device, given.offsets.data(), given.offsets.size() * sizeof(int),
               cudaMemcpyHostToDevice);
    cudaMemcpy(columns.device, given.columns.data(), given.columns.size() * sizeof(int),
               cudaMemcpyHostToDevice);
    csrqrInfo_t info;
    size_t internal, work;
    OK(cusolverSpCreateCsrqrInfo(&info));
    BATCH(float, S)
    BATCH(double, D)
    OK(cusolverSpDestroyCsrqrInfo(info));
}

void mistakes()
{
    dense a = sparse_matrix(9, 2, 9, 3);
    a(2, 7) = 1;
    a(7, 2) = 0;
    rows r(a, 0);
    description d(0), one(1), symmetric(0);
    int yes = 7, where = 0;
    std::vector<double> b(9, 1), x(9);
    auto is_symmetric = [&] {
        OK(cusolverSpXcsrissymHost(handle, r.n, r.nnz(), d.of, r.offsets.data(),
                                   r.offsets.data() + 1, r.columns.data(), &yes));
        return yes;
    };
    expect(!is_symmetric(), "issym: it is not");
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < i; j++)
            a(i, j) = a(j, i) = a(i, j) + 2.0 * a(j, i);
    r = rows(a, 0);
    expect(is_symmetric() == 1, "issym");
    rows from_one(a, 1);
    OK(cusolverSpXcsrissymHost(handle, from_one.n, from_one.nnz(), one.of, from_one.offsets.data(),
                               from_one.offsets.data() + 1, from_one.columns.data(), &yes));
    expect(yes == 1, "issym, counted from 1");
#define SOLVE(h, how)                                                                              \
    cusolverSpDcsrlsvluHost(h, r.n, r.nnz(), how, r.values.data(), r.offsets.data(),               \
                            r.columns.data(), b.data(), 1e-9, 0, x.data(), &where)
    OK(SOLVE(handle, d.of));
    IS(NOT_INITIALIZED, SOLVE(nullptr, d.of));
    IS(INVALID_VALUE, SOLVE(handle, nullptr));
    DONE(cusparseSetMatType(symmetric.of, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
    IS(MATRIX_TYPE_NOT_SUPPORTED, SOLVE(handle, symmetric.of));
    std::vector<int> offsets = r.offsets, columns = r.columns, p(9), map(r.nnz());
    std::iota(p.begin(), p.end(), 0);
    std::vector<int> buffer(10 + 2 * r.nnz() + 9);
    auto permutes = [&] {
        return cusolverSpXcsrpermHost(handle, 9, 9, r.nnz(), d.of, offsets.data(), columns.data(),
                                      p.data(), p.data(), map.data(), buffer.data());
    };
    OK(permutes());
    columns[2] = 1 << 28; /* of 9 */
    IS(INVALID_VALUE, permutes());
    columns[2] = r.columns[2];
    offsets[2] = 1 << 28; /* beyond all entries, and so is the end of row 1 */
    IS(INVALID_VALUE, permutes());
    IS(INVALID_VALUE, cusolverSpXcsrissymHost(handle, r.n, r.nnz(), d.of, offsets.data(),
                                              offsets.data() + 1, columns.data(), &yes));
    r.columns[3] = 9;
    IS(INVALID_VALUE, SOLVE(handle, d.of));
    int64_t option = 0;
    IS(NOT_SUPPORTED, cusolverSpXcsrmetisndHost(handle, r.n, r.nnz(), d.of, r.offsets.data(),
                                                r.columns.data(), &option, &where));
}

/* An info that is used for another matrix, with another handle, and when it is gone. */
void infos()
{
    dense a(6, 6);
    for (int i = 0; i < 6; i++)
        for (int j = std::max(0, i - 1); j <= std::min(5, i + 1); j++)
            a(i, j) = i == j ? 4 : -1;
    rows r(a, 0);
    description d(0);
    std::vector<double> b(6, 1), x(6);
    std::vector<int> far = r.columns;
    csrluInfoHost_t info = nullptr;
    cusolverSpHandle_t other = nullptr;
    OK(cusolverSpCreate(&other));
    OK(cusolverSpCreateCsrluInfoHost(&info));
    OK(cusolverSpXcsrluAnalysisHost(other, r.n, r.nnz(), d.of, r.offsets.data(), r.columns.data(),
                                    info));
    OK(cusolverSpDestroy(other));
    auto factors = [&](const std::vector<int> &columns) {
        return cusolverSpDcsrluFactorHost(handle, r.n, r.nnz(), d.of, r.values.data(),
                                          r.offsets.data(), columns.data(), info, 0.5, nullptr);
    };
    OK(factors(r.columns));
    OK(cusolverSpDcsrluSolveHost(handle, r.n, b.data(), x.data(), info, nullptr));
    IS(INVALID_VALUE, cusolverSpDcsrluSolveHost(handle, 7, b.data(), x.data(), info, nullptr));
    far[0] = 5; /* outside the band */
    IS(INVALID_VALUE, factors(far));
    OK(cusolverSpDestroyCsrluInfoHost(info));
    IS(INVALID_VALUE, factors(r.columns));
    IS(INVALID_VALUE, cusolverSpDestroyCsrluInfoHost(info));
}

// A factor on the device of a matrix whose entries lie elsewhere than those that were analysed, and
// one whose analysis was refused.
void other_patterns()
{
    const int n = 12;
    dense a(n, n);
    for (int i = 0; i < n; i++)
        for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); j++)
            a(i, j) = i == j ? 4 : -1;
    rows r(a, 0);
    description d(0), one(1);
    std::vector<int> moved = r.columns, outside = r.columns;
    moved[1] = 2; /* of row 0 */
    outside[1] = n;
    room<int> offsets(r.offsets.size()), columns(r.columns.size());
    room<double> values(r.values.size()), b(n), x(n);
    auto put = [](const auto &room, const auto &from) {
        cudaMemcpy(room.device, from.data(), from.size() * sizeof from[0], cudaMemcpyHostToDevice);
    };
    put(offsets, r.offsets);
    put(values, r.values);
    put(b, std::vector<double>(n, 1));
    csrcholInfo_t info;
    size_t internal, work;
    auto analyse = [&](const std::vector<int> &of) {
        put(columns, of);
        return cusolverSpXcsrcholAnalysis(handle, n, r.nnz(), d.of, offsets.device, columns.device,
                                          info);
    };
    auto factor = [&](const std::vector<int> &of, cusparseMatDescr_t by) {
        put(columns, of);
        return cusolverSpDcsrcholFactor(handle, n, r.nnz(), by, values.device, offsets.device,
                                        columns.device, info, nullptr);
    };
    OK(cusolverSpCreateCsrcholInfo(&info));
    OK(analyse(r.columns));
    OK(cusolverSpDcsrcholBufferInfo(handle, n, r.nnz(), d.of, values.device, offsets.device,
                                    columns.device, info, &internal, &work));
    IS(INVALID_VALUE, factor(moved, d.of));
    IS(INVALID_VALUE, factor(r.columns, one.of));
    OK(factor(r.columns, d.of));
    OK(cusolverSpDcsrcholSolve(handle, n, b.device, x.device, info, nullptr));
    std::vector<double> got = x.got();
    for (int i = 0; i < n; i++) {
        double sum = 4 * got[i] - (i ? got[i - 1] : 0) - (i < n - 1 ? got[i + 1] : 0);
        expect(std::fabs(sum - 1) < 1e-12, "a factor after those that were refused", i, sum);
    }
    OK(cusolverSpScsrcholBufferInfo(handle, n, r.nnz(), d.of, (float *)values.device,
                                    offsets.device, columns.device, info, &internal, &work));
    IS(INVALID_VALUE, cusolverSpScsrcholSolve(handle, n, (float *)b.device, (float *)x.device, info,
                                              nullptr)); // no factor of this precision
    IS(INVALID_VALUE, analyse(outside));
    IS(INVALID_VALUE, factor(outside, d.of));
    OK(cusolverSpDestroyCsrcholInfo(info));
}

} // namespace

void solver_sparse()
{
    cudaStream_t stream, same;
    OK(cusolverSpCreate(&handle));
    cudaStreamCreate(&stream);
    OK(cusolverSpSetStream(handle, stream));
    OK(cusolverSpGetStream(handle, &same));
    expect(same == stream, "stream of the sparse part");
    solutions<float>();
    solutions<double>();
    steps();
    batches();
    mistakes();
    infos();
    other_patterns();
    OK(cusolverSpDestroy(handle));
    IS(NOT_INITIALIZED, cusolverSpDestroy(handle)); // no longer there
    IS(NOT_INITIALIZED, cusolverSpDestroy(nullptr));
}
