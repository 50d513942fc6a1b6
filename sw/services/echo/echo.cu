/* Echo over UDP, one packet per lane: the event kernel of the service echo. */
#include "echo_device.h"

/* Lane i of the grid answers the packet in slot i, for i < count. An event of one warp has at most
 * 32; `port` 0: any. */
extern "C" __global__ void echo(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                unsigned port, unsigned *__restrict__ results)
{
    echo_batch(blockIdx.x * blockDim.x + threadIdx.x, count, slots, slot_bytes, port, results);
}
