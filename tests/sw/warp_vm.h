/* Runs kernels for their results only: blocks one after another, warps of a block in turn, each
 * until it waits at a barrier or ends; reconvergence by a SIMT stack at the immediate
 * post-dominators. No time, no caches: what a kernel computes, independent of the core's model. */
#ifndef EVGPU_TESTS_SW_WARP_VM_H
#define EVGPU_TESTS_SW_WARP_VM_H

#include <limits.h>

#include "base/alloc.h"
#include "base/data_file.h"
#include "sim/ptx/module.h"
#include "sim/ptx/program.h"
#include "tests/unit.h"

#define VM_STACK 128u

struct vm {
    uint8_t *memory; /* device address = offset */
    uint64_t bytes, brk;
};

struct vm_launch {
    const struct kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    const uint8_t *params;
};

struct vm_entry {
    uint32_t pc, rpc, mask;
    uint32_t level; /* calls that led here */
};

struct vm_warp {
    struct lane_ctx ctx;
    struct vm_entry stack[VM_STACK];
    uint32_t depth; /* 0: has ended */
    bool waiting;
    uint8_t *local; /* WARP_SIZE x kernel->local_bytes */
};

struct vm_block {
    struct vm *vm;
    const struct vm_launch *launch;
    uint8_t *shared;
    uint32_t shared_bytes, warps;
    struct vm_warp *warp;
};

static inline uint64_t vm_alloc(void *user, uint64_t bytes, uint64_t align)
{
    struct vm *vm = user;
    uint64_t at = (vm->brk + align - 1) / align * align;
    if (at + bytes > vm->bytes)
        return 0;
    vm->brk = at + bytes;
    return at;
}

static inline struct vm vm_create(uint64_t bytes)
{
    return (struct vm){.memory = alloc_array(bytes, 1), .bytes = bytes, .brk = 0x10000};
}

static inline struct module *vm_load(struct vm *vm, const char *path)
{
    struct error err = {0};
    char found[PATH_MAX];
    struct module *module =
        find_kernel(path, found, sizeof found, &err) ? module_load(found, &err) : NULL;
    if (!module || !module_place(module, vm_alloc, vm, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < module_variable_count(module); i++) {
        const struct module_variable *v = module_variable_at(module, i);
        if (v->init)
            memcpy(vm->memory + v->address, v->init, v->size);
    }
    return module;
}

static inline uint8_t *vm_pointer(struct vm_block *b, struct vm_warp *w, const struct inst *inst,
                                  uint64_t address, uint32_t lane)
{
    uint8_t space = inst->space;
    uint32_t bytes = inst->width * (inst->vec ? inst->vec : 1u);
    if (space == SPACE_GENERIC) {
        space = SPACE_GLOBAL;
        if (address >= LOCAL_WINDOW)
            space = SPACE_LOCAL, address -= LOCAL_WINDOW;
        else if (address >= SHARED_WINDOW)
            space = SPACE_SHARED, address -= SHARED_WINDOW;
    }
    const struct kernel *k = b->launch->kernel;
    uint64_t limit = space == SPACE_PARAM    ? k->param_bytes
                     : space == SPACE_SHARED ? b->shared_bytes
                     : space == SPACE_LOCAL  ? k->local_bytes
                                             : b->vm->bytes;
    if (address + bytes > limit || address % inst->width)
        fail_msg("%s, line %u: lane %u accesses %u bytes at 0x%llx of space %u", k->name,
                 inst->line, lane, bytes, (unsigned long long)address, space);
    switch (space) {
    case SPACE_PARAM:
        return (uint8_t *)(uintptr_t)b->launch->params + address;
    case SPACE_SHARED:
        return b->shared + address;
    case SPACE_LOCAL:
        return w->local + (size_t)lane * k->local_bytes + address;
    default:
        assert_true(address >= 0x10000);
        return b->vm->memory + address;
    }
}

static inline void vm_memory(struct vm_block *b, struct vm_warp *w, const struct inst *inst,
                             uint32_t mask)
{
    uint64_t address[WARP_SIZE] = {0};
    uint8_t *at[WARP_SIZE] = {0};
    isa_address(inst, &w->ctx, mask, address);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        at[lane] = vm_pointer(b, w, inst, address[lane], lane);
    }
    if (inst->class == INST_LOAD) {
        isa_load(inst, &w->ctx, mask, (const uint8_t *const *)at);
    } else if (inst->class == INST_STORE) {
        isa_store(inst, &w->ctx, mask, at);
    } else {
        struct atomic_operands operands;
        isa_atomic_capture(inst, &w->ctx, mask, &operands);
        isa_atomic_perform(inst, &w->ctx, mask, &operands, at);
    }
}

static inline void vm_pop(struct vm_warp *w)
{
    while (w->depth && (w->stack[w->depth - 1].mask == 0 ||
                        w->stack[w->depth - 1].pc == w->stack[w->depth - 1].rpc))
        w->depth--;
}

static inline void vm_branch(struct vm_warp *w, const struct inst *inst, uint32_t taken)
{
    struct vm_entry *top = &w->stack[w->depth - 1];
    uint32_t other = top->mask & ~taken, next = top->pc + 1;
    if (!other || !taken) {
        top->pc = taken ? inst->target : next;
        return;
    }
    uint32_t rpc = inst->reconv, level = top->level;
    if (rpc == NO_RECONV)
        w->depth--;
    else
        top->pc = rpc;
    assert_true(w->depth + 2 <= VM_STACK);
    w->stack[w->depth++] = (struct vm_entry){next, rpc, other, level};
    w->stack[w->depth++] = (struct vm_entry){inst->target, rpc, taken, level};
}

static inline void vm_exit(struct vm_warp *w, uint32_t lanes)
{
    w->stack[w->depth - 1].pc++;
    for (uint32_t i = 0; i < w->depth; i++)
        w->stack[i].mask &= ~lanes;
}

/* An entry for each function that lanes call; the caller's goes on when they have returned. */
static inline void vm_call(struct vm_block *b, struct vm_warp *w, const struct inst *inst,
                           uint32_t mask)
{
    const struct kernel *k = b->launch->kernel;
    uint32_t function[WARP_SIZE], level = w->stack[w->depth - 1].level;
    w->stack[w->depth - 1].pc++;
    isa_call(inst, &w->ctx, mask, function);
    while (mask) {
        uint32_t n = function[__builtin_ctz(mask)], lanes = 0;
        for (uint32_t m = mask; m; m &= m - 1)
            if (function[__builtin_ctz(m)] == n)
                lanes |= m & -m;
        if (n >= k->n_functions || !k->functions[n].present || k->functions[n].defect)
            fail_msg("%s, line %u: call of nothing that can run", k->name, inst->line);
        assert_true(w->depth < VM_STACK);
        w->stack[w->depth++] =
            (struct vm_entry){k->functions[n].first, NO_RECONV, lanes, level + 1};
        mask &= ~lanes;
    }
}

static inline void vm_return(struct vm_warp *w, uint32_t lanes)
{
    uint32_t level = w->stack[w->depth - 1].level;
    w->stack[w->depth - 1].pc++;
    for (uint32_t i = 0; i < w->depth; i++)
        if (w->stack[i].level == level)
            w->stack[i].mask &= ~lanes;
}

/* Until the warp waits or has ended. */
static inline void vm_run_warp(struct vm_block *b, struct vm_warp *w)
{
    const struct kernel *k = b->launch->kernel;
    for (vm_pop(w); w->depth && !w->waiting; vm_pop(w)) {
        struct vm_entry *top = &w->stack[w->depth - 1];
        assert_true(top->pc < k->n_inst);
        const struct inst *inst = &k->code[top->pc];
        uint32_t mask = inst_guard(inst, &w->ctx, top->mask);
        w->ctx.clock++;
        switch (inst->class) {
        case INST_BRANCH:
            vm_branch(w, inst, mask);
            continue;
        case INST_EXIT:
            vm_exit(w, mask);
            continue;
        case INST_CALL:
            vm_call(b, w, inst, mask);
            continue;
        case INST_RET:
            vm_return(w, mask);
            continue;
        case INST_BARRIER:
            if (inst->bar_kind == BAR_WARP)
                break;
            w->waiting = true;
            continue; /* the program counter moves when it is released */
        case INST_ALU:
            if (mask)
                inst->exec(inst, &w->ctx, mask);
            break;
        case INST_FENCE:
            break;
        case INST_TRAP:
            fail_msg("%s, line %u: trap", k->name, inst->line);
            break;
        default:
            if (mask)
                vm_memory(b, w, inst, mask);
            break;
        }
        top->pc++;
    }
}

/* All warps that have not ended wait: they are let go, with the result of a bar.red. */
static inline bool vm_release(struct vm_block *b)
{
    uint32_t count = 0, threads = 0, waiting = 0;
    for (uint32_t i = 0; i < b->warps; i++) {
        struct vm_warp *w = &b->warp[i];
        if (!w->waiting)
            continue;
        const struct vm_entry *top = &w->stack[w->depth - 1];
        uint32_t number, needed, lanes = 0;
        isa_barrier_operands(&b->launch->kernel->code[top->pc], &w->ctx, top->mask, &number,
                             &needed, &lanes);
        count += (uint32_t)__builtin_popcount(lanes & top->mask);
        threads += (uint32_t)__builtin_popcount(top->mask);
        waiting++;
    }
    for (uint32_t i = 0; i < b->warps; i++) {
        struct vm_warp *w = &b->warp[i];
        if (!w->waiting)
            continue;
        struct vm_entry *top = &w->stack[w->depth - 1];
        const struct inst *inst = &b->launch->kernel->code[top->pc++];
        w->waiting = false;
        if (inst->bar_kind == BAR_RED_POPC)
            isa_barrier_result(inst, &w->ctx, top->mask, count);
        else if (inst->bar_kind == BAR_RED_AND || inst->bar_kind == BAR_RED_OR)
            isa_barrier_result(
                inst, &w->ctx, top->mask,
                (inst->bar_kind == BAR_RED_AND ? count == threads : count > 0) ? UINT32_MAX : 0);
    }
    return waiting > 0;
}

static inline void vm_start_warp(struct vm_block *b, uint32_t index, const uint32_t ctaid[3])
{
    struct vm_warp *w = &b->warp[index];
    const struct vm_launch *l = b->launch;
    const struct kernel *k = l->kernel;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2], mask = 0;
    w->ctx.reg = alloc_array(k->regs ? k->regs : 1, sizeof *w->ctx.reg);
    w->ctx.pred = ALLOC_ARRAY(uint32_t, k->preds ? k->preds : 1);
    w->ctx.konst = (const uint32_t(*)[WARP_SIZE])k->konst;
    w->local = alloc_array((size_t)WARP_SIZE * k->local_bytes + 1, 1);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t t = index * WARP_SIZE + lane;
        mask |= (uint32_t)(t < threads) << lane;
        w->ctx.tid[0][lane] = t % l->block[0];
        w->ctx.tid[1][lane] = t / l->block[0] % l->block[1];
        w->ctx.tid[2][lane] = t / l->block[0] / l->block[1];
    }
    for (int i = 0; i < 3; i++) {
        w->ctx.ntid[i] = l->block[i];
        w->ctx.nctaid[i] = l->grid[i];
        w->ctx.ctaid[i] = ctaid[i];
    }
    w->ctx.local_bytes = k->local_bytes;
    w->ctx.memory = b->vm->memory;
    w->ctx.memory_bytes = b->vm->bytes;
    w->ctx.dynamic_smem = l->dynamic_shared;
    w->stack[0] = (struct vm_entry){0, NO_RECONV, mask, 0};
    w->depth = 1;
}

static inline void vm_run_block(struct vm *vm, const struct vm_launch *l, const uint32_t ctaid[3])
{
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    struct vm_block b = {.vm = vm,
                         .launch = l,
                         .shared_bytes = l->kernel->shared_bytes + l->dynamic_shared,
                         .warps = (threads + WARP_SIZE - 1) / WARP_SIZE};
    b.shared = alloc_array(b.shared_bytes + 1, 1);
    memset(b.shared, 0xA5, b.shared_bytes); /* contents are undefined at the start */
    b.warp = ALLOC_ARRAY(struct vm_warp, b.warps);
    for (uint32_t i = 0; i < b.warps; i++)
        vm_start_warp(&b, i, ctaid);
    do {
        for (uint32_t i = 0; i < b.warps; i++)
            vm_run_warp(&b, &b.warp[i]);
    } while (vm_release(&b));
    for (uint32_t i = 0; i < b.warps; i++) {
        free(b.warp[i].ctx.reg);
        free(b.warp[i].ctx.pred);
        free(b.warp[i].local);
    }
    free(b.warp);
    free(b.shared);
}

static inline void vm_run(struct vm *vm, const struct vm_launch *l)
{
    uint32_t id[3];
    for (id[2] = 0; id[2] < l->grid[2]; id[2]++)
        for (id[1] = 0; id[1] < l->grid[1]; id[1]++)
            for (id[0] = 0; id[0] < l->grid[0]; id[0]++)
                vm_run_block(vm, l, id);
}

/* A parameter block, filled by index. */
struct vm_params {
    const struct kernel *kernel;
    uint8_t bytes[256];
};

static inline void vm_set(struct vm_params *p, uint32_t index, uint64_t value)
{
    assert_true(index < p->kernel->n_params);
    memcpy(p->bytes + p->kernel->params[index].offset, &value, p->kernel->params[index].size);
}

#endif
