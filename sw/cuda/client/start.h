/* Finding or starting the simulator. */
#ifndef EVGPU_CUDA_CLIENT_START_H
#define EVGPU_CUDA_CLIENT_START_H

#include <stdbool.h>

/* The control channel's descriptor: of the simulator that started this process, else of one that is
 * started now (EVGPU, EVGPU_CONFIG, EVGPU_FLAGS). -1 when there is none; the reason is on stderr.
 * *own: this process has started it and ends it. */
int evc_start(int *own);

/* Waits until a simulator of our own, which no channel must hold any more, has ended; `control` is
 * closed. True: it has found mistakes (--check). */
bool evc_wait_end(int control);

#endif
