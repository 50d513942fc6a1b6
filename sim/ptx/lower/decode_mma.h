/* What products of matrices (decode_mma.c) and loads and stores of their fragments
 * (decode_fragment.c) have in common. Not a public header.
 *
 * A fragment is a list of tiles of 8 x 8: of a, for each row of tiles those of all depths; of b,
 * the same for each column; of c and d, row by row. A lane holds a word of each tile of a and b,
 * two elements of c and d (sim/ptx/execute/lanes_mma.c).
 *
 * Registers have the tiles in this order, but those of a, c and d with 2 x 2 tiles column by
 * column. So mma has them (PTX ISA), and so has NVIDIA's hardware from sm_75 on those of wmma:
 * programs load fragments of wmma by ldmatrix, multiply them by mma, or index them. */
#ifndef EVGPU_PTX_LOWER_DECODE_MMA_H
#define EVGPU_PTX_LOWER_DECODE_MMA_H

#include "sim/ptx/lower/decode.h"

#define MOST_TILES 8
/* Registers of a fragment of halves in wmma, of which the first ones hold its tiles: which element
 * is where is the machine's own affair (PTX ISA). */
#define HALF_REGISTERS 8

/* Elements of a and b. */
enum element {
    ELEMENT_F16,
    ELEMENT_BF16,
    ELEMENT_TF32,
    ELEMENT_F64,
    ELEMENT_S8,
    ELEMENT_U8,
    ELEMENT_S4,
    ELEMENT_U4,
    ELEMENT_B1,
    ELEMENTS
};

struct element_kind {
    enum modifier name;
    uint8_t bits, per_word; /* logarithms: bits of an element, elements of a word */
    uint8_t word, sum;      /* enum ptx_type: of the word's register, of c and d */
};
extern const struct element_kind element_kinds[ELEMENTS];

struct shape {
    enum modifier name;
    uint8_t rows, columns; /* in tiles */
    uint16_t depth;        /* in elements */
    uint16_t wmma, mma;    /* the elements that may have it, bits 1 << enum element */
};

/* The tiles of a row of a. */
static inline uint32_t tiles_deep(const struct shape *s, enum element of)
{
    return (uint32_t)s->depth >> (2 + element_kinds[of].per_word);
}

/* Bits 1 << enum element. */
#define HALVES  (1u << ELEMENT_F16 | 1u << ELEMENT_BF16)
#define TF32    (1u << ELEMENT_TF32)
#define DOUBLES (1u << ELEMENT_F64)
#define BYTES   (1u << ELEMENT_S8 | 1u << ELEMENT_U8)
#define NIBBLES (1u << ELEMENT_S4 | 1u << ELEMENT_U4)
#define SINGLE  (1u << ELEMENT_B1)

/* The instruction's shape, which a product or fragment may have by `allowed`; NULL: error. */
const struct shape *mma_shape(struct decoder *d, bool wmma);
/* .sync.aligned */
bool mma_whole(struct decoder *d);
/* The layouts of a and b; MODIFIER_COUNT: not named. */
void mma_layouts(struct decoder *d, enum modifier layout[2]);
/* The types in the order written, types[n] only of the first four; their number. */
unsigned mma_types(struct decoder *d, enum modifier types[4]);
/* ELEMENTS: it is none of a and b. */
enum element mma_element(enum modifier type);
/* The registers of an operand, of which there must be `count`, for values of `type`. */
bool mma_registers(struct decoder *d, unsigned n, uint8_t type, bool dst, uint32_t count,
                   uint32_t ref[MOST_TILES]);
void mma_copy(struct decoder *d, uint32_t from, uint32_t to);

/* mma.sp (decode_mma_sparse.c). NULL: error. */
const struct shape *mma_sparse_shape(struct decoder *d);
/* a's tiles from the registers that hold half of it, in the order that mma has, and the last two
 * operands. */
bool mma_unpack(struct decoder *d, const struct shape *shape, enum element of,
                const uint32_t packed[MOST_TILES], uint32_t a[MOST_TILES]);

/* The mma of four products of quarters of a warp (decode_mma_quads.c). */
bool mma_is_quads(const struct decoder *d);
bool decode_mma_quads(struct decoder *d);

bool decode_wmma_move(struct decoder *d, bool store);

#endif
