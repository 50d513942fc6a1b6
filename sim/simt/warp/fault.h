/* Faults of the program or of the tile, and messages about them. Owner: fault.c. */
#ifndef EVGPU_SIMT_WARP_FAULT_H
#define EVGPU_SIMT_WARP_FAULT_H

#include "base/error.h"
#include "sim/simt/core_env.h"

struct inst;
struct slots;

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

/* No fault any more, but of the machine. */
static inline void faults_over(struct fault *fault)
{
    fault->count = 0;
}

/* As core_fault and core_fault_at (core.h). */
const struct core_fault *fault_first(const struct fault *fault);
const struct core_fault *fault_at(const struct fault *fault, uint32_t index, const char **text);

/* Fills in where a lane of a warp is: kernel, grid or event, block and thread. */
void fault_where(const struct slots *slots, uint32_t w, uint32_t lane, struct core_fault *fault);

void faults_create(struct fault *fault);
void faults_destroy(struct fault *fault);

/* The program is at fault, and its warp executes nothing any more: kernel, PTX line, block and
 * thread of the lane are named. */
void fail_at(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
             enum fault_kind kind, const char *what);

/* The same of an access. */
void fail_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                 enum fault_kind kind, uint64_t address, const char *what);

/* Anything else is: the tile, or a registered kernel. */
void fail_with(struct slots *slots, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
