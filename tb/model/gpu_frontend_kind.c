/* Port tables and back ends of the tile, generated from rtl/evgpu.def. */
#include "gpu_frontend_kind.h"
