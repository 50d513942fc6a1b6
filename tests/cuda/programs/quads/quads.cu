/* mma.m8n8k4 of halves, the four products of sm_70, in every layout and with every type of sums,
 * against the host. All sums are whole numbers that a half holds. */
#include <cuda_fp16.h>

#include "check.h"

#define FLOATS                                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
#define IN_PLACE(letter, d) "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])

/* Floats in the place of c; halves too; halves to floats. */
#define KERNEL(name, layouts)                                                                      \
    __global__ void name(const unsigned *a, const unsigned *b, float *floats, unsigned *halves,    \
                         float *widened)                                                           \
    {                                                                                              \
        const unsigned l = threadIdx.x;                                                            \
        const unsigned x = a[2 * l], y = a[2 * l + 1], z = b[2 * l], w = b[2 * l + 1];             \
        float f[8], g[8];                                                                          \
        unsigned h[4];                                                                             \
        for (int i = 0; i < 8; i++)                                                                \
            f[i] = floats[8 * l + i];                                                              \
        for (int i = 0; i < 4; i++)                                                                \
            h[i] = halves[4 * l + i];                                                              \
        asm("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, "    \
            "%7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15};"                                     \
            : "=f"(g[0]), "=f"(g[1]), "=f"(g[2]), "=f"(g[3]), "=f"(g[4]), "=f"(g[5]), "=f"(g[6]),  \
              "=f"(g[7])                                                                           \
            : "r"(x), "r"(y), "r"(z), "r"(w), "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3]));         \
        asm("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f32 " FLOATS                          \
            : IN_PLACE("f", f), "+f"(f[4]), "+f"(f[5]), "+f"(f[6]), "+f"(f[7])                     \
            : "r"(x), "r"(y), "r"(z), "r"(w));                                                     \
        asm("mma.sync.aligned.m8n8k4." layouts ".f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, "     \
            "{%6, %7}, {%0, %1, %2, %3};"                                                          \
            : IN_PLACE("r", h)                                                                     \
            : "r"(x), "r"(y), "r"(z), "r"(w));                                                     \
        for (int i = 0; i < 8; i++)                                                                \
            floats[8 * l + i] = f[i], widened[8 * l + i] = g[i];                                   \
        for (int i = 0; i < 4; i++)                                                                \
            halves[4 * l + i] = h[i];                                                              \
    }
KERNEL(row_col, "row.col")
KERNEL(row_row, "row.row")
KERNEL(col_row, "col.row")
KERNEL(col_col, "col.col")

typedef void (*kernel)(const unsigned *, const unsigned *, float *, unsigned *, float *);

struct memory {
    unsigned a[64], b[64], halves[128];
    float floats[256], widened[256];
};

static void put_half(unsigned *words, int n, float value)
{
    words[n / 2] |= (unsigned)__half_as_ushort(__float2half(value)) << n % 2 * 16;
}
static float half_at(const unsigned *words, int n)
{
    return __half2float(__ushort_as_half((unsigned short)(words[n / 2] >> n % 2 * 16)));
}

/* The PTX ISA's "Matrix Fragments for mma.m8n8k4": the quads' pair q of a lane, its half of it. */
struct place {
    int q, upper, in_quad;
    explicit place(int lane) : q(lane / 4 % 4), upper(lane / 16 * 4), in_quad(lane % 4)
    {
    }
};

static bool right(kernel run, bool a_by_columns, bool b_by_rows)
{
    static int a[4][8][4], b[4][4][8], c[4][8][8], d[4][8][8];
    unsigned seed = 7 + 2 * a_by_columns + b_by_rows;
    for (int q = 0; q < 4; q++) {
        for (int i = 0; i < 32; i++) {
            a[q][i / 4][i % 4] = (int)(next_random(&seed) % 17) - 8;
            b[q][i / 8][i % 8] = (int)(next_random(&seed) % 17) - 8;
        }
        for (int i = 0; i < 64; i++) {
            int sum = c[q][i / 8][i % 8] = (int)(next_random(&seed) % 201) - 100;
            for (int k = 0; k < 4; k++)
                sum += a[q][i / 8][k] * b[q][k][i % 8];
            d[q][i / 8][i % 8] = sum;
        }
    }
    memory *m;
    CHECK(cudaMallocManaged(&m, sizeof *m));
    memset(m, 0, sizeof *m);
    for (int lane = 0; lane < 32; lane++) {
        const place p(lane);
        for (int i = 0; i < 4; i++) {
            put_half(m->a, 4 * lane + i,
                     (float)(a_by_columns ? a[p.q][i + p.upper][p.in_quad]
                                          : a[p.q][p.in_quad + p.upper][i]));
            put_half(m->b, 4 * lane + i,
                     (float)(b_by_rows ? b[p.q][p.in_quad][i + p.upper]
                                       : b[p.q][i][p.in_quad + p.upper]));
        }
        for (int i = 0; i < 8; i++) {
            put_half(m->halves, 8 * lane + i, (float)c[p.q][p.in_quad + p.upper][i]);
            m->floats[8 * lane + i] =
                (float)c[p.q][lane % 2 + (i & 2) + p.upper][(i & 4) + (lane & 2) + i % 2];
        }
    }
    run<<<1, 32>>>(m->a, m->b, m->floats, m->halves, m->widened);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int n = 0; n < 256; n++) {
        const int lane = n / 8, i = n % 8;
        const place p(lane);
        const int row = lane % 2 + (i & 2) + p.upper, column = (i & 4) + (lane & 2) + i % 2;
        wrong += half_at(m->halves, n) != (float)d[p.q][p.in_quad + p.upper][i];
        wrong += m->floats[n] != (float)d[p.q][row][column];
        wrong += m->widened[n] != (float)d[p.q][row][column];
    }
    if (wrong)
        printf("%d elements are wrong, a by %s, b by %s\n", wrong,
               a_by_columns ? "columns" : "rows", b_by_rows ? "rows" : "columns");
    CHECK(cudaFree(m));
    return !wrong;
}

int main()
{
    return verdict("quads", right(row_col, false, false) & right(row_row, false, true) &
                                right(col_row, true, true) & right(col_col, true, false));
}
