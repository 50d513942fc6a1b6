/* Functions that the machine has for every program (CUDA C++ Programming Guide, formatted output,
 * assertion, dynamic memory; PTX interoperability, system calls): vprintf, __assertfail, malloc and
 * free, which a file calls and does not define. */
#ifndef EVGPU_PTX_LOWER_SYSTEM_CALL_H
#define EVGPU_PTX_LOWER_SYSTEM_CALL_H

#include "sim/ptx/lower/call.h"

/* The service of this name, or SERVICES. */
enum service service_of(const char *name);

/* The call as an instruction of its own. */
bool service_emit(struct decoder *d, const struct real_call *call, enum service service);

#endif
