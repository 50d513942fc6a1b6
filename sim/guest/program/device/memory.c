#include "sim/guest/program/device/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"
#include "sim/system/guest_map.h"

/* Index of the first area that begins after `address`. */
static uint32_t first_after(const struct program *p, uint64_t address)
{
    uint32_t low = 0, high = p->memory.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->memory.areas[middle].address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct area *memory_find(const struct program *p, uint64_t address)
{
    uint32_t at = first_after(p, address);
    if (!at || address - p->memory.areas[at - 1].address >= p->memory.areas[at - 1].bytes)
        return NULL;
    return &p->memory.areas[at - 1];
}

uint32_t memory_count(const struct program *p)
{
    return p->memory.count;
}

const struct area *memory_at(const struct program *p, uint32_t index)
{
    return &p->memory.areas[index];
}

bool memory_is_open(const struct area *area)
{
    return area->kind != WIRE_MAPPED || area->flags;
}

bool memory_inside(const struct program *p, uint64_t address, uint64_t bytes)
{
    const struct area *area = memory_find(p, address);
    const struct area *end = p->memory.areas + p->memory.count;
    if (!area || !memory_is_open(area))
        return false;
    uint64_t left = area->bytes - (address - area->address);
    for (; bytes > left; area++) {
        const struct area *next = area + 1;
        if (area->kind != WIRE_MAPPED || next == end || next->kind != WIRE_MAPPED ||
            next->address != area->address + area->bytes || !memory_is_open(next))
            return false;
        bytes -= left;
        left = next->bytes;
    }
    return true;
}

/* Allocations of calls count; variables of modules and textures do not, and mapped memory counts
 * where it is allocated. */
static bool is_counted(uint32_t kind)
{
    return kind != WIRE_MODULE_DATA && kind != WIRE_TEXTURE_DATA && kind != WIRE_MAPPED;
}

static void count_device(struct program *p, uint64_t bytes)
{
    p->memory.device_bytes += bytes;
    if (p->memory.device_bytes > p->memory.peak_bytes)
        p->memory.peak_bytes = p->memory.device_bytes;
}

void memory_add(struct program *p, const struct area *area)
{
    struct program_memory *m = &p->memory;
    uint32_t at = first_after(p, area->address);
    ARRAY_RESERVE(m->areas, m->count, m->capacity);
    memmove(&m->areas[at + 1], &m->areas[at], (m->count - at) * sizeof *m->areas);
    m->areas[at] = *area;
    m->count++;
    if (area->kind == WIRE_PINNED)
        m->pinned_bytes += area->bytes;
    else if (is_counted(area->kind))
        count_device(p, area->bytes);
}

static void uncount(struct program *p, const struct area *area)
{
    if (is_counted(area->kind))
        *(area->kind == WIRE_PINNED ? &p->memory.pinned_bytes : &p->memory.device_bytes) -=
            area->bytes;
}

static void take_out(struct program *p, uint32_t index)
{
    struct program_memory *m = &p->memory;
    m->count--;
    memmove(&m->areas[index], &m->areas[index + 1], (m->count - index) * sizeof *m->areas);
}

/* Device memory that is left: the image also holds what the host has pinned, which does not count.
 */
uint64_t memory_available(const struct program *p)
{
    const struct image *image = gpu_image(machine_gpu(p->machine));
    uint64_t total = (uint64_t)machine_config(p->machine)->memory_mib << 20;
    uint64_t used = image->allocated - p->memory.pinned_bytes;
    return used < total ? total - used : 0;
}

static const char *kind_name(uint32_t kind)
{
    static const char *const names[] = {"none",
                                        "device memory",
                                        "pinned host memory",
                                        "managed memory",
                                        "an array",
                                        "a module's variable",
                                        "a texture object",
                                        "memory with full/empty bits",
                                        "mapped memory (cuMemUnmap)"};
    return names[kind < sizeof names / sizeof names[0] ? kind : 0];
}

void memory_alloc(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint64_t bytes = t->request.a[0], align = t->request.a[1];
    uint32_t kind = (uint32_t)t->request.a[2];
    struct error err = {0};
    bool pinned = kind == WIRE_PINNED;
    if (kind == WIRE_FULL_EMPTY && bytes) {
        full_empty_alloc(t, cycle);
        return;
    }
    if (!bytes || !kind || kind > WIRE_ARRAY || t->request.a[4] > bytes) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    uint64_t address = 0;
    if (pinned || bytes <= memory_available(p))
        address = guest_alloc(p->guest, bytes, align, &err);
    if (!address) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle,
                  "out of memory: the program requests %llu bytes of %s; %llu bytes of the "
                  "device's %u MiB are free",
                  (unsigned long long)bytes, kind_name(kind),
                  (unsigned long long)memory_available(p), machine_config(p->machine)->memory_mib);
        return;
    }
    memory_add(p, &(struct area){address, bytes, kind, (uint32_t)t->request.a[3], t->pid});
    bool read_only = pinned && t->request.a[3] & WIRE_PINNED_READ_ONLY;
    guest_describe(p->guest, address,
                   &(struct image_note){.what = kind_name(kind),
                                        .access = read_only ? IMAGE_READ_ONLY : IMAGE_OPEN,
                                        .serial = ++p->memory.allocations,
                                        .limit = t->request.a[4],
                                        .initialised = pinned || kind == WIRE_MANAGED});
    t->reply.v[0] = address;
    call_done(t, CUDA_SUCCESS, cycle);
}

/* When the device has done what may still use it. */
static void free_now(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint64_t address = t->request.a[0];
    uint32_t kind = (uint32_t)t->request.a[1];
    uint32_t at = first_after(p, address);
    struct error err = {0};
    const struct area *area = at ? &p->memory.areas[at - 1] : NULL;
    if (!area || area->address != address) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "free of 0x%llx: no allocation begins there, or the program has already freed it",
                  (unsigned long long)address);
        return;
    }
    if (area->kind != kind || kind == WIRE_MAPPED) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "free of 0x%llx as %s: it is %s",
                  (unsigned long long)address, kind_name(kind), kind_name(area->kind));
        return;
    }
    if (area->process != t->pid) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "free of 0x%llx: another process of the program has allocated it",
                  (unsigned long long)address);
        return;
    }
    if (commands_use(p, area->address, area->bytes)) { /* of another thread, since this call */
        memory_free(t, cycle);
        return;
    }
    t->reply.v[0] = area->bytes;
    uncount(p, area);
    take_out(p, at - 1);
    guest_release(p->guest, address, &err);
    call_done(t, CUDA_SUCCESS, cycle);
}

void memory_free(struct host_thread *t, uint64_t cycle)
{
    stream_mark_all(t);
    call_wait(t, cycle, stream_marks_seen, free_now);
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
    call_done(t, CUDA_SUCCESS, cycle);
}

void memory_info(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    t->reply.v[0] = memory_available(p);
    t->reply.v[1] = (uint64_t)machine_config(p->machine)->memory_mib << 20;
    call_done(t, CUDA_SUCCESS, cycle);
}

void memory_drop(struct program *p, uint64_t address)
{
    struct error err = {0};
    take_out(p, first_after(p, address) - 1);
    guest_release(p->guest, address, &err);
}

void memory_unmapped(struct program *p, uint64_t address)
{
    take_out(p, first_after(p, address) - 1);
}

void memory_set_flags(struct program *p, uint64_t address, uint32_t flags)
{
    p->memory.areas[first_after(p, address) - 1].flags = flags;
}

uint64_t memory_take_block(struct program *p, uint64_t bytes, const struct image_note *note)
{
    struct error err = {0};
    uint64_t address =
        bytes <= memory_available(p) ? guest_alloc(p->guest, bytes, GUEST_MAP_UNIT, &err) : 0;
    if (!address)
        return 0;
    guest_describe(p->guest, address, note);
    count_device(p, bytes);
    return address;
}

void memory_give_block(struct program *p, uint64_t address, uint64_t bytes)
{
    struct error err = {0};
    p->memory.device_bytes -= bytes;
    guest_release(p->guest, address, &err);
}

/* Modules stay with their variables, and memory by handle belongs to no context. */
static bool stays(const struct area *area, pid_t process)
{
    return area->kind == WIRE_MODULE_DATA || area->kind == WIRE_MAPPED ||
           (process && area->process != process);
}

void memory_release_all(struct program *p, pid_t process)
{
    struct program_memory *m = &p->memory;
    struct error err = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        if (stays(&m->areas[i], process)) {
            m->areas[kept++] = m->areas[i];
        } else {
            uncount(p, &m->areas[i]);
            guest_release(p->guest, m->areas[i].address, &err);
        }
    }
    if (!process)
        guest_free_heap(p->guest);
    m->count = kept;
}

void memory_return(struct program *p)
{
    p->memory.left += p->memory.device_bytes + p->memory.pinned_bytes;
    mappings_release_all(p);
    memory_release_all(p, 0);
    p->memory.count = 0;
}

void memory_forget(struct program *p)
{
    p->memory.left = 0;
}

void memory_end(struct program *p)
{
    free(p->memory.areas);
}

uint64_t memory_peak(const struct program *p)
{
    return p->memory.peak_bytes;
}

uint64_t memory_leaked(const struct program *p)
{
    return p->memory.left + p->memory.device_bytes + p->memory.pinned_bytes;
}
