/* Cooperative groups of CUDA: the block, tiles of it, the threads that happen to be together, the
 * grid of a cooperative launch. Included by programs; device code only. */
#ifndef EVGPU_SW_COOPERATIVE_GROUPS_H
#define EVGPU_SW_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_

#ifdef __CUDA__

#include "cuda_pipeline_primitives.h"
#include "cuda_runtime.h"

#define EVGPU_CG __device__ __inline__ __attribute__((always_inline, nodebug))

namespace cooperative_groups
{

namespace evgpu_cg
{
struct Slot { /* of a grid's barrier: blocks that have arrived, and how often all had */
    unsigned int arrived, generation;
};
static __device__ Slot __attribute__((unused)) slots[64];

static EVGPU_CG unsigned int block_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
static EVGPU_CG unsigned int block_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static EVGPU_CG unsigned int lane()
{
    return __lane_id();
}
static EVGPU_CG unsigned int lanes_below(unsigned int mask)
{
    return __popc(mask & ((1u << lane()) - 1));
}
/* Shuffles move words: what is not one of the built-in types goes word by word. */
template <class T> struct Words {
    static const int count = (sizeof(T) + 3) / 4;
    unsigned int word[count];
};
template <class T, class Move> EVGPU_CG T move(const T &value, Move one)
{
    Words<T> w;
    T result;
    for (int i = 0; i < Words<T>::count; i++)
        w.word[i] = 0;
    __builtin_memcpy(&w, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < Words<T>::count; i++)
        w.word[i] = one(w.word[i]);
    __builtin_memcpy(&result, &w, sizeof(T));
    return result;
}
} // namespace evgpu_cg

/* --- the groups ------------------------------------------------------------------------------- */

/* Any of them: a block, or lanes of a warp by mask. */
class thread_group
{
  protected:
    unsigned int mask_; /* lanes of the warp; 0: the whole block */
    unsigned int size_, rank_;

  public:
    EVGPU_CG thread_group(unsigned int mask, unsigned int size, unsigned int rank)
        : mask_(mask), size_(size), rank_(rank)
    {
    }
    EVGPU_CG unsigned long long size() const
    {
        return size_;
    }
    EVGPU_CG unsigned long long num_threads() const
    {
        return size_;
    }
    EVGPU_CG unsigned long long thread_rank() const
    {
        return rank_;
    }
    EVGPU_CG bool is_valid() const
    {
        return true;
    }
    EVGPU_CG void sync() const
    {
        if (mask_)
            __syncwarp(mask_);
        else
            __syncthreads();
    }
    EVGPU_CG unsigned int evgpu_mask() const
    {
        return mask_;
    }
};

class thread_block : public thread_group
{
    void *room_; /* shared memory for tiles of several warps, or null: multi_warp.h */

  public:
    EVGPU_CG explicit thread_block(void *room)
        : thread_group(0, evgpu_cg::block_threads(), evgpu_cg::block_rank()), room_(room)
    {
    }
    EVGPU_CG thread_block() : thread_block(nullptr)
    {
    }
    EVGPU_CG void *evgpu_room() const
    {
        return room_;
    }
    static EVGPU_CG void sync()
    {
        __syncthreads();
    }
    struct arrival_token {
    };
    EVGPU_CG arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    EVGPU_CG void barrier_wait(arrival_token &&) const
    {
        __syncthreads();
    }
    static EVGPU_CG unsigned int size()
    {
        return evgpu_cg::block_threads();
    }
    static EVGPU_CG unsigned int num_threads()
    {
        return evgpu_cg::block_threads();
    }
    static EVGPU_CG unsigned int thread_rank()
    {
        return evgpu_cg::block_rank();
    }
    static EVGPU_CG dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static EVGPU_CG dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static EVGPU_CG dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static EVGPU_CG dim3 dim_threads()
    {
        return group_dim();
    }
};
static EVGPU_CG thread_block this_thread_block()
{
    return thread_block();
}

/* All blocks of a grid; sync() needs all of them on the device at once, which a cooperative launch
 * sees to. */
class grid_group
{
  public:
    static EVGPU_CG bool is_valid()
    {
        return true;
    }
    static EVGPU_CG unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static EVGPU_CG unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static EVGPU_CG unsigned long long size()
    {
        return num_blocks() * evgpu_cg::block_threads();
    }
    static EVGPU_CG unsigned long long num_threads()
    {
        return size();
    }
    static EVGPU_CG unsigned long long thread_rank()
    {
        return block_rank() * evgpu_cg::block_threads() + evgpu_cg::block_rank();
    }
    static EVGPU_CG dim3 group_dim()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static EVGPU_CG dim3 dim_blocks()
    {
        return group_dim();
    }
    static EVGPU_CG dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static __device__ __inline__ void sync()
    {
        unsigned int grid;
        __asm__ volatile(
            "{\n\t.reg .b64 %%g;\n\tmov.u64 %%g, %%gridid;\n\tcvt.u32.u64 %0, %%g;\n\t}"
            : "=r"(grid));
        evgpu_cg::Slot *slot = &evgpu_cg::slots[grid % 64];
        __syncthreads();
        if (evgpu_cg::block_rank() == 0) {
            volatile unsigned int *generation = &slot->generation;
            unsigned int before = *generation;
            __threadfence();
            if (atomicAdd(&slot->arrived, 1u) == (unsigned int)num_blocks() - 1) {
                atomicExch(&slot->arrived, 0u);
                __threadfence();
                atomicAdd(&slot->generation, 1u);
            } else {
                while (*generation == before)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
};
static EVGPU_CG grid_group this_grid()
{
    return grid_group();
}
typedef grid_group multi_grid_group;

/* --- lanes of a warp
 * ------------------------------------------------------------------------------ */

/* The common part of tiles and coalesced groups. `Self` gives mask(), and lane_of(rank). */
template <class Self> class evgpu_lanes
{
    EVGPU_CG const Self &self() const
    {
        return *static_cast<const Self *>(this);
    }

  public:
    EVGPU_CG void sync() const
    {
        __syncwarp(self().evgpu_mask());
    }
    template <class T> EVGPU_CG T shfl(T value, int rank) const
    {
        unsigned int mask = self().evgpu_mask();
        int from = self().evgpu_lane(rank);
        return evgpu_cg::move(value, [=](unsigned int w) { return __shfl_sync(mask, w, from); });
    }
    EVGPU_CG int any(int predicate) const
    {
        return __any_sync(self().evgpu_mask(), predicate);
    }
    EVGPU_CG int all(int predicate) const
    {
        return __all_sync(self().evgpu_mask(), predicate);
    }
    EVGPU_CG unsigned int ballot(int predicate) const
    {
        return self().evgpu_pack(__ballot_sync(self().evgpu_mask(), predicate));
    }
    template <class T> EVGPU_CG unsigned int match_any(T value) const
    {
        return self().evgpu_pack(__match_any_sync(self().evgpu_mask(), value));
    }
    template <class T> EVGPU_CG unsigned int match_all(T value, int &same) const
    {
        return self().evgpu_pack(__match_all_sync(self().evgpu_mask(), value, &same));
    }
    /* The prefix up to the lane's own value, or up to the one before. */
    template <class T, class Op> EVGPU_CG T evgpu_scan(T value, Op op, bool inclusive) const
    {
        unsigned int rank = self().thread_rank();
        for (unsigned int step = 1; step < self().size(); step *= 2) {
            T below = self().shfl_up(value, step);
            value = rank >= step ? op(below, value) : value;
        }
        if (inclusive)
            return value;
        T below = self().shfl_up(value, 1);
        return rank ? below : T();
    }
};

template <unsigned int Size, class Parent = void>
class thread_block_tile : public evgpu_lanes<thread_block_tile<Size, Parent>>
{
    static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                  "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 threads");

  public:
    EVGPU_CG thread_block_tile()
    {
    }
    template <class Group> static EVGPU_CG thread_block_tile evgpu_of(const Group &)
    {
        return thread_block_tile();
    }
    template <class Other> EVGPU_CG thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    EVGPU_CG unsigned int evgpu_mask() const
    {
        return (Size == 32 ? 0xFFFFFFFFu : (1u << (Size & 31)) - 1)
               << (evgpu_cg::lane() & ~(Size - 1));
    }
    EVGPU_CG int evgpu_lane(int rank) const
    {
        return (int)(evgpu_cg::lane() & ~(Size - 1)) + (rank & (int)(Size - 1));
    }
    EVGPU_CG unsigned int evgpu_pack(unsigned int lanes) const
    {
        return (lanes & evgpu_mask()) >> (evgpu_cg::lane() & ~(Size - 1));
    }
    static constexpr __device__ unsigned int size()
    {
        return Size;
    }
    static constexpr __device__ unsigned int num_threads()
    {
        return Size;
    }
    EVGPU_CG unsigned int thread_rank() const
    {
        return evgpu_cg::block_rank() & (Size - 1);
    }
    EVGPU_CG unsigned int meta_group_rank() const
    {
        return evgpu_cg::block_rank() / Size;
    }
    EVGPU_CG unsigned int meta_group_size() const
    {
        return (evgpu_cg::block_threads() + Size - 1) / Size;
    }
    template <class T> EVGPU_CG T shfl_down(T value, unsigned int delta) const
    {
        unsigned int mask = evgpu_mask();
        return evgpu_cg::move(
            value, [=](unsigned int w) { return __shfl_down_sync(mask, w, delta, (int)Size); });
    }
    template <class T> EVGPU_CG T shfl_up(T value, unsigned int delta) const
    {
        unsigned int mask = evgpu_mask();
        return evgpu_cg::move(
            value, [=](unsigned int w) { return __shfl_up_sync(mask, w, delta, (int)Size); });
    }
    template <class T> EVGPU_CG T shfl_xor(T value, unsigned int lanes) const
    {
        unsigned int mask = evgpu_mask();
        return evgpu_cg::move(
            value, [=](unsigned int w) { return __shfl_xor_sync(mask, w, (int)lanes, (int)Size); });
    }
    template <class T, class Op> EVGPU_CG T evgpu_reduce(T value, Op op) const
    {
#pragma unroll
        for (unsigned int step = Size / 2; step > 0; step /= 2)
            value = op(value, shfl_xor(value, step));
        return value;
    }
    EVGPU_CG operator thread_group() const
    {
        return thread_group(evgpu_mask(), Size, thread_rank());
    }
};

class coalesced_group : public evgpu_lanes<coalesced_group>
{
    unsigned int mask_, part_, parts_;

  public:
    EVGPU_CG coalesced_group(unsigned int mask, unsigned int part = 0, unsigned int parts = 1)
        : mask_(mask), part_(part), parts_(parts)
    {
    }
    EVGPU_CG unsigned int evgpu_mask() const
    {
        return mask_;
    }
    EVGPU_CG int evgpu_lane(int rank) const
    {
        return (int)__fns(mask_, 0, rank + 1);
    }
    EVGPU_CG unsigned int evgpu_pack(unsigned int lanes) const
    {
        unsigned int packed = 0, at = 0;
        for (unsigned int m = mask_; m; m &= m - 1, at++)
            packed |= lanes & m & -m ? 1u << at : 0;
        return packed;
    }
    EVGPU_CG unsigned int size() const
    {
        return (unsigned int)__popc(mask_);
    }
    EVGPU_CG unsigned int num_threads() const
    {
        return size();
    }
    EVGPU_CG unsigned int thread_rank() const
    {
        return evgpu_cg::lanes_below(mask_);
    }
    EVGPU_CG unsigned int meta_group_rank() const
    {
        return part_;
    }
    EVGPU_CG unsigned int meta_group_size() const
    {
        return parts_;
    }
    /* Beyond the group, the lane's own value. */
    template <class T> EVGPU_CG T shfl_down(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank() + delta;
        return this->shfl(value, (int)(rank < size() ? rank : thread_rank()));
    }
    template <class T> EVGPU_CG T shfl_up(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank();
        return this->shfl(value, (int)(rank >= delta ? rank - delta : rank));
    }
    EVGPU_CG operator thread_group() const
    {
        return thread_group(mask_, size(), thread_rank());
    }
};
static EVGPU_CG coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* --- partitions
 * ----------------------------------------------------------------------------------- */
template <unsigned int Size, class Group>
EVGPU_CG thread_block_tile<Size, Group> tiled_partition(const Group &group)
{
    return thread_block_tile<Size, Group>::evgpu_of(group);
}
/* Of a size known when it runs: at most a warp. */
static EVGPU_CG thread_group tiled_partition(const thread_group &parent, unsigned int size)
{
    unsigned int rank = (unsigned int)parent.thread_rank(), mask = parent.evgpu_mask();
    if (!mask) {
        unsigned int all = size >= 32 ? 0xFFFFFFFFu : (1u << size) - 1;
        return thread_group(all << (evgpu_cg::lane() & ~(size - 1)), size, rank % size);
    }
    unsigned int part = 0, first = rank / size * size, at = 0;
    for (unsigned int m = mask; m; m &= m - 1, at++)
        part |= at >= first && at < first + size ? m & -m : 0;
    return thread_group(part, (unsigned int)__popc(part), evgpu_cg::lanes_below(part));
}
static EVGPU_CG coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size)
{
    unsigned int first = parent.thread_rank() / size * size, part = 0, at = 0;
    for (unsigned int m = parent.evgpu_mask(); m; m &= m - 1, at++)
        part |= at >= first && at < first + size ? m & -m : 0;
    return coalesced_group(part, first / size, (parent.size() + size - 1) / size);
}
namespace evgpu_cg
{
template <class Group, class Label>
EVGPU_CG coalesced_group labelled(const Group &group, Label label)
{
    if (sizeof(Label) > sizeof(int))
        return coalesced_group(__match_any_sync(group.evgpu_mask(), (unsigned long long)label));
    return coalesced_group(__match_any_sync(group.evgpu_mask(), (int)label));
}
template <class Group> EVGPU_CG coalesced_group halves(const Group &group, bool side)
{
    unsigned int mask = group.evgpu_mask(), yes = __ballot_sync(mask, side);
    return coalesced_group(side ? yes : mask & ~yes, side, 2);
}
} // namespace evgpu_cg

/* Programs name the template arguments: first the number of a tile's threads. */
template <class Label>
EVGPU_CG coalesced_group labeled_partition(const coalesced_group &group, Label label)
{
    return evgpu_cg::labelled(group, label);
}
template <unsigned int Size, class Parent, class Label>
EVGPU_CG coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &group,
                                           Label label)
{
    return evgpu_cg::labelled(group, label);
}
static EVGPU_CG coalesced_group binary_partition(const coalesced_group &group, bool side)
{
    return evgpu_cg::halves(group, side);
}
template <unsigned int Size, class Parent>
EVGPU_CG coalesced_group binary_partition(const thread_block_tile<Size, Parent> &group, bool side)
{
    return evgpu_cg::halves(group, side);
}

/* --- on any group
 * ---------------------------------------------------------------------------------- */
template <class Group> EVGPU_CG void sync(const Group &group)
{
    group.sync();
}
template <class Group> EVGPU_CG unsigned int thread_rank(const Group &group)
{
    return (unsigned int)group.thread_rank();
}
template <class Group> EVGPU_CG unsigned int group_size(const Group &group)
{
    return (unsigned int)group.size();
}

namespace evgpu_cg
{
/* Each thread of the group takes every so many pieces of `Each` bytes, from the first on that is
 * left; the bytes that they have copied. */
template <unsigned int Each, class Group>
EVGPU_CG size_t copy_pieces(const Group &group, char *to, const char *from, size_t bytes)
{
    size_t all = bytes / Each * Each;
    for (size_t i = group.thread_rank() * Each; i < all; i += group.size() * Each)
        __pipeline_memcpy_async(to + i, from + i, Each);
    return all;
}
template <class Group>
EVGPU_CG void copy_bytes(const Group &group, char *to, const char *from, size_t bytes)
{
    size_t done = 0, at = (size_t)to | (size_t)from;
    if (__isShared(to) && __isGlobal(from) && at % 4 == 0)
        done = at % 16 == 0  ? copy_pieces<16>(group, to, from, bytes)
               : at % 8 == 0 ? copy_pieces<8>(group, to, from, bytes)
                             : copy_pieces<4>(group, to, from, bytes);
    for (size_t i = done + group.thread_rank(); i < bytes; i += group.size())
        to[i] = from[i];
    __pipeline_commit();
}
} // namespace evgpu_cg

/* Copies that the whole group makes, each a group of asynchronous copies; they are there after a
 * wait, which is a barrier, too. */
template <class Group, class T>
EVGPU_CG void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    evgpu_cg::copy_bytes(group, (char *)to, (const char *)from, bytes);
}
/* The layouts are numbers of elements. */
template <class Group, class T>
EVGPU_CG void memcpy_async(const Group &group, T *to, size_t to_layout, const T *from,
                           size_t from_layout)
{
    size_t elements = to_layout < from_layout ? to_layout : from_layout;
    evgpu_cg::copy_bytes(group, (char *)to, (const char *)from, elements * sizeof(T));
}
template <class Group> EVGPU_CG void wait(const Group &group)
{
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned int Stages, class Group> EVGPU_CG void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Stages);
    group.sync();
}

} // namespace cooperative_groups

#include "cooperative_groups/multi_warp.h"

#endif
#endif
