// cuSOLVER's orders of rows, and permutations.
#include <set>

#include "solver_rows.h"

namespace
{

cusolverSpHandle_t handle;

typedef cusolverStatus_t order(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int *,
                               const int *, int *);

cusolverStatus_t dissect(cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t d,
                         const int *offsets, const int *columns, int *p)
{
    return cusolverSpXcsrmetisndHost(h, n, nnz, d, offsets, columns, nullptr, p);
}

std::vector<int> ordered(order *by, const rows &a)
{
    description d(a.base);
    std::vector<int> p(a.n, -1);
    OK(by(handle, a.n, a.nnz(), d.of, a.offsets.data(), a.columns.data(), p.data()));
    std::vector<int> sorted = p;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < a.n; i++)
        expect(sorted[i] == i, "an order has each row once", i);
    return p;
}

// Entries of the Cholesky factor of a matrix in an order.
int entries(const dense &a, const std::vector<int> &p)
{
    std::vector<std::set<int>> next(a.n);
    std::vector<int> place(a.n);
    int count = 0;
    for (int i = 0; i < a.n; i++)
        place[p[i]] = i;
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < a.n; j++)
            if (a(i, j) != 0.0 && place[j] > place[i])
                next[place[i]].insert(place[j]);
    for (int k = 0; k < a.n; k++) {
        count += (int)next[k].size() + 1;
        for (int i : next[k])
            for (int j : next[k])
                if (j > i)
                    next[i].insert(j);
    }
    return count;
}

int band(const dense &a, const std::vector<int> &p)
{
    int most = 0;
    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < a.n; j++)
            if (a(p[i], p[j]) != 0.0)
                most = std::max(most, std::abs(i - j));
    return most;
}

// A grid of side x side points, and beside it one of 3 x 3, all in no order.
void orders()
{
    const int side = 14, n = side * side + 9;
    std::vector<int> at(n), none(n);
    std::iota(at.begin(), at.end(), 0);
    none = at;
    for (int i = n; i > 1; i--)
        std::swap(at[i - 1], at[below(i)]);
    dense a(n, n);
    for (int i = 0; i < n; i++) {
        int width = i < side * side ? side : 3, k = i < side * side ? i : i - side * side;
        a(at[i], at[i]) = 4;
        if (k % width)
            a(at[i], at[i - 1]) = a(at[i - 1], at[i]) = -1;
        if (k >= width)
            a(at[i], at[i - width]) = a(at[i - width], at[i]) = -1;
    }
    rows given(a, 1);
    int before = entries(a, none), as_band = entries(a, at); // row by row of the grid
    expect(band(a, ordered(cusolverSpXcsrsymrcmHost, given)) <= side + 2, "symrcm: the band");
    for (order *by : {cusolverSpXcsrsymmdqHost, cusolverSpXcsrsymamdHost}) {
        int now = entries(a, ordered(by, given));
        expect(now < 0.8 * as_band && now < before, "symamd: entries of L", now, as_band);
    }
    int now = entries(a, ordered(dissect, given));
    expect(now < 0.8 * as_band && now < before, "metisnd: entries of L", now, as_band);
}

void permutations()
{
    for (int base : {0, 1}) {
        dense a = part(sparse_matrix(12, 5, 12, 1), 8, 12);
        rows given(a, base), old = given;
        std::vector<int> p(8), q(12), map(given.nnz());
        std::iota(p.begin(), p.end(), 0);
        std::iota(q.begin(), q.end(), 0);
        std::iota(map.begin(), map.end(), 0);
        std::rotate(p.begin(), p.begin() + 3, p.end());
        std::swap(q[2], q[9]);
        std::rotate(q.begin(), q.begin() + 5, q.end());
        description d(base);
        size_t bytes = 0;
        OK(cusolverSpXcsrperm_bufferSizeHost(handle, 8, 12, given.nnz(), d.of, given.offsets.data(),
                                             given.columns.data(), p.data(), q.data(), &bytes));
        std::vector<char> buffer(bytes);
        OK(cusolverSpXcsrpermHost(handle, 8, 12, given.nnz(), d.of, given.offsets.data(),
                                  given.columns.data(), p.data(), q.data(), map.data(),
                                  buffer.data()));
        for (int k = 0; k < given.nnz(); k++)
            given.values[k] = old.values[map[k]];
        dense got = given.whole();
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 12; j++)
                expect(got(i, j) == a(p[i], q[j]), "csrperm", i, j);
        q[0] = q[1];
        IS(INVALID_VALUE, cusolverSpXcsrpermHost(handle, 8, 12, given.nnz(), d.of,
                                                 given.offsets.data(), given.columns.data(),
                                                 p.data(), q.data(), map.data(), buffer.data()));
    }
}

} // namespace

void solver_orders()
{
    OK(cusolverSpCreate(&handle));
    orders();
    permutations();
    OK(cusolverSpDestroy(handle));
}
