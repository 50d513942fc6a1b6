/* The books of a program's memory: what was allocated, as what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

static uint32_t call_ns(const struct program *p)
{
    return machine_config(p->machine)->call_ns;
}

/* Index of the first area that begins after `address`. */
static uint32_t first_after(const struct program *p, uint64_t address)
{
    uint32_t low = 0, high = p->n_areas;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->areas[middle].address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct area *memory_find(const struct program *p, uint64_t address)
{
    uint32_t at = first_after(p, address);
    if (!at || address - p->areas[at - 1].address >= p->areas[at - 1].bytes)
        return NULL;
    return &p->areas[at - 1];
}

bool memory_inside(const struct program *p, uint64_t address, uint64_t bytes)
{
    const struct area *area = memory_find(p, address);
    return area && bytes <= area->bytes - (address - area->address);
}

void memory_add(struct program *p, uint64_t address, uint64_t bytes, uint32_t kind, uint32_t flags)
{
    uint32_t at = first_after(p, address);
    ARRAY_RESERVE(p->areas, p->n_areas, p->cap_areas);
    memmove(&p->areas[at + 1], &p->areas[at], (p->n_areas - at) * sizeof *p->areas);
    p->areas[at] = (struct area){.address = address, .bytes = bytes, .kind = kind, .flags = flags};
    p->n_areas++;
}

static void take_out(struct program *p, uint32_t index)
{
    p->n_areas--;
    memmove(&p->areas[index], &p->areas[index + 1], (p->n_areas - index) * sizeof *p->areas);
}

/* Device memory that is left: the image also holds what the host has pinned, which does not count.
 */
static uint64_t available(const struct program *p)
{
    const struct image *image = gpu_image(machine_gpu(p->machine));
    uint64_t total = (uint64_t)machine_config(p->machine)->memory_mib << 20;
    uint64_t used = image->allocated - p->pinned_bytes;
    return used < total ? total - used : 0;
}

static const char *kind_name(uint32_t kind)
{
    static const char *const names[] = {
        "none",     "device memory",       "pinned host memory", "managed memory",
        "an array", "a module's variable", "a texture object",   "memory with full/empty bits"};
    return names[kind < sizeof names / sizeof names[0] ? kind : 0];
}

void memory_alloc(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint64_t bytes = t->request.a[0], align = t->request.a[1];
    uint32_t kind = (uint32_t)t->request.a[2];
    struct error err = {0};
    bool pinned = kind == WIRE_PINNED;
    if (kind == WIRE_FULL_EMPTY) {
        region_alloc(t, cycle);
        return;
    }
    if (!bytes || !kind || kind > WIRE_ARRAY) {
        host_return(t, CUDA_ERROR_INVALID_VALUE, cycle, call_ns(p));
        return;
    }
    uint64_t address = 0;
    if (pinned || bytes <= available(p))
        address = guest_alloc(p->guest, bytes, align, &err);
    if (!address) {
        host_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle,
                  "out of memory: %llu bytes of %s asked for, %llu of the device's %u MiB are free",
                  (unsigned long long)bytes, kind_name(kind), (unsigned long long)available(p),
                  machine_config(p->machine)->memory_mib);
        return;
    }
    memory_add(p, address, bytes, kind, (uint32_t)t->request.a[3]);
    guest_describe(p->guest, address,
                   &(struct image_note){.what = kind_name(kind),
                                        .serial = ++p->allocations,
                                        .limit = t->request.a[4],
                                        .initialised = pinned || kind == WIRE_MANAGED});
    *(pinned ? &p->pinned_bytes : &p->device_bytes) += bytes;
    if (p->device_bytes > p->peak_bytes)
        p->peak_bytes = p->device_bytes;
    t->reply.v[0] = address;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

/* When the device has done what may still use it. */
static void free_now(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint64_t address = t->request.a[0];
    uint32_t kind = (uint32_t)t->request.a[1];
    uint32_t at = first_after(p, address);
    struct error err = {0};
    const struct area *area = at ? &p->areas[at - 1] : NULL;
    if (!area || area->address != address) {
        host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "free of 0x%llx: no allocation begins there, or it has been freed before",
                  (unsigned long long)address);
        return;
    }
    if (area->kind != kind) {
        host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "free of 0x%llx as %s: it is %s",
                  (unsigned long long)address, kind_name(kind), kind_name(area->kind));
        return;
    }
    t->reply.v[0] = area->bytes;
    *(kind == WIRE_PINNED ? &p->pinned_bytes : &p->device_bytes) -= area->bytes;
    take_out(p, at - 1);
    guest_release(p->guest, address, &err);
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

void memory_free(struct host_thread *t, uint64_t cycle)
{
    stream_mark_all(t);
    host_wait(t, cycle, stream_marks_seen, free_now);
}

void memory_pointer(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const struct area *area = memory_find(p, t->request.a[0]);
    if (area) {
        t->reply.v[0] = area->address;
        t->reply.v[1] = area->bytes;
        t->reply.v[2] = area->kind;
        t->reply.v[3] = area->flags;
    }
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

void memory_info(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    t->reply.v[0] = available(p);
    t->reply.v[1] = (uint64_t)machine_config(p->machine)->memory_mib << 20;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(p));
}

void memory_drop(struct program *p, uint64_t address)
{
    struct error err = {0};
    take_out(p, first_after(p, address) - 1);
    guest_release(p->guest, address, &err);
}

void memory_release_all(struct program *p)
{
    struct error err = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->n_areas; i++) {
        if (p->areas[i].kind == WIRE_MODULE_DATA)
            p->areas[kept++] = p->areas[i];
        else
            guest_release(p->guest, p->areas[i].address, &err);
    }
    p->n_areas = kept;
    p->device_bytes = p->pinned_bytes = 0;
}
