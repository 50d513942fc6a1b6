/* Faults of the program or of the tile, and messages about them. Owner: describe.c. */
#ifndef EVGPU_SIMT_DESCRIBE_H
#define EVGPU_SIMT_DESCRIBE_H

#include "base/error.h"
#include "sim/simt/core.h"

struct core;

#define FAULTS 16 /* of kernels in one cycle: more than can issue or be fetched for in one */

struct fault_record {
    struct core_fault what;
    char text[sizeof((struct error *)0)->text];
};

struct fault {
    struct error machine;        /* not a kernel's doing; ends the run */
    struct fault_record *record; /* [FAULTS] */
    uint32_t count;
};

/* The first one; NULL: there is none. */
static inline const char *fault_text(const struct fault *fault)
{
    if (fault->machine.set)
        return fault->machine.text;
    return fault->count ? fault->record[0].text : NULL;
}

/* "PTX line N", with the source line in parentheses where it is known. */
void describe_line(const struct kernel *kernel, uint32_t ptx_line, char *text, size_t room);

static inline bool fault_of_machine(const struct fault *fault)
{
    return fault->machine.set;
}

void faults_create(struct fault *fault);
void faults_destroy(struct fault *fault);

/* The program is at fault, and its warp executes nothing any more: kernel, PTX line, block and
 * thread of the lane are named. */
void fail_at(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
             enum fault_kind kind, const char *what);

/* The same of an access. */
void fail_access(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                 enum fault_kind kind, uint64_t address, const char *what);

/* Anything else is: the tile, or a registered kernel. */
void fail_with(struct core *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
