/* What a library says of calls that it refuses, and which handles it has made: a program may hand
 * in any pointer, also one that it has destroyed, and only what is known is looked into. */
#ifndef EVGPU_CUDA_LIBRARY_HANDLES_H
#define EVGPU_CUDA_LIBRARY_HANDLES_H

#include <stdbool.h>

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* False: no memory is left. */
bool library_keep(const void *handle);
void library_forget(const void *handle);
bool library_knows(const void *handle);

/* One line on stderr, the first time: the call, the status by its name, and the condition that its
 * arguments do not meet. Nothing for success, nor for a status that is passed on, which has been
 * explained. */
void library_refuse(const char *call, const char *status, const char *needs);

/* Returns the status from the calling function. */
#define LIBRARY_CHECK(condition, status)                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            library_refuse(__func__, #status, #condition);                                         \
            return (status);                                                                       \
        }                                                                                          \
    } while (0)

#pragma GCC visibility pop

#endif
