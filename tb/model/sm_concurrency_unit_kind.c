/* Port tables and back ends of the tile and of its variant, generated from rtl/evgpu.def. */
#include "sm_concurrency_unit_kind.h"

#include "sm_concurrency_unit_next_kind.h"
