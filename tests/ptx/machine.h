/* A machine for tests of the isa layer: runs decoded kernels block by block, without timing. Lanes
 * diverge and reconverge on a stack, at the instruction's `reconv`. Included by each test program.
 */
#ifndef EVGPU_TESTS_PTX_MACHINE_H
#define EVGPU_TESTS_PTX_MACHINE_H

#include <limits.h>

#include "base/alloc.h"
#include "base/data_file.h"
#include "base/file.h"
#include "sim/ptx/module.h"
#include "tests/unit.h"

#define MEMORY_BYTES (1u << 20)
#define STACK_DEPTH  128
#define MAX_STEPS    20000000u

struct machine {
    struct module *module;
    uint8_t *memory; /* device address = index */
    uint64_t brk;
    uint64_t steps; /* warp instructions executed */
    bool trapped;
};

struct stack_entry {
    uint32_t pc, reconv, mask;
};

struct warp {
    struct lane_ctx ctx;
    struct stack_entry stack[STACK_DEPTH];
    int depth; /* entries in use; 0: finished */
    uint32_t exited;
    bool waiting;
    uint32_t bar_lanes; /* predicate lanes of bar.red */
    uint8_t *local;
};

struct launch {
    struct machine *m;
    const struct kernel *k;
    uint8_t *params, *shared;
    uint64_t shared_bytes;
};

/* The text of a kernel of the tests, named from the project's root, and a zero; free() it. */
static inline char *machine_file(const char *name, size_t *bytes)
{
    struct error err = {0};
    char path[PATH_MAX];
    uint8_t *data =
        find_kernel(name, path, sizeof path, &err) ? read_file(path, bytes, &err) : NULL;
    if (!data)
        fail_msg("%s", err.text);
    char *text = alloc_resize(data, *bytes + 1, 1);
    text[*bytes] = '\0';
    return text;
}

static inline uint64_t machine_alloc(void *user, uint64_t bytes, uint64_t align)
{
    struct machine *m = user;
    uint64_t at = (m->brk + align - 1) / align * align;
    if (at + bytes > MEMORY_BYTES)
        return 0;
    m->brk = at + bytes;
    return at;
}

static inline void machine_start(struct machine *m, const char *text)
{
    struct error err = {0};
    *m = (struct machine){.brk = 65536};
    m->memory = alloc_array(MEMORY_BYTES, 1);
    m->module = module_parse("test.ptx", text, strlen(text), &err);
    if (!m->module)
        fail_msg("%s", err.text);
    if (!module_place(m->module, machine_alloc, m, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < module_variable_count(m->module); i++) {
        const struct module_variable *v = module_variable_at(m->module, i);
        if (v->init)
            memcpy(m->memory + v->address, v->init, v->size);
    }
}

static inline void machine_stop(struct machine *m)
{
    module_free(m->module);
    free(m->memory);
}

static inline uint8_t *host_pointer(struct launch *l, struct warp *w, uint32_t lane, uint8_t space,
                                    uint64_t address, uint32_t bytes)
{
    const struct kernel *k = l->k;
    if (space == SPACE_GENERIC) {
        space = address >= LOCAL_WINDOW    ? SPACE_LOCAL
                : address >= SHARED_WINDOW ? SPACE_SHARED
                                           : SPACE_GLOBAL;
        address -= space == SPACE_LOCAL ? LOCAL_WINDOW : space == SPACE_SHARED ? SHARED_WINDOW : 0;
    }
    uint64_t size = space == SPACE_PARAM    ? k->param_bytes
                    : space == SPACE_SHARED ? l->shared_bytes
                    : space == SPACE_LOCAL  ? k->local_bytes
                                            : MEMORY_BYTES;
    if (address > size || bytes > size - address)
        fail_msg("address %llx in space %u", (unsigned long long)address, space);
    return space == SPACE_PARAM    ? l->params + address
           : space == SPACE_SHARED ? l->shared + address
           : space == SPACE_LOCAL  ? w->local + (size_t)lane * k->local_bytes + address
                                   : l->m->memory + address;
}

static inline void execute_memory(struct launch *l, struct warp *w, const struct inst *in,
                                  uint32_t mask)
{
    uint64_t address[WARP_SIZE];
    uint8_t *at[WARP_SIZE] = {NULL};
    isa_address(in, &w->ctx, mask, address);
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        if (mask >> i & 1)
            at[i] = host_pointer(l, w, i, in->space, address[i], (uint32_t)in->width * in->vec);
    if (in->class == INST_LOAD) {
        isa_load(in, &w->ctx, mask, (const uint8_t *const *)at);
    } else if (in->class == INST_STORE) {
        isa_store(in, &w->ctx, mask, at);
    } else {
        struct atomic_operands operands;
        isa_atomic_capture(in, &w->ctx, mask, &operands);
        isa_atomic_perform(in, &w->ctx, mask, &operands, at);
    }
}

/* cp.async: at once. */
static inline void execute_copy(struct launch *l, struct warp *w, const struct inst *in,
                                uint32_t mask)
{
    struct copy_lanes lanes;
    uint64_t address[WARP_SIZE];
    uint32_t size = (uint32_t)in->width * in->vec;
    isa_copy(in, &w->ctx, mask, &lanes);
    isa_address(in, &w->ctx, lanes.reads, address);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        if (!(mask >> i & 1))
            continue;
        uint8_t *to = host_pointer(l, w, i, SPACE_SHARED, lanes.to[i], size);
        memset(to, 0, size);
        if (lanes.reads >> i & 1)
            memcpy(to, host_pointer(l, w, i, in->space, address[i], lanes.bytes[i]),
                   lanes.bytes[i]);
    }
}

/* The top of the stack, without finished lanes and entries that have arrived where they reconverge;
 * NULL when the warp is done. */
static inline struct stack_entry *warp_top(struct warp *w)
{
    while (w->depth > 0) {
        struct stack_entry *top = &w->stack[w->depth - 1];
        top->mask &= ~w->exited;
        if (top->mask && (top->pc != top->reconv || w->depth == 1))
            return top;
        w->depth--;
    }
    return NULL;
}

static inline void branch(struct warp *w, struct stack_entry *top, const struct inst *in,
                          uint32_t taken)
{
    uint32_t other = top->mask & ~taken, next = top->pc + 1;
    if (!other || !taken) {
        top->pc = taken ? in->target : next;
        return;
    }
    uint32_t reconv = in->reconv;
    top->pc = reconv; /* NO_RECONV: all its lanes exit before they come back to it */
    assert_true(w->depth + 2 <= STACK_DEPTH);
    w->stack[w->depth++] = (struct stack_entry){next, reconv, other};
    w->stack[w->depth++] = (struct stack_entry){in->target, reconv, taken};
}

/* Runs until the warp ends or waits at a barrier. */
static inline void warp_run(struct launch *l, struct warp *w)
{
    struct stack_entry *top;
    while (!w->waiting && !l->m->trapped && (top = warp_top(w))) {
        assert_true(top->pc < l->k->n_inst);
        const struct inst *in = &l->k->code[top->pc];
        uint32_t mask = inst_guard(in, &w->ctx, top->mask);
        if (l->m->steps++ > MAX_STEPS)
            fail_msg("the kernel does not end");
        w->ctx.clock++;
        if (in->class == INST_BRANCH) {
            branch(w, top, in, mask);
            continue;
        }
        top->pc++;
        if (!mask)
            continue;
        switch (in->class) {
        case INST_ALU:
            in->exec(in, &w->ctx, mask);
            break;
        case INST_EXIT:
            w->exited |= mask;
            break;
        case INST_BARRIER: {
            uint32_t number, threads;
            isa_barrier_operands(in, &w->ctx, mask, &number, &threads, &w->bar_lanes);
            w->waiting = in->bar_kind != BAR_ARRIVE && in->bar_kind != BAR_WARP;
            break;
        }
        case INST_FENCE:
        case INST_COPY_GROUP:
            break;
        case INST_COPY:
            execute_copy(l, w, in, mask);
            break;
        case INST_TRAP:
            l->m->trapped = true;
            break;
        default:
            execute_memory(l, w, in, mask);
            break;
        }
    }
}

static inline void release_barrier(struct launch *l, struct warp *warps, uint32_t n)
{
    uint32_t count = 0;
    bool all = true;
    for (uint32_t i = 0; i < n; i++)
        if (warps[i].waiting) {
            uint32_t lanes = warp_top(&warps[i])->mask;
            count += (uint32_t)__builtin_popcount(warps[i].bar_lanes);
            all = all && warps[i].bar_lanes == lanes;
        }
    for (uint32_t i = 0; i < n; i++) {
        struct warp *w = &warps[i];
        if (!w->waiting)
            continue;
        w->waiting = false;
        const struct stack_entry *top = warp_top(w);
        const struct inst *in = &l->k->code[top->pc - 1];
        if (in->flags & INST_HAS_DST)
            isa_barrier_result(in, &w->ctx, inst_guard(in, &w->ctx, top->mask),
                               in->bar_kind == BAR_RED_POPC  ? count
                               : in->bar_kind == BAR_RED_AND ? all
                                                             : count != 0);
    }
}

static inline void warp_init(struct launch *l, struct warp *w, uint32_t index,
                             const uint32_t grid[3], const uint32_t block[3], const uint32_t at[3])
{
    uint32_t threads = block[0] * block[1] * block[2], active = 0;
    w->ctx.reg = alloc_array(l->k->regs, sizeof *w->ctx.reg);
    /* Registers start with what a previous warp left. */
    memset(w->ctx.reg, 0xA5, l->k->regs * sizeof *w->ctx.reg);
    w->ctx.pred = alloc_array(MAX_PREDS, sizeof *w->ctx.pred);
    w->ctx.konst = (const uint32_t(*)[WARP_SIZE])l->k->konst;
    w->local = alloc_array(WARP_SIZE, l->k->local_bytes);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint32_t t = WARP_SIZE * index + i;
        active |= t < threads ? 1u << i : 0;
        w->ctx.tid[0][i] = t % block[0];
        w->ctx.tid[1][i] = t / block[0] % block[1];
        w->ctx.tid[2][i] = t / block[0] / block[1];
    }
    memcpy(w->ctx.ntid, block, sizeof w->ctx.ntid);
    memcpy(w->ctx.nctaid, grid, sizeof w->ctx.nctaid);
    memcpy(w->ctx.ctaid, at, sizeof w->ctx.ctaid);
    w->ctx.warpid = index;
    w->ctx.nwarpid = 48;
    w->ctx.smid = 3;
    w->ctx.nsmid = 15;
    w->ctx.gridid = 7;
    w->ctx.memory = l->m->memory;
    w->ctx.memory_bytes = MEMORY_BYTES;
    w->ctx.total_smem = (uint32_t)l->shared_bytes;
    w->ctx.dynamic_smem = (uint32_t)l->shared_bytes - l->k->shared_bytes;
    w->ctx.globaltimer = 0x123456789ABCDEFull;
    w->stack[0] = (struct stack_entry){0, NO_RECONV, active};
    w->depth = 1;
}

static inline void run_block(struct launch *l, const uint32_t grid[3], const uint32_t block[3],
                             const uint32_t at[3])
{
    uint32_t n = (block[0] * block[1] * block[2] + WARP_SIZE - 1) / WARP_SIZE;
    struct warp *warps = ALLOC_ARRAY(struct warp, n);
    l->shared = alloc_array(l->shared_bytes, 1);
    for (uint32_t i = 0; i < n; i++)
        warp_init(l, &warps[i], i, grid, block, at);
    for (bool alive = true; alive && !l->m->trapped;) {
        alive = false;
        for (uint32_t i = 0; i < n; i++)
            warp_run(l, &warps[i]);
        for (uint32_t i = 0; i < n; i++)
            alive |= warps[i].waiting;
        if (alive)
            release_barrier(l, warps, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        free(warps[i].ctx.reg);
        free(warps[i].ctx.pred);
        free(warps[i].local);
    }
    free(warps);
    free(l->shared);
}

/* `params`: param_bytes bytes, laid out as the kernel says. */
static inline void machine_run(struct machine *m, const char *name, const uint32_t grid[3],
                               const uint32_t block[3], uint32_t dynamic_shared, void *params)
{
    struct launch l = {.m = m, .k = module_kernel(m->module, name), .params = params};
    assert_non_null(l.k);
    if (l.k->defect)
        fail_msg("%s", l.k->defect);
    l.shared_bytes = (uint64_t)l.k->shared_bytes + dynamic_shared;
    uint32_t at[3];
    for (at[2] = 0; at[2] < grid[2]; at[2]++)
        for (at[1] = 0; at[1] < grid[1]; at[1]++)
            for (at[0] = 0; at[0] < grid[0]; at[0]++)
                run_block(&l, grid, block, at);
}

#endif
