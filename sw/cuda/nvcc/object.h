/* The relocatable device code in objects and archives (clang's -fgpu-rdc): its PTX text,
 * and the name of the function by which the object announces itself when the program starts. */
#ifndef EVGPU_NVCC_OBJECT_H
#define EVGPU_NVCC_OBJECT_H

#include "sw/cuda/nvcc/list.h"

struct device_object {
    const char *file; /* as a person knows it: "a.o", "libx.a(a.o)" */
    const char *id;   /* "__nv_0123456789abcdef" */
    const char *ptx;
};

struct device_objects {
    struct device_object *at;
    size_t count;
};

/* clang makes an object's id of the source's name, as the command has it. In the object, or in its
 * assembler text, it becomes one of `digits`, of which there are 16. */
void object_rename(char *bytes, size_t size, const char *digits);

/* Adds what `path` holds; nothing where it is neither an object nor an archive. The same unit twice
 * is added once. Ends with a message when the file cannot be read or is damaged. */
void object_read(struct device_objects *objects, const char *path);

#endif
