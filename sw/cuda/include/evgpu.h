/* The calls of the simulated machine beyond CUDA. */
#ifndef EVGPU_H
#define EVGPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* 1 while an event service on the same machine has not finished; 0 without services, and without a
 * simulator. A question about simulated time: the answer does not depend on the real machine. */
int evgpuServicesAtWork(void);

#ifdef __cplusplus
}
#endif

#endif
