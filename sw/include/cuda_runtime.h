/* So that kernels which include CUDA's own header compile as they are; see evgpu_cuda.h. */
#include "evgpu_cuda.h"
