// Systems of three and five diagonals: right sides are made of known solutions.
#include "sparse.h"

namespace
{

// Diagonals from the lowest to the highest, each of `size` numbers; what is beyond the matrix is
// not a number. `weak`: the main one is small, so that rows have to be exchanged.
template <class T> struct band {
    int size, width;
    std::vector<std::vector<T>> of;
    band(int rows, int diagonals, bool weak) : size(rows), width(diagonals)
    {
        for (int k = 0; k < width; k++) {
            int beside = k - width / 2;
            of.push_back(some<T>(size));
            for (int i = 0; i < size; i++)
                if (i + beside < 0 || i + beside >= size)
                    of[k][i] = std::numeric_limits<T>::quiet_NaN();
                else if (!beside)
                    of[k][i] = weak ? of[k][i] / 64 : of[k][i] + (of[k][i] < 0 ? -4 : 4);
                else
                    of[k][i] += of[k][i] < 0 ? (T)-0.5 : (T)0.5;
        }
    }
    std::vector<double> times(const std::vector<T> &x) const
    {
        std::vector<double> out(size);
        for (int k = 0; k < width; k++)
            for (int i = 0; i < size; i++)
                if (i + k - width / 2 >= 0 && i + k - width / 2 < size)
                    out[i] += (double)of[k][i] * x[i + k - width / 2];
        return out;
    }
};

// As the residual of a solution: what a small main diagonal costs counts for both sides.
template <class T>
void solved(const band<T> &a, const std::vector<T> &x, const std::vector<T> &side, const char *what)
{
    std::vector<double> back = a.times(x);
    double most = 1;
    for (T e : x)
        most = std::max(most, std::fabs((double)e));
    for (int i = 0; i < a.size; i++)
        expect(std::fabs(back[i] - side[i]) <= precision<T>::tolerance * most, what, i);
}

template <class T> void one_system(cusparseHandle_t h, int m, int sides, bool weak)
{
    typedef precision<T> P;
    const int ld = m + 2;
    band<T> a(m, 3, weak);
    array<T> lower(a.of[0]), main(a.of[1]), upper(a.of[2]);
    std::vector<T> b = some<T>((size_t)ld * sides);
    for (bool plain : {false, true}) {
        array<T> x(b);
        size_t size = 0;
        OK((plain ? P::tri_plain_size : P::tri_size)(h, m, sides, lower.data, main.data, upper.data,
                                                     x.data, ld, &size));
        array<char> buffer(size);
        OK((plain ? P::tri_plain : P::tri)(h, m, sides, lower.data, main.data, upper.data, x.data,
                                           ld, buffer.data));
        std::vector<T> all = x.get();
        for (int s = 0; s < sides; s++) {
            auto from = all.begin() + (size_t)s * ld;
            auto side = b.begin() + (size_t)s * ld;
            solved(a, std::vector<T>(from, from + m), std::vector<T>(side, side + m), "gtsv2");
            expect(all[(size_t)s * ld + m] == b[(size_t)s * ld + m], "a gap between sides", s);
        }
        expect(equal(main.get(), a.of[1]), "the diagonal stays");
    }
}

// `turns`: element i of system s at i * count + s, else at s * stride + i.
template <class T> void many_systems(cusparseHandle_t h, int m, int count, int width, bool turns)
{
    typedef precision<T> P;
    const int stride = m + 5;
    std::vector<band<T>> all;
    std::vector<std::vector<T>> sides;
    size_t n = turns ? (size_t)m * count : (size_t)stride * count;
    std::vector<std::vector<T>> lists((size_t)width + 1, std::vector<T>(n));
    auto at = [&](int s, int i) { return turns ? (size_t)i * count + s : (size_t)s * stride + i; };
    for (int s = 0; s < count; s++) {
        all.emplace_back(m, width, s & 1);
        sides.push_back(some<T>(m));
        for (int i = 0; i < m; i++) {
            for (int k = 0; k < width; k++)
                lists[k][at(s, i)] = all[s].of[k][i];
            lists[width][at(s, i)] = sides[s][i];
        }
    }
    array<T> a0(lists[0]), a1(lists[1]), a2(lists[2]), a3(lists[3]), a4(lists[width - 1]),
        x(lists[width]);
    size_t size = 0;
    if (width == 5) {
        OK(P::penta_size(h, 0, m, a0.data, a1.data, a2.data, a3.data, a4.data, x.data, count,
                         &size));
        array<char> buffer(size);
        OK(P::penta(h, 0, m, a0.data, a1.data, a2.data, a3.data, a4.data, x.data, count,
                    buffer.data));
    } else if (turns) {
        OK(P::tri_turns_size(h, 1, m, a0.data, a1.data, a2.data, x.data, count, &size));
        array<char> buffer(size);
        OK(P::tri_turns(h, 1, m, a0.data, a1.data, a2.data, x.data, count, buffer.data));
    } else {
        OK(P::tri_strided_size(h, m, a0.data, a1.data, a2.data, x.data, count, stride, &size));
        array<char> buffer(size);
        OK(P::tri_strided(h, m, a0.data, a1.data, a2.data, x.data, count, stride, buffer.data));
    }
    std::vector<T> got = x.get();
    for (int s = 0; s < count; s++) {
        std::vector<T> mine(m);
        for (int i = 0; i < m; i++)
            mine[i] = got[at(s, i)];
        solved(all[s], mine, sides[s], width == 5 ? "gpsv" : "gtsv of many");
    }
}

template <class T> void mistakes(cusparseHandle_t h)
{
    typedef precision<T> P;
    array<T> a(std::vector<T>(16, (T)1));
    size_t size = 0;
    IS(NOT_INITIALIZED, P::tri_size(nullptr, 4, 1, a.data, a.data, a.data, a.data, 4, &size));
    IS(INVALID_VALUE, P::tri_size(h, 2, 1, a.data, a.data, a.data, a.data, 4, &size));
    IS(INVALID_VALUE, P::tri_size(h, 4, 1, a.data, a.data, a.data, a.data, 3, &size));
    IS(INVALID_VALUE, P::tri(h, 4, 1, a.data, a.data, a.data, a.data, 4, nullptr));
    IS(INVALID_VALUE, P::tri_turns_size(h, 3, 4, a.data, a.data, a.data, a.data, 1, &size));
    IS(INVALID_VALUE,
       P::penta_size(h, 1, 4, a.data, a.data, a.data, a.data, a.data, a.data, 1, &size));
}

} // namespace

template <class T> void diagonals(cusparseHandle_t h)
{
    for (bool weak : {false, true}) {
        one_system<T>(h, 3, 1, weak);
        one_system<T>(h, 200, 37, weak);
    }
    many_systems<T>(h, 3, 4, 3, false);
    many_systems<T>(h, 50, 300, 3, false);
    many_systems<T>(h, 50, 300, 3, true);
    many_systems<T>(h, 3, 4, 5, true);
    many_systems<T>(h, 4, 2, 5, true);
    many_systems<T>(h, 60, 300, 5, true);
    mistakes<T>(h);
}
template void diagonals<float>(cusparseHandle_t h);
template void diagonals<double>(cusparseHandle_t h);
