/* Memory pools of the runtime API (pool.c). */
#ifndef EVGPU_CUDA_RUNTIME_POOL_H
#define EVGPU_CUDA_RUNTIME_POOL_H

#include "sw/cuda/runtime/state.h"

/* Memory has been freed, of a pool or not. */
void rt_pool_freed(uint64_t address);

#endif
