#include "sim/guest/program/device/mapping.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

_Static_assert(GUEST_MAP_UNIT == WIRE_MAP_UNIT, "calls name what the machine maps");

/* --- the books -------------------------------------------------------------------------------- */

static struct handle *find_handle(const struct program *p, uint64_t id)
{
    for (uint32_t i = 0; i < p->mappings.n_handles; i++) {
        if (p->mappings.handles[i].id == id)
            return &p->mappings.handles[i];
    }
    return NULL;
}

/* One that the program may name. */
static struct handle *held_handle(const struct program *p, uint64_t id)
{
    struct handle *h = find_handle(p, id);
    return h && h->holders ? h : NULL;
}

/* Index of the first mapping that begins after the address. */
static uint32_t mapping_after(const struct program *p, uint64_t address)
{
    const struct program_mappings *m = &p->mappings;
    uint32_t low = 0, high = m->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->list[middle].at.address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t end_of(const struct mapping *m)
{
    return m->at.address + m->at.bytes;
}

/* Some of [address, address + bytes) is mapped. */
static bool is_mapped(const struct program *p, uint64_t address, uint64_t bytes)
{
    uint32_t after = mapping_after(p, address);
    const struct mapping *list = p->mappings.list;
    return (after && end_of(&list[after - 1]) > address) ||
           (after < p->mappings.count && list[after].at.address - address < bytes);
}

/* How many mappings from index *first on are exactly [address, address + bytes); 0: it begins or
 * ends inside of one, or has gaps. */
static uint32_t whole_mappings(const struct program *p, uint64_t address, uint64_t bytes,
                               uint32_t *first)
{
    uint32_t n = 0;
    uint64_t at = address;
    *first = mapping_after(p, address);
    if (*first)
        (*first)--;
    while (*first + n < p->mappings.count && at - address < bytes) {
        const struct mapping *m = &p->mappings.list[*first + n];
        if (m->at.address != at)
            return 0;
        at = end_of(m);
        n++;
    }
    return at - address == bytes ? n : 0;
}

static const struct range *find_range(const struct program *p, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < p->mappings.n_ranges; i++) {
        const struct range *r = &p->mappings.ranges[i];
        uint64_t offset = address - r->address;
        if (offset < r->bytes && bytes <= r->bytes - offset)
            return r;
    }
    return NULL;
}

/* Its memory goes back when nobody holds it and it is mapped nowhere. */
static void let_go(struct program *p, struct handle *h)
{
    struct program_mappings *m = &p->mappings;
    if (h->holders || h->parts)
        return;
    memory_give_block(p, h->address, h->bytes);
    *h = m->handles[--m->n_handles];
}

/* Mapping `index` goes; the list keeps its order. */
static void unmap_one(struct program *p, uint32_t index)
{
    struct program_mappings *m = &p->mappings;
    struct mapping gone = m->list[index];
    struct handle *h = find_handle(p, gone.handle);
    guest_unmap(p->guest, &gone.at);
    memory_unmapped(p, gone.at.address);
    m->count--;
    memmove(&m->list[index], &m->list[index + 1], (m->count - index) * sizeof *m->list);
    h->parts--;
    let_go(p, h);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refuse(struct host_thread *t, uint64_t cycle, const char *what, const char *why)
{
    const uint64_t *a = t->request.a;
    call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "%s: %llu bytes at 0x%llx %s", what,
              (unsigned long long)a[1], (unsigned long long)a[0], why);
}

static bool is_whole(uint64_t value)
{
    return value % WIRE_MAP_UNIT == 0;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static void reserve(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct program_mappings *m = &p->mappings;
    uint64_t bytes = t->request.a[0], align = t->request.a[1];
    if (!bytes || !is_whole(bytes) || align & (align - 1)) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "cuMemAddressReserve: %llu bytes at multiples of %llu: sizes are multiples of 2 "
                  "MiB (cuMemGetAllocationGranularity), alignments powers of two",
                  (unsigned long long)bytes, (unsigned long long)align);
        return;
    }
    uint64_t address = guest_reserve(p->guest, bytes, align, t->request.a[2]);
    if (!address) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle,
                  "cuMemAddressReserve: %llu bytes: of 256 GiB of addresses not as many are free "
                  "in one piece",
                  (unsigned long long)bytes);
        return;
    }
    ARRAY_RESERVE(m->ranges, m->n_ranges, m->range_capacity);
    m->ranges[m->n_ranges++] = (struct range){address, bytes};
    t->reply.v[0] = address;
    call_done(t, CUDA_SUCCESS, cycle);
}

static void unreserve(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct program_mappings *m = &p->mappings;
    uint64_t address = t->request.a[0], bytes = t->request.a[1];
    const struct range *r = find_range(p, address, bytes);
    if (!r || r->address != address || r->bytes != bytes) {
        refuse(t, cycle, "cuMemAddressFree", "are not what cuMemAddressReserve has reserved");
        return;
    }
    if (is_mapped(p, address, bytes)) {
        refuse(t, cycle, "cuMemAddressFree", "have memory; cuMemUnmap comes first");
        return;
    }
    guest_unreserve(p->guest, address);
    m->ranges[r - m->ranges] = m->ranges[m->n_ranges - 1];
    m->n_ranges--;
    call_done(t, CUDA_SUCCESS, cycle);
}

/* --- handles ---------------------------------------------------------------------------------- */

static void create(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct program_mappings *m = &p->mappings;
    uint64_t bytes = t->request.a[0];
    if (!bytes || !is_whole(bytes)) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "cuMemCreate: %llu bytes: sizes are multiples of 2 MiB "
                  "(cuMemGetAllocationGranularity)",
                  (unsigned long long)bytes);
        return;
    }
    const struct image_note note = {.access = IMAGE_CLOSED, .what = "memory by handle"};
    uint64_t address = memory_take_block(p, bytes, &note);
    if (!address) {
        call_fail(t, CUDA_ERROR_OUT_OF_MEMORY, cycle,
                  "out of memory: the program requests %llu bytes by handle; %llu bytes of the "
                  "device's %u MiB are free",
                  (unsigned long long)bytes, (unsigned long long)memory_available(p),
                  machine_config(p->machine)->memory_mib);
        return;
    }
    ARRAY_RESERVE(m->handles, m->n_handles, m->handle_capacity);
    m->handles[m->n_handles++] = (struct handle){.id = ++m->last_id,
                                                 .address = address,
                                                 .bytes = bytes,
                                                 .flags = t->request.a[1],
                                                 .holders = 1};
    t->reply.v[0] = m->last_id;
    call_done(t, CUDA_SUCCESS, cycle);
}

static void release(struct host_thread *t, uint64_t cycle, struct handle *h)
{
    h->holders--;
    let_go(t->program, h);
    call_done(t, CUDA_SUCCESS, cycle);
}

static void hold(struct host_thread *t, uint64_t cycle, struct handle *h)
{
    h->holders++;
    t->reply.v[0] = h->id;
    call_done(t, CUDA_SUCCESS, cycle);
}

/* By the address of a mapping, a handle may come back that nobody holds any more. */
static void handle_call(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    uint32_t after = mapping_after(p, a[1]);
    const struct mapping *m = after ? &p->mappings.list[after - 1] : NULL;
    bool by_address = t->request.op == WIRE_HANDLE_HOLD && !a[0];
    struct handle *h = NULL;
    if (!by_address)
        h = held_handle(p, a[0]);
    else if (m && a[1] < end_of(m))
        h = find_handle(p, m->handle);
    if (!h) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  by_address ? "nothing is mapped at 0x%llx"
                             : "memory by handle %llu: there is none, or it has been released",
                  (unsigned long long)(by_address ? a[1] : a[0]));
        return;
    }
    if (t->request.op == WIRE_HANDLE_RELEASE) {
        release(t, cycle, h);
    } else if (t->request.op == WIRE_HANDLE_HOLD) {
        hold(t, cycle, h);
    } else {
        t->reply.v[0] = h->bytes;
        t->reply.v[1] = h->flags;
        call_done(t, CUDA_SUCCESS, cycle);
    }
}

/* --- mappings --------------------------------------------------------------------------------- */

/* Why memory cannot appear there; NULL: it can. */
static const char *why_not(const struct program *p, const uint64_t *a, const struct handle *h)
{
    if (!a[1] || !is_whole(a[0]) || !is_whole(a[1]) || !is_whole(a[2]))
        return "and the offset are not multiples of 2 MiB (cuMemGetAllocationGranularity)";
    if (!h)
        return "have no memory: the handle is wrong, or it has been released";
    if (a[2] >= h->bytes || a[1] > h->bytes - a[2])
        return "are more than the handle has from the offset on";
    if (!find_range(p, a[0], a[1]))
        return "are not addresses of one range of cuMemAddressReserve";
    return is_mapped(p, a[0], a[1]) ? "have memory already; cuMemUnmap comes first" : NULL;
}

static void map(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    struct program_mappings *m = &p->mappings;
    const uint64_t *a = t->request.a;
    struct handle *h = held_handle(p, a[3]);
    const char *why = why_not(p, a, h);
    if (why) {
        refuse(t, cycle, "cuMemMap", why);
        return;
    }
    struct mapping new = {.at = {a[0], a[1], h->address + a[2], ++m->serial}, .handle = h->id};
    uint32_t at = mapping_after(p, a[0]);
    if (!guest_map(p->guest, &new.at)) {
        call_fail(t, CUDA_ERROR_OPERATING_SYSTEM, cycle,
                  "cuMemMap: the host refuses another mapping; raise vm.max_map_count");
        return;
    }
    ARRAY_RESERVE(m->list, m->count, m->capacity);
    memmove(&m->list[at + 1], &m->list[at], (m->count - at) * sizeof *m->list);
    m->list[at] = new;
    m->count++;
    h->parts++;
    memory_add(p, &(struct area){a[0], a[1], WIRE_MAPPED, 0, t->pid});
    t->reply.v[0] = new.at.from - WIRE_BASE;
    call_done(t, CUDA_SUCCESS, cycle);
}

static void unmap(struct host_thread *t, uint64_t cycle);

/* When the device has done what may still use it. */
static void unmap_now(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    uint64_t address = t->request.a[0], bytes = t->request.a[1];
    uint32_t first = 0, n = whole_mappings(p, address, bytes, &first);
    if (!n) {
        refuse(t, cycle, "cuMemUnmap", "are not whole mappings without a gap");
        return;
    }
    if (commands_use(p, address, bytes)) { /* of another thread, since this call */
        unmap(t, cycle);
        return;
    }
    while (n--)
        unmap_one(p, first);
    call_done(t, CUDA_SUCCESS, cycle);
}

static void unmap(struct host_thread *t, uint64_t cycle)
{
    stream_mark_all(t);
    call_wait(t, cycle, stream_marks_seen, unmap_now);
}

static void set_access(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    uint32_t first = 0, n = whole_mappings(p, a[0], a[1], &first);
    if (!n) {
        refuse(t, cycle, "cuMemSetAccess", "are not whole mappings without a gap");
        return;
    }
    for (uint32_t i = first; i < first + n; i++) {
        const struct guest_mapping *at = &p->mappings.list[i].at;
        guest_map_access(p->guest, at, a[2] != 0);
        memory_set_flags(p, at->address, a[2] != 0);
    }
    call_done(t, CUDA_SUCCESS, cycle);
}

void mapping_call(struct host_thread *t, uint64_t cycle)
{
    switch (t->request.op) {
    case WIRE_RESERVE:
        reserve(t, cycle);
        break;
    case WIRE_UNRESERVE:
        unreserve(t, cycle);
        break;
    case WIRE_HANDLE_CREATE:
        create(t, cycle);
        break;
    case WIRE_MAP:
        map(t, cycle);
        break;
    case WIRE_UNMAP:
        unmap(t, cycle);
        break;
    case WIRE_MAP_ACCESS:
        set_access(t, cycle);
        break;
    default:
        handle_call(t, cycle);
        break;
    }
}

/* --- the end ---------------------------------------------------------------------------------- */

void mappings_release_all(struct program *p)
{
    struct program_mappings *m = &p->mappings;
    while (m->count)
        unmap_one(p, m->count - 1);
    while (m->n_handles) {
        m->handles[0].holders = 0;
        let_go(p, &m->handles[0]);
    }
    while (m->n_ranges)
        guest_unreserve(p->guest, m->ranges[--m->n_ranges].address);
}

void mappings_end(struct program *p)
{
    free(p->mappings.ranges);
    free(p->mappings.handles);
    free(p->mappings.list);
}
