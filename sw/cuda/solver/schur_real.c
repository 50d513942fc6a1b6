/* The form of Schur of a real matrix, by QR steps with two shifts at once, whose sum and product
 * are real (Francis, 1961); and the complex triangle that it stands for. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "sw/cuda/solver/schur.h"

#define TRIES 30 /* steps for each value, on average, after which it is given up */

/* x becomes x - factor v (v x), for `count` numbers of v, of which the first is 1. */
struct mirror {
    double v[3], factor;
    int count;
};

/* The mirror after which nothing is left of the numbers but the first. */
static struct mirror mirror_of(const double *x, int count)
{
    struct mirror m = {{1, 0, 0}, 0, count};
    double most = 0, square = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    for (int i = 0; i < count && most > 0; i++)
        square += (x[i] / most) * (x[i] / most);
    double length = most * sqrt(square), first = x[0] + (x[0] < 0 ? -length : length);
    if (first == 0)
        return m;
    double sum = 1;
    for (int i = 1; i < count; i++) {
        m.v[i] = x[i] / first;
        sum += m.v[i] * m.v[i];
    }
    m.factor = 2 / sum;
    return m;
}

/* Numbers of the matrix from `a` on, `step` apart. */
static void reflect(const struct mirror *m, double *a, size_t step)
{
    double sum = 0;
    for (int i = 0; i < m->count; i++)
        sum += m->v[i] * a[(size_t)i * step];
    for (int i = 0; i < m->count; i++)
        a[(size_t)i * step] -= m->factor * sum * m->v[i];
}

static int first_row(const struct schur_real *s, int last)
{
    const int n = s->n;
    int k = last;
    for (; k > 0; k--) {
        double beside = fabs(s->t[schur_at(n, k - 1, k - 1)]) + fabs(s->t[schur_at(n, k, k)]);
        double *below = &s->t[schur_at(n, k, k - 1)];
        if (fabs(*below) > DBL_EPSILON * beside && fabs(*below) > DBL_MIN)
            continue;
        *below = 0;
        break;
    }
    return k;
}

/* Rows and columns k, k + 1, ... by the mirror, as far as the block from `first` to `last` reaches;
 * all of them where vectors are wanted. */
static void reflect_both(const struct schur_real *s, const struct mirror *m, int k,
                         const int block[2])
{
    const int n = s->n, first = block[0], last = block[1];
    for (int j = k > first ? k - 1 : first; j <= (s->z ? n - 1 : last); j++)
        reflect(m, &s->t[schur_at(n, k, j)], 1);
    for (int i = s->z ? 0 : first; i <= (k + 3 < last ? k + 3 : last); i++)
        reflect(m, &s->t[schur_at(n, i, k)], (size_t)n);
    for (int i = 0; i < n && s->z; i++)
        reflect(m, &s->z[schur_at(n, i, k)], (size_t)n);
}

/* One step with shifts of this sum and product, on a block of three rows or more. */
static void step(const struct schur_real *s, const int block[2], double sum, double product)
{
    const int n = s->n, first = block[0], last = block[1];
    const double *t = &s->t[schur_at(n, first, first)];
    double a = t[0], b = t[n], c = t[1], d = t[n + 1], e = t[n + 2];
    double x[3] = {a * (a - sum) + b * c + product, c * (a + d - sum), c * e};
    for (int k = first; k < last; k++) {
        int count = last - k < 2 ? 2 : 3;
        if (k > first) {
            for (int i = 0; i < count; i++)
                x[i] = s->t[schur_at(n, k + i, k - 1)];
        }
        struct mirror m = mirror_of(x, count);
        reflect_both(s, &m, k, block);
        for (int i = 1; i < count && k > first; i++)
            s->t[schur_at(n, k + i, k - 1)] = 0;
    }
}

/* A block of two rows with real values becomes a triangle: its first column turns to the vector of
 * one of them. */
static void split(const struct schur_real *s, int k)
{
    const int n = s->n, block[2] = {k, k + 1};
    const double *t = &s->t[schur_at(n, k, k)];
    double half = (t[0] - t[n + 1]) / 2, square = half * half + t[n] * t[1];
    if (square < 0)
        return;
    double far = half + (half < 0 ? -sqrt(square) : sqrt(square)), x[2] = {far, t[1]};
    struct mirror m = mirror_of(x, 2);
    reflect_both(s, &m, k, block);
    s->t[schur_at(n, k + 1, k)] = 0;
}

int schur_real(const struct schur_real *s)
{
    const int n = s->n;
    long long left = (long long)TRIES * (n > 10 ? n : 10);
    int tries = 0;
    for (int last = n - 1; last > 0;) {
        const int block[2] = {first_row(s, last), last};
        if (last - block[0] < 2) {
            if (block[0] < last)
                split(s, block[0]);
            last = block[0] - 1;
            tries = 0;
            continue;
        }
        if (!left--)
            return last + 1;
        const double *t = &s->t[schur_at(n, last - 1, last - 1)];
        double sum = t[0] + t[n + 1], product = t[0] * t[n + 1] - t[n] * t[1];
        if (++tries % 10 == 0) { /* now and then shifts from elsewhere end a circle */
            double size = fabs(t[1]) + fabs(s->t[schur_at(n, last - 1, last - 2)]);
            sum = 1.5 * size;
            product = size * size;
        }
        step(s, block, sum, product);
    }
    return 0;
}

/* Block k of two rows becomes a triangle, too: its first column turns to the vector of the value
 * above the real axis, with the column beside it at a right angle. */
static void turn_pair(const struct schur *s, int k)
{
    const int n = s->n;
    double _Complex *t = &s->t[schur_at(n, k, k)];
    double a = creal(t[0]), b = creal(t[n]), c = creal(t[1]), d = creal(t[n + 1]);
    double half = (a - d) / 2;
    double _Complex value = d + half + I * sqrt(fmax(0, -(half * half + b * c)));
    double _Complex x = value - d, y = c;
    double length = hypot(cabs(x), fabs(c));
    x /= length;
    y /= length;
    for (int j = k; j < n; j++) {
        double _Complex *r = &s->t[schur_at(n, k, j)], p = r[0], q = r[1];
        r[0] = conj(x) * p + conj(y) * q;
        r[1] = x * q - y * p;
    }
    for (int both = 0; both < (s->z ? 2 : 1); both++) {
        double _Complex *m = both ? s->z : s->t;
        for (int i = 0; i < (both ? n : k + 2); i++) {
            double _Complex *r = &m[schur_at(n, i, k)], p = r[0], q = r[n];
            r[0] = x * p + y * q;
            r[n] = conj(x) * q - conj(y) * p;
        }
    }
    t[0] = value;
    t[1] = 0;
    t[n + 1] = conj(value);
}

void schur_of_real(const struct schur_real *from, const struct schur *to)
{
    const int n = to->n;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) {
        to->t[i] = from->t[i];
        if (to->z)
            to->z[i] = from->z[i];
    }
    for (int k = 0; k + 1 < n; k++) {
        if (from->t[schur_at(n, k + 1, k)] != 0)
            turn_pair(to, k++);
    }
}
