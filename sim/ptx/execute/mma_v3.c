/* Products of tiles on x86-64-v3: AVX2. */
#include "sim/ptx/execute/mma.h"
#include "sim/ptx/execute/vector.h"

#ifdef CPU_VERSIONS
#pragma GCC target("arch=x86-64-v3")
#define MMA_RUNS mma_v3
#include "sim/ptx/execute/mma_products.h"
#endif
