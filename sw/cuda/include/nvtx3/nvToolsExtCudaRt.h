/* Where CUDA's toolkit from version 10 on has it. */
#include "../nvToolsExtCudaRt.h"
