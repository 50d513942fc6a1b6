/* Texture and surface objects of the runtime API: the descriptions from which a program made them,
 * by handle; and the handles that references are bound to. Functions of a list take its lock. */
#ifndef EVGPU_SW_CUDA_RUNTIME_OBJECTS_H
#define EVGPU_SW_CUDA_RUNTIME_OBJECTS_H

#include <pthread.h>

#include "sw/cuda/runtime/state.h"

struct rt_object {
    uint64_t handle;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture; /* of a surface: zeros */
    struct rt_object *next;
};

struct rt_objects {
    pthread_mutex_t lock;
    struct rt_object *first;
};

/* Adds `o`, whose `next` is not read. Error: no memory. */
CUresult rt_object_add(struct rt_objects *list, const struct rt_object *o);

/* Does nothing for a handle that is not in the list. */
void rt_object_remove(struct rt_objects *list, uint64_t handle);

/* False: the handle is not in the list. */
bool rt_object_find(struct rt_objects *list, uint64_t handle, struct rt_object *copy);

/* Makes a texture of `w` and binds the reference to it, in place of what it was bound to. */
CUresult rt_texture_bind(struct rt_texture *t, const struct wire_texture *w);

#endif
