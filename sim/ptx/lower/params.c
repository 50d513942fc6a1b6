/* Parameters of device functions. Each object that is always accessed in the same pieces becomes
 * one virtual register per piece; an object that is addressed or accessed in overlapping pieces
 * lives in local memory. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/ptx/lower/ir.h"

#define MAX_SLOTS 512

static bool is_access(const struct vinst *v)
{
    return v->object != NONE && v->inst.class != INST_ALU;
}

/* The slot of this access; NULL (and the object goes to memory) when it overlaps another one. */
static struct param_slot *find_slot(struct ir *ir, struct param_object *o, uint64_t offset,
                                    uint32_t bytes)
{
    for (size_t i = 0; i < o->n_slots; i++) {
        struct param_slot *s = &o->slots[i];
        if (s->offset == offset && s->bytes == bytes)
            return s;
        if (offset < s->offset + s->bytes && s->offset < offset + bytes)
            return NULL;
    }
    if (o->n_slots == MAX_SLOTS)
        return NULL;
    ARRAY_RESERVE(o->slots, o->n_slots, o->slots_capacity);
    struct param_slot *s = &o->slots[o->n_slots++];
    *s = (struct param_slot){offset, bytes, ir_vreg(ir, bytes == 8 ? VREG_64 : VREG_32)};
    return s;
}

static void to_move(struct vinst *v, const struct param_slot *slot)
{
    bool load = v->inst.class == INST_LOAD;
    v->inst.class = INST_ALU;
    v->inst.unit = UNIT_SP;
    v->inst.timing = TIMING_INT;
    v->inst.space = SPACE_NONE;
    v->inst.op.imm = 0;
    if (load) {
        v->src[0] = slot->vreg;
        v->inst.exec = lanes_extend(v->inst.op.type, v->inst.op.type2);
        v->inst.op.mods =
            (slot->bytes == 8 ? OP_SRC64 : 0) | (v->inst.op.type2 == 8 ? OP_DST64 : 0);
    } else {
        v->dst[0] = slot->vreg;
        v->inst.exec = lanes_extend(slot->bytes == 8 ? PTX_B64 : PTX_B32, slot->bytes == 8 ? 8 : 4);
        v->inst.op.mods = slot->bytes == 8 ? OP_DST64 | OP_SRC64 : 0;
    }
}

static void place_in_memory(struct ir *ir)
{
    for (size_t i = 0; i < ir->n_objects; i++) {
        struct param_object *o = &ir->objects[i];
        if (!o->memory || o->place != OBJECT_FREE)
            continue;
        uint64_t align = o->align ? o->align : 1;
        o->local_offset = (ir->local_bytes + align - 1) / align * align;
        ir->local_bytes = o->local_offset + o->size;
    }
}

void ir_place_params(struct ir *ir)
{
    for (size_t i = 0; i < ir->n_code; i++) {
        const struct vinst *v = &ir->code[i];
        if (!is_access(v))
            continue;
        struct param_object *o = &ir->objects[v->object];
        if (!o->memory && !find_slot(ir, o, (uint64_t)v->inst.op.imm, v->inst.width))
            o->memory = true;
    }
    place_in_memory(ir);
    for (size_t i = 0; i < ir->n_code; i++) {
        struct vinst *v = &ir->code[i];
        if (v->object == NONE)
            continue;
        struct param_object *o = &ir->objects[v->object];
        v->frame_end = o->place == OBJECT_OUT;
        if (v->inst.class == INST_ALU && (ir->framed || v->frame_end)) {
            v->inst.exec = lanes_frame_address;
            v->inst.op.imm += (int64_t)o->local_offset;
        } else if (v->inst.class == INST_ALU) /* mov of the object's address */
            v->src[0] = ir_konst(ir, o->local_offset + (uint64_t)v->inst.op.imm,
                                 (v->inst.op.mods & OP_SRC64) != 0);
        else if (o->memory)
            v->inst.op.imm += (int64_t)o->local_offset;
        else
            to_move(v, find_slot(ir, o, (uint64_t)v->inst.op.imm, v->inst.width));
        v->object = NONE;
    }
}
