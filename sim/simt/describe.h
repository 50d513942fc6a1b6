/* Faults of the program or of the tile, and messages about them. Owner: describe.c. */
#ifndef EVGPU_SIMT_DESCRIBE_H
#define EVGPU_SIMT_DESCRIBE_H

#include "sim/base/error.h"
#include "sim/simt/core.h"

struct core;

struct fault {
    struct error error; /* the first one found */
    struct core_fault what;
};

static inline const struct error *fault_error(const struct fault *fault)
{
    return &fault->error;
}

/* "PTX line N", with the source line in parentheses where it is known. */
void describe_line(const struct kernel *kernel, uint32_t ptx_line, char *text, size_t room);

/* The program is at fault: kernel, PTX line, block and thread of the lane are named. */
void fail_at(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
             enum fault_kind kind, const char *what);

/* The same of an access. */
void fail_access(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                 enum fault_kind kind, uint64_t address, const char *what);

/* Anything else is: the tile, or a registered kernel. */
void fail_with(struct core *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
