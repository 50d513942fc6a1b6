/* Kernels that kernels launch (CUDA C++ Programming Guide, dynamic parallelism), by the packet
 * processor.
 *
 * A thread asks for a buffer of the device heap, writes an AQL dispatch packet and the arguments
 * behind it by stores of its own, and launches. Here the launch is checked and waits for its turn
 * in its stream; then its packet is written to a ring in device memory, whose doorbell the packet
 * processor hears. From there on it is a packet like any other: fetched, decoded, handed to kernel
 * management. Each owner has rings of its own, one for each priority.
 *
 * In the packet of a buffer, the kernel is the address that the parent's module knows
 * (FUNCTION_ADDRESS), and the shared bytes are the dynamic ones alone.
 *
 * Streams are a block's own. A stream's launches run one after the other, those of different
 * streams at the same time. A grid is over, for its stream, the host and its own parent, when all
 * launches of its blocks are. */
#ifndef EVGPU_GPU_DEVICE_LAUNCH_H
#define EVGPU_GPU_DEVICE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

struct core_env;
struct device_launches;
struct gpu;
struct running_grid;

/* Streams with a meaning, as in cuda_runtime_api.h. 0: the block's default one. */
#define LAUNCH_TAIL   3u /* when the parent's blocks and their other launches are over */
#define LAUNCH_FORGET 4u /* at once */

#define LAUNCH_DEPTH 24u /* of launches within launches */

void device_launch_connect(struct core_env *env);
void device_launch_destroy(struct gpu *gpu);

/* The last block of the grid is over. True: launches of it are not, and the end is reported when
 * they are; `run` is no longer needed. */
bool device_launch_holds(struct gpu *gpu, const struct running_grid *run);

/* Writes packets that wait for the memory port or a ring. */
void device_launch_tick(struct gpu *gpu);
uint64_t device_launch_next(const struct gpu *gpu); /* UINT64_MAX: none waits */

/* Grids of the owner wait for the end of their launches, or launches for their turn. */
bool device_launch_at_work(const struct gpu *gpu, uint32_t owner);

#endif
