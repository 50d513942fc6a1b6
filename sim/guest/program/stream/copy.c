/* The data of copies and memory sets are moved at once when their turn in the stream has come: in
 * this process where both ends are device or pinned memory, by the client where one is pageable.
 * How long they take is PCIe's matter (bulk calls of the driver), or on the device its memory's. */
#include "sim/guest/program/stream/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

#define COPY_MOST_CYCLES ((uint64_t)1 << 60)

uint64_t copy_device_cycles(const struct program *p, uint64_t bytes, uint32_t times)
{
    const struct machine_config *c = machine_config(p->machine);
    uint64_t per_second = (uint64_t)c->mem.partitions * c->mem.dram.column_bytes * c->mem.dram_khz *
                          1000 / c->mem.dram.burst;
    unsigned __int128 work = (unsigned __int128)bytes * times * c->core_khz * 1000;
    unsigned __int128 cycles = (work + per_second - 1) / per_second;
    return cycles < COPY_MOST_CYCLES ? (uint64_t)cycles + 1 : COPY_MOST_CYCLES;
}

/* --- moving ---------------------------------------------------------------------------------- */

/* The client moves the data while time stands still. */
static void ask_client(struct host_thread *t)
{
    struct wire_reply reply = {.status = WIRE_MOVE};
    struct wire_request request;
    if (!channel_write(t, &reply, sizeof reply) || !channel_read(t, &request, sizeof request) ||
        request.op != WIRE_MOVED)
        thread_close(t);
}

void copy_move(struct command *c)
{
    if (context_dead(c->program))
        return;
    move_note(c->program, &c->copy);
    uint32_t by_client = WIRE_COPY_SRC_HOST | WIRE_COPY_DST_HOST;
    bool has_payload = c->copy.flags & WIRE_COPY_PAYLOAD;
    if (c->copy.flags & COPY_BY_REQUEST)
        return;
    if ((c->copy.flags & by_client) && !has_payload) {
        if (c->thread)
            ask_client(c->thread);
        return;
    }
    move_rows(c->program, &c->copy, has_payload ? c->payload : NULL);
    free(c->payload);
    c->payload = NULL;
}

/* The thread, which is in a call, writes to its process's memory while time stands still. */
static void put(struct host_thread *t, const struct landing *l)
{
    struct wire_reply reply = {.status = WIRE_PUT, .payload = l->bytes, .v = {l->host}};
    struct wire_request request;
    if (!channel_write(t, &reply, sizeof reply) || !channel_write(t, l->data, l->bytes) ||
        !channel_read(t, &request, sizeof request) || request.op != WIRE_MOVED)
        thread_close(t);
}

void copy_land(struct command *c)
{
    struct program *p = c->program;
    struct landing *l = ALLOC(struct landing);
    *l = (struct landing){.host = c->copy.dst, .bytes = c->copy.width, .data = c->payload};
    c->payload = NULL;
    struct landing **end = &p->landings.first;
    while (*end)
        end = &(*end)->next;
    *end = l;
    for (uint32_t i = 0; i < threads_count(p); i++) {
        struct host_thread *t = threads_at(p, i);
        if (t->state == HOST_WAITING || t->state == HOST_ASKING) {
            copy_land_waiting(t);
            return;
        }
    }
}

void copy_land_waiting(struct host_thread *t)
{
    struct program *p = t->program;
    while (p->landings.first) {
        struct landing *l = p->landings.first;
        p->landings.first = l->next;
        if (t->state != HOST_GONE)
            put(t, l);
        free(l->data);
        free(l);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Bytes from the first to one past the last of a box of rows; 0 when that does not fit in 63 bits.
 */
static uint64_t extent(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch,
                       uint64_t slice)
{
    uint64_t rows = 0, slices = 0, sum = 0;
    if (__builtin_mul_overflow(height - 1, pitch, &rows) ||
        __builtin_mul_overflow(depth - 1, slice, &slices) ||
        __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, width, &sum))
        return 0;
    return sum;
}

uint64_t copy_extent(const struct copy_plan *c, bool dst)
{
    return dst ? extent(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice)
               : extent(c->width, c->height, c->depth, c->src_pitch, c->src_slice);
}

uint64_t set_extent(const struct set_plan *c)
{
    return extent(c->width, c->height, c->depth, c->pitch, c->slice);
}

static bool end_inside(const struct program *p, const struct copy_plan *c, bool dst)
{
    uint64_t bytes = copy_extent(c, dst);
    return bytes && memory_inside(p, dst ? c->dst : c->src, bytes);
}

/* Rows of the box overlap, at an end that this process sees: the call has been answered. */
static bool rows_overlap(struct host_thread *t, uint64_t cycle, const struct copy_plan *c)
{
    bool dst = c->flags & WIRE_COPY_DST_HOST ||
               move_box_fits(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice);
    bool src = c->flags & WIRE_COPY_SRC_HOST ||
               move_box_fits(c->width, c->height, c->depth, c->src_pitch, c->src_slice);
    if (dst && src)
        return false;
    call_fail(t, ERROR_INVALID_PITCH, cycle,
              "copy: %llu rows of %llu bytes, %llu slices: the pitch of the %s is too small",
              (unsigned long long)c->height, (unsigned long long)c->width,
              (unsigned long long)c->depth, dst ? "source" : "destination");
    return true;
}

static bool is_pinned(const struct program *p, uint64_t address)
{
    const struct area *area = memory_find(p, address);
    return area && area->kind == WIRE_PINNED;
}

static void fail_range(struct host_thread *t, uint64_t cycle, const char *what, uint64_t address,
                       uint64_t bytes)
{
    const struct area *area = memory_find(t->program, address);
    if (area && !memory_is_open(area))
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "%s: 0x%llx is mapped without access; cuMemSetAccess grants it", what,
                  (unsigned long long)address);
    else if (area)
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "%s: %llu bytes at 0x%llx exceed the allocation at 0x%llx of %llu bytes", what,
                  (unsigned long long)bytes, (unsigned long long)address,
                  (unsigned long long)area->address, (unsigned long long)area->bytes);
    else
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle,
                  "%s: 0x%llx lies in no allocation of this program; it may have been freed", what,
                  (unsigned long long)address);
}

/* --- requests to memory ----------------------------------------------------------------------- */

static bool is_region(const struct program *p, uint64_t address)
{
    const struct area *area = memory_find(p, address);
    return area && area->kind == WIRE_FULL_EMPTY;
}

/* A copy that moves its data request by request: those that name a trigger or an action. Where the
 * data are, or will be, on the host's side. */
static void use_requests(struct command *c, struct driver_call *call, bool from_host)
{
    uint8_t *base = gpu_image(machine_gpu(c->program->machine))->base;
    bool pageable = c->copy.flags & (WIRE_COPY_SRC_HOST | WIRE_COPY_DST_HOST);
    if (pageable && !from_host) {
        c->payload = ALLOC_ARRAY(uint8_t, c->copy.width);
        c->lands = true;
    }
    call->host = pageable ? c->payload : base + (from_host ? c->copy.src : c->copy.dst);
    call->trigger = c->copy.trigger;
    call->action = c->copy.action;
    c->copy.flags |= COPY_BY_REQUEST;
}

/* Whether the memory system sees the copy as requests of a line. Those of memory with full/empty
 * bits always are, as long as they are one row; others up to a size that the machine says: larger
 * ones would take the simulator long, and take the link as long. */
static bool by_lines(const struct program *p, const struct copy_plan *plan, uint64_t device)
{
    uint64_t most = (uint64_t)machine_config(p->machine)->line_copy_kib << 10;
    return plan->height == 1 && plan->depth == 1 && (is_region(p, device) || plan->width <= most);
}

static bool check_bits(struct host_thread *t, uint64_t cycle, const struct copy_plan *plan)
{
    const struct program *p = t->program;
    bool from_host = (plan->flags & WIRE_COPY_SRC_HOST) || is_pinned(p, plan->src);
    bool to_host = (plan->flags & WIRE_COPY_DST_HOST) || is_pinned(p, plan->dst);
    if (!plan->trigger && !plan->action)
        return true;
    if (from_host == to_host) {
        call_fail(t, ERROR_INVALID_DIRECTION, cycle,
                  "copy: only copies between host and device take a trigger or an action");
        return false;
    }
    return full_empty_check(t, cycle, "copy with a trigger or an action",
                            from_host ? plan->dst : plan->src, plan->width);
}

static void submit_copy(struct host_thread *t, uint32_t stream, const struct copy_plan *plan)
{
    struct program *p = t->program;
    uint64_t bytes = plan->width * plan->height * plan->depth;
    bool from_host = (plan->flags & WIRE_COPY_SRC_HOST) || is_pinned(p, plan->src);
    bool to_host = (plan->flags & WIRE_COPY_DST_HOST) || is_pinned(p, plan->dst);
    struct command *c = command_create(t, COMMAND_COPY, stream);
    struct driver_call call = {
        .kind = DRIVER_WORK, .blocking = (plan->flags & WIRE_COPY_BLOCKING) != 0, .bytes = bytes};
    c->copy = *plan;
    c->payload = t->payload;
    t->payload = NULL;
    if (from_host != to_host) {
        c->copy_kind = from_host ? COPY_IN : COPY_OUT;
        call.device = from_host ? plan->dst : plan->src;
        call.kind = from_host ? DRIVER_BULK_IN : DRIVER_BULK_OUT;
        if (by_lines(p, plan, call.device))
            call.kind = from_host ? DRIVER_COPY_IN : DRIVER_COPY_OUT;
        if (plan->trigger || plan->action)
            use_requests(c, &call, from_host);
    } else {
        c->copy.flags |= WIRE_COPY_ON_DEVICE;
        c->copy_kind = COPY_DEVICE;
    }
    figures_copy(p, c->copy_kind, bytes);
    command_submit(c, &call);
}

void copy_call(struct host_thread *t, uint64_t cycle)
{
    const uint64_t *a = t->request.a;
    struct program *p = t->program;
    const struct stream *s = stream_find(p, a[9]);
    struct copy_plan plan = {a[0],           a[1],          a[2], a[3], a[4],
                             a[5],           a[6],          a[7], a[8], (uint32_t)a[10],
                             (uint8_t)a[11], (uint8_t)a[12]};
    uint64_t bytes = 0;
    bool overflow = __builtin_mul_overflow(plan.width, plan.height, &bytes) ||
                    __builtin_mul_overflow(bytes, plan.depth, &bytes);
    if (!s) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    plan.flags &= WIRE_COPY_SRC_HOST | WIRE_COPY_DST_HOST | WIRE_COPY_BLOCKING | WIRE_COPY_PAYLOAD;
    if (plan.flags & WIRE_COPY_PAYLOAD) {
        plan.src_pitch = plan.width;
        plan.src_slice = plan.width * plan.height;
    }
    if (overflow || !bytes || ((plan.flags & WIRE_COPY_PAYLOAD) && t->request.payload != bytes)) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    if (!(plan.flags & WIRE_COPY_DST_HOST) && !end_inside(p, &plan, true)) {
        fail_range(t, cycle, "copy: destination", plan.dst, bytes);
        return;
    }
    if (!(plan.flags & WIRE_COPY_SRC_HOST) && !end_inside(p, &plan, false)) {
        fail_range(t, cycle, "copy: source", plan.src, bytes);
        return;
    }
    if (!rows_overlap(t, cycle, &plan) && check_bits(t, cycle, &plan))
        submit_copy(t, s->id, &plan);
}

void set_call(struct host_thread *t, uint64_t cycle)
{
    const uint64_t *a = t->request.a;
    struct program *p = t->program;
    const struct stream *s = stream_find(p, a[8]);
    struct set_plan plan = {.dst = a[0],
                            .pitch = a[1],
                            .slice = a[2],
                            .width = a[5],
                            .height = a[6],
                            .depth = a[7],
                            .value = (uint32_t)a[3],
                            .element = (uint32_t)a[4]};
    bool sizes = plan.width && plan.height && plan.depth &&
                 (plan.element == 1 || plan.element == 2 || plan.element == 4);
    if (!s || !sizes) {
        call_done(t, s ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE, cycle);
        return;
    }
    uint64_t bytes = set_extent(&plan);
    if (!bytes || !memory_inside(p, plan.dst, bytes)) {
        fail_range(t, cycle, "memset", plan.dst, bytes);
        return;
    }
    if (!move_box_fits(plan.width, plan.height, plan.depth, plan.pitch, plan.slice) ||
        plan.width % plan.element) {
        call_done(t, ERROR_INVALID_PITCH, cycle);
        return;
    }
    struct command *c = command_create(t, COMMAND_SET, s->id);
    struct driver_call call = {.kind = DRIVER_WORK, .blocking = a[9] != 0};
    c->set = plan;
    figures_set(p);
    command_submit(c, &call);
}

void copy_free(struct program *p)
{
    while (p->landings.first) {
        struct landing *l = p->landings.first;
        p->landings.first = l->next;
        free(l->data);
        free(l);
    }
}
