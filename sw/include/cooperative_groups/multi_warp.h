/* Tiles of 64 to 512 threads, whose warps meet at a barrier of their own and exchange values
 * through shared memory: the program's (block_tile_memory), or else the kernel's own. In CUDA 12
 * they are thread_block_tile, in CUDA 11 cooperative_groups::experimental has them. Included by
 * cooperative_groups.h. */
#ifndef EVGPU_SW_COOPERATIVE_GROUPS_MULTI_WARP_H
#define EVGPU_SW_COOPERATIVE_GROUPS_MULTI_WARP_H

#ifdef __CUDA__
namespace cooperative_groups
{

/* Shared memory for a block of at most `Threads` threads: 8 bytes for each warp. */
template <unsigned int Threads = 1024> struct block_tile_memory {
    alignas(16) char room[(Threads + 31) / 32][8];
};
template <unsigned int Threads>
EVGPU_CG thread_block this_thread_block(block_tile_memory<Threads> &memory)
{
    return thread_block(memory.room);
}

namespace evgpu_cg
{
/* For blocks without block_tile_memory, as compute capability 8.0 has it. */
static EVGPU_CG void *room_of_kernel()
{
    __shared__ block_tile_memory<1024> memory;
    return memory.room;
}

/* `Bytes` of the room are a warp's. Larger values go word by word. */
template <unsigned int Size, unsigned int Bytes> class WideTile
{
    char *room_; /* the block's */

    EVGPU_CG char *warp_room(unsigned int warp) const
    {
        return room_ + (meta_group_rank() * (Size / 32) + warp) * Bytes;
    }
    EVGPU_CG unsigned int warp_rank() const
    {
        return thread_rank() / 32;
    }
    /* The values that the last or, after a reduction, any lane of each warp has. */
    template <class T, class Use> EVGPU_CG void of_warps(T value, Use use) const
    {
        if (sizeof(T) <= Bytes) {
            if (lane() == 31)
                *(T *)warp_room(warp_rank()) = value;
            sync();
            for (unsigned int warp = 0; warp < Size / 32; warp++)
                use(warp, *(T *)warp_room(warp));
            sync();
        } else {
            for (unsigned int warp = 0; warp < Size / 32; warp++)
                use(warp, shfl(value, warp * 32 + 31));
        }
    }

  public:
    EVGPU_CG explicit WideTile(void *room) : room_((char *)room)
    {
    }
    EVGPU_CG void *evgpu_room() const
    {
        return room_;
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
        return block_rank() & (Size - 1);
    }
    EVGPU_CG unsigned int meta_group_rank() const
    {
        return block_rank() / Size;
    }
    EVGPU_CG unsigned int meta_group_size() const
    {
        return (block_threads() + Size - 1) / Size;
    }
    /* A block has 16 barriers and at most 16 tiles; barrier 0, which __syncthreads has, is the last
     * one's. */
    EVGPU_CG void sync() const
    {
        asm volatile("bar.sync %0, %1;" ::"r"((meta_group_rank() + 1) & 15), "r"(Size) : "memory");
    }
    template <class T> EVGPU_CG T shfl(const T &value, unsigned int rank) const
    {
        return move(value, [=](unsigned int word) {
            if (thread_rank() == rank)
                *(unsigned int *)warp_room(0) = word;
            sync();
            unsigned int got = *(volatile unsigned int *)warp_room(0);
            sync();
            return got;
        });
    }
    template <class T, class Op> EVGPU_CG T evgpu_reduce(T value, Op op) const
    {
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            value = op(value,
                       move(value, [=](unsigned int w) { return __shfl_xor_sync(~0u, w, step); }));
        of_warps(value, [&](unsigned int warp, const T &other) {
            value = warp ? op(value, other) : other;
        });
        return value;
    }
    /* The prefix up to the thread's own value, or up to the one before. */
    template <class T, class Op> EVGPU_CG T evgpu_scan(T value, Op op, bool inclusive) const
    {
        for (unsigned int step = 1; step < 32; step *= 2) {
            T below = move(value, [=](unsigned int w) { return __shfl_up_sync(~0u, w, step); });
            value = lane() >= step ? op(below, value) : value;
        }
        T before = T();
        of_warps(value, [&](unsigned int warp, const T &other) {
            if (warp < warp_rank())
                before = warp ? op(before, other) : other;
        });
        if (!inclusive) {
            value = move(value, [=](unsigned int w) { return __shfl_up_sync(~0u, w, 1); });
            if (lane() == 0)
                return before;
        }
        return warp_rank() ? op(before, value) : value;
    }
    EVGPU_CG int any(int predicate) const
    {
        return evgpu_reduce(predicate != 0, [](int a, int b) { return a | b; });
    }
    EVGPU_CG int all(int predicate) const
    {
        return evgpu_reduce(predicate != 0, [](int a, int b) { return a & b; });
    }
};
} // namespace evgpu_cg

#define EVGPU_CG_WIDE_TILE(Size)                                                                   \
    template <class Parent>                                                                        \
    class thread_block_tile<Size, Parent> : public evgpu_cg::WideTile<Size, 8>                     \
    {                                                                                              \
        EVGPU_CG explicit thread_block_tile(void *room) : evgpu_cg::WideTile<Size, 8>(room)        \
        {                                                                                          \
        }                                                                                          \
                                                                                                   \
      public:                                                                                      \
        template <class Other>                                                                     \
        EVGPU_CG thread_block_tile(const thread_block_tile<Size, Other> &other)                    \
            : evgpu_cg::WideTile<Size, 8>(other.evgpu_room())                                      \
        {                                                                                          \
        }                                                                                          \
        template <class Group> static EVGPU_CG thread_block_tile evgpu_of(const Group &group)      \
        {                                                                                          \
            void *room = group.evgpu_room();                                                       \
            return thread_block_tile(room ? room : evgpu_cg::room_of_kernel());                    \
        }                                                                                          \
    };
EVGPU_CG_WIDE_TILE(64)
EVGPU_CG_WIDE_TILE(128)
EVGPU_CG_WIDE_TILE(256)
EVGPU_CG_WIDE_TILE(512)
#undef EVGPU_CG_WIDE_TILE

namespace experimental
{

template <unsigned int Bytes = 8, unsigned int Threads = 1024> struct block_tile_memory {
    alignas(16) char room[(Threads + 31) / 32][Bytes];
};

template <unsigned int Bytes> class thread_block : public cooperative_groups::thread_block
{
  public:
    EVGPU_CG explicit thread_block(void *room) : cooperative_groups::thread_block(room)
    {
    }
};
template <unsigned int Bytes, unsigned int Threads>
EVGPU_CG thread_block<Bytes> this_thread_block(block_tile_memory<Bytes, Threads> &memory)
{
    return thread_block<Bytes>(memory.room);
}

template <unsigned int Size, unsigned int Bytes, bool Wide> struct evgpu_tile {
    typedef evgpu_cg::WideTile<Size, Bytes> type;
    static EVGPU_CG type of(const thread_block<Bytes> &block)
    {
        return type(block.evgpu_room());
    }
};
template <unsigned int Size, unsigned int Bytes> struct evgpu_tile<Size, Bytes, false> {
    typedef thread_block_tile<Size, thread_block<Bytes>> type;
    static EVGPU_CG type of(const thread_block<Bytes> &block)
    {
        return type::evgpu_of(block);
    }
};
template <unsigned int Size, unsigned int Bytes>
EVGPU_CG typename evgpu_tile<Size, Bytes, (Size > 32)>::type
tiled_partition(const thread_block<Bytes> &block)
{
    return evgpu_tile<Size, Bytes, (Size > 32)>::of(block);
}

} // namespace experimental

template <unsigned int Size, unsigned int Bytes, class T, class Op>
EVGPU_CG T reduce(const evgpu_cg::WideTile<Size, Bytes> &tile, T value, Op op)
{
    return tile.evgpu_reduce(value, op);
}

} // namespace cooperative_groups
#endif
#endif
