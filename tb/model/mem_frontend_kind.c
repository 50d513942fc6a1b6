/* Port tables and back ends of the tile, generated from rtl/evgpu.def. */
#include "mem_frontend_kind.h"
