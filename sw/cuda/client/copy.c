/* Copies and memory sets. What lies in pageable memory is moved by this process, in the cycle that
 * the simulator names; the rest by the simulator. */
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#include "sw/cuda/client/graph.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif
#define POPULATE_BYTES (1u << 20)

/* A copy as it is sent: addresses translated, gaps filled in. */
struct plan {
    struct evc_copy copy;
    bool src_host, dst_host; /* pageable */
};

/* Fresh pages all at once are several times faster than one fault each; without the kernel's help
 * (before Linux 5.14) they come one by one. */
static void populate(const struct plan *plan)
{
    const struct evc_copy *c = &plan->copy;
    uint64_t address = plan->dst_host ? c->src : c->dst;
    if (c->height > 1 || c->depth > 1 || c->width < POPULATE_BYTES ||
        (plan->src_host && plan->dst_host))
        return;
    uint64_t first = address / EVC_PAGE * EVC_PAGE;
    madvise(evc_window(first), (size_t)(address + c->width - first),
            plan->dst_host ? MADV_POPULATE_READ : MADV_POPULATE_WRITE);
}

static void move_rows(void *user)
{
    const struct plan *plan = user;
    const struct evc_copy *c = &plan->copy;
    populate(plan);
    uint8_t *dst = plan->dst_host ? (uint8_t *)(uintptr_t)c->dst : evc_window(c->dst);
    const uint8_t *src = plan->src_host ? (const uint8_t *)(uintptr_t)c->src : evc_window(c->src);
    for (uint64_t z = 0; z < c->depth; z++) {
        uint8_t *to = dst + z * c->dst_slice;
        const uint8_t *from = src + z * c->src_slice;
        if (c->dst_pitch == c->width && c->src_pitch == c->width) {
            memmove(to, from, (size_t)(c->width * c->height));
            continue;
        }
        for (uint64_t y = 0; y < c->height; y++)
            memmove(to + y * c->dst_pitch, from + y * c->src_pitch, (size_t)c->width);
    }
}

/* An asynchronous copy from pageable memory takes its data now. */
static uint8_t *packed(const struct plan *plan)
{
    const struct evc_copy *c = &plan->copy;
    uint8_t *bytes = malloc((size_t)(c->width * c->height * c->depth));
    uint8_t *to = bytes;
    for (uint64_t z = 0; bytes && z < c->depth; z++) {
        for (uint64_t y = 0; y < c->height; y++, to += c->width)
            memcpy(to, (const uint8_t *)(uintptr_t)c->src + z * c->src_slice + y * c->src_pitch,
                   (size_t)c->width);
    }
    return bytes;
}

/* No copy from or to the device has more bytes than it; the simulator looks at the rest. */
static bool too_large(const struct plan *plan)
{
    const struct evc_copy *c = &plan->copy;
    uint64_t bytes = 0;
    return __builtin_mul_overflow(c->width, c->height, &bytes) ||
           __builtin_mul_overflow(bytes, c->depth, &bytes) ||
           (bytes > evc_device()->map_bytes && !(plan->src_host && plan->dst_host));
}

/* From the first to the last byte of one end; UINT64_MAX: more than there are addresses. */
static uint64_t length_of(const struct evc_copy *c, bool dst)
{
    uint64_t pitch = dst ? c->dst_pitch : c->src_pitch, slice = dst ? c->dst_slice : c->src_slice;
    uint64_t rows = 0, slices = 0, all = 0;
    bool beyond = __builtin_mul_overflow(c->height - 1, pitch, &rows) ||
                  __builtin_mul_overflow(c->depth - 1, slice, &slices) ||
                  __builtin_add_overflow(rows, slices, &all) ||
                  __builtin_add_overflow(all, c->width, &all);
    return beyond ? UINT64_MAX : all;
}

/* One end is in this process's window, where memory by handle is only if it has been mapped here.
 */
static bool in_window(const struct evc_copy *c, bool dst)
{
    uint64_t address = dst ? c->dst : c->src, all = length_of(c, dst);
    if (!evc_is_far(address) || evc_far_is_mapped(address, all))
        return true;
    evc_explain(CUDA_ERROR_INVALID_VALUE,
                "copy: %s: this process has not mapped %llu bytes at 0x%llx (cuMemMap); memory of "
                "another process is imported first",
                dst ? "destination" : "source", (unsigned long long)all,
                (unsigned long long)address);
    return false;
}

/* The rows of one end, which are in this process's memory. */
static bool rows_mapped(const struct plan *plan, const char *what, bool dst)
{
    const struct evc_copy *c = &plan->copy;
    uint64_t address = dst ? c->dst : c->src, all = length_of(c, dst);
    uint64_t pitch = dst ? c->dst_pitch : c->src_pitch, slice = dst ? c->dst_slice : c->src_slice;
    if (all == UINT64_MAX)
        return evc_host_memory(what, address, all);
    if (evc_is_mapped(address, all))
        return true;
    for (uint64_t z = 0; z < c->depth; z++) {
        for (uint64_t y = 0; y < c->height; y++) {
            if (!evc_host_memory(what, address + z * slice + y * pitch, c->width))
                return false;
        }
    }
    return true;
}

static CUresult make_plan(const struct evc_copy *copy, struct plan *plan)
{
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    plan->copy = *copy;
    struct evc_copy *c = &plan->copy;
    c->dst = evc_translate((void *)(uintptr_t)copy->dst);
    c->src = evc_translate((void *)(uintptr_t)copy->src);
    plan->dst_host = !evc_is_device_space(c->dst);
    plan->src_host = !evc_is_device_space(c->src);
    if (too_large(plan))
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "copy: %llu x %llu x %llu bytes are more than the device has",
                           (unsigned long long)c->width, (unsigned long long)c->height,
                           (unsigned long long)c->depth);
    if (!c->dst_pitch)
        c->dst_pitch = c->width;
    if (!c->src_pitch)
        c->src_pitch = c->width;
    if (!c->dst_slice)
        c->dst_slice = c->dst_pitch * c->height;
    if (!c->src_slice)
        c->src_slice = c->src_pitch * c->height;
    /* One row where there are no gaps, so that it is one memmove. */
    if (c->dst_pitch == c->width && c->src_pitch == c->width &&
        c->dst_slice == c->width * c->height && c->src_slice == c->dst_slice) {
        c->width *= c->height * c->depth;
        c->height = c->depth = 1;
        c->dst_pitch = c->src_pitch = c->dst_slice = c->src_slice = c->width;
    }
    if (c->dst_pitch < c->width || c->src_pitch < c->width ||
        (plan->src_host && !rows_mapped(plan, "copy: source", false)) ||
        (plan->dst_host && !rows_mapped(plan, "copy: destination", true)) ||
        (plan->src_host != plan->dst_host && !in_window(c, plan->src_host)))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult evc_copy(const struct evc_copy *copy)
{
    struct plan plan;
    uint64_t stream = 0;
    if (copy->trigger > CU_MEMCPY_TRIGGER_EMPTIED || copy->action > CU_MEMCPY_ACTION_EMPTY)
        return CUDA_ERROR_INVALID_VALUE;
    if (!copy->width || !copy->height || !copy->depth)
        return evc_device() ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (!copy->dst || !copy->src)
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "copy: the %s is a null pointer",
                           copy->dst ? "source" : "destination");
    struct evc_command kept = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .copy = *copy};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture(copy->stream, &kept, &status))
        return status;
    status = make_plan(copy, &plan);
    if (!status)
        status = evc_stream_id(copy->stream, &stream);
    if (status)
        return status;

    const struct evc_copy *c = &plan.copy;
    /* The runtime may return early only where the data need no longer be there. A copy that may
     * wait for words never holds the thread that will fill them. */
    bool bits = c->trigger || c->action;
    bool large = plan.src_host && c->width * c->height * c->depth >= WIRE_MAX_PAYLOAD;
    bool blocking = c->blocking || (plan.dst_host && !bits) || large;
    bool take = plan.src_host && !blocking;
    uint64_t flags = (plan.src_host ? WIRE_COPY_SRC_HOST : 0u) |
                     (plan.dst_host ? WIRE_COPY_DST_HOST : 0u) |
                     (blocking ? WIRE_COPY_BLOCKING : 0u) | (take ? WIRE_COPY_PAYLOAD : 0u);
    struct evc_call call = {.op = WIRE_COPY,
                            .a = {c->dst, c->src, c->width, c->height, c->depth, c->dst_pitch,
                                  c->dst_slice, c->src_pitch, c->src_slice, stream, flags,
                                  c->trigger, c->action},
                            .move = move_rows,
                            .user = &plan};
    uint8_t *bytes = NULL;
    if (take) {
        bytes = packed(&plan);
        if (!bytes)
            return CUDA_ERROR_OUT_OF_MEMORY;
        call.payload = bytes;
        call.payload_bytes = (size_t)(c->width * c->height * c->depth);
    }
    status = evc_call(&call);
    free(bytes);
    return status;
}

CUresult evc_memset(const struct evc_memset *set)
{
    uint64_t stream = 0;
    uint64_t width = 0, slice = 0;
    if (__builtin_mul_overflow(set->width, set->element, &width))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t pitch = set->pitch ? set->pitch : width;
    if (__builtin_mul_overflow(pitch, set->height, &slice))
        return CUDA_ERROR_INVALID_VALUE;
    if (!width || !set->height || !set->depth)
        return evc_device() ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (!set->dst || set->dst % set->element || pitch < width ||
        (set->height > 1 && pitch % set->element))
        return CUDA_ERROR_INVALID_VALUE;
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    uint64_t dst = evc_translate((void *)(uintptr_t)set->dst);
    if (!evc_is_device_space(dst))
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "set: 0x%llx is not on the device",
                           (unsigned long long)set->dst);
    struct evc_command kept = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .set = *set};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture(set->stream, &kept, &status))
        return status;
    status = evc_stream_id(set->stream, &stream);
    if (status)
        return status;
    struct evc_call call = {.op = WIRE_MEMSET,
                            .a = {dst, pitch, set->slice ? set->slice : slice, set->value,
                                  set->element, width, set->height, set->depth, stream,
                                  set->blocking}};
    return evc_call(&call);
}

CUresult evc_copy_place(uint64_t *address, const uint64_t at[3], const uint64_t each[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t more;
        if (__builtin_mul_overflow(at[i], each[i], &more) ||
            __builtin_add_overflow(*address, more, address))
            return evc_explain(CUDA_ERROR_INVALID_VALUE,
                               "copy: position (%llu, %llu, %llu) lies beyond any memory",
                               (unsigned long long)at[0], (unsigned long long)at[1],
                               (unsigned long long)at[2]);
    }
    return CUDA_SUCCESS;
}
