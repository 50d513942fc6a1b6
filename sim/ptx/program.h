/* A kernel as the SIMT core executes it: decoded instructions over physical 32-bit registers.
 *
 * Nothing here refers to PTX text any more: names, virtual registers and labels are resolved when
 * the module is loaded (module.h). The core fetches `struct inst` records by index, checks hazards
 * with the precomputed register sets, and calls the lane functions below.
 *
 * Source: PTX ISA (semantics), docs/design/architecture.md (pipeline of the front end). */
#ifndef EVGPU_PTX_PROGRAM_H
#define EVGPU_PTX_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define WARP_SIZE     32
#define FULL_MASK     0xFFFFFFFFu
#define MAX_REGS      256 /* physical 32-bit registers per thread */
#define MIN_REGS      16  /* what any instruction and its spilled operands need */
#define MAX_PREDS     64  /* predicate registers per warp, one lane mask each */
#define REG_SET_WORDS 5   /* 4 x 64 physical registers, 1 x 64 predicates */
#define PARAM_HEADER_BYTES                                                                         \
    16 /* event parameter entry: completion pointer (8), reserved (8), arguments */

/* Generic addresses: everything below SHARED_WINDOW is device memory as it is, but the memory of
 * devices on PCIe from BUS_WINDOW on (sim/simt/lsu/bus.h). */
#define BUS_WINDOW    0x0010000000000000u /* + address on the bus */
#define SHARED_WINDOW 0x0100000000000000u /* + byte offset in the block's shared memory */
#define LOCAL_WINDOW  0x0200000000000000u /* + byte offset in the thread's local memory */

/* The address of function number n, which only calls understand: FUNCTION_ADDRESS(n). */
#define FUNCTION_WINDOW     0x0300000000000000u
#define FUNCTION_STEP       16u
#define FUNCTION_ADDRESS(n) (FUNCTION_WINDOW + ((uint64_t)(n) + 1) * FUNCTION_STEP)
#define NO_FUNCTION         0xFFFFFFFFu

/* Local memory per thread for the calls of a kernel whose depth is not known when it is loaded. */
#define CALL_STACK_BYTES 8192u

enum mem_space {
    SPACE_NONE,
    SPACE_PARAM,  /* kernel parameters; address = offset from the launch's parameter block */
    SPACE_GLOBAL, /* absolute device address */
    SPACE_CONST,  /* absolute device address, read through the constant cache */
    SPACE_SHARED, /* offset in the block's shared memory */
    SPACE_LOCAL,  /* offset in the thread's local memory */
    SPACE_GENERIC /* resolved per lane by the windows above */
};

enum inst_class {
    INST_ALU,         /* exec() does everything; also vote and shfl */
    INST_LOAD,        /* isa_address, then isa_load */
    INST_STORE,       /* isa_address, then isa_store */
    INST_ATOMIC,      /* atom and red: isa_address, isa_atomic_capture, later isa_atomic_perform */
    INST_COPY,        /* cp.async of device memory to shared memory: isa_address, isa_copy */
    INST_COPY_GROUP,  /* closes a group of them and waits for groups, as enum copy_group says */
    INST_BRANCH,      /* taken lanes: the guard; target in `target`, reconvergence in `reconv` */
    INST_EXIT,        /* exit, and ret of the kernel, for the guarded lanes */
    INST_BARRIER,     /* bar.sync / bar.arrive / bar.red; see struct bar_fields */
    INST_FENCE,       /* membar.{cta,gl,sys}: waits for the warp's outstanding memory accesses */
    INST_CALL,        /* of functions that are not expanded: isa_call, then to their instructions */
    INST_RET,         /* from such a function, for the guarded lanes */
    INST_SYSTEM_CALL, /* a call of what the machine has for every program: isa_system_call */
    INST_SLEEP,       /* nanosleep: isa_sleep */
    INST_MARK,        /* pmevent: op.imm has a bit per event number */
    INST_TRAP         /* ends the run with an error naming kernel, line and thread */
};

/* Selects latency and initiation interval from the configuration. */
enum timing_class {
    TIMING_INT,     /* integer add, logic, shift, move, compare, select, int<->int cvt */
    TIMING_INT_MUL, /* mul, mad, bfe, bfi, prmt, popc, clz and the like */
    TIMING_INT_DIV, /* div, rem */
    TIMING_FP,      /* float add, mul, fma, min, max, compare, cvt with float */
    TIMING_FP_DIV,  /* div.rn, sqrt.rn, rcp.rn of f32 */
    TIMING_DP,      /* f64 arithmetic */
    TIMING_DP_DIV,  /* f64 div, sqrt, rcp */
    TIMING_SFU,     /* the .approx functions */
    TIMING_MMA,     /* a product of tiles of 8 x 8: 32 bits of each line */
    TIMING_DMMA,    /* the same of doubles: four of each line */
    TIMING_MEM,
    TIMING_CONTROL,
    TIMING_CLASSES
};

enum exec_unit { UNIT_SP, UNIT_DP, UNIT_SFU, UNIT_LDST, UNIT_CONTROL, UNIT_TENSOR, EXEC_UNITS };

enum inst_flag {
    INST_VOLATILE = 1u << 0,     /* ld/st.volatile, .relaxed, ld.cv: read at L2, never dropped */
    INST_CACHE_GLOBAL = 1u << 1, /* .cg: does not use L1 */
    INST_HAS_DST = 1u << 2,      /* atom (not red), bar.red */
    INST_ADDR_IN_DST = 1u << 3, /* a load that overwrites one of its own address registers: a replay
                                 * needs their old values */
    INST_UNIFORM = 1u << 4,     /* bra.uni */
    INST_CONVERGENT = 1u << 6,  /* wants the warp's other lanes there: barriers, votes, shuffles */
    INST_FRAME = 1u << 7        /* the address is relative to the lane's frame */
};

/* BAR_WARP: bar.warp.sync; its barrier number is the member mask. */
enum bar_kind { BAR_SYNC, BAR_ARRIVE, BAR_WARP, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR };

/* INST_COPY_GROUP: op.sub; .wait_group lets the last op.imm groups go on. */
enum copy_group { COPY_COMMIT, COPY_WAIT, COPY_WAIT_ALL };

#define NO_GUARD  0xFF
#define NO_RECONV 0xFFFFFFFFu /* reconverges only at exit */

struct lane_ctx;
struct inst;
struct source_map;
struct native;
typedef void (*exec_fn)(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask);

/* The fields up to `op`, which belongs to the isa layer, and the sets are what the core looks at.
 */
struct inst {
    exec_fn exec;   /* INST_ALU only */
    uint8_t class;  /* enum inst_class */
    uint8_t unit;   /* enum exec_unit */
    uint8_t timing; /* enum timing_class */
    uint8_t guard;  /* predicate register or NO_GUARD */
    bool guard_negated;
    uint8_t flags;    /* enum inst_flag */
    uint8_t space;    /* enum mem_space */
    uint8_t width;    /* bytes per element of a memory access: 1, 2, 4, 8 */
    uint8_t vec;      /* elements: 1, 2, 4 */
    uint8_t bar_kind; /* enum bar_kind */
    bool many_regs;   /* the sets below have registers from 64 on */
    bool reads_clock; /* INST_ALU: lane_ctx.clock and globaltimer */
    uint32_t line;    /* PTX source line, for messages */
    uint32_t target;  /* branch target, instruction index; function of a direct call; offset to the
                       * address that INST_COPY writes to */
    uint32_t reconv;  /* instruction index of the immediate post-dominator, or NO_RECONV */
    struct {
        uint16_t dst[4]; /* register rows; the encodings are private to the isa layer (lanes.h) */
        uint32_t src[4];
        uint32_t base; /* address register */
        uint32_t mods;
        int64_t imm; /* address offset */
        uint8_t pdst[2], psrc, psrc2;
        uint8_t type, type2, round, sub;
    } op;
    uint64_t use_set[REG_SET_WORDS]; /* registers and predicates read or written */
    uint64_t def_set[REG_SET_WORDS]; /* registers and predicates written */
};

/* The state that lane functions may touch. The core owns one per warp and keeps it filled.
 * A destination element takes one register, or two consecutive ones when it is 64 bits wide. */
struct lane_ctx {
    uint32_t (*reg)[WARP_SIZE]; /* kernel->regs rows */
    uint32_t *pred;             /* kernel->preds lane masks; bits of inactive lanes are kept */
    const uint32_t (*konst)[WARP_SIZE]; /* kernel->konst */
    uint32_t tid[3][WARP_SIZE];
    uint32_t ntid[3], ctaid[3], nctaid[3];
    uint32_t warpid, nwarpid, smid, nsmid, gridid, dynamic_smem, total_smem;
    uint32_t frame[WARP_SIZE]; /* local offset of the frame of the function that the lane is in */
    uint64_t local_bytes;      /* size of the thread's local memory, for messages */
    const uint8_t *memory;     /* host pointer of device address 0, for texture fetches */
    uint64_t memory_start;     /* first address known to be readable */
    uint64_t memory_bytes;     /* one past the last one */
    /* The bounds of what is readable around another address; NULL: nothing is. */
    bool (*readable)(const void *of, uint32_t owner, uint64_t address, uint64_t bounds[2]);
    const void *readable_of;
    uint32_t owner;       /* of the kernel */
    bool clock_read;      /* set when one of the next two is */
    uint64_t clock;       /* core cycle, for %clock and %clock64 */
    uint64_t globaltimer; /* nanoseconds */
};

struct kernel_param {
    char *name;
    uint8_t type; /* enum ptx_type of module.h; aggregates are PTX_B8 with size > 1 */
    uint32_t size, align, offset; /* bytes */
};

/* A function that a kernel calls without a copy of its own at the call. */
struct kernel_function {
    char *name;
    char *defect;   /* why it cannot run, or NULL */
    uint32_t first; /* instruction */
    uint32_t frame_bytes;
    bool present; /* the kernel may call it */
};

struct kernel {
    char *name;
    char *defect; /* why it cannot run, "FILE:LINE: reason: instruction"; NULL: it can. With a
                   * defect there is no code, and only name and parameters mean something */
    struct inst *code;
    uint32_t n_inst;
    uint32_t regs;  /* per thread, rounded up to 4; decides occupancy and preemption */
    uint32_t preds; /* per warp */
    uint32_t (*konst)[WARP_SIZE]; /* immediates, each broadcast to a row */
    uint32_t n_konst;
    uint32_t shared_bytes; /* static shared memory per block; dynamic shared memory follows it */
    uint32_t local_bytes;  /* per thread */
    uint32_t local_used;   /* of these, what is not rounding up */
    uint32_t owner; /* of the image's owners (sim/mem/image/image.h); 0: may access all of them */
    uint32_t frame_bytes; /* of these, before any call */
    bool deep;            /* calls may go deeper than can be known: CALL_STACK_BYTES are for them */
    struct kernel_function *functions; /* by number; NULL: all calls are expanded */
    uint32_t n_functions;
    const struct kernel *const *entries; /* the module's kernels by number of their functions, whose
                                          * addresses are FUNCTION_ADDRESS; NULL: no kernel */
    uint32_t n_entries;
    bool reads_clock;     /* one of its instructions does */
    uint32_t max_threads; /* .maxntid product, or 0 */
    struct kernel_param *params;
    uint32_t n_params, param_bytes;
    uint64_t code_address; /* device address of instruction 0 (8 bytes each), set by module_place */
    struct native *native; /* the host's machine code for it (native/native.h) */
    const struct source_map *source; /* the module's (source_map.h), by the PTX line */
};

/* It accesses memory, at once where nothing is timed. */
static inline bool inst_accesses(const struct inst *inst)
{
    return inst->class >= INST_LOAD && inst->class <= INST_COPY;
}

/* Arithmetic or an access: the warp goes straight on, if it has the lanes for a convergent one. */
static inline bool inst_straight(const struct inst *inst)
{
    return inst->class == INST_ALU || inst_accesses(inst);
}

/* It only reads device memory. */
static inline bool inst_reads(const struct inst *inst)
{
    return inst->class == INST_LOAD || inst->class == INST_COPY;
}

/* An access of those with which a thread waits for what another one writes. */
static inline bool inst_polls(const struct inst *inst)
{
    return inst->class == INST_ATOMIC ||
           (inst->class != INST_COPY && inst->flags & (INST_VOLATILE | INST_CACHE_GLOBAL));
}

/* Lanes of `mask` whose guard lets the instruction execute. */
static inline uint32_t inst_guard(const struct inst *inst, const struct lane_ctx *ctx,
                                  uint32_t mask)
{
    if (inst->guard == NO_GUARD)
        return mask;
    uint32_t p = ctx->pred[inst->guard];
    return mask & (inst->guard_negated ? ~p : p);
}

/* Executes the instruction of the tensor unit at `inst`, of a warp whose lanes are all active, and
 * after it those that follow with the same operation and guard, `most` (1 or more) in all. Returns
 * how many. */
uint32_t isa_products(const struct inst *inst, uint32_t most, struct lane_ctx *ctx);

/* Addresses of the active lanes (others are left alone), in the instruction's space. */
void isa_address(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                 uint64_t address[WARP_SIZE]);

/* That of the first of the active lanes (at least one). */
uint64_t isa_first_address(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask);

/* Addresses of all lanes in two rows of 16, as those of blocks 16 or more threads wide mostly are:
 * that of lane i is first + i % 16 * step + i / 16 * half. */
struct lane_pattern {
    uint64_t first;
    uint32_t step, half;
};

static inline uint64_t pattern_address(const struct lane_pattern *p, uint32_t lane)
{
    return p->first + (uint64_t)(lane % 16) * p->step + (uint64_t)(lane / 16) * p->half;
}

/* The pattern of all 32 lanes' addresses; false: there is none, and isa_address knows them. */
bool isa_address_pattern(const struct inst *inst, const struct lane_ctx *ctx,
                         struct lane_pattern *p);

/* isa_load for all lanes, from host pointers of this pattern; p->first is not looked at. */
void isa_load_pattern(const struct inst *inst, struct lane_ctx *ctx, const uint8_t *first,
                      const struct lane_pattern *p);

/* isa_store in the same way; addresses are multiples of what a lane stores. */
void isa_store_pattern(const struct inst *inst, const struct lane_ctx *ctx, uint8_t *first,
                       const struct lane_pattern *p);

/* Reads width*vec bytes at each active lane's host pointer into the destination registers, extended
 * as the type says. Pointers need no alignment on the host. */
void isa_load(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
              const uint8_t *const at[WARP_SIZE]);

/* Writes width*vec bytes to each active lane's host pointer; lowest lane first, so that on a
 * conflict the highest lane wins. */
void isa_store(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
               uint8_t *const at[WARP_SIZE]);

#define COPY_BYTES 16u /* of one lane, at most */

/* The lanes of an INST_COPY: where they write in shared memory, and how many bytes they read; what
 * is missing to width * vec is written as 0. Lanes in `reads` read some. */
struct copy_lanes {
    uint64_t to[WARP_SIZE];
    uint8_t bytes[WARP_SIZE];
    uint32_t reads;
};
void isa_copy(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
              struct copy_lanes *lanes);

/* Memory as the addresses of an instruction see it: [low, low + bytes), of which the first byte is
 * at `at` on the host. */
struct memory_window {
    uint8_t *at;
    uint64_t low, bytes;
};

/* A load or store of all lanes of `mask` (not 0) at once, the same as isa_address with isa_load or
 * isa_store. False, and nothing has happened: some lane is outside of the window or misaligned, or
 * the address has a form that these do not know. */
bool isa_load_window(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                     const struct memory_window *window);
bool isa_store_window(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                      const struct memory_window *window);
/* What computes the addresses of a tile of a matrix. */
exec_fn isa_tile_address(void);
/* The address of a tile and the load behind it, by all lanes at once: only the load's result is
 * written, since nothing else reads the address. False, and nothing has happened: they are others,
 * or something about them has to be looked at. isa_tile_first: where the tile begins, if all lanes
 * have the same one. */
bool isa_load_tile(const struct inst *address, struct lane_ctx *ctx,
                   const struct memory_window *window);
uint64_t isa_tile_first(const struct inst *address, const struct lane_ctx *ctx);
/* An INST_COPY of all lanes at once, the same as isa_copy with isa_address and copies of
 * width * vec bytes, the lowest lane first. False, and nothing has happened: some lane reads less,
 * is outside of its window or misaligned. */
bool isa_copy_window(const struct inst *inst, const struct lane_ctx *ctx,
                     const struct memory_window *from, const struct memory_window *to);

/* The operands of an atomic, captured at issue, because later instructions may overwrite their
 * registers before the memory system performs the access. */
struct atomic_operands {
    uint64_t b[WARP_SIZE], c[WARP_SIZE];
};
void isa_atomic_capture(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                        struct atomic_operands *operands);

/* op.sub of an INST_ATOMIC, beside those of atom: mbarrier's, on its word. An arrival may expect
 * bytes too, which MBARRIER_COMPLETE takes away again. */
enum mbarrier_change {
    MBARRIER_INIT = 32,
    MBARRIER_INVALIDATE,
    MBARRIER_ARRIVE,
    MBARRIER_DROP,
    MBARRIER_COMPLETE
};

/* An atomic whose word loads and stores wait at, too: exchange, compare and swap, mbarrier. */
bool isa_exchanges(const struct inst *inst);

/* Performs the atomic for the given lanes in lane order; the old values go to the destination
 * (with INST_HAS_DST). */
void isa_atomic_perform(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                        const struct atomic_operands *operands, uint8_t *const at[WARP_SIZE]);

/* Lanes that a convergent instruction (INST_CONVERGENT) is for. False: it does not say, all lanes
 * that happen to be active. `mask`: active lanes, the first of which is asked. */
bool isa_members(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                 uint32_t *lanes);

/* The functions that the active lanes call (NO_FUNCTION: the address is of none), whose frames now
 * begin where the caller's end. The instruction after the call takes that back. */
void isa_call(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
              uint32_t function[WARP_SIZE]);

/* The services of INST_SYSTEM_CALL, and their arguments by position:
 * SYSTEM_CALL_PRINT: format, arguments in memory; the number of arguments comes back
 * SYSTEM_CALL_ASSERT: expression, file, line, function
 * SYSTEM_CALL_MALLOC: bytes; the address, or 0, comes back
 * SYSTEM_CALL_FREE: address, or 0
 * SYSTEM_CALL_LAUNCH_BUFFER: bytes; the address of memory for a launch comes back, or 0
 * SYSTEM_CALL_LAUNCH: such an address, stream; a cudaError comes back
 * SYSTEM_CALL_LAUNCHES: enum launches_query; a number comes back */
enum system_call {
    SYSTEM_CALL_PRINT,
    SYSTEM_CALL_ASSERT,
    SYSTEM_CALL_MALLOC,
    SYSTEM_CALL_FREE,
    SYSTEM_CALL_LAUNCH_BUFFER,
    SYSTEM_CALL_LAUNCH,
    SYSTEM_CALL_LAUNCHES,
    SYSTEM_CALLS
};

/* What a block may ask of its launches: how many have not ended; the last error, which is then
 * forgotten or kept; a number for a stream that no other has. */
enum launches_query { LAUNCHES_LEFT, LAUNCHES_ERROR, LAUNCHES_PEEK, LAUNCHES_STREAM };

#define SYSTEM_CALL_ARGUMENTS 4
enum system_call isa_system_call(const struct inst *inst, const struct lane_ctx *ctx, uint32_t lane,
                                 uint64_t argument[SYSTEM_CALL_ARGUMENTS]);
void isa_system_call_result(const struct inst *inst, struct lane_ctx *ctx, uint32_t lane,
                            uint64_t value);

/* Nanoseconds that the warp sleeps: those of its first active lane. */
uint32_t isa_sleep(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask);

/* bar.sync/arrive/red: barrier number and thread count (0: the whole block) of the warp's first
 * active lane; for bar.red the lanes' predicate. */
void isa_barrier_operands(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                          uint32_t *number, uint32_t *threads, uint32_t *predicate_lanes);
/* They are the same for all warps: the instruction names the barrier, which is of the whole block.
 */
bool isa_barrier_fixed(const struct inst *inst);

/* Writes the result of a bar.red to the warp: the count, or all-ones/zero of the predicate. */
void isa_barrier_result(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                        uint32_t value);

#endif
