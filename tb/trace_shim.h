/* C access to Verilator's FST writer; used by tile.c only. Times are in picoseconds. */
#ifndef EVGPU_TB_TRACE_SHIM_H
#define EVGPU_TB_TRACE_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handle that rtl_trace() of a tile takes. */
void *fst_create(void);
void fst_destroy(void *fst);
bool fst_open(void *fst, const char *path);
bool fst_is_open(const void *fst);
void fst_dump(void *fst, uint64_t time_ps);

/* 0 when all of the file is written, else the errno of what was not. */
int fst_close(void *fst);

/* A variable of the verilated tiles that tb/wave/harness.vlt names, by the full name of its
 * module's instance; `bytes`: of it, or of an element of a memory. NULL: there is none. */
const void *rtl_variable(const char *scope, const char *name, uint32_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
