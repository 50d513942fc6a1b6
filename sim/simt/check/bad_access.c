#include <inttypes.h>

#include "sim/mem/image/map.h"
#include "sim/simt/check/check_internal.h"

static uint32_t access_bytes(const struct inst *inst)
{
    return (uint32_t)inst->width * inst->vec;
}

static void begin(struct text *t, const struct inst *inst, const char *space, uint64_t address)
{
    static const char *const verbs[] = {[INST_LOAD] = "load",
                                        [INST_STORE] = "store",
                                        [INST_ATOMIC] = "atomic",
                                        [INST_COPY] = "copy"};
    uint32_t size = access_bytes(inst);
    text_add(t, "%s of %u byte%s at %s 0x%" PRIx64 " ", verbs[inst->class], size,
             size == 1 ? "" : "s", space, address);
}

/* The read goes on and is reported. */
static bool forgiven(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                     const struct text *t)
{
    if (!slots->env.check || !(slots->env.check->checks & CHECK_BAD_READS))
        return false;
    checker_add(slots, &(struct finding){.kind = FOUND_BAD_READ,
                                         .kernel = warp_of(&slots->warps, w)->kernel,
                                         .line = inst->line,
                                         .warp = w,
                                         .lane = lane,
                                         .what = t->bytes});
    return true;
}

static bool is_misaligned(const struct inst *inst, uint64_t address)
{
    return address % access_bytes(inst) != 0;
}

/* A bad read: true when it goes on; otherwise the text says how it would. */
static bool pass_read(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                      struct text *t)
{
    if (forgiven(slots, w, inst, lane, t))
        return true;
    text_add(t, " (evgpu run --on-bad-read report reads 0 instead)");
    return false;
}

static bool fail(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                 uint64_t address, struct text *t)
{
    bool misaligned = is_misaligned(inst, address);
    if (inst->class == INST_LOAD && inst->space != SPACE_PARAM && !misaligned &&
        pass_read(slots, w, inst, lane, t))
        return true;
    fail_access(slots, w, inst, lane, misaligned ? FAULT_MISALIGNED : FAULT_ADDRESS, address,
                t->bytes);
    return false;
}

/* Addresses that no allocation can have. True when it is one. */
static bool add_impossible(struct text *t, const struct slots *slots, uint64_t address)
{
    const struct image *image = slots->env.image;
    uint64_t below = SHARED_WINDOW - address;
    if (address < IMAGE_HEAP_BASE)
        text_add(t,
                 address ? "is outside allocated memory: a null pointer plus %" PRIu64
                         : "is outside allocated memory: a null pointer",
                 address);
    else if (below && below <= 1u << 30)
        text_add(t, "is in the wrong space: %" PRIu64 " bytes before shared memory", below);
    else if (address >= SHARED_WINDOW && address < LOCAL_WINDOW)
        text_add(t, "is in the wrong space: offset %" PRIu64 " of shared memory",
                 address - SHARED_WINDOW);
    else if (address >= LOCAL_WINDOW && address < FUNCTION_WINDOW)
        text_add(t, "is in the wrong space: offset %" PRIu64 " of a thread's local memory",
                 address - LOCAL_WINDOW);
    else if (address >= FUNCTION_WINDOW && address < FUNCTION_WINDOW + (1ull << 48))
        text_add(t, "is in the wrong space: a function's address");
    else if (!image_is_far(image, address) && address - image->start >= image->bytes) {
        text_add(
            t, "is outside allocated memory and the device (0x%" PRIx64 " to 0x%" PRIx64 "): %s; ",
            image->start + IMAGE_HEAP_BASE, image->start + image->bytes - 1,
            address >> 47 ? "no pointer" : "is it a host pointer?");
        text_add_place(t, slots, address);
    } else
        return false;
    return true;
}

/* Inside of something live, and still wrong. */
static void add_why(struct text *t, const struct slots *slots, uint32_t w, const struct inst *inst,
                    uint64_t address, const struct image_block *block)
{
    const struct image *image = slots->env.image;
    uint32_t owner = warp_of(&slots->warps, w)->kernel->owner;
    bool write = !inst_reads(inst);
    uint64_t beyond = address + access_bytes(inst) - (block->address + block->bytes);
    if (image_refuses(image, &block->note, owner, write))
        text_add(t, "is in the memory of %s, which %s may not %s",
                 image_owner(image, block->note.owner), image_owner(image, owner),
                 write && !image_refuses(image, &block->note, owner, false) ? "write" : "access");
    else if (block->note.access == IMAGE_CONST && write)
        text_add(t, "is in the wrong space: constant memory");
    else if (block->note.access == IMAGE_READ_ONLY && write)
        text_add(t, "is in memory that the device may only read (cudaHostRegisterReadOnly)");
    else if (inst->space == SPACE_CONST && !image_is_constant(&block->note))
        text_add(t, "is in the wrong space: it is not constant memory");
    else if (beyond - 1 < access_bytes(inst))
        text_add(t, "reaches %" PRIu64 " byte%s beyond allocated memory", beyond,
                 beyond == 1 ? "" : "s");
    else
        text_add(t, "is outside allocated memory");
}

/* In nothing that is live and open. */
static const char *where_else(const struct image *image, enum image_relation relation,
                              uint64_t address)
{
    uint64_t low, high;
    if (image_holds(image, 0, address, &low, &high) && image_is_far(image, address))
        return "is in mapped memory without access (cuMemSetAccess grants it)";
    if (relation == IMAGE_FREED)
        return "is in freed memory";
    if (image_is_reserved(image, address))
        return "is in reserved addresses to which nothing is mapped (cuMemMap)";
    return "is outside allocated memory";
}

/* Of a copy the device address is what it reads; what it writes is an offset. */
static bool fail_global(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                        uint64_t address, struct text *t)
{
    return (inst->class == INST_COPY && !is_misaligned(inst, address) &&
            pass_read(slots, w, inst, lane, t)) ||
           fail(slots, w, inst, lane, address, t);
}

bool bad_global(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                uint64_t address)
{
    struct text t = {.length = 0};
    struct image_block block;
    uint64_t distance;
    begin(&t, inst, "address", address);
    if (address % access_bytes(inst)) {
        text_add(&t, "is misaligned; ");
        if (!add_impossible(&t, slots, address))
            text_add_place(&t, slots, address);
        return fail_global(slots, w, inst, lane, address, &t);
    }
    if (add_impossible(&t, slots, address))
        return fail_global(slots, w, inst, lane, address, &t);
    enum image_relation relation = image_locate(slots->env.image, address, &block, &distance);
    if (relation == IMAGE_INSIDE)
        add_why(&t, slots, w, inst, address, &block);
    else
        text_add(&t, "%s", where_else(slots->env.image, relation, address));
    text_add(&t, ": ");
    text_add_place(&t, slots, address);
    return fail_global(slots, w, inst, lane, address, &t);
}

/* A device address where an offset belongs. */
static void add_hint(struct text *t, const struct slots *slots, uint64_t offset)
{
    struct image_block block;
    uint64_t distance;
    if (image_locate(slots->env.image, offset, &block, &distance) != IMAGE_INSIDE)
        return;
    text_add(t, "; wrong space? As a device address it is ");
    text_add_place(t, slots, offset);
}

/* Offsets below 0, in the 32 or 64 bits that the program computes with. */
static uint64_t below_start(uint64_t offset)
{
    if (offset <= UINT32_MAX)
        return offset >> 31 ? (1ull << 32) - offset : 0;
    return offset >> 63 ? 0 - offset : 0;
}

bool bad_offset(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                const struct bad_offset *bad)
{
    static const char *const names[] = {[SPACE_PARAM] = "the kernel's parameter memory",
                                        [SPACE_SHARED] = "the block's shared memory",
                                        [SPACE_LOCAL] = "the thread's local memory"};
    static const char *const kinds[] = {[SPACE_PARAM] = "parameter offset",
                                        [SPACE_SHARED] = "shared address",
                                        [SPACE_LOCAL] = "local address"};
    struct bad_offset local = {.space = SPACE_LOCAL};
    if (bad->space == SPACE_SHARED && inst->space == SPACE_GENERIC && bad->offset >> 55) {
        local.offset = bad->offset - (LOCAL_WINDOW - SHARED_WINDOW);
        local.bytes = warp_of(&slots->warps, w)->kernel->local_used;
        bad = &local; /* the end of one window is what lies before the next */
    }
    const char *what = names[bad->space];
    uint64_t offset = bad->offset, bytes = bad->bytes, below = below_start(offset);
    uint32_t size = access_bytes(inst);
    struct text t = {.length = 0};
    begin(&t, inst, kinds[bad->space], offset);
    if (offset % size)
        text_add(&t, "is misaligned; %s has", what);
    else if (offset < bytes)
        text_add(&t, "reaches %" PRIu64 " byte%s beyond %s, which has", size - (bytes - offset),
                 size - (bytes - offset) == 1 ? "" : "s", what);
    else if (below)
        text_add(&t, "is outside %s, %" PRIu64 " byte%s before its start; it has", what, below,
                 below == 1 ? "" : "s");
    else
        text_add(&t, "is outside %s, %" PRIu64 " byte%s after its end; it has", what,
                 offset - bytes + 1, offset == bytes ? "" : "s");
    text_add(&t, " %" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    add_hint(&t, slots, offset);
    return fail(slots, w, inst, lane, offset, &t);
}

bool bad_atomic(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                uint64_t offset)
{
    struct text t = {.length = 0};
    begin(&t, inst, "local address", offset);
    text_add(&t, "is in the wrong space: atomics need device or shared memory");
    return fail(slots, w, inst, lane, offset, &t);
}
