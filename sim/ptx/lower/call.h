/* Calls that are not expanded, and functions that are called so.
 *
 * Each thread has a stack in its local memory: the frames of the functions that it is in, the
 * kernel's first. A frame begins with the results and then the arguments of the function, each at a
 * multiple of 8 bytes (16 if it is larger than 8), so that an indirect call needs no prototype;
 * variables, saved and spilled registers follow. The caller writes arguments and reads results
 * where its own frame ends, and saves what it needs after the call: a function may use every
 * register. */
#ifndef EVGPU_PTX_LOWER_CALL_H
#define EVGPU_PTX_LOWER_CALL_H

#include "sim/ptx/lower/decode.h"

#define FRAME_ALIGN 16 /* bytes */

/* `call` of a function (NONE: of the address in `target`); the operands are lists or NULL. */
struct real_call {
    const struct ast_operand *returns, *args;
    uint32_t function;
    const struct ast_operand *target;
};
bool call_emit(struct decoder *d, const struct real_call *call);

/* The function itself: where its own variables start in its frame; its parameters, before the body;
 * and `ret`. */
uint64_t call_frame_start(const struct ir *ir, const struct function *f);
void call_enter(struct ir *ir, struct frame *frame);
void call_return(struct decoder *d, const struct frame *frame);

/* False with the error set: parameters of two calls are mixed. Before ir_place_params. */
bool call_check_order(const struct ir *ir);

/* Saves registers around every call. After ir_place_params, before registers are allocated. */
void call_save_registers(struct ir *ir);

/* Fills in where the frame ends, once it is known. */
void call_finish(struct ir *ir);

/* Access of a parameter object by a register: a load or a store of its first bytes. */
void call_move(struct ir *ir, uint32_t line, uint32_t object, uint32_t ref, uint8_t type,
               bool load);

#endif
