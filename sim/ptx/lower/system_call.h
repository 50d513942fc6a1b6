/* Functions that the machine has for every program (CUDA C++ Programming Guide, formatted output,
 * assertion, dynamic memory; PTX interoperability, system calls): vprintf, __assertfail, malloc and
 * free, which a file calls and does not define; and those of launches in kernels, behind which
 * evgpu_cuda_launch.h has the functions of CUDA. */
#ifndef EVGPU_PTX_LOWER_SYSTEM_CALL_H
#define EVGPU_PTX_LOWER_SYSTEM_CALL_H

#include "sim/ptx/lower/call.h"

/* The call of this name, or SYSTEM_CALLS. */
enum system_call system_call_of(const char *name);

/* The call as an instruction of its own. */
bool system_call_emit(struct decoder *d, const struct real_call *call, enum system_call number);

#endif
