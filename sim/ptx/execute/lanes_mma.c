/* Products of matrices in tiles of 8 x 8 (PTX ISA, warp-level matrix instructions), on the numbers
 * that have a floating point; lanes_mma_int.c has the integers. Lane l holds, with g = l / 4 and
 * t = l % 4, of a: word t of row g; of b: word t of column g; of c and d: row g, columns 2t and
 * 2t + 1, each in a register, but pairs of halves in one. A word has 32 bits of consecutive
 * elements, or a double.
 *
 * src[0]: a, src[1]: b, src[2] and src[3]: c; op.type and op.type2: types of c and d. Products of
 * floats are exact, and their sum with c is rounded once; doubles are multiplied and added as by
 * fma.rn.f64, the first ones of the depth first. */
#include "sim/ptx/execute/mma.h"

static const struct mma_runs *runs(void)
{
#ifdef CPU_VERSIONS
    if (__builtin_cpu_supports("x86-64-v4"))
        return &mma_v4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return &mma_v3;
#endif
    return &mma_plain;
}

#define PRODUCT(name, kind)                                                                        \
    void name(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)                        \
    {                                                                                              \
        (void)runs()->kind(inst, 1, ctx, mask);                                                    \
    }
PRODUCT(lanes_mma_f16, f16)
PRODUCT(lanes_mma_bf16, bf16)
PRODUCT(lanes_mma_tf32, tf32)
PRODUCT(lanes_mma_f64, f64)

static mma_run run_of(exec_fn product)
{
    const struct mma_runs *of = runs();
    return product == lanes_mma_f16    ? of->f16
           : product == lanes_mma_bf16 ? of->bf16
           : product == lanes_mma_tf32 ? of->tf32
           : product == lanes_mma_f64  ? of->f64
                                       : NULL;
}

uint32_t isa_products(const struct inst *inst, uint32_t most, struct lane_ctx *ctx)
{
    const mma_run run = run_of(inst->exec);
    if (run)
        return run(inst, most, ctx, FULL_MASK);
    inst->exec(inst, ctx, FULL_MASK);
    return 1;
}
