/* memcpy_async is in cooperative_groups.h. */
#ifndef EVGPU_SW_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define EVGPU_SW_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"

#endif
