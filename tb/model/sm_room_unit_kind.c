/* Port tables and back ends of the tile, generated from rtl/evgpu.def. */
#include "sm_room_unit_kind.h"
