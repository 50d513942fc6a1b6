// mma.sp in every shape, type and selector, against the host: a has two numbers in each chunk of
// four, or of tf32 one in two, or of nibbles two pairs in four. All sums are whole numbers.
#include <cuda_fp16.h>

#include <string.h>

#include "check.h"

#define D4(letter, d) "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])

// Registers of a lane: two or four each of a and b, one of places, four of c and d.
struct lane {
    unsigned a[4], b[4], places;
    union {
        float f[4];
        int i[4];
    };
};

#define KERNEL(name, letter, member, text, a_list, b_list, rest, ...)                              \
    __global__ void name(lane *lanes)                                                              \
    {                                                                                              \
        lane &l = lanes[threadIdx.x];                                                              \
        auto &d = l.member;                                                                        \
        asm("mma.sp.sync.aligned." text " {%0, %1, %2, %3}, " a_list ", " b_list                   \
            ", {%0, %1, %2, %3}, " rest                                                            \
            : D4(letter, d)                                                                        \
            : __VA_ARGS__, "r"(l.places));                                                         \
    }
#define TWO(name, letter, member, text, selector)                                                  \
    KERNEL(name, letter, member, text, "{%4, %5}", "{%6, %7}", "%8, " selector ";", "r"(l.a[0]),   \
           "r"(l.a[1]), "r"(l.b[0]), "r"(l.b[1]))
#define FOUR(name, letter, member, text, selector)                                                 \
    KERNEL(name, letter, member, text, "{%4, %5, %6, %7}", "{%8, %9, %10, %11}",                   \
           "%12, " selector ";", "r"(l.a[0]), "r"(l.a[1]), "r"(l.a[2]), "r"(l.a[3]), "r"(l.b[0]),  \
           "r"(l.b[1]), "r"(l.b[2]), "r"(l.b[3]))

TWO(half_16_0, "f", f, "m16n8k16.row.col.f32.f16.f16.f32", "0")
TWO(half_16_3, "f", f, "m16n8k16.row.col.f32.f16.f16.f32", "3")
TWO(bfloat_16_2, "f", f, "m16n8k16.row.col.f32.bf16.bf16.f32", "2")
FOUR(half_32_0, "f", f, "m16n8k32.row.col.f32.f16.f16.f32", "0")
FOUR(half_32_1, "f", f, "m16n8k32.row.col.f32.f16.f16.f32", "1")
TWO(tf32_8_1, "f", f, "m16n8k8.row.col.f32.tf32.tf32.f32", "1")
FOUR(tf32_16_1, "f", f, "m16n8k16.row.col.f32.tf32.tf32.f32", "1")
TWO(byte_32_0, "r", i, "m16n8k32.row.col.s32.s8.s8.s32", "0")
TWO(byte_32_1, "r", i, "m16n8k32.row.col.s32.s8.s8.s32", "1")
FOUR(byte_64, "r", i, "m16n8k64.row.col.s32.s8.s8.s32", "0")
TWO(nibble_64_1, "r", i, "m16n8k64.row.col.s32.s4.s4.s32", "1")
FOUR(nibble_128, "r", i, "m16n8k128.row.col.s32.s4.s4.s32", "0")

// Bits of an element, columns of a, elements that lie together in a chunk, the selector.
struct form {
    const char *name;
    void (*run)(lane *);
    int bits, depth, together, selector;
    bool bfloat;
};

static unsigned encoded(const form &f, int x)
{
    const float value = (float)x;
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    if (f.bits == 32)
        return bits;
    if (f.bits == 16)
        return f.bfloat ? bits >> 16 : __half_as_ushort(__float2half(value));
    return (unsigned)x & ((1u << f.bits) - 1);
}

// Which lane of four has the places of a chunk, and from which bit on (PTX ISA, the figures of
// the metadata): rows of 16 bits, two to a register, or rows of 32.
static void place_at(const form &f, int row, int chunk, unsigned place, lane *quad)
{
    const int low = row < 8 ? 0 : 1;
    if (f.bits >= 16) { // four chunks to 16 bits; the next four are the next lane's
        const int which = f.depth * f.bits == 512 ? 2 * f.selector + chunk / 4 : f.selector;
        quad[which].places |= place << (16 * low + 4 * (chunk % 4));
    } else { // eight chunks to a register
        quad[2 * f.selector + 2 * (chunk / 8) + low].places |= place << 4 * (chunk % 8);
    }
}

static bool right(const form &f)
{
    static int a[16][128], b[128][8], c[16][8];
    static lane host[32];
    unsigned seed = (unsigned)(f.depth + f.bits + f.selector);
    const int word = 32 / f.bits, unit = f.bits == 32 ? 1 : f.together, chunks = f.depth / 4 / unit;
    memset(a, 0, sizeof a);
    memset(host, 0, sizeof host);
    const bool is_long = f.depth * f.bits == 512;
    const int holders = (f.bits >= 16 ? 1 : 2) * (is_long ? 2 : 1); // of a quad
    for (int l = 0; l < 32; l++)                                    // the other lanes' do not count
        host[l].places = l % 4 / holders == f.selector ? 0 : 0xE4E4E4E4u;
    for (int row = 0; row < 16; row++) {
        lane *quad = &host[row % 8 * 4];
        if (f.bits == 32) { // of two neighbours one, whose places are those of its halves
            for (int pair = 0; pair < f.depth / 2; pair++) {
                const int at = (int)(next_random(&seed) % 2), x = (int)(next_random(&seed) % 9) - 4;
                a[row][2 * pair + at] = x;
                place_at(f, row, pair, at ? 0xE : 0x4, quad);
                quad[pair % 4].a[2 * (pair / 4) + row / 8] = encoded(f, x);
            }
            continue;
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            const unsigned low = next_random(&seed) % 3,
                           high = low + 1 + next_random(&seed) % (3 - low);
            place_at(f, row, chunk, low | high << 2, quad);
            for (int n = 0; n < 2 * unit; n++) {
                const int x = (int)(next_random(&seed) % 9) - 4;
                const int given = chunk * 2 * unit + n; // among those that are given
                a[row][(chunk * 4 + (int)(n < unit ? low : high)) * unit + n % unit] = x;
                quad[given / word % 4].a[2 * (given / word / 4) + row / 8] |=
                    encoded(f, x) << given % word * f.bits;
            }
        }
    }
    for (int k = 0; k < f.depth; k++)
        for (int column = 0; column < 8; column++) {
            b[k][column] = (int)(next_random(&seed) % 9) - 4;
            host[column * 4 + k / word % 4].b[k / word / 4] |= encoded(f, b[k][column])
                                                               << k % word * f.bits;
        }
    for (int n = 0; n < 128; n++) {
        const int x = c[n / 8][n % 8] = (int)(next_random(&seed) % 99);
        lane &l = host[n / 8 % 8 * 4 + n % 8 / 2];
        const int at = n / 64 * 2 + n % 2;
        f.bits >= 16 ? (void)(l.f[at] = (float)x) : (void)(l.i[at] = x);
    }
    lane *device;
    CHECK(cudaMallocManaged(&device, sizeof host));
    memcpy(device, host, sizeof host);
    f.run<<<1, 32>>>(device);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int n = 0; n < 128; n++) {
        int want = c[n / 8][n % 8];
        for (int k = 0; k < f.depth; k++)
            want += a[n / 8][k] * b[k][n % 8];
        const lane &l = device[n / 8 % 8 * 4 + n % 8 / 2];
        const int at = n / 64 * 2 + n % 2;
        wrong += (f.bits >= 16 ? (int)l.f[at] : l.i[at]) != want;
    }
    if (wrong)
        printf("%s: %d elements are wrong\n", f.name, wrong);
    CHECK(cudaFree(device));
    return !wrong;
}

int main()
{
    const form forms[] = {
        {"half_16_0", half_16_0, 16, 16, 1, 0, false},
        {"half_16_3", half_16_3, 16, 16, 1, 3, false},
        {"bfloat_16_2", bfloat_16_2, 16, 16, 1, 2, true},
        {"half_32_0", half_32_0, 16, 32, 1, 0, false},
        {"half_32_1", half_32_1, 16, 32, 1, 1, false},
        {"tf32_8_1", tf32_8_1, 32, 8, 1, 1, false},
        {"tf32_16_1", tf32_16_1, 32, 16, 1, 1, false},
        {"byte_32_0", byte_32_0, 8, 32, 1, 0, false},
        {"byte_32_1", byte_32_1, 8, 32, 1, 1, false},
        {"byte_64", byte_64, 8, 64, 1, 0, false},
        {"nibble_64_1", nibble_64_1, 4, 64, 2, 1, false},
        {"nibble_128", nibble_128, 4, 128, 2, 0, false},
    };
    bool ok = true;
    for (const form &f : forms)
        ok &= right(f);
    return verdict("sparse_mma", ok);
}
