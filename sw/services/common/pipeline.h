/* How the first kernel of a pipeline hands a batch on to the second one, as host and kernels see
 * it.
 *
 * The first kernel writes a record for each slot of a batch, also for those without a packet: when
 * all records are there, none of its threads looks at the batch any more, and the slots can be
 * filled anew behind the second kernel. Where it has to start the second one, it then rings that
 * kernel's doorbell.
 *
 * Doorbells launch the entries of a submission queue in order, but batches end in any order. So
 * whoever completes a batch, or takes one off the front, looks whether the batch in front is
 * complete; if so, it takes that off, and rings once for it. There are never more doorbells than
 * batches that have been taken off, whoever rang, so that the entry of a doorbell is one whose
 * batch has been handed on. Nobody waits.
 *
 * With records in memory with full/empty bits nobody rings: the second kernel runs already, and
 * waits for their words. */
#ifndef EVGPU_SW_PIPELINE_H
#define EVGPU_SW_PIPELINE_H

/* In device memory; `records` goes on to [entries]. */
struct pipeline_queue {
    unsigned long long doorbell; /* where kernels see it */
    unsigned entries;
    unsigned next;       /* batches taken off the front, below 2^32 */
    unsigned records[1]; /* of the entry's batches, that have been written: all rounds together */
};

#ifdef __CUDACC__

/* By one thread for each of the batch's `records`, behind it. `queue` NULL: the second kernel is
 * not started from here. */
static __device__ __forceinline__ void pipeline_hand_on(pipeline_queue *queue, unsigned entry,
                                                        unsigned records)
{
    if (!queue)
        return;
    __threadfence();
    if ((atomicAdd(&queue->records[entry], 1u) + 1) % records)
        return;
    unsigned entries = queue->entries;
    for (;;) {
        /* Behind the last step of this batch: whoever takes the one before it off the front sees
         * that, or what this sees is that the one before is off. */
        __threadfence();
        unsigned next = *(volatile unsigned *)&queue->next;
        unsigned written = *(volatile unsigned *)&queue->records[next % entries];
        if (written != (next / entries + 1) * records)
            return;
        if (atomicCAS(&queue->next, next, next + 1) == next)
            *(volatile unsigned *)queue->doorbell = 1;
    }
}

#endif
#endif
