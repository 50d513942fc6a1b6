/* Reductions over a tile or a coalesced group. */
#ifndef EVGPU_SW_COOPERATIVE_GROUPS_REDUCE_H
#define EVGPU_SW_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

#ifdef __CUDA__
namespace cooperative_groups
{

#define EVGPU_CG_OPERATION(name, expression)                                                       \
    template <class T> struct name {                                                               \
        EVGPU_CG T operator()(const T &a, const T &b) const                                        \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
EVGPU_CG_OPERATION(plus, a + b)
EVGPU_CG_OPERATION(less, b < a ? b : a)
EVGPU_CG_OPERATION(greater, a < b ? b : a)
EVGPU_CG_OPERATION(bit_and, a &b)
EVGPU_CG_OPERATION(bit_or, a | b)
EVGPU_CG_OPERATION(bit_xor, a ^ b)
#undef EVGPU_CG_OPERATION

template <unsigned int Size, class Parent, class T, class Op>
EVGPU_CG T reduce(const thread_block_tile<Size, Parent> &tile, T value, Op op)
{
    return tile.evgpu_reduce(value, op);
}
template <class T, class Op> EVGPU_CG T reduce(const coalesced_group &group, T value, Op op)
{
    T sum = group.shfl(value, 0);
    for (unsigned int i = 1; i < group.size(); i++)
        sum = op(sum, group.shfl(value, (int)i));
    return sum;
}

} // namespace cooperative_groups
#endif
#endif
