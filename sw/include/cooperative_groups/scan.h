/* Prefix sums over a tile or a coalesced group. */
#ifndef EVGPU_SW_COOPERATIVE_GROUPS_SCAN_H
#define EVGPU_SW_COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups/reduce.h"

#ifdef __CUDA__
namespace cooperative_groups
{

template <class Group, class T, class Op>
EVGPU_CG T inclusive_scan(const Group &group, T value, Op op)
{
    return group.evgpu_scan(value, op, true);
}
template <class Group, class T> EVGPU_CG T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
EVGPU_CG T exclusive_scan(const Group &group, T value, Op op)
{
    return group.evgpu_scan(value, op, false);
}
template <class Group, class T> EVGPU_CG T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
#endif
