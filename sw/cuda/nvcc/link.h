/* Objects to a program, a shared library or an archive. */
#ifndef EVGPU_NVCC_LINK_H
#define EVGPU_NVCC_LINK_H

#include "sw/cuda/nvcc/options.h"

/* `files`: objects, archives and -l words in the order of the command line. */
void link_program(const struct options *options, const struct list *files, const char *output);
void link_archive(const struct options *options, const struct list *files, const char *output);

#endif
