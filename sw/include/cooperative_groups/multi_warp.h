/* Tiles of 64 to 512 threads (CUDA 11's cooperative_groups::experimental), whose warps meet at a
 * barrier of their own and exchange values through memory that the program gives. Included by
 * cooperative_groups.h. */
#ifndef EVGPU_SW_COOPERATIVE_GROUPS_MULTI_WARP_H
#define EVGPU_SW_COOPERATIVE_GROUPS_MULTI_WARP_H

#ifdef __CUDA__
namespace cooperative_groups
{
namespace experimental
{

/* Shared memory: a value of at most `Bytes` bytes for each warp of a block. */
template <unsigned int Bytes = 8, unsigned int Threads = 1024> struct block_tile_memory {
    alignas(16) char room[(Threads + 31) / 32][Bytes];
};

template <unsigned int Bytes> class thread_block : public cooperative_groups::thread_block
{
    void *room_;

  public:
    EVGPU_CG explicit thread_block(void *room) : room_(room)
    {
    }
    EVGPU_CG void *evgpu_room() const
    {
        return room_;
    }
};
template <unsigned int Bytes, unsigned int Threads>
EVGPU_CG thread_block<Bytes> this_thread_block(block_tile_memory<Bytes, Threads> &memory)
{
    return thread_block<Bytes>(memory.room);
}

template <unsigned int Size, unsigned int Bytes> class multi_warp_tile
{
    static_assert(Size == 64 || Size == 128 || Size == 256 || Size == 512,
                  "a tile of several warps has 64, 128, 256 or 512 threads");
    char *room_; /* of the tile's first warp */

  public:
    EVGPU_CG explicit multi_warp_tile(const thread_block<Bytes> &block)
        : room_((char *)block.evgpu_room() + meta_group_rank() * (Size / 32) * Bytes)
    {
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
    /* A block has 16 barriers and at most 16 tiles; barrier 0, which __syncthreads has, is the last
     * one's. */
    EVGPU_CG void sync() const
    {
        asm volatile("bar.sync %0, %1;" ::"r"((meta_group_rank() + 1) & 15), "r"(Size) : "memory");
    }
    template <class T> EVGPU_CG T shfl(const T &value, unsigned int rank) const
    {
        static_assert(sizeof(T) <= Bytes, "block_tile_memory is for smaller values");
        if (thread_rank() == rank)
            *(T *)room_ = value;
        sync();
        T got = *(volatile T *)room_;
        sync();
        return got;
    }
    template <class T, class Op> EVGPU_CG T evgpu_reduce(T value, Op op) const
    {
        static_assert(sizeof(T) <= Bytes, "block_tile_memory is for smaller values");
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            value = op(value, evgpu_cg::move(value, [=](unsigned int w) {
                           return __shfl_xor_sync(~0u, w, step);
                       }));
        if (evgpu_cg::lane() == 0)
            *(T *)(room_ + thread_rank() / 32 * Bytes) = value;
        sync();
        value = *(T *)room_;
        for (unsigned int warp = 1; warp < Size / 32; warp++)
            value = op(value, *(T *)(room_ + warp * Bytes));
        sync();
        return value;
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

template <unsigned int Size, unsigned int Bytes, bool Several> struct evgpu_tile {
    typedef multi_warp_tile<Size, Bytes> type;
    static EVGPU_CG type of(const thread_block<Bytes> &block)
    {
        return type(block);
    }
};
template <unsigned int Size, unsigned int Bytes> struct evgpu_tile<Size, Bytes, false> {
    typedef thread_block_tile<Size, thread_block<Bytes>> type;
    static EVGPU_CG type of(const thread_block<Bytes> &)
    {
        return type();
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
EVGPU_CG T reduce(const experimental::multi_warp_tile<Size, Bytes> &tile, T value, Op op)
{
    return tile.evgpu_reduce(value, op);
}

} // namespace cooperative_groups
#endif
#endif
