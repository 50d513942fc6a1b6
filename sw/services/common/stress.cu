// Fills a GPU for as long as it is let, as a streaming kernel does that memory limits: every warp
// loads two lines of its own and stores one, far from what the caches hold, computes, and meets its
// block at a barrier now and then.
extern "C" __global__ void stress(unsigned *buffer, unsigned mask, unsigned rounds)
{
    unsigned threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned place = round * 3 * threads + thread;
        unsigned sum = buffer[place & mask] + buffer[(place + threads) & mask];
        for (int i = 0; i < 8; i++)
            sum = sum * 1664525u + place;
        buffer[(place + 2 * threads) & mask] = sum;
        if (round % 8 == 7)
            __syncthreads();
    }
}
