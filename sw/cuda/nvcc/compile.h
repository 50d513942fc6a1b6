/* One source file to an object, PTX, preprocessed text or dependencies. */
#ifndef EVGPU_NVCC_COMPILE_H
#define EVGPU_NVCC_COMPILE_H

#include "sw/cuda/nvcc/options.h"

enum source {
    SOURCE_CUDA,
    SOURCE_C,
    SOURCE_CPP,
    SOURCE_ASSEMBLER,
    SOURCE_LINK, /* objects, archives, shared libraries: for the linker */
};

/* The kind of input number `index`; ends with a message when its name says nothing. */
enum source source_kind(const struct options *options, size_t index);

void compile_object(const struct options *options, size_t index, const char *output);
void compile_ptx(const struct options *options, size_t index, const char *output);
/* A C++ file for the host's compiler, which makes the same object of it. */
void compile_source(const struct options *options, size_t index, const char *output);
/* `output` NULL: standard output. */
void compile_preprocess(const struct options *options, size_t index, const char *output);
void compile_depend(const struct options *options, size_t index, const char *output);

/* clang++ of the version that emits what the libraries expect, and the host's compiler. */
const char *clang_name(void);
char *host_name(const struct options *options, bool cpp);

#endif
