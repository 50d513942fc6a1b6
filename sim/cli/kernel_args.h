/* Kernel arguments from the command line: TYPE:VALUE. */
#ifndef EVGPU_CLI_KERNEL_ARGS_H
#define EVGPU_CLI_KERNEL_ARGS_H

#include "sim/guest/kernel/kernel_job.h"

struct kernel_arg {
    const char
        *text; /* u8..u64, s8..s64, b8..b64, f32, f64: value; buf:FILE; zero:BYTES; raw:FILE */
    uint64_t address; /* of a buffer, else 0 */
    uint64_t bytes;
};

/* Gives argument `index` of kernel `name` its value; buffers are made and filled. */
bool kernel_arg_apply(struct kernel_job *job, const char *name, uint32_t index,
                      struct kernel_arg *arg, struct error *err);

#endif
