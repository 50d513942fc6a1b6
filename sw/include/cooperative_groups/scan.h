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
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T below = group.shfl_up(value, step);
        value = group.thread_rank() >= step ? op(below, value) : value;
    }
    return value;
}
template <class Group, class T> EVGPU_CG T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
EVGPU_CG T exclusive_scan(const Group &group, T value, Op op)
{
    T sum = inclusive_scan(group, value, op), below = group.shfl_up(sum, 1);
    return group.thread_rank() ? below : T();
}
template <class Group, class T> EVGPU_CG T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
#endif
