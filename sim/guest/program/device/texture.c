/* Textures: descriptors in device memory, as kernels read them (sim/ptx/execute/texture.h). An
 * object is a descriptor of its own; a texture reference is a variable of its module that holds
 * one. */
#include "sim/guest/program/device/texture.h"

#include <string.h>

#include "sim/guest/program/internal.h"
#include "sim/ptx/execute/texture.h"
#include "sim/ptx/module.h"

static const char *check(const struct program *p, const struct wire_texture *w)
{
    uint64_t element = (uint64_t)w->channels * w->bits / 8;
    if ((w->channels != 1 && w->channels != 2 && w->channels != 4) ||
        (w->bits != 8 && w->bits != 16 && w->bits != 32) || w->format > 2 ||
        (w->format == 2 && w->bits == 8))
        return "an element must have 1, 2 or 4 channels of 8, 16 or 32 bits";
    if (!w->width || w->width > UINT32_MAX || w->height > UINT32_MAX || w->depth > UINT32_MAX)
        return "its size is 0 or too large";
    uint64_t rows = (w->height ? w->height : 1) * (w->depth ? w->depth : 1);
    uint64_t pitch = w->kind == WIRE_TEXTURE_LINEAR ? w->width * element : w->pitch;
    uint64_t before = 0; /* the last row */
    if (pitch < w->width * element || __builtin_mul_overflow(pitch, rows - 1, &before) ||
        before > UINT64_MAX - w->width * element ||
        !memory_inside(p, w->address, before + w->width * element))
        return "its memory is not inside an allocation of this program";
    if (w->filter == 1 && w->format != 2 && w->read_mode == 0)
        return "linear filtering returns floats: set the read mode to normalized float";
    if (w->read_mode == 1 && w->format != 2 && w->bits == 32)
        return "the read mode normalized float does not support elements of 32 bits";
    if (w->border[0] != 0 || w->border[1] != 0 || w->border[2] != 0 || w->border[3] != 0)
        return "the only supported border colour is 0";
    for (int i = 0; i < 3; i++) {
        if (w->address_mode[i] > TEXTURE_BORDER)
            return "the addressing mode does not exist";
    }
    return NULL;
}

static struct texture_descriptor describe(const struct wire_texture *w)
{
    static const uint8_t kinds[] = {TEXTURE_SIGNED, TEXTURE_UNSIGNED, TEXTURE_FLOAT};
    struct texture_descriptor d = {.base = w->address,
                                   .width = (uint32_t)w->width,
                                   .height = w->height ? (uint32_t)w->height : 1,
                                   .depth = w->depth ? (uint32_t)w->depth : 1,
                                   .layers = w->depth ? (uint32_t)w->depth : 1,
                                   .pitch = w->pitch,
                                   .channels = (uint8_t)w->channels,
                                   .bits = (uint8_t)w->bits,
                                   .kind = kinds[w->format]};
    uint32_t flags = (w->filter == 1 ? TEXTURE_LINEAR : 0u) |
                     (w->normalized ? TEXTURE_NORMALIZED : 0u) |
                     (w->read_mode == 1 && w->format != 2 ? TEXTURE_NORMALIZED_FLOAT : 0u) |
                     (w->kind == WIRE_TEXTURE_LINEAR ? TEXTURE_BUFFER : 0u);
    d.flags = (uint8_t)flags;
    if (w->kind == WIRE_TEXTURE_LINEAR)
        d.pitch = w->width * w->channels * w->bits / 8;
    d.slice = d.pitch * d.height;
    for (int i = 0; i < 3; i++)
        d.address[i] = (uint8_t)w->address_mode[i];
    return d;
}

/* The descriptors of `n` levels. */
static void write_levels(const struct program *p, uint64_t object, const struct wire_texture *w,
                         uint64_t n)
{
    uint8_t *to = gpu_image(machine_gpu(p->machine))->base + object;
    for (uint64_t i = 0; i < n; i++) {
        struct texture_descriptor d = describe(&w[i]);
        if (n > 1 && i == 0) {
            d.levels = (uint8_t)n;
            d.flags |= w->level_filter == 1 ? TEXTURE_LEVELS_LINEAR : 0;
            d.level_bias = w->level_bias;
            d.level_min = w->level_min;
            d.level_max = w->level_max;
        }
        memcpy(to + i * TEXTURE_STRIDE, &d, sizeof d);
    }
}

static void create(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const struct wire_texture *w = (const struct wire_texture *)(const void *)t->payload;
    struct error err = {0};
    uint64_t n = t->request.payload / sizeof *w;
    if (!n || n > WIRE_LEVELS || t->request.payload % sizeof *w) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        const char *wrong = check(p, &w[i]);
        if (wrong) {
            call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "texture: %s", wrong);
            return;
        }
    }
    uint64_t bytes = (n - 1) * TEXTURE_STRIDE + TEXTURE_BYTES;
    uint64_t object = guest_alloc(p->guest, bytes, TEXTURE_ALIGN, &err);
    if (!object) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle, "texture: %s", err.text);
        return;
    }
    write_levels(p, object, w, n);
    memory_add(p, &(struct area){object, bytes, WIRE_TEXTURE_DATA, 0, t->pid});
    t->reply.v[0] = object;
    call_done(t, CUDA_SUCCESS, cycle);
}

static bool is_object(const struct program *p, uint64_t address)
{
    const struct area *area = memory_find(p, address);
    return area && area->address == address && area->kind == WIRE_TEXTURE_DATA;
}

/* The reference takes the descriptor of the object, or of none (0: unbound). */
static void bind(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint8_t *base = gpu_image(machine_gpu(p->machine))->base;
    const char *name = t->payload ? (const char *)t->payload : "";
    const struct module_variable *v = module_variable_find(p, t->request.a[0], name);
    uint64_t object = t->request.a[1];
    if (!v || v->size < TEXTURE_BYTES) {
        call_fail(t, CUDA_ERROR_NOT_FOUND, cycle, "no texture reference named %s in the module",
                  name);
    } else if (object && !is_object(p, object)) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
    } else {
        if (object)
            memcpy(base + v->address, base + object, TEXTURE_BYTES);
        else
            memset(base + v->address, 0, TEXTURE_BYTES);
        t->reply.v[0] = v->address;
        call_done(t, CUDA_SUCCESS, cycle);
    }
}

static void destroy_object(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    if (!is_object(p, t->request.a[0])) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    if (commands_use(p, t->request.a[0], TEXTURE_BYTES)) { /* of another thread, since this call */
        texture_call(t, cycle);
        return;
    }
    memory_drop(p, t->request.a[0]);
    call_done(t, CUDA_SUCCESS, cycle);
}

/* What is under way still reads the old descriptor; it goes first. */
void texture_call(struct host_thread *t, uint64_t cycle)
{
    if (t->request.op == WIRE_TEXTURE) {
        create(t, cycle);
        return;
    }
    stream_mark_all(t);
    call_wait(t, cycle, stream_marks_seen,
              t->request.op == WIRE_TEXTURE_BIND ? bind : destroy_object);
}
