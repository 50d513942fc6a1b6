/* What kernels and the host ask of the GPU beside running: output, heap, stack. */
#include "sim/gpu/gpu_internal.h"

void device_runtime_create(struct gpu *gpu)
{
    gpu->heap.limit = DEVICE_HEAP_BYTES;
    gpu->output.limit = DEVICE_OUTPUT_BYTES;
    gpu->stack_bytes = CALL_STACK_BYTES;
}

void device_runtime_destroy(struct gpu *gpu)
{
    device_output_free(&gpu->output);
}

static void on_print(void *user, const struct kernel *kernel, bool is_error, const char *text,
                     size_t bytes)
{
    struct gpu *gpu = user;
    device_output_add(&gpu->output,
                      &(struct output_entry){kernel, (char *)(uintptr_t)text, bytes, is_error});
}

static uint64_t on_heap_alloc(void *user, uint64_t bytes, const struct kernel *kernel,
                              uint32_t ptx_line)
{
    struct gpu *gpu = user;
    uint64_t address = device_heap_alloc(&gpu->heap, &gpu->image, bytes);
    const struct image_block part = {.address = address,
                                     .bytes = bytes,
                                     .note = {.owner = kernel->owner,
                                              .what = "malloc in kernel",
                                              .name = kernel->name,
                                              .place = ptx_line}};
    if (address)
        image_add_part(&gpu->image, &part);
    return address;
}

/* Kernels free what kernels of the same owner have allocated. */
static bool on_heap_free(void *user, uint64_t address, const struct kernel *kernel)
{
    struct gpu *gpu = user;
    uint64_t low, high;
    bool own =
        image_span(&gpu->image, kernel->owner, address, false, true, &low, &high) && low == address;
    bool freed = own && device_heap_free(&gpu->heap, &gpu->image, address);
    if (freed)
        image_release_part(&gpu->image, address);
    return freed;
}

void gpu_free_heap(struct gpu *gpu, uint32_t owner)
{
    uint64_t address = gpu->heap.base;
    while (address && (address = image_part_of(&gpu->image, owner, address)) != 0) {
        if (device_heap_free(&gpu->heap, &gpu->image, address))
            image_release_part(&gpu->image, address);
        address++;
    }
}

void device_runtime_connect(struct core_env *env)
{
    env->print = on_print;
    env->heap_alloc = on_heap_alloc;
    env->heap_free = on_heap_free;
}

void gpu_take_output(struct gpu *gpu, const struct output_reader *reader)
{
    device_output_take(&gpu->output, reader);
}

void gpu_set_output_bytes(struct gpu *gpu, uint64_t bytes)
{
    gpu->output.limit = bytes;
}

bool gpu_set_heap_bytes(struct gpu *gpu, uint64_t bytes, struct error *err)
{
    if (gpu->heap.base)
        return error_set(err, "the heap size cannot change after a kernel has used malloc");
    if (bytes > gpu->image.bytes)
        return error_set(err, "a heap of %llu bytes exceeds device memory",
                         (unsigned long long)bytes);
    gpu->heap.limit = bytes;
    return true;
}

void device_runtime_set_stack(const struct gpu *gpu, struct kernel *kernel)
{
    if (kernel->deep)
        kernel->local_used = kernel->local_bytes = kernel->frame_bytes + gpu->stack_bytes;
}

bool gpu_set_stack_bytes(struct gpu *gpu, uint64_t bytes, struct error *err)
{
    if (bytes > GPU_MAX_STACK_BYTES)
        return error_set(err, "a stack of %llu bytes per thread exceeds the limit of %u",
                         (unsigned long long)bytes, GPU_MAX_STACK_BYTES);
    if (gpu->kmu.n_pending || gpu->kmu.n_running)
        return error_set(err, "the stack size cannot change while kernels run");
    gpu->stack_bytes = (uint32_t)(bytes + 15) & ~15u;
    for (uint32_t i = 0; i < gpu->n_kernels; i++)
        device_runtime_set_stack(gpu, gpu->kernels[i]);
    return true;
}

const struct checker *gpu_checker(const struct gpu *gpu)
{
    return gpu->check;
}

const struct core_fault *gpu_fault(const struct gpu *gpu)
{
    return &gpu->fault;
}
