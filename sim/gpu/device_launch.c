#include "sim/gpu/device_launch.h"

#include <stdlib.h>

#include "sim/gpu/gpu_internal.h"

#define NONE         UINT32_MAX
#define RING_PACKETS 1024u
#define RINGS        16u /* of the packet processor's queues */
#define BUCKETS      1024u
#define REQUESTER    UINT16_MAX /* of no device */

/* cudaError */
enum {
    LAUNCH_OK = 0,
    LAUNCH_INVALID_VALUE = 1,
    LAUNCH_NO_MEMORY = 2,
    LAUNCH_INVALID_CONFIGURATION = 9,
    LAUNCH_MAX_DEPTH = 65,
    LAUNCH_INVALID_FUNCTION = 98,
    LAUNCH_OUT_OF_RESOURCES = 701,
    LAUNCH_NOT_SUPPORTED = 801
};

struct child {
    uint64_t buffer, stream;
    struct aql_dispatch packet;
    uint32_t family, block; /* of the parent; block NONE: nobody there waits for it */
    uint32_t behind;        /* the next one of its stream, or NONE */
    uint32_t next;          /* in a list: free, to be sent, or at the tail */
    uint32_t next_in_bucket;
    uint32_t owner, ring;
};

/* A block that has launched. */
struct launching_block {
    uint64_t number;
    uint32_t family, left, error;
    uint32_t newest; /* launch in the default stream that is not over, or NONE */
    uint32_t next_in_bucket, next_in_family;
};

struct fifo {
    uint32_t first, last;
};

/* A grid that has launched. */
struct family {
    struct running_grid held; /* once its own blocks are over */
    bool over, used;
    uint32_t left, depth, owner;
    uint32_t blocks, next; /* next: of the free ones */
    struct fifo tail;
    uint32_t tails; /* of `left`, those of the list */
};

/* Of one owner and priority, as long as it has launches there: the packet processor takes the rings
 * in turn, so that no owner's launches wait for another's. */
struct ring {
    uint64_t base, written; /* packets */
    uint32_t queue, owner, left;
    int32_t priority; /* for good */
    struct fifo to_send;
};

struct device_launches {
    struct child *children;
    struct launching_block *blocks;
    struct family *families;
    uint32_t n_children, cap_children, free_child;
    uint32_t n_blocks, cap_blocks, free_block;
    uint32_t n_families, cap_families, free_family;
    uint32_t block_bucket[BUCKETS], child_bucket[BUCKETS];
    struct ring ring[RINGS];
    uint32_t n_rings;
    uint64_t streams; /* the last number given */
    uint64_t wake;
};

static struct device_launches *launches_of(struct gpu *gpu)
{
    if (gpu->launches)
        return gpu->launches;
    struct device_launches *l = ALLOC(struct device_launches);
    l->free_child = l->free_block = l->free_family = NONE;
    l->wake = UINT64_MAX;
    l->streams = LAUNCH_FORGET;
    for (uint32_t i = 0; i < BUCKETS; i++)
        l->block_bucket[i] = l->child_bucket[i] = NONE;
    gpu->launches = l;
    return l;
}

void device_launch_destroy(struct gpu *gpu)
{
    struct device_launches *l = gpu->launches;
    if (!l)
        return;
    free(l->children);
    free(l->blocks);
    free(l->families);
    free(l);
}

/* --- who launches ------------------------------------------------------------------------------
 */

static struct running_grid *run_of(const struct core_launch *from)
{
    return (struct running_grid *)(void *)from->grid;
}

static uint32_t *block_bucket(struct device_launches *l, uint32_t family, uint64_t block)
{
    return &l->block_bucket[(block + family * (uint64_t)0x9e3779b9u) % BUCKETS];
}

static uint32_t *child_bucket(struct device_launches *l, uint64_t buffer)
{
    return &l->child_bucket[(buffer >> 4) % BUCKETS];
}

/* Its number, or NONE. */
static uint32_t find_block(struct gpu *gpu, const struct core_launch *from)
{
    struct device_launches *l = gpu->launches;
    uint32_t family = run_of(from)->family;
    if (!l || !family)
        return NONE;
    uint32_t i = *block_bucket(l, family - 1, from->block);
    while (i != NONE && (l->blocks[i].family != family - 1 || l->blocks[i].number != from->block))
        i = l->blocks[i].next_in_bucket;
    return i;
}

/* The launch with this buffer, or NONE. */
static uint32_t find_child(struct device_launches *l, uint64_t buffer)
{
    uint32_t i = *child_bucket(l, buffer);
    while (i != NONE && l->children[i].buffer != buffer)
        i = l->children[i].next_in_bucket;
    return i;
}

static uint32_t depth_of(struct gpu *gpu, const struct grid *grid)
{
    struct device_launches *l = launches_of(gpu);
    uint32_t child = find_child(l, grid->param - AQL_PACKET_BYTES);
    return child == NONE ? 0 : l->families[l->children[child].family].depth + 1;
}

static uint32_t new_family(struct gpu *gpu, const struct grid *grid)
{
    struct device_launches *l = launches_of(gpu);
    uint32_t i = l->free_family;
    if (i != NONE) {
        l->free_family = l->families[i].next;
    } else {
        ARRAY_RESERVE(l->families, l->n_families, l->cap_families);
        i = l->n_families++;
    }
    l->families[i] = (struct family){.used = true,
                                     .depth = depth_of(gpu, grid),
                                     .owner = grid->kernel->owner,
                                     .blocks = NONE,
                                     .tail = {NONE, NONE}};
    return i;
}

static uint32_t new_block(struct gpu *gpu, const struct core_launch *from)
{
    struct running_grid *run = run_of(from);
    if (!run->family)
        run->family = new_family(gpu, from->grid) + 1;
    struct device_launches *l = gpu->launches;
    uint32_t i = l->free_block, family = run->family - 1;
    uint32_t *bucket = block_bucket(l, family, from->block);
    if (i != NONE) {
        l->free_block = l->blocks[i].next_in_bucket;
    } else {
        ARRAY_RESERVE(l->blocks, l->n_blocks, l->cap_blocks);
        i = l->n_blocks++;
    }
    l->blocks[i] = (struct launching_block){.number = from->block,
                                            .family = family,
                                            .newest = NONE,
                                            .next_in_bucket = *bucket,
                                            .next_in_family = l->families[family].blocks};
    *bucket = l->families[family].blocks = i;
    return i;
}

static void free_block(struct device_launches *l, uint32_t i)
{
    struct launching_block *b = &l->blocks[i];
    uint32_t *at = block_bucket(l, b->family, b->number);
    while (*at != i)
        at = &l->blocks[*at].next_in_bucket;
    *at = b->next_in_bucket;
    b->next_in_bucket = l->free_block;
    l->free_block = i;
}

static void free_family(struct device_launches *l, uint32_t i)
{
    struct family *f = &l->families[i];
    for (uint32_t b = f->blocks, next; b != NONE; b = next) {
        next = l->blocks[b].next_in_family;
        free_block(l, b);
    }
    f->used = false;
    f->next = l->free_family;
    l->free_family = i;
}

/* --- lists ---------------------------------------------------------------------------------------
 */

static void append(struct device_launches *l, struct fifo *list, uint32_t child)
{
    l->children[child].next = NONE;
    if (list->first == NONE)
        list->first = child;
    else
        l->children[list->last].next = child;
    list->last = child;
}

static uint32_t take_first(struct device_launches *l, struct fifo *list)
{
    uint32_t child = list->first;
    list->first = l->children[child].next;
    return child;
}

static void send_soon(struct gpu *gpu, uint32_t child)
{
    struct device_launches *l = gpu->launches;
    append(l, &l->ring[l->children[child].ring].to_send, child);
    l->wake = gpu->cycle;
}

static uint32_t new_child(struct device_launches *l, uint64_t buffer)
{
    uint32_t i = l->free_child, *bucket = child_bucket(l, buffer);
    if (i != NONE) {
        l->free_child = l->children[i].next;
    } else {
        ARRAY_RESERVE(l->children, l->n_children, l->cap_children);
        i = l->n_children++;
    }
    l->children[i] = (struct child){.buffer = buffer, .behind = NONE, .next_in_bucket = *bucket};
    *bucket = i;
    return i;
}

static void free_child(struct gpu *gpu, uint32_t i)
{
    struct device_launches *l = gpu->launches;
    struct child *c = &l->children[i];
    uint32_t *at = child_bucket(l, c->buffer);
    while (*at != i)
        at = &l->children[*at].next_in_bucket;
    *at = c->next_in_bucket;
    device_runtime_release(gpu, c->owner, c->buffer);
    c->buffer = 0;
    c->next = l->free_child;
    l->free_child = i;
}

/* --- ends ----------------------------------------------------------------------------------------
 */

/* Its own blocks are over: the tail begins when everything else is, and then the whole ends. */
static void family_goes_on(struct gpu *gpu, uint32_t number)
{
    struct device_launches *l = gpu->launches;
    struct family *f = &l->families[number];
    if (!f->over)
        return;
    if (f->left && f->left == f->tails) {
        f->tails--;
        send_soon(gpu, take_first(l, &f->tail));
    }
    if (f->left)
        return;
    struct running_grid held = f->held;
    free_family(l, number);
    held.grid.end_cycle = gpu->cycle;
    kmu_report_end(gpu, &held);
}

static void child_over(struct gpu *gpu, uint32_t number)
{
    struct device_launches *l = gpu->launches;
    const struct child c = l->children[number];
    if (c.block != NONE) {
        struct launching_block *b = &l->blocks[c.block];
        b->left--;
        if (b->newest == number)
            b->newest = NONE;
    }
    l->families[c.family].left--;
    l->ring[c.ring].left--;
    if (c.behind != NONE)
        send_soon(gpu, c.behind);
    free_child(gpu, number);
    family_goes_on(gpu, c.family);
}

static void on_child_ended(void *user, uint64_t index, uint64_t rung, const struct grid *grid)
{
    struct gpu *gpu = user;
    (void)index, (void)rung;
    if (gpu->calls.child_over)
        gpu->calls.child_over(gpu->calls.user, grid);
    child_over(gpu, find_child(gpu->launches, grid->param - AQL_PACKET_BYTES));
    gpu->launches->wake = gpu->cycle; /* the ring may have room again */
}

bool device_launch_holds(struct gpu *gpu, const struct running_grid *run)
{
    struct device_launches *l = gpu->launches;
    if (!run->family)
        return false;
    struct family *f = &l->families[run->family - 1];
    if (!f->left) {
        free_family(l, run->family - 1);
        return false;
    }
    f->held = *run;
    f->over = true;
    family_goes_on(gpu, run->family - 1);
    return true;
}

bool device_launch_at_work(const struct gpu *gpu, uint32_t owner)
{
    const struct device_launches *l = gpu->launches;
    for (uint32_t i = 0; l && i < l->n_families; i++) {
        if (l->families[i].used && l->families[i].owner == owner)
            return true;
    }
    return false;
}

/* --- to the packet processor
 * ----------------------------------------------------------------------- */

/* False: there is no memory for it. */
static bool open_ring(struct gpu *gpu, int32_t priority)
{
    struct device_launches *l = gpu->launches;
    struct ring *ring = &l->ring[l->n_rings];
    struct error err = {.set = false};
    uint64_t base = image_alloc(&gpu->image, RING_PACKETS * AQL_PACKET_BYTES, AQL_PACKET_BYTES);
    if (!base)
        return false;
    image_describe(&gpu->image, base,
                   &(struct image_note){.access = IMAGE_CLOSED, .what = "launches of kernels"});
    struct pp_queue queue = {.ring = base,
                             .packets = RING_PACKETS,
                             .requester = REQUESTER,
                             .priority = priority,
                             .ended = on_child_ended,
                             .user = gpu};
    *ring = (struct ring){.base = base, .priority = priority, .to_send = {NONE, NONE}};
    if (!gpu_queue_create(gpu, &queue, &ring->queue, &err)) {
        image_release(&gpu->image, base);
        return false;
    }
    l->n_rings++;
    return true;
}

/* The owner's own one, else one that nobody uses, else a new one, else any of the priority; NONE:
 * there is none. */
static uint32_t ring_for(struct gpu *gpu, uint32_t owner, int32_t priority)
{
    struct device_launches *l = gpu->launches;
    uint32_t idle = NONE, any = NONE;
    for (uint32_t i = 0; i < l->n_rings; i++) {
        if (l->ring[i].priority != priority)
            continue;
        if (l->ring[i].left && l->ring[i].owner == owner)
            return i;
        any = i;
        idle = l->ring[i].left ? idle : i;
    }
    if (idle == NONE && l->n_rings < RINGS && open_ring(gpu, priority))
        idle = l->n_rings - 1;
    if (idle != NONE)
        l->ring[idle].owner = owner;
    return idle == NONE ? any : idle;
}

/* False: the ring is full, or the memory port. */
static bool send(struct gpu *gpu, const struct child *c)
{
    struct ring *ring = &gpu->launches->ring[c->ring];
    uint8_t packet[AQL_PACKET_BYTES];
    if (ring->written - pp_read_index(gpu->processor, ring->queue) >= RING_PACKETS)
        return false;
    aql_write_dispatch(packet, &c->packet);
    if (!gpu_host_write(gpu, ring->base + ring->written % RING_PACKETS * AQL_PACKET_BYTES, packet,
                        sizeof packet))
        return false;
    gpu_queue_doorbell(gpu, (uint64_t)ring->queue * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, REQUESTER,
                       ring->written++);
    return true;
}

/* False: a packet is left. */
static bool send_all(struct gpu *gpu, struct ring *ring)
{
    struct device_launches *l = gpu->launches;
    while (ring->to_send.first != NONE) {
        uint32_t number = ring->to_send.first;
        bool ended = gpu_owner_ended(gpu, l->children[number].owner);
        if (!ended && !send(gpu, &l->children[number]))
            return false;
        take_first(l, &ring->to_send);
        if (ended)
            child_over(gpu, number);
    }
    return true;
}

void device_launch_tick(struct gpu *gpu)
{
    struct device_launches *l = gpu->launches;
    bool all = true;
    for (uint32_t i = 0; i < l->n_rings; i++)
        all &= send_all(gpu, &l->ring[i]);
    for (uint32_t i = 0; i < l->n_rings; i++) /* the end of one may have sent another */
        all &= l->ring[i].to_send.first == NONE;
    l->wake = all ? UINT64_MAX : gpu->cycle + 1;
}

uint64_t device_launch_next(const struct gpu *gpu)
{
    return gpu->launches ? gpu->launches->wake : UINT64_MAX;
}

/* --- a launch
 * ---------------------------------------------------------------------------------------- */

static const struct kernel *kernel_of(const struct kernel *parent, uint64_t address)
{
    uint64_t number = (address - FUNCTION_WINDOW) / FUNCTION_STEP - 1;
    bool is_one = address > FUNCTION_WINDOW && number < parent->n_entries &&
                  address == FUNCTION_ADDRESS(number);
    return is_one ? parent->entries[number] : NULL;
}

static bool is_configuration(const struct aql_dispatch *d, const struct kernel *kernel)
{
    uint64_t threads = 1, most = kernel->max_threads ? kernel->max_threads : 1024;
    for (int i = 0; i < 3; i++) {
        uint64_t limit = i ? 65535 : 2147483647;
        if (!d->group[i] || !d->grid[i] || d->grid[i] % d->group[i] ||
            d->grid[i] / d->group[i] > limit)
            return false;
        threads *= d->group[i];
    }
    return threads <= most && d->group[2] <= 64;
}

/* Completes the packet of the buffer; an error, or LAUNCH_OK. */
static uint32_t check(struct gpu *gpu, const struct core_launch *from, uint64_t buffer,
                      struct aql_dispatch *d)
{
    const struct kernel *parent = from->grid->kernel;
    uint64_t low, high;
    if (!buffer)
        return LAUNCH_NO_MEMORY;
    if (!image_span(&gpu->image, parent->owner, buffer, false, true, &low, &high) ||
        low != buffer || high - low < AQL_PACKET_BYTES || find_child(gpu->launches, buffer) != NONE)
        return LAUNCH_INVALID_VALUE;
    *d = aql_read_dispatch(gpu->image.base + buffer);
    const struct kernel *kernel = kernel_of(parent, d->kernel);
    if (!kernel || kernel->defect)
        return LAUNCH_INVALID_FUNCTION;
    if (high - low - AQL_PACKET_BYTES < kernel->param_bytes)
        return LAUNCH_INVALID_VALUE;
    if (!is_configuration(d, kernel))
        return LAUNCH_INVALID_CONFIGURATION;
    struct error err = {.set = false};
    struct launch launch = {.kernel = kernel, .dynamic_shared = d->shared_bytes};
    for (int i = 0; i < 3; i++) {
        launch.block[i] = d->group[i];
        launch.grid[i] = d->grid[i] / d->group[i];
    }
    if (!kmu_fits(gpu, &launch, &err))
        return LAUNCH_OUT_OF_RESOURCES;
    if (depth_of(gpu, from->grid) >= LAUNCH_DEPTH - 1)
        return LAUNCH_MAX_DEPTH;
    d->dimensions = 3;
    d->kernel = kernel->code_address;
    d->kernarg = buffer + AQL_PACKET_BYTES;
    d->private_bytes = kernel->local_bytes;
    d->shared_bytes += kernel->shared_bytes;
    d->signal = 0;
    return LAUNCH_OK;
}

/* The newest launch of the block's stream that is not over, or NONE. */
static uint32_t newest_of(const struct device_launches *l, const struct launching_block *b,
                          uint32_t block, uint64_t stream)
{
    if (!stream)
        return b->newest;
    uint32_t found = NONE;
    for (uint32_t i = 0; b->left && i < l->n_children; i++) {
        const struct child *c = &l->children[i];
        if (c->buffer && c->block == block && c->stream == stream && c->behind == NONE)
            found = i;
    }
    return found;
}

/* Behind the stream's last one, at the family's tail, or on its way at once. */
static void enter(struct gpu *gpu, uint32_t number, uint32_t block)
{
    struct device_launches *l = gpu->launches;
    struct child *c = &l->children[number];
    struct launching_block *b = &l->blocks[block];
    struct family *f = &l->families[c->family];
    f->left++;
    if (c->stream == LAUNCH_TAIL) {
        c->block = NONE;
        f->tails++;
        append(l, &f->tail, number);
        return;
    }
    c->block = NONE; /* not found by newest_of */
    uint32_t before = c->stream == LAUNCH_FORGET ? NONE : newest_of(l, b, block, c->stream);
    c->block = block;
    b->left++;
    if (!c->stream)
        b->newest = number;
    if (before == NONE)
        send_soon(gpu, number);
    else
        l->children[before].behind = number;
}

static uint32_t on_launch(void *user, const struct core_launch *from, uint64_t buffer,
                          uint64_t stream)
{
    struct gpu *gpu = user;
    if (from->grid->is_event)
        return LAUNCH_NOT_SUPPORTED;
    uint32_t block = find_block(gpu, from);
    if (block == NONE)
        block = new_block(gpu, from);
    struct device_launches *l = gpu->launches;
    struct aql_dispatch packet;
    uint32_t error = check(gpu, from, buffer, &packet), owner = from->grid->kernel->owner;
    uint32_t ring = error ? NONE : ring_for(gpu, owner, from->grid->priority);
    if (!error && ring == NONE)
        error = LAUNCH_OUT_OF_RESOURCES;
    if (error) {
        l->blocks[block].error = error;
        return error;
    }
    uint32_t number = new_child(l, buffer);
    struct child *c = &l->children[number];
    c->stream = stream;
    c->packet = packet;
    c->family = run_of(from)->family - 1;
    c->owner = owner;
    c->ring = ring;
    l->ring[ring].left++;
    enter(gpu, number, block);
    return LAUNCH_OK;
}

static uint64_t on_launches(void *user, const struct core_launch *from, uint32_t query)
{
    struct gpu *gpu = user;
    if (query == LAUNCHES_STREAM)
        return ++launches_of(gpu)->streams;
    uint32_t i = find_block(gpu, from);
    if (i == NONE)
        return 0;
    struct launching_block *b = &gpu->launches->blocks[i];
    if (query == LAUNCHES_LEFT)
        return b->left;
    uint32_t error = b->error;
    if (query == LAUNCHES_ERROR)
        b->error = LAUNCH_OK;
    return error;
}

void device_launch_connect(struct core_env *env)
{
    env->launch = on_launch;
    env->launches = on_launches;
}
