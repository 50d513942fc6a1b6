/* Textures and surfaces: what their objects are, and what a fetch from a texture gives.
 *
 * A texture object (cudaTextureObject_t) is the device address of a descriptor, aligned to
 * TEXTURE_ALIGN. A texture reference is a .texref variable: the loader places it as a variable of
 * TEXTURE_BYTES whose contents are the descriptor, so that its address is an object. Whoever binds
 * a texture writes the descriptor there; one of zeros is unbound and faults when it is fetched
 * from. The same holds of surface objects and .surfref variables.
 *
 * A mipmapped texture is an array of descriptors, TEXTURE_STRIDE bytes apart, one for each level,
 * the largest first. So the object of a level is one like any other.
 *
 * Values: CUDA C++ Programming Guide, appendix "Texture Fetching". */
#ifndef EVGPU_PTX_EXECUTE_TEXTURE_H
#define EVGPU_PTX_EXECUTE_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#define TEXTURE_BYTES  80u
#define TEXTURE_ALIGN  64u
#define TEXTURE_STRIDE 128u

enum texture_address_mode { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };
enum texture_kind { TEXTURE_SIGNED, TEXTURE_UNSIGNED, TEXTURE_FLOAT };

enum texture_flag {
    TEXTURE_LINEAR = 1u << 0,     /* filter; else the nearest texel */
    TEXTURE_NORMALIZED = 1u << 1, /* coordinates from 0 to 1 */
    TEXTURE_NORMALIZED_FLOAT =
        1u << 2,                    /* integers of 8 and 16 bits are read as [0, 1] or [-1, 1] */
    TEXTURE_BUFFER = 1u << 3,       /* linear memory, read with whole coordinates: 0 outside */
    TEXTURE_LEVELS_LINEAR = 1u << 4 /* between two levels; else the nearest level */
};

/* As it lies in device memory, little endian. */
struct texture_descriptor {
    uint64_t base;                 /* device address of texel 0 */
    uint32_t width, height, depth; /* texels; a dimension that the texture does not have is 1 */
    uint32_t layers;               /* of a layered texture, each of width x height; else 1 */
    uint64_t pitch;                /* bytes from row to row */
    uint64_t slice;                /* bytes from plane to plane or layer to layer */
    uint8_t channels;              /* 1, 2 or 4 */
    uint8_t bits;                  /* of a channel: 8, 16 or 32 */
    uint8_t kind;                  /* enum texture_kind; float has 16 or 32 bits */
    uint8_t flags;                 /* enum texture_flag */
    uint8_t address[3];            /* enum texture_address_mode, by dimension */
    uint8_t levels;                /* of a mipmap, from this one on; 0: it is none */
    uint32_t border;               /* 0: what lies outside with TEXTURE_BORDER is 0 */
    float level_bias, level_min, level_max;
    uint8_t outside[16]; /* 0: what a surface read in the mode zero finds outside */
};

/* A cube has six layers, its faces, of width x width texels. */
enum texture_shape {
    TEXTURE_1D,
    TEXTURE_2D,
    TEXTURE_3D,
    TEXTURE_LAYERED_1D,
    TEXTURE_LAYERED_2D,
    TEXTURE_CUBE
};

/* One lane's fetch: coordinates as the instruction has them, in order x, y, z. */
struct texture_fetch {
    uint8_t shape;  /* enum texture_shape */
    bool integer;   /* the coordinates are texels, as whole numbers */
    bool gather;    /* the four texels that a filter would weigh, whatever the filter */
    int32_t at[3];  /* with `integer` */
    float point[3]; /* without */
    uint32_t layer; /* of a layered shape */
};

enum surface_mode { SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO };

#define SURFACE_ELEMENT 0 /* bytes of an access: an element, and x counts elements */

/* One lane's access to a surface: `at` is bytes, row, plane. */
struct surface_access {
    uint8_t shape, mode; /* enum texture_shape, enum surface_mode */
    uint32_t bytes;      /* or SURFACE_ELEMENT */
    int32_t at[3];
    uint32_t layer;
};

/* Device memory as the kernel of a fetch may read it. */
struct texture_memory {
    const uint8_t *base; /* host pointer of device address 0 */
    uint64_t bounds[2];  /* what was found readable last: first address, one past the last */
    const struct lane_ctx *ctx;
    uint64_t object; /* whose descriptor is known, or 0 */
    struct texture_descriptor known;
};

/* What tex.level and tex.grad say of the level: lanes_mipmap.c. */
enum texture_level { LEVEL_VALUE, LEVEL_WHOLE, LEVEL_SQUARE };

struct texture_memory texture_memory_of(const struct lane_ctx *ctx);
/* The descriptor of an object; NULL: nothing is bound. Valid until the next call. */
const struct texture_descriptor *texture_find(struct texture_memory *memory, uint64_t object);
/* The kernel may read these bytes. */
bool texture_readable(struct texture_memory *memory, uint64_t address, uint64_t bytes);
/* Texels are read as floats; a fetch filters, if its coordinates are no whole numbers. */
static inline bool texture_values(const struct texture_descriptor *d)
{
    return d->kind == TEXTURE_FLOAT || d->flags & TEXTURE_NORMALIZED_FLOAT;
}
static inline uint32_t texture_texel_bytes(const struct texture_descriptor *d)
{
    return d->channels * d->bits / 8u;
}
/* What a channel with these bits gives. */
uint32_t texture_component(const struct texture_descriptor *d, uint32_t bits);

/* Addresses of the first and the last texel that the fetch reads; the object's own address, or the
 * first address that is not there, when it cannot be served, so that a load from it faults. */
void texture_span(struct texture_memory *memory, uint64_t object, const struct texture_fetch *fetch,
                  uint64_t span[2]);

/* The address of the access. Outside: *inside is false, and the address is that of zeroes in the
 * mode SURFACE_ZERO, of the nearest element in SURFACE_CLAMP, and otherwise 0, as it is without a
 * surface, so that an access faults. */
uint64_t surface_address(struct texture_memory *memory, uint64_t object,
                         const struct surface_access *access, bool *inside);

/* The bits of a channel for a component: a float for a surface of floats, otherwise an integer of
 * the channels' sign, which is saturated. */
uint32_t surface_component(const struct texture_descriptor *d, uint32_t component);

/* The four components, as floats or integers of 32 bits: `kind` is that of the destination. A
 * texture whose values are of the other sort is converted as nothing: its bits are taken. */
void texture_fetch(struct texture_memory *memory, uint64_t object,
                   const struct texture_fetch *fetch, enum texture_kind kind, uint32_t out[4]);

/* One component of four texels, counter-clockwise from the lower left, with y downwards (PTX ISA,
 * tld4). `fetch` gathers. */
void texture_gather(struct texture_memory *memory, uint64_t object,
                    const struct texture_fetch *fetch, uint32_t component, enum texture_kind kind,
                    uint32_t out[4]);

#endif
