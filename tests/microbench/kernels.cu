/* Kernels that each show one figure of the machine: tests/microbench/micro.h says which. Times are
 * %clock's, in core cycles; instructions that are measured are written in PTX, so that no compiler
 * moves or merges them. */

#define NOW(t)     asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory")
#define TIMES4(x)  x x x x
#define TIMES8(x)  TIMES4(x) TIMES4(x)
#define TIMES64(x) TIMES8(x) TIMES8(x) TIMES8(x) TIMES8(x) TIMES8(x) TIMES8(x) TIMES8(x) TIMES8(x)

/* --- pointer chases: each word holds the address of the next ----------------------------------- */

/* The clock is read when the last address is there. `out`: cycles. */
#define CHASE(name, load)                                                                          \
    extern "C" __global__ void name(const void *next, unsigned steps, unsigned *out)               \
    {                                                                                              \
        unsigned from, to;                                                                         \
        NOW(from);                                                                                 \
        _Pragma("nounroll") for (unsigned i = 0; i < steps; i++)                                   \
            asm volatile(load " %0, [%0];" : "+l"(next)::"memory");                                \
        asm volatile("or.b64 %0, %0, 0;" : "+l"(next)::"memory");                                  \
        NOW(to);                                                                                   \
        out[0] = next ? to - from : 0;                                                             \
    }

CHASE(chase, "ld.global.u64")
CHASE(chase_l2, "ld.global.cg.u64")

/* Lane's word `stride` words from its neighbour's; every word holds its own index. */
extern "C" __global__ void shared_chase(unsigned stride, unsigned steps, unsigned *out)
{
    __shared__ unsigned words[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x)
        words[i] = i * 4;
    __syncthreads();
    unsigned from, to, at = threadIdx.x * stride % 2048 * 4;
    unsigned base;
    asm("{.reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;}"
        : "=r"(base)
        : "l"((unsigned long)words));
    NOW(from);
#pragma nounroll
    for (unsigned i = 0; i < steps; i++)
        asm volatile("{.reg .u32 a; add.u32 a, %0, %1; ld.shared.u32 %0, [a];}"
                     : "+r"(at)
                     : "r"(base)
                     : "memory");
    asm volatile("or.b32 %0, %0, 0;" : "+r"(at)::"memory");
    NOW(to);
    if (threadIdx.x == 0)
        out[0] = to - from;
    out[1 + threadIdx.x] = at;
}

/* 32 loads in a row that do not wait for each other, `rounds` times: as fast as the banks deliver.
 * `out`: the clock before the first and after the last, of each warp. */
extern "C" __global__ void shared_stream(unsigned stride, unsigned rounds, unsigned *out)
{
    __shared__ unsigned words[2048];
    unsigned from, to, base, a, b, c, d, e, f, g, h;
    asm("{.reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;}"
        : "=r"(base)
        : "l"((unsigned long)words));
    base += threadIdx.x * stride % 2048 * 4;
#pragma nounroll
    for (unsigned i = 0; i < 2; i++) {
        __syncthreads();
        NOW(from);
#pragma nounroll
        for (unsigned r = 0; r < rounds; r++)
            asm volatile(TIMES4("ld.shared.u32 %0, [%8];ld.shared.u32 %1, [%8];"
                                "ld.shared.u32 %2, [%8];ld.shared.u32 %3, [%8];"
                                "ld.shared.u32 %4, [%8];ld.shared.u32 %5, [%8];"
                                "ld.shared.u32 %6, [%8];ld.shared.u32 %7, [%8];")
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d), "=r"(e), "=r"(f), "=r"(g), "=r"(h)
                         : "r"(base)
                         : "memory");
        NOW(to);
    }
    if (threadIdx.x % 32 == 0) {
        out[threadIdx.x / 16] = from;
        out[threadIdx.x / 16 + 1] = to;
    }
}

/* --- streams ------------------------------------------------------------------------------------ */

/* Every block walks the array in chunks of four words a thread, all four under way at a time, `passes`
 * times. `words` is a multiple of four times the grid. */
#define READ_STREAM(name, load)                                                                    \
    extern "C" __global__ void name(const unsigned *in, unsigned words, unsigned passes,           \
                                    unsigned *out)                                                 \
    {                                                                                              \
        unsigned grid = gridDim.x * blockDim.x, sum = 0;                                           \
        const unsigned *first = in + 4 * blockIdx.x * blockDim.x + threadIdx.x, *end = in + words; \
        for (unsigned pass = 0; pass < passes; pass++) {                                           \
            for (const unsigned *p = first; p < end; p += 4 * grid) {                              \
                unsigned a, b, c, d;                                                               \
                asm volatile(load " %0, [%4];" load " %1, [%5];" load " %2, [%6];" load            \
                                  " %3, [%7];"                                                     \
                             : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                  \
                             : "l"(p), "l"(p + blockDim.x), "l"(p + 2 * blockDim.x),                \
                               "l"(p + 3 * blockDim.x)                                             \
                             : "memory");                                                          \
                sum += a ^ b ^ c ^ d;                                                              \
            }                                                                                      \
        }                                                                                          \
        if (sum == 0x12345)                                                                        \
            out[0] = sum;                                                                          \
    }

READ_STREAM(read_stream, "ld.global.u32")
READ_STREAM(read_stream_l2, "ld.global.cg.u32")

/* The same with one word a thread under way: how most kernels read. */
extern "C" __global__ void read_words(const unsigned *in, unsigned words, unsigned passes, unsigned *out)
{
    unsigned grid = gridDim.x * blockDim.x, sum = 0;
    for (unsigned pass = 0; pass < passes; pass++)
#pragma nounroll
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += grid)
            sum ^= in[i];
    if (sum == 0x12345)
        out[0] = sum;
}

extern "C" __global__ void write_stream(unsigned *to, unsigned words, unsigned passes)
{
    unsigned grid = gridDim.x * blockDim.x;
    for (unsigned pass = 0; pass < passes; pass++)
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += grid)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(to + i), "r"(i) : "memory");
}

/* Every thread reads words of lines drawn at random from 1 << bits lines, four at a time. */
extern "C" __global__ void scatter(const char *lines, unsigned bits, unsigned times, unsigned *out)
{
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u, sum = 0;
#pragma nounroll
    for (unsigned i = 0; i < times; i++) {
        unsigned word[4];
        unsigned long at[4];
        for (unsigned k = 0; k < 4; k++) {
            x = x * 1664525u + 1013904223u;
            at[k] = (unsigned long)(x >> (32 - bits)) * 128;
        }
        asm volatile("ld.global.cg.u32 %0, [%4];ld.global.cg.u32 %1, [%5];"
                     "ld.global.cg.u32 %2, [%6];ld.global.cg.u32 %3, [%7];"
                     : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                     : "l"(lines + at[0]), "l"(lines + at[1]), "l"(lines + at[2]),
                       "l"(lines + at[3])
                     : "memory");
        sum += word[0] ^ word[1] ^ word[2] ^ word[3];
    }
    if (sum == 0x12345)
        out[0] = sum;
}

/* --- rows --------------------------------------------------------------------------------------- */

/* Lane l of warp w walks row 32 w + l word by word; a step waits for the one before it. */
extern "C" __global__ void rows(const char *matrix, unsigned pitch, unsigned columns, unsigned *out)
{
    const char *p = matrix + (unsigned long)(blockIdx.x * blockDim.x + threadIdx.x) * pitch;
    unsigned sum = 0;
#pragma nounroll
    for (unsigned c = 0; c < columns; c++) {
        unsigned word;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(p + 4 * c) : "memory");
        sum += word;
    }
    if (sum == 0x12345)
        out[0] = sum;
}

/* --- atomics ------------------------------------------------------------------------------------ */

/* Lane l of warp w adds to word (w * warp_stride + l * lane_stride) of `words`. */
extern "C" __global__ void atomics(unsigned *words, unsigned lane_stride, unsigned warp_stride,
                                   unsigned times)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = words + t / 32 * warp_stride + t % 32 * lane_stride;
#pragma nounroll
    for (unsigned i = 0; i < times; i++)
        asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p) : "memory");
}

/* --- arithmetic --------------------------------------------------------------------------------- */

/* A run of instructions, twice: the second time the instruction cache has them. Nothing else is under
 * way before `lead`; the clock is read after it and when all of `line` have issued. `out`: the clocks
 * of each warp. */
#define SETTLE(reg, bits, a)                                                                       \
    asm volatile("{.reg .b" bits " t; mov.b" bits " t, %0;}" ::reg(a) : "memory");
#define RUN(line, reg)                                                                             \
    asm volatile(line                                                                              \
                 : "+" reg(a), "+" reg(b), "+" reg(c), "+" reg(d), "+" reg(e), "+" reg(f),         \
                   "+" reg(g), "+" reg(h)                                                          \
                 : reg(seed)                                                                       \
                 : "memory");
#define TIMED(name, type, reg, bits, lead, loop, line)                                             \
    extern "C" __global__ void name(type seed, unsigned rounds, unsigned *out)                     \
    {                                                                                              \
        type a = seed, b = seed, c = seed, d = seed, e = seed, f = seed, g = seed, h = seed;       \
        unsigned start, end;                                                                       \
        _Pragma("nounroll") for (unsigned i = 0; i < 2; i++)                                       \
        {                                                                                          \
            SETTLE(reg, bits, a)                                                                   \
            SETTLE(reg, bits, b)                                                                   \
            SETTLE(reg, bits, c)                                                                   \
            SETTLE(reg, bits, d)                                                                   \
            SETTLE(reg, bits, e)                                                                   \
            SETTLE(reg, bits, f)                                                                   \
            SETTLE(reg, bits, g)                                                                   \
            SETTLE(reg, bits, h)                                                                   \
            __syncthreads();                                                                       \
            RUN(lead, reg)                                                                         \
            NOW(start);                                                                            \
            loop RUN(line, reg);                                                                   \
            NOW(end);                                                                              \
        }                                                                                          \
        unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;                                 \
        if (threadIdx.x % 32 == 0) {                                                               \
            out[2 * w] = start;                                                                    \
            out[2 * w + 1] = end;                                                                  \
        }                                                                                          \
        if (a == (type)7 && b + c + d + e + f + g + h == (type)77)                                 \
            out[0] = rounds;                                                                       \
    }

/* 64 that each need the one before, after two: both clocks are read right after an instruction that
 * had to wait. And 32 of which none needs the seven before, `rounds` times. */
#define ROUNDS      _Pragma("nounroll") for (unsigned r = 0; r < rounds; r++)
#define ONE(op, d)  op " %" d ", %" d ", %8;"
#define EIGHT(op)                                                                                  \
    ONE(op, "0") ONE(op, "1") ONE(op, "2") ONE(op, "3") ONE(op, "4") ONE(op, "5") ONE(op, "6")     \
    ONE(op, "7")
#define CLASS(name, op, type, reg, bits)                                                           \
    TIMED(name##_dependent, type, reg, bits, ONE(op, "0") ONE(op, "0"), , TIMES64(ONE(op, "0")))   \
    TIMED(name##_independent, type, reg, bits, "", ROUNDS, TIMES4(EIGHT(op)))

CLASS(int, "add.u32", unsigned, "r", "32")
CLASS(int_mul, "mul.lo.u32", unsigned, "r", "32")
CLASS(int_div, "div.u32", unsigned, "r", "32")
CLASS(fp, "add.f32", float, "f", "32")
CLASS(fp_div, "div.rn.f32", float, "f", "32")
CLASS(dp, "add.f64", double, "d", "64")
CLASS(dp_div, "div.rn.f64", double, "d", "64")

#define ONE_SFU(d) "ex2.approx.ftz.f32 %" d ", %" d ";"
TIMED(sfu_dependent, float, "f", "32", ONE_SFU("0") ONE_SFU("0"), , TIMES64(ONE_SFU("0")))
TIMED(sfu_independent, float, "f", "32", "", ROUNDS,
      TIMES4(ONE_SFU("0") ONE_SFU("1") ONE_SFU("2") ONE_SFU("3") ONE_SFU("4") ONE_SFU("5")
                 ONE_SFU("6") ONE_SFU("7")))

/* --- fairness ----------------------------------------------------------------------------------- */

/* Lines at random out of 1 << bits, for `cycles` cycles; done[block] counts a block's accesses. */
#define FAIR(name, access)                                                                         \
    extern "C" __global__ void name(char *lines, unsigned bits, unsigned cycles, unsigned *done)   \
    {                                                                                              \
        unsigned from, now, count = 0;                                                             \
        unsigned x = ((blockIdx.x * blockDim.x + threadIdx.x) / 32 + 1) * 2654435761u;             \
        __shared__ unsigned begin; /* one for all, or the youngest warps would run when the     */ \
        NOW(from);                 /* oldest have ended                                         */ \
        if (threadIdx.x == 0)                                                                      \
            begin = from;                                                                          \
        __syncthreads();                                                                           \
        from = begin;                                                                              \
        do {                                                                                       \
            char *p = lines + (unsigned long)(x >> (32 - bits)) * 128 + threadIdx.x % 32 * 4;      \
            access;                                                                                \
            x = x * 1664525u + 1013904223u;                                                        \
            count++;                                                                               \
            NOW(now);                                                                              \
        } while (now - from < cycles);                                                             \
        if (threadIdx.x % 32 == 0)                                                                 \
            atomicAdd(&done[blockIdx.x], count);                                                   \
    }

FAIR(fair_loads, unsigned word; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(p)
                                             : "memory");
     asm volatile("or.b32 %0, %0, 0;" : "+r"(word)::"memory"))
FAIR(fair_stores, asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(count) : "memory"))
