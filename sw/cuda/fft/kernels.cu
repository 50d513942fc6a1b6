// The kernels of cuFFT. Names end with the precision: _s or _d.
//
// A line is transformed by Stockham's algorithm, a pass for each factor of its length, from one array into
// another: the results come in order. Lengths with large prime factors become a convolution (Bluestein).
#include "sw/cuda/fft/shape.h"

template <class T> struct vector_of;
template <> struct vector_of<float> {
    typedef float2 type;
};
template <> struct vector_of<double> {
    typedef double2 type;
};
#define COMPLEX typename vector_of<T>::type

template <class C> __device__ static C plus(C a, C b)
{
    return {a.x + b.x, a.y + b.y};
}
template <class C> __device__ static C minus(C a, C b)
{
    return {a.x - b.x, a.y - b.y};
}
template <class C> __device__ static C times(C a, C b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <class C> __device__ static C conjugate(C a, int yes)
{
    return {a.x, yes ? -a.y : a.y};
}
/* Times -i; of an inverse transform, times i. */
template <class C> __device__ static C quarter(C a, int inverse)
{
    return inverse ? C{-a.y, a.x} : C{a.y, -a.x};
}

// --- transforms of a few elements in registers ---------------------------------------------------------

template <int R> struct roots;
#define ROOTS(R, ...)                                                                              \
    template <> struct roots<R> {                                                                  \
        __device__ static double value(int i)                                                      \
        {                                                                                          \
            const double values[] = {__VA_ARGS__};                                                 \
            return values[i];                                                                      \
        }                                                                                          \
    };
// cos and sin of 2 pi k / R, from k = 0 on
ROOTS(3, 1, 0, -0.5, 0.86602540378443864676, -0.5, -0.86602540378443864676)
ROOTS(5, 1, 0, 0.30901699437494742410, 0.95105651629515357212, -0.80901699437494742410,
      0.58778525229247312917, -0.80901699437494742410, -0.58778525229247312917,
      0.30901699437494742410, -0.95105651629515357212)
ROOTS(7, 1, 0, 0.62348980185873353053, 0.78183148246802980871, -0.22252093395631440429,
      0.97492791218182360702, -0.90096886790241912624, 0.43388373911755812048,
      -0.90096886790241912624, -0.43388373911755812048, -0.22252093395631440429,
      -0.97492791218182360702, 0.62348980185873353053, -0.78183148246802980871)

template <class T, int R> struct small {
    /* By the definition; the compiler knows all factors. */
    __device__ static void transform(COMPLEX *x, int inverse)
    {
        COMPLEX y[R];
#pragma unroll
        for (int k = 0; k < R; k++) {
            y[k] = x[0];
#pragma unroll
            for (int t = 1; t < R; t++) {
                T c = (T)roots<R>::value(2 * (k * t % R)), s = (T)roots<R>::value(2 * (k * t % R) + 1);
                y[k] = plus(y[k], times(x[t], COMPLEX{c, inverse ? s : -s}));
            }
        }
#pragma unroll
        for (int k = 0; k < R; k++)
            x[k] = y[k];
    }
};
template <class T> struct small<T, 2> {
    __device__ static void transform(COMPLEX *x, int)
    {
        COMPLEX a = x[0];
        x[0] = plus(a, x[1]);
        x[1] = minus(a, x[1]);
    }
};
template <class T> struct small<T, 4> {
    __device__ static void transform(COMPLEX *x, int inverse)
    {
        COMPLEX a = plus(x[0], x[2]), b = minus(x[0], x[2]);
        COMPLEX c = plus(x[1], x[3]), d = quarter(minus(x[1], x[3]), inverse);
        x[0] = plus(a, c);
        x[1] = plus(b, d);
        x[2] = minus(a, c);
        x[3] = minus(b, d);
    }
};
template <class T> struct small<T, 8> {
    __device__ static void transform(COMPLEX *x, int inverse)
    {
        const T half = (T)0.70710678118654752440;
        COMPLEX even[] = {x[0], x[2], x[4], x[6]}, odd[] = {x[1], x[3], x[5], x[7]};
        small<T, 4>::transform(even, inverse);
        small<T, 4>::transform(odd, inverse);
        odd[1] = times(odd[1], COMPLEX{half, inverse ? half : -half});
        odd[2] = quarter(odd[2], inverse);
        odd[3] = times(odd[3], COMPLEX{-half, inverse ? half : -half});
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[i] = plus(even[i], odd[i]);
            x[i + 4] = minus(even[i], odd[i]);
        }
    }
};

// --- passes ----------------------------------------------------------------------------------------------

/* Where a thread works: neighbours along `step`, then along the line. */
struct place {
    unsigned int at, base; /* the position in the line, and where the line begins */
    __device__ place(unsigned int id, const fft_lines &lines, unsigned int per_line)
    {
        unsigned int inner = id % lines.step, rest = id / lines.step;
        at = rest % per_line;
        base = rest / per_line * lines.n * lines.step + inner;
    }
};

/* `table`: exp(-2 pi i k / n) for all k. A thread for each R elements. */
template <class T, int R>
__device__ static void pass(COMPLEX *to, const COMPLEX *from, const COMPLEX *table, fft_lines lines,
                            fft_factor factor, int inverse)
{
    unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x, apart = lines.n / R;
    if (id >= lines.count / R)
        return;
    place p(id, lines, apart);
    unsigned int k = p.at % factor.done, turn = apart / factor.done;
    COMPLEX x[R];
#pragma unroll
    for (int t = 0; t < R; t++)
        x[t] = from[p.base + (p.at + t * apart) * lines.step];
#pragma unroll
    for (int t = 1; t < R; t++)
        x[t] = times(x[t], conjugate(table[k * t * turn], inverse));
    small<T, R>::transform(x, inverse);
    unsigned int first = (p.at - k) * R + k;
#pragma unroll
    for (int t = 0; t < R; t++)
        to[p.base + (first + t * factor.done) * lines.step] = x[t];
}

/* Any radix: a thread for each element of the result. */
template <class T>
__device__ static void pass_any(COMPLEX *to, const COMPLEX *from, const COMPLEX *table,
                                fft_lines lines, fft_factor factor, int inverse)
{
    unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x;
    if (id >= lines.count)
        return;
    place p(id, lines, lines.n);
    unsigned int apart = lines.n / factor.radix, span = factor.done * factor.radix;
    unsigned int k = p.at % factor.done, which = p.at / factor.done % factor.radix;
    unsigned int first = p.at / span * factor.done + k, turn = (k + which * factor.done) * (lines.n / span);
    COMPLEX sum = {0, 0};
    for (unsigned int t = 0, angle = 0; t < factor.radix; t++) {
        COMPLEX x = from[p.base + (first + t * apart) * lines.step];
        sum = plus(sum, times(x, conjugate(table[angle], inverse)));
        angle += turn;
        angle -= angle >= lines.n ? lines.n : 0;
    }
    to[p.base + p.at * lines.step] = sum;
}

// --- Bluestein's convolution: lines of n elements become rows of `room` elements ------------------------

/* chirp[j] = exp(-pi i j j / n) */
template <class T>
__device__ static void chirp_in(COMPLEX *rows, const COMPLEX *from, const COMPLEX *chirp,
                                fft_lines lines, unsigned int room, int inverse)
{
    unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x;
    if (id >= lines.count / lines.n * room)
        return;
    unsigned int line = id / room, j = id % room;
    unsigned int base = line / lines.step * lines.n * lines.step + line % lines.step;
    COMPLEX x = {0, 0};
    if (j < lines.n)
        x = times(conjugate(from[base + j * lines.step], inverse), chirp[j]);
    rows[id] = x;
}

/* The conjugate, so that the forward transform that follows inverts. */
template <class T>
__device__ static void chirp_times(COMPLEX *rows, const COMPLEX *transformed, unsigned int count,
                                   unsigned int room)
{
    unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x;
    if (id < count)
        rows[id] = conjugate(times(rows[id], transformed[id % room]), 1);
}

template <class T>
__device__ static void chirp_out(COMPLEX *to, const COMPLEX *rows, const COMPLEX *chirp,
                                 fft_lines lines, unsigned int room, int inverse)
{
    unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x;
    if (id >= lines.count)
        return;
    place p(id, lines, lines.n);
    unsigned int line = p.base / (lines.n * lines.step) * lines.step + p.base % lines.step;
    COMPLEX x = times(conjugate(rows[line * room + p.at], 1), chirp[p.at]);
    x.x /= (T)room;
    x.y /= (T)room;
    to[p.base + p.at * lines.step] = conjugate(x, inverse);
}

// --- moves between layouts --------------------------------------------------------------------------------

struct sizes {
    unsigned int n[FFT_RANK], batch;
};

struct cell {
    unsigned int b, i, j, k;
    __device__ cell(unsigned int id, const sizes &s)
    {
        k = id % s.n[2];
        id /= s.n[2];
        j = id % s.n[1];
        id /= s.n[1];
        i = id % s.n[0];
        b = id / s.n[0];
    }
    __device__ long long in(const fft_layout &l, unsigned int column) const
    {
        return b * l.dist + ((i * l.pitch[1] + j) * l.pitch[2] + column) * l.stride;
    }
};

#define ID_IN(s)                                                                                   \
    unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x;                                      \
    if (id >= s.n[0] * s.n[1] * s.n[2] * s.batch)                                                  \
        return;                                                                                    \
    cell at(id, s)

template <class T>
__device__ static void move(COMPLEX *to, const COMPLEX *from, sizes s, fft_layout in, fft_layout out)
{
    ID_IN(s);
    to[at.in(out, at.k)] = from[at.in(in, at.k)];
}

template <class T>
__device__ static void from_real(COMPLEX *to, const T *from, sizes s, fft_layout in, fft_layout out)
{
    ID_IN(s);
    to[at.in(out, at.k)] = {from[at.in(in, at.k)], 0};
}

template <class T>
__device__ static void to_real(T *to, const COMPLEX *from, sizes s, fft_layout in, fft_layout out)
{
    ID_IN(s);
    to[at.in(out, at.k)] = from[at.in(in, at.k)].x;
}

/* The second half of each row is the first one's conjugate, from its end on. */
template <class T>
__device__ static void mirror(COMPLEX *to, const COMPLEX *from, sizes s, fft_layout in, fft_layout out)
{
    ID_IN(s);
    bool second = at.k > s.n[2] / 2;
    to[at.in(out, at.k)] = conjugate(from[at.in(in, second ? s.n[2] - at.k : at.k)], second);
}

// --- by name -------------------------------------------------------------------------------------------

#define KERNEL extern "C" __global__ void __launch_bounds__(FFT_THREADS)
#define PASS(T, S, C, R)                                                                           \
    KERNEL pass##R##_##S(C *to, const C *from, const C *table, fft_lines lines, fft_factor factor, \
                         int inverse)                                                              \
    {                                                                                              \
        pass<T, R>(to, from, table, lines, factor, inverse);                                       \
    }
#define KERNELS(T, S, C)                                                                           \
    PASS(T, S, C, 2)                                                                               \
    PASS(T, S, C, 3)                                                                               \
    PASS(T, S, C, 4)                                                                               \
    PASS(T, S, C, 5)                                                                               \
    PASS(T, S, C, 7)                                                                               \
    PASS(T, S, C, 8)                                                                               \
    KERNEL pass_##S(C *to, const C *from, const C *table, fft_lines lines, fft_factor factor,      \
                    int inverse)                                                                   \
    {                                                                                              \
        pass_any<T>(to, from, table, lines, factor, inverse);                                      \
    }                                                                                              \
    KERNEL chirp_in_##S(C *to, const C *from, const C *chirp, fft_lines lines, unsigned int room,  \
                        int inverse)                                                               \
    {                                                                                              \
        chirp_in<T>(to, from, chirp, lines, room, inverse);                                        \
    }                                                                                              \
    KERNEL chirp_times_##S(C *rows, const C *transformed, unsigned int count, unsigned int room)   \
    {                                                                                              \
        chirp_times<T>(rows, transformed, count, room);                                            \
    }                                                                                              \
    KERNEL chirp_out_##S(C *to, const C *from, const C *chirp, fft_lines lines, unsigned int room, \
                         int inverse)                                                              \
    {                                                                                              \
        chirp_out<T>(to, from, chirp, lines, room, inverse);                                       \
    }                                                                                              \
    KERNEL move_##S(C *to, const C *from, sizes s, fft_layout in, fft_layout out)                  \
    {                                                                                              \
        move<T>(to, from, s, in, out);                                                             \
    }                                                                                              \
    KERNEL from_real_##S(C *to, const T *from, sizes s, fft_layout in, fft_layout out)             \
    {                                                                                              \
        from_real<T>(to, from, s, in, out);                                                        \
    }                                                                                              \
    KERNEL to_real_##S(T *to, const C *from, sizes s, fft_layout in, fft_layout out)               \
    {                                                                                              \
        to_real<T>(to, from, s, in, out);                                                          \
    }                                                                                              \
    KERNEL mirror_##S(C *to, const C *from, sizes s, fft_layout in, fft_layout out)                \
    {                                                                                              \
        mirror<T>(to, from, s, in, out);                                                           \
    }
KERNELS(float, s, float2)
KERNELS(double, d, double2)
