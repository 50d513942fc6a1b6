// What the tests of cuSOLVER's sparse part share: descriptions, and matrices by rows.
#ifndef SOLVER_ROWS_H
#define SOLVER_ROWS_H

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <numeric>

#include "solver_parts.h"

#define DONE(call) expect((call) == CUSPARSE_STATUS_SUCCESS, #call, __LINE__)

inline int below(int n)
{
    return std::min(n - 1, (int)((next_number() + 1) / 2 * n));
}

struct description {
    cusparseMatDescr_t of = nullptr;
    explicit description(int base)
    {
        DONE(cusparseCreateMatDescr(&of));
        DONE(cusparseSetMatIndexBase(of, (cusparseIndexBase_t)base));
    }
    ~description()
    {
        DONE(cusparseDestroyMatDescr(of));
    }
};

// By rows; columns of a row come in any order.
struct rows {
    int m, n, base;
    std::vector<int> offsets, columns;
    std::vector<double> values;
    rows(const dense &a, int from) : m(a.m), n(a.n), base(from), offsets{from}
    {
        for (int i = 0; i < m; i++) {
            std::vector<int> of;
            for (int j = 0; j < n; j++)
                if (a(i, j) != 0.0)
                    of.push_back(j);
            for (size_t k = of.size(); k > 1; k--)
                std::swap(of[k - 1], of[below((int)k)]);
            for (int j : of) {
                columns.push_back(j + base);
                values.push_back(a(i, j).real());
            }
            offsets.push_back((int)columns.size() + base);
        }
    }
    int nnz() const
    {
        return (int)columns.size();
    }
    dense whole() const
    {
        dense a(m, n);
        for (int i = 0; i < m; i++)
            for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
                a(i, columns[k] - base) = values[k];
        return a;
    }
};

// `reach`: entries are no further from the diagonal. In no order that shows it.
inline dense sparse_matrix(int n, int most, int reach, double diagonal)
{
    std::vector<int> at(n);
    std::iota(at.begin(), at.end(), 0);
    for (int i = n; i > 1; i--)
        std::swap(at[i - 1], at[below(i)]);
    dense a(n, n);
    for (int i = 0; i < n; i++) {
        for (int k = below(most + 1); k > 0; k--) {
            int j = std::min(n - 1, std::max(0, i - reach + below(2 * reach + 1)));
            a(at[i], at[j]) = (float)next_number();
        }
        if (diagonal != 0)
            a(at[i], at[i]) = diagonal + (float)next_number();
    }
    return a;
}

#endif
