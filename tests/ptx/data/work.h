/* Work for the front end, in C that is CUDA as well: test_kernels.c compiles it for the host as the
 * reference (NOINLINE, DEVICE and TABLE are for the compiler at hand), clang compiles it to
 * work_O0.ptx, work_O1.ptx and work_O3.ptx (mk/kernels.mk). */
#ifndef WORK_H
#define WORK_H

struct item {
    signed char a;
    float b;
    unsigned long long c;
    unsigned short d[3];
};

struct small {
    short x, y;
};

DEVICE NOINLINE struct item change(struct item p, int k, double scale)
{
    p.a = (signed char)(p.a + k);
    p.b = (float)(p.b * scale);
    p.c = p.c * 6364136223846793005ull + (unsigned long long)(long long)k;
    p.d[(unsigned)k % 3] = (unsigned short)(p.d[1] - p.a);
    return p;
}

DEVICE NOINLINE float mix(float x, double y, signed char z)
{
    if (z < 0)
        return x - (float)y;
    return x * (float)z + (float)y;
}

DEVICE NOINLINE struct small swap(struct small s)
{
    struct small r = {s.y, s.x};
    return r;
}

DEVICE NOINLINE unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n > 1 && steps < 50) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

DEVICE NOINLINE unsigned twice(unsigned n)
{
    return collatz(n) + 100 * collatz(n + 1);
}

TABLE int table[8] = {3, -1, 4, -1, 5, -9, 2, -6};

/* Widths, signs, divisions. */
DEVICE unsigned long long integers(unsigned i, unsigned long long seed)
{
    signed char c = (signed char)(seed >> 3);
    unsigned char uc = (unsigned char)(seed >> 11);
    short s = (short)(seed >> 19);
    unsigned short us = (unsigned short)(seed >> 27);
    int w = (int)(seed >> 13);
    long long d = (long long)seed;
    unsigned long long r = seed;
    r += (unsigned long long)(c / 3) + (unsigned long long)(uc % 7) * 3;
    r ^= (unsigned long long)(long long)(s / (c | 1)) << 5;
    r += (unsigned long long)(us * uc) + (unsigned long long)(long long)(s * c);
    r ^= (unsigned long long)(long long)(w / 17) + (unsigned long long)(w % 1000);
    r += (unsigned long long)(d / (long long)(i + 3)) ^ (seed % (i + 5));
    r ^= (unsigned long long)(d >> (i & 63)) + (seed << (i & 31));
    r += c > s ? 1u : us < uc ? 2u : w < 0 ? 3u : 4u;
    return r + (unsigned long long)__builtin_popcountll(seed) +
           (unsigned long long)__builtin_clz(i | 1);
}

DEVICE double floats(unsigned i, float x, double y)
{
    double sum = 0;
    for (unsigned n = 0; n < (i & 7) + 2; n++) {
        x = x * 1.25f - (float)n;
        y = y / (n + 1.5) + x;
        sum += y > 10 ? 1.0 / y : y;
        if (sum > 1e6)
            break;
    }
    return sum + (double)(int)x + (double)(long long)(y * 3);
}

DEVICE unsigned long long control(unsigned i, unsigned long long seed)
{
    unsigned local[16];
    unsigned long long r = 0;
    for (unsigned n = 0; n < 16; n++)
        local[n] = n * i;
    for (unsigned n = 0; n < 40; n++) {
        unsigned at = (unsigned)(seed >> n) & 15;
        if (at == 3)
            continue;
        if (n > 30 && at == 7)
            break;
        switch (at & 7) {
        case 0:
            local[at] += local[(at + 1) & 15];
            break;
        case 1:
            local[at] ^= n;
            /* fallthrough */
        case 2:
            local[(at + 5) & 15]++;
            break;
        case 5:
            for (unsigned k = 0; k < (i & 3); k++)
                local[k] += local[at];
            break;
        default:
            local[at] *= 3;
            break;
        }
        r += local[at] + (unsigned)table[at & 7];
    }
    return r;
}

DEVICE void work(unsigned i, const unsigned long long *in, unsigned long long *out)
{
    unsigned long long seed = in[i];
    struct item item = {(signed char)seed, (float)i, seed, {1, 2, (unsigned short)i}};
    struct small small = {(short)seed, (short)i};
    item = change(item, (int)i, 1.5);
    if (i & 1)
        item = change(item, -(int)i, 0.25);
    small = swap(small);
    float f = mix(item.b, (double)i, item.a);
    double d = floats(i, f, (double)(int)seed);
    unsigned long long bits;
    __builtin_memcpy(&bits, &d, sizeof bits);
    out[4 * i] = integers(i, seed);
    out[4 * i + 1] = control(i, seed) + twice(i);
    out[4 * i + 2] = bits;
    out[4 * i + 3] = item.c + item.d[0] + 7u * item.d[1] + 77u * item.d[2] +
                     (unsigned long long)(long long)item.a +
                     (unsigned long long)(unsigned short)small.x;
}

#endif
