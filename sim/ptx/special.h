/* The special registers of the PTX ISA ("Special Registers"). */
#ifndef EVGPU_PTX_SPECIAL_H
#define EVGPU_PTX_SPECIAL_H

#include <stdbool.h>
#include <stdint.h>

/* name, PTX name, bytes */
/* clang-format off */
#define SPECIAL_REGISTERS(X) \
    X(TID_X, "%tid.x", 4) X(TID_Y, "%tid.y", 4) X(TID_Z, "%tid.z", 4) X(TID_W, "%tid.w", 4) \
    X(NTID_X, "%ntid.x", 4) X(NTID_Y, "%ntid.y", 4) X(NTID_Z, "%ntid.z", 4) \
    X(NTID_W, "%ntid.w", 4) X(CTAID_X, "%ctaid.x", 4) X(CTAID_Y, "%ctaid.y", 4) \
    X(CTAID_Z, "%ctaid.z", 4) X(CTAID_W, "%ctaid.w", 4) X(NCTAID_X, "%nctaid.x", 4) \
    X(NCTAID_Y, "%nctaid.y", 4) X(NCTAID_Z, "%nctaid.z", 4) X(NCTAID_W, "%nctaid.w", 4) \
    X(LANEID, "%laneid", 4) X(WARPID, "%warpid", 4) X(NWARPID, "%nwarpid", 4) \
    X(SMID, "%smid", 4) X(NSMID, "%nsmid", 4) X(GRIDID, "%gridid", 8) \
    X(LANEMASK_EQ, "%lanemask_eq", 4) X(LANEMASK_LE, "%lanemask_le", 4) \
    X(LANEMASK_LT, "%lanemask_lt", 4) \
    X(LANEMASK_GE, "%lanemask_ge", 4) X(LANEMASK_GT, "%lanemask_gt", 4) X(CLOCK, "%clock", 4) \
    X(CLOCK_HI, "%clock_hi", 4) X(CLOCK64, "%clock64", 8) X(GLOBALTIMER, "%globaltimer", 8) \
    X(GLOBALTIMER_LO, "%globaltimer_lo", 4) X(GLOBALTIMER_HI, "%globaltimer_hi", 4) \
    X(DYNAMIC_SMEM, "%dynamic_smem_size", 4) X(TOTAL_SMEM, "%total_smem_size", 4)
/* clang-format on */

enum special_register {
#define X(name, text, bytes) SPECIAL_##name,
    SPECIAL_REGISTERS(X)
#undef X
        SPECIAL_COUNT
};

static inline bool special_is_clock(uint32_t special)
{
    return special >= SPECIAL_CLOCK && special <= SPECIAL_GLOBALTIMER_HI;
}

/* The register of this name, or SPECIAL_COUNT. */
enum special_register special_of(const char *text, uint32_t length);
uint32_t special_bytes(enum special_register special);

#endif
