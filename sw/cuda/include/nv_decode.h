/* Names of C++ as in the source, by libcufilt. */
#ifndef EVGPU_NV_DECODE_H
#define EVGPU_NV_DECODE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name in memory for free(), or in output_buffer, memory of malloc() of *length bytes that may
 * be replaced by more. *length, unless NULL, becomes the size of that memory. *status, unless NULL,
 * is 0, or -1 (no memory), -2 (no such name) or -3 (a wrong argument), and then NULL returns. */
char *__cu_demangle(const char *id, char *output_buffer, size_t *length, int *status);

#ifdef __cplusplus
}
#endif

#endif
