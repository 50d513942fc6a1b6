/* The triangle of Schur of a complex matrix, by QR steps with one shift, and the eigenvectors of a
 * triangle. */
#include "sw/cuda/solver/schur.h"

#include <float.h>
#include <math.h>

#define TRIES 30 /* steps for each value, on average, after which it is given up */

/* Rows k and k + 1 from the left: (a, b) becomes (c a + s b, c b - s* a). */
struct turn {
    double c;
    double _Complex s;
};

/* The turn after which of (x, y) nothing is left in y. */
static struct turn turn_away(double _Complex x, double _Complex y)
{
    double ax = cabs(x), ay = cabs(y), r = hypot(ax, ay);
    if (ay == 0)
        return (struct turn){1, 0};
    if (ax == 0)
        return (struct turn){0, conj(y) / ay};
    return (struct turn){ax / r, (x / ax) * conj(y) / r};
}

static void turn_rows(const struct schur *s, struct turn g, int k, int from, int to)
{
    for (int j = from; j <= to; j++) {
        double _Complex *a = &s->t[schur_at(s->n, k, j)], x = a[0], y = a[1];
        a[0] = g.c * x + g.s * y;
        a[1] = g.c * y - conj(g.s) * x;
    }
}

/* By the adjoint of the turn, from the right. */
static void turn_columns(int n, double _Complex *m, struct turn g, int k, int from, int to)
{
    double _Complex *a = &m[schur_at(n, 0, k)], *b = &m[schur_at(n, 0, k + 1)];
    for (int i = from; i <= to; i++) {
        double _Complex x = a[i], y = b[i];
        a[i] = g.c * x + conj(g.s) * y;
        b[i] = g.c * y - g.s * x;
    }
}

/* The first row of the block that ends with row `last`: above it the subdiagonal is 0, or becomes
 * it. */
static int first_row(const struct schur *s, int last)
{
    const int n = s->n;
    int k = last;
    for (; k > 0; k--) {
        double beside = cabs(s->t[schur_at(n, k - 1, k - 1)]) + cabs(s->t[schur_at(n, k, k)]);
        double _Complex *below = &s->t[schur_at(n, k, k - 1)];
        if (cabs(*below) > DBL_EPSILON * beside && cabs(*below) > DBL_MIN)
            continue;
        *below = 0;
        break;
    }
    return k;
}

/* That eigenvalue of the last 2 x 2 which is closer to its last number. */
static double _Complex shift_of(const struct schur *s, int last)
{
    const double _Complex *t = &s->t[schur_at(s->n, last - 1, last - 1)];
    double _Complex a = t[0], c = t[1], b = t[s->n], d = t[s->n + 1];
    double _Complex half = (a - d) / 2, root = csqrt(half * half + b * c);
    double _Complex far = creal(conj(half) * root) < 0 ? half - root : half + root;
    return far == 0 ? d : d - b * c / far;
}

/* One step on rows and columns first to last; the bulge that it makes moves down and out. */
static void step(const struct schur *s, int first, int last, double _Complex shift)
{
    const int n = s->n, top = s->z ? 0 : first, end = s->z ? n - 1 : last;
    double _Complex x = s->t[schur_at(n, first, first)] - shift;
    double _Complex y = s->t[schur_at(n, first + 1, first)];
    for (int k = first; k < last; k++) {
        struct turn g = turn_away(x, y);
        turn_rows(s, g, k, k > first ? k - 1 : first, end);
        turn_columns(n, s->t, g, k, top, k + 2 < last ? k + 2 : last);
        if (s->z)
            turn_columns(n, s->z, g, k, 0, n - 1);
        if (k > first)
            s->t[schur_at(n, k + 1, k - 1)] = 0;
        if (k + 2 <= last) {
            x = s->t[schur_at(n, k + 1, k)];
            y = s->t[schur_at(n, k + 2, k)];
        }
    }
}

int schur_complex(const struct schur *s)
{
    const int n = s->n;
    long long left = (long long)TRIES * (n > 10 ? n : 10);
    int tries = 0;
    for (int last = n - 1; last > 0;) {
        int first = first_row(s, last);
        if (first == last) {
            last--;
            tries = 0;
            continue;
        }
        if (!left--)
            return last + 1;
        /* Now and then a shift from elsewhere ends a circle. */
        double _Complex shift = ++tries % 10 ? shift_of(s, last)
                                             : s->t[schur_at(n, last, last)] +
                                                   1.5 * cabs(s->t[schur_at(n, last, last - 1)]);
        step(s, first, last, shift);
    }
    return 0;
}

/* Keeps sums of products finite: vectors have no length of their own. */
static void shrink(double _Complex *x, int count, double most)
{
    for (int i = 0; i < count; i++)
        x[i] /= most;
}

/* (t - t_kk) x = 0 with x_k = 1, from row k up. Where t has the value twice, the difference is what
 * rounding makes of it. */
static void solve_up(const struct schur *s, int k, double _Complex *x)
{
    const int n = s->n;
    double _Complex value = s->t[schur_at(n, k, k)];
    double least = fmax(DBL_EPSILON * cabs(value), DBL_MIN / DBL_EPSILON);
    for (int i = 0; i < k; i++)
        x[i] = -s->t[schur_at(n, i, k)];
    x[k] = 1;
    for (int j = k - 1; j >= 0; j--) {
        double _Complex by = s->t[schur_at(n, j, j)] - value;
        x[j] /= cabs(by) < least ? least : by;
        if (cabs(x[j]) > 1e100)
            shrink(x, k + 1, cabs(x[j]));
        for (int i = 0; i < j; i++)
            x[i] -= s->t[schur_at(n, i, j)] * x[j];
    }
}

void schur_vectors(const struct schur *s, double _Complex *scratch)
{
    const int n = s->n;
    /* From the last on: those before it need no column behind their own. */
    for (int k = n - 1; k >= 0; k--) {
        double most = 0;
        solve_up(s, k, scratch);
        for (int j = 0; j <= k; j++)
            most = fmax(most, cabs(scratch[j]));
        shrink(scratch, k + 1, most);
        double _Complex *to = &s->z[schur_at(n, 0, k)];
        for (int i = 0; i < n; i++)
            to[i] *= scratch[k];
        for (int j = 0; j < k; j++) {
            const double _Complex *from = &s->z[schur_at(n, 0, j)];
            for (int i = 0; i < n; i++)
                to[i] += from[i] * scratch[j];
        }
    }
}
