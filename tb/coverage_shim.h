/* Coverage counters of the verilated tiles, in a build with COV=1; used by the generated shims. */
#ifndef EVGPU_TB_COVERAGE_SHIM_H
#define EVGPU_TB_COVERAGE_SHIM_H

#ifdef __cplusplus
extern "C" {
#endif

/* When the process ends, the counters of all models go to a file of their own in the directory
 * $EVGPU_COVERAGE; nothing happens if that is not set. May be called any number of times. */
void coverage_write_at_exit(void);

#ifdef __cplusplus
}
#endif

#endif
