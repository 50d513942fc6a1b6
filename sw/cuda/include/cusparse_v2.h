/* cuSPARSE under its older name. */
#ifndef EVGPU_CUDA_CUSPARSE_V2_H
#define EVGPU_CUDA_CUSPARSE_V2_H

#include "cusparse.h"

#endif
