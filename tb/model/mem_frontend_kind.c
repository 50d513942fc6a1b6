/* Port tables and back ends of the tile and of its variants, generated from rtl/evgpu.def. */
#include "mem_frontend_kind.h"

#include "mem_frontend_counters_kind.h"
#include "mem_frontend_grain128_kind.h"
#include "mem_frontend_grain32_kind.h"
#include "mem_frontend_look2_kind.h"
#include "mem_frontend_look4_kind.h"
#include "mem_frontend_look8_kind.h"
#include "mem_frontend_sim_kind.h"
