/* What instructions of textures and of surfaces have in common. */
#ifndef EVGPU_PTX_LOWER_DECODE_TEXTURE_H
#define EVGPU_PTX_LOWER_DECODE_TEXTURE_H

#include "sim/ptx/execute/texture.h"
#include "sim/ptx/lower/decode.h"

struct texture_form {
    uint8_t shape, coordinates; /* enum texture_shape; elements looked at */
};

bool texture_form_of(struct decoder *d, struct texture_form *form);
/* The object: a register, or the address of a reference. */
bool texture_object_of(struct decoder *d, const struct ast_operand *o, uint32_t *ref);
/* The elements of a vector operand, of type `coordinate`, into src[1..3]. */
bool texture_coordinates(struct decoder *d, const struct texture_form *form, unsigned operand,
                         uint8_t coordinate, uint32_t src[4]);
/* An instruction of the object src[0] and the coordinates. */
struct vinst *texture_emit(struct decoder *d, const struct texture_form *form,
                           const uint32_t src[4], bool integer);

#endif
