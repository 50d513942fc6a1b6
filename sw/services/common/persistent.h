/* The work queue of a persistent kernel (EDGE Figure 3b, II-B), as host and kernel see it.
 *
 * The kernel's warps are launched once and run until they are told to stop. Queue entries belong to
 * the warps in turn: warp w works on entries w, w + W, w + 2 W, ... modulo the number of entries,
 * in this order, the order in which the device fills them. For each batch
 *
 *   device   writes the packets, then, behind them, their number into the entry's ready word
 *   warp     polls that word, works on the batch, clears the word, waits until all of this lies in
 *            memory (a fence), and stores `done` into the entry's completion flag, in the device's
 *            own memory on the PCIe bus
 *   device   reads results and packets; the entry is free
 *
 * A ready word of PERSISTENT_STOP ends the warp that sees it. The last warp to arrive at the
 * kernel's beginning stores 1 to the device, which starts then. */
#ifndef EVGPU_SW_PERSISTENT_H
#define EVGPU_SW_PERSISTENT_H

#define PERSISTENT_STOP 0xFFFFFFFFu
#define PERSISTENT_DONE 2u

/* pmevent numbers: a batch is seen; it is done, and its flag comes next. */
#define PERSISTENT_BEGINS 1
#define PERSISTENT_ENDS   2

struct persistent_entry {
    unsigned long long slots, results; /* device addresses */
};

#ifdef __CUDACC__

struct persistent_queue {
    unsigned *ready;               /* [entries] */
    const persistent_entry *entry; /* [entries] */
    unsigned *flags;               /* [entries], the device's */
    unsigned *arrived;             /* warps that have begun */
    unsigned *attention;           /* the device's */
    unsigned entries;
};

/* Runs `work(slots, results, count, lane)` for each batch of this warp, until it is stopped. */
template <typename Work>
static __device__ __forceinline__ void persistent_serve(const persistent_queue &q, const Work &work)
{
    unsigned lane = threadIdx.x & 31, per_block = blockDim.x >> 5, warps = gridDim.x * per_block;
    unsigned entry = blockIdx.x * per_block + (threadIdx.x >> 5);
    if (lane == 0 && atomicAdd(q.arrived, 1u) == warps - 1)
        *(volatile unsigned *)q.attention = 1;
    for (;;) {
        volatile unsigned *ready = q.ready + entry;
        unsigned count;
        do
            count = *ready; /* all lanes the same word */
        while (count == 0);
        if (count == PERSISTENT_STOP)
            return;
        asm volatile("pmevent %0;" ::"n"(PERSISTENT_BEGINS) : "memory");
        const persistent_entry e = q.entry[entry];
        work((unsigned char *)e.slots, (unsigned *)e.results, count, lane);
        __syncwarp();
        if (lane == 0)
            *ready = 0;
        __threadfence_system();
        asm volatile("pmevent %0;" ::"n"(PERSISTENT_ENDS) : "memory");
        if (lane == 0)
            ((volatile unsigned *)q.flags)[entry] = PERSISTENT_DONE;
        entry += warps;
        entry -= entry >= q.entries ? q.entries : 0; /* warps <= entries */
    }
}

#endif
#endif
