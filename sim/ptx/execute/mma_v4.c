/* Products of tiles on x86-64-v4: AVX-512. */
#include "sim/ptx/execute/mma.h"
#include "sim/ptx/execute/vector.h"

#ifdef CPU_VERSIONS
#pragma GCC target("arch=x86-64-v4")
#define MMA_RUNS mma_v4
#include "sim/ptx/execute/mma_products.h"
#endif
