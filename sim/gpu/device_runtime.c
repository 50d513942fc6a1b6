/* What kernels and the host ask of the GPU beside running: output, heap, stack. Each owner has its
 * own, as each context of CUDA has, so that none can exhaust or set another's. */
#include "sim/gpu/gpu_internal.h"

void device_runtime_init(struct device_runtime *runtime)
{
    *runtime = (struct device_runtime){.heap = {.limit = DEVICE_HEAP_BYTES},
                                       .output = {.limit = DEVICE_OUTPUT_BYTES},
                                       .stack_bytes = CALL_STACK_BYTES};
}

void device_runtime_free(struct device_runtime *runtime)
{
    device_output_free(&runtime->output);
}

static struct device_runtime *of(struct gpu *gpu, uint32_t owner)
{
    return &owner_record(gpu, owner)->runtime;
}

/* --- output ----------------------------------------------------------------------------------- */

static void on_print(void *user, const struct kernel *kernel, bool is_error, const char *text,
                     size_t bytes)
{
    device_output_add(&of(user, kernel->owner)->output,
                      &(struct output_entry){(char *)(uintptr_t)text, bytes, is_error});
}

void gpu_take_output(struct gpu *gpu, uint32_t owner, const struct output_reader *reader)
{
    device_output_take(&of(gpu, owner)->output, reader);
}

void gpu_set_output_bytes(struct gpu *gpu, uint32_t owner, uint64_t bytes)
{
    of(gpu, owner)->output.limit = bytes;
}

/* --- heap ------------------------------------------------------------------------------------- */

static uint64_t heap_alloc(struct gpu *gpu, uint64_t bytes, const struct kernel *kernel,
                           uint32_t ptx_line, const char *what)
{
    uint64_t address = device_heap_alloc(&of(gpu, kernel->owner)->heap, &gpu->image, bytes);
    const struct image_block part = {
        .address = address,
        .bytes = bytes,
        .note = {.owner = kernel->owner, .what = what, .name = kernel->name, .place = ptx_line}};
    if (address)
        image_add_part(&gpu->image, &part);
    return address;
}

static uint64_t on_heap_alloc(void *user, uint64_t bytes, const struct kernel *kernel,
                              uint32_t ptx_line)
{
    return heap_alloc(user, bytes, kernel, ptx_line, "malloc in kernel");
}

static uint64_t on_launch_buffer(void *user, const struct core_launch *from, uint64_t bytes)
{
    return heap_alloc(user, bytes, from->grid->kernel, from->ptx_line, "launch in kernel");
}

void device_runtime_release(struct gpu *gpu, uint32_t owner, uint64_t address)
{
    if (device_heap_free(&of(gpu, owner)->heap, &gpu->image, address))
        image_release_part(&gpu->image, address);
}

/* Kernels free what kernels of the same owner have allocated. */
static bool on_heap_free(void *user, uint64_t address, const struct kernel *kernel)
{
    struct gpu *gpu = user;
    uint64_t low, high;
    bool own =
        image_span(&gpu->image, kernel->owner, address, false, true, &low, &high) && low == address;
    bool freed = own && device_heap_free(&of(gpu, kernel->owner)->heap, &gpu->image, address);
    if (freed)
        image_release_part(&gpu->image, address);
    return freed;
}

void gpu_free_heap(struct gpu *gpu, uint32_t owner)
{
    struct device_heap *heap = &of(gpu, owner)->heap;
    uint64_t address = heap->base;
    while (address && (address = image_part_of(&gpu->image, owner, address)) != 0) {
        if (device_heap_free(heap, &gpu->image, address))
            image_release_part(&gpu->image, address);
        address++;
    }
    if (heap->base)
        image_release(&gpu->image, heap->base);
    *heap = (struct device_heap){.limit = heap->limit};
}

void device_runtime_connect(struct core_env *env)
{
    env->print = on_print;
    env->heap_alloc = on_heap_alloc;
    env->heap_free = on_heap_free;
    env->launch_buffer = on_launch_buffer;
    device_launch_connect(env);
}

bool gpu_set_heap_bytes(struct gpu *gpu, uint32_t owner, uint64_t bytes, struct error *err)
{
    struct device_heap *heap = &of(gpu, owner)->heap;
    if (heap->base)
        return error_set(err, "the heap size cannot change after a kernel has used malloc");
    if (bytes > gpu->image.bytes)
        return error_set(err, "a heap of %llu bytes exceeds device memory",
                         (unsigned long long)bytes);
    heap->limit = bytes;
    return true;
}

/* --- stack ------------------------------------------------------------------------------------ */

void device_runtime_set_stack(struct gpu *gpu, struct kernel *kernel)
{
    if (kernel->deep)
        kernel->local_used = kernel->local_bytes =
            kernel->frame_bytes + of(gpu, kernel->owner)->stack_bytes;
}

bool gpu_set_stack_bytes(struct gpu *gpu, uint32_t owner, uint64_t bytes, struct error *err)
{
    if (bytes > GPU_MAX_STACK_BYTES)
        return error_set(err, "a stack of %llu bytes per thread exceeds the limit of %u",
                         (unsigned long long)bytes, GPU_MAX_STACK_BYTES);
    if (gpu_owner_at_work(gpu, owner))
        return error_set(err, "the stack size cannot change while kernels run");
    of(gpu, owner)->stack_bytes = (uint32_t)(bytes + 15) & ~15u;
    for (uint32_t i = 0; i < gpu->n_kernels; i++) {
        if (gpu->kernels[i]->owner == owner)
            device_runtime_set_stack(gpu, gpu->kernels[i]);
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- */

const struct checker *gpu_checker(const struct gpu *gpu)
{
    return gpu->check;
}

const struct core_fault *gpu_fault(const struct gpu *gpu)
{
    return &gpu->fault;
}
