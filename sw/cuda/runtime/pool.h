/* Memory pools of the runtime API (pool.c). */
#ifndef EVGPU_CUDA_RUNTIME_POOL_H
#define EVGPU_CUDA_RUNTIME_POOL_H

#include "sw/cuda/runtime/state.h"

/* Memory has been freed, of a pool or not. */
void rt_pool_freed(uint64_t address);

/* graph_memory.c: true when the stream captures, and the node is made unless *status says why not.
 */
bool rt_graph_captures_malloc(void **address, size_t bytes, cudaStream_t stream, CUresult *status);
bool rt_graph_captures_free(void *address, cudaStream_t stream, CUresult *status);

#endif
