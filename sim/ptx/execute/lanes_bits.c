/* Counts, bit fields and permutations that the compiler vectorises. */
#define LANE_NAMES
#include "sim/ptx/execute/vector.h"

/* In parallel within the word, for few machines count the bits of vectors. */
CLONED_PART uint32_t count(uint32_t a)
{
    a -= a >> 1 & 0x55555555u;
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    return ((a + (a >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}

CLONED_PART uint32_t leading(uint32_t a)
{
    return a ? (uint32_t)__builtin_clz(a) : 32;
}

CLONED_PART uint32_t reversed(uint32_t a)
{
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0F0F0F0Fu) | (a & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(a);
}

LANES_1(popc_32, 32, u32, count(a))
LANES(popc_64, SRC(a, 0), PAIR(a) PUT_32(count(al) + count(ah)))
LANES_1(clz_32, 32, u32, leading(a))
LANES(clz_64, SRC(a, 0), PAIR(a) PUT_32(ah ? leading(ah) : 32 + leading(al)))
LANES_1(brev_32, 32, u32, reversed(a))
LANES_PAIR_1(brev_64, reversed(ah), reversed(al))

/* --- fields. PTX ISA, "bfe", "bfi": position and length are the low 8 bits. --------------------
 */

/* In words of `bits` bits: the lowest ones; a field; one with its sign above it and beyond the top;
 * b with the lowest bits of a in a field. */
#define FIELDS(bits)                                                                               \
    CLONED_PART uint##bits##_t low_##bits(uint32_t length)                                         \
    {                                                                                              \
        uint##bits##_t one = 1;                                                                    \
        return length >= bits ? 0 - one : (one << (length & (bits - 1))) - 1;                      \
    }                                                                                              \
    CLONED_PART uint##bits##_t field_##bits(uint##bits##_t a, uint32_t at, uint32_t length)        \
    {                                                                                              \
        return at >= bits ? 0 : a >> (at & (bits - 1)) & low_##bits(length);                       \
    }                                                                                              \
    CLONED_PART int##bits##_t signed_##bits(int##bits##_t a, uint32_t at, uint32_t length)         \
    {                                                                                              \
        uint32_t above = length < bits ? (bits - length) & (bits - 1) : 0;                         \
        int##bits##_t from = a >> (at >= bits ? bits - 1 : at);                                    \
        return length ? (int##bits##_t)((uint##bits##_t)from << above) >> above : 0;               \
    }                                                                                              \
    CLONED_PART uint##bits##_t inserted_##bits(uint##bits##_t a, uint##bits##_t b, uint32_t at,    \
                                               uint32_t length)                                    \
    {                                                                                              \
        uint##bits##_t taken = at >= bits ? 0 : low_##bits(length) << (at & (bits - 1));           \
        return (b & ~taken) | (a << (at & (bits - 1)) & taken);                                    \
    }                                                                                              \
    LANES(bfe_u##bits, SRC(a, 0) SRC(b, 1) SRC(c, 2),                                              \
          PUT_##bits(field_##bits(GET_u##bits(a_row, i), b_row[i] & 0xFF, c_row[i] & 0xFF)))       \
    LANES(bfe_s##bits, SRC(a, 0) SRC(b, 1) SRC(c, 2),                                              \
          PUT_##bits(signed_##bits(GET_s##bits(a_row, i), b_row[i] & 0xFF, c_row[i] & 0xFF)))      \
    LANES(bfi_##bits, SRC(a, 0) SRC(b, 1) SRC(c, 2) SRC(n, 3),                                     \
          PUT_##bits(inserted_##bits(GET_u##bits(a_row, i), GET_u##bits(b_row, i),                 \
                                     c_row[i] & 0xFF, n_row[i] & 0xFF)))
FIELDS(32)
FIELDS(64)

/* --- shf: the pair b:a; .l gives the upper, .r the lower word ----------------------------------
 */

#define BOTH       ((uint64_t)b << 32 | a)
#define CLAMPED(c) ((c) < 32 ? (c) : 32)
LANES_3(shf_left_wrap, 32, u32, u32, BOTH << (c & 31) >> 32)
LANES_3(shf_left_clamp, 32, u32, u32, BOTH << CLAMPED(c) >> 32)
LANES_3(shf_right_wrap, 32, u32, u32, BOTH >> (c & 31))
LANES_3(shf_right_clamp, 32, u32, u32, BOTH >> CLAMPED(c))

/* --- lop3: bit 4a + 2b + c of the table --------------------------------------------------------
 */

#define ENTRY(n) const uint32_t t##n = 0 - ((uint32_t)inst->op.type2 >> n & 1);
#define ENTRIES  ENTRY(0) ENTRY(1) ENTRY(2) ENTRY(3) ENTRY(4) ENTRY(5) ENTRY(6) ENTRY(7)

CLONED_PART uint32_t choose(uint32_t by, uint32_t one, uint32_t zero)
{
    return (by & one) | (~by & zero);
}

LANES(lop3, SRC(a, 0) SRC(b, 1) SRC(c, 2) ENTRIES, const uint32_t a = a_row[i];
      const uint32_t b = b_row[i]; const uint32_t c = c_row[i];
      PUT_32(choose(a, choose(b, choose(c, t7, t6), choose(c, t5, t4)),
                    choose(b, choose(c, t3, t2), choose(c, t1, t0)))))

/* --- prmt --------------------------------------------------------------------------------------
 */

/* Byte `n` of the result: one of the eight of b:a, or its sign. */
CLONED_PART uint32_t picked(uint64_t bytes, uint32_t selector, uint32_t n)
{
    uint32_t pick = selector >> 4 * n, byte = (uint32_t)(bytes >> (pick & 7) * 8) & 0xFF;
    return (pick & 8 ? (0 - (byte >> 7)) & 0xFF : byte) << 8 * n;
}

CLONED_PART uint32_t permuted(uint64_t bytes, uint32_t selector)
{
    return picked(bytes, selector, 0) | picked(bytes, selector, 1) | picked(bytes, selector, 2) |
           picked(bytes, selector, 3);
}

/* Source bytes of the four result bytes in the special modes, by the low two bits of c: PTX ISA,
 * "prmt", table of modes, most significant byte first. */
static const uint16_t prmt_modes[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
};

LANES_3(prmt, 32, u32, u32, permuted(BOTH, c))
LANES(prmt_mode,
      SRC(a, 0) SRC(b, 1) SRC(c, 2) const uint16_t *modes = prmt_modes[inst->op.type2 - 1];
      , const uint32_t a = a_row[i]; const uint32_t b = b_row[i];
      PUT_32(permuted(BOTH, modes[c_row[i] & 3])))

#ifndef EVGPU_NATIVE
exec_fn lanes_bits(enum operation op, uint8_t type, uint32_t mods, uint8_t mode)
{
    bool wide = type == PTX_B64;
    switch (op) {
    case OP_popc:
        return wide ? LANE(popc_64) : LANE(popc_32);
    case OP_clz:
        return wide ? LANE(clz_64) : LANE(clz_32);
    case OP_brev:
        return wide ? LANE(brev_64) : LANE(brev_32);
    case OP_bfe:
        return type == PTX_U32   ? LANE(bfe_u32)
               : type == PTX_S32 ? LANE(bfe_s32)
               : type == PTX_U64 ? LANE(bfe_u64)
                                 : LANE(bfe_s64);
    case OP_bfi:
        return wide ? LANE(bfi_64) : LANE(bfi_32);
    case OP_shf:
        if (mods & OP_WRAP)
            return mods & OP_HIGH ? LANE(shf_right_wrap) : LANE(shf_left_wrap);
        return mods & OP_HIGH ? LANE(shf_right_clamp) : LANE(shf_left_clamp);
    case OP_lop3:
        return LANE(lop3);
    case OP_prmt:
        return mode ? LANE(prmt_mode) : LANE(prmt);
    default:
        return NULL;
    }
}
#endif
