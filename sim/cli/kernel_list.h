/* evgpu kernel --list: what the kernels of a PTX file need. */
#ifndef EVGPU_CLI_KERNEL_LIST_H
#define EVGPU_CLI_KERNEL_LIST_H

#include "base/error.h"

/* A line for each kernel on stdout, in the order of the file. False with `err` set: the file cannot
 * be read, or one of its kernels cannot run. */
bool kernel_list(const char *path, struct error *err);

#endif
