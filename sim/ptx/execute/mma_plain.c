/* Products of tiles on any processor. */
#define MMA_RUNS mma_plain
#include "sim/ptx/execute/mma_products.h"
