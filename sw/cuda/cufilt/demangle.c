/* Kernels have the names that the host's C++ gives them, so its library knows them. */
#include "sw/cuda/include/nv_decode.h"

char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

char *__cu_demangle(const char *id, char *output_buffer, size_t *length, int *status)
{
    return __cxa_demangle(id, output_buffer, length, status);
}
