/* Port tables and back ends of the tile, generated from rtl/evgpu.def. */
#include "sm_concurrency_unit_kind.h"
