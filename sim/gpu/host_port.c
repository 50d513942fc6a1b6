/* The host port: DMA from PCIe and the front end's reads of completion pointers, as line requests
 * on a network port of their own. Contents change when the request arrives; the traffic then takes
 * its time in the memory system like any other. */
#include <string.h>

#include "sim/gpu/gpu_internal.h"

#define TAG_WRITE     0x80000000u
#define POINTER_BYTES 8u

static uint32_t lines_of(uint64_t address, uint32_t bytes)
{
    return (uint32_t)((address + bytes - 1) / LINE_BYTES - address / LINE_BYTES) + 1;
}

/* Sectors and words of the part of a line that [from, to) covers; offsets within the line. */
void host_port_cover(struct mem_request *request, uint32_t from, uint32_t to)
{
    uint32_t first = from / 4, last = (to - 1) / 4;
    uint32_t up_to_last = last == 31 ? 0xFFFFFFFFu : (1u << (last + 1)) - 1;
    request->words = up_to_last & ~((1u << first) - 1);
    request->partial = (from % 4 || to % 4);
    request->sectors = 0;
    for (uint32_t s = from / SECTOR_BYTES; s <= (to - 1) / SECTOR_BYTES; s++)
        request->sectors |= (uint8_t)(1u << s);
}

/* A completion pointer lies in one line. */
static void enqueue_pointer(struct gpu *gpu, uint64_t address, uint32_t tag)
{
    struct host_port *port = &gpu->host;
    uint32_t offset = (uint32_t)(address % LINE_BYTES);
    struct mem_request request = {.line = address - offset,
                                  .tag = tag,
                                  .source = (uint16_t)port->port,
                                  .kind = REQUEST_READ,
                                  .event = 1};
    host_port_cover(&request, offset, offset + POINTER_BYTES);
    port->pointer[(port->pointer_head + port->pointers++) % POINTER_READS] = request;
}

static void enqueue_lines(struct gpu *gpu, enum request_kind kind, uint64_t address, uint32_t bytes,
                          uint32_t tag)
{
    struct host_port *port = &gpu->host;
    uint64_t end = address + bytes;
    while (address < end) {
        uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1);
        uint64_t stop = line + LINE_BYTES < end ? line + LINE_BYTES : end;
        struct mem_request request = {
            .line = line, .tag = tag, .source = (uint16_t)port->port, .kind = (uint8_t)kind};
        host_port_cover(&request, (uint32_t)(address - line), (uint32_t)(stop - line));
        port->queue[(port->head + port->count++) % HOST_QUEUE] = request;
        address = stop;
    }
}

static bool room_for(const struct gpu *gpu, uint64_t address, uint32_t bytes)
{
    return gpu->host.count + lines_of(address, bytes) <= HOST_QUEUE;
}

bool host_port_send(struct gpu *gpu, enum request_kind kind, uint64_t address, uint32_t bytes,
                    uint32_t tag)
{
    if (!room_for(gpu, address, bytes))
        return false;
    enqueue_lines(gpu, kind, address, bytes, tag);
    return true;
}

bool gpu_host_write(struct gpu *gpu, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    if (region_requests_has(gpu, address, bytes))
        return region_requests_write_lines(gpu, address, data, bytes);
    if (!room_for(gpu, address, bytes))
        return false;
    memcpy(gpu->image.base + address, data, bytes);
    if (gpu->processor)
        pp_written(gpu->processor, gpu->cycle, address, bytes);
    enqueue_lines(gpu, REQUEST_WRITE, address, bytes, TAG_WRITE);
    return true;
}

static struct host_read *take_read(struct gpu *gpu, uint64_t address, uint32_t bytes, uint32_t tag)
{
    for (uint32_t i = 0; i < HOST_READS; i++) {
        struct host_read *read = &gpu->host.reads[i];
        if (read->used)
            continue;
        *read = (struct host_read){
            .lines_left = lines_of(address, bytes), .user_tag = tag, .used = true};
        return read;
    }
    return NULL;
}

static struct host_read *start_read(struct gpu *gpu, uint64_t address, uint32_t bytes, uint32_t tag)
{
    struct host_read *read =
        room_for(gpu, address, bytes) ? take_read(gpu, address, bytes, tag) : NULL;
    if (read)
        enqueue_lines(gpu, REQUEST_READ, address, bytes, (uint32_t)(read - gpu->host.reads));
    return read;
}

/* The front end's reads go before those of devices where events have lanes to memory. */
static struct host_read *start_pointer_read(struct gpu *gpu, uint64_t address, uint32_t tag)
{
    if (!gpu->config.mem.event_lane)
        return start_read(gpu, address, POINTER_BYTES, tag);
    struct host_read *read = take_read(gpu, address, POINTER_BYTES, tag);
    if (read)
        enqueue_pointer(gpu, address, (uint32_t)(read - gpu->host.reads));
    return read;
}

bool gpu_host_read(struct gpu *gpu, uint64_t address, uint32_t bytes, uint32_t tag)
{
    return start_read(gpu, address, bytes, tag) != NULL;
}

static void answer_pointer(struct gpu *gpu, uint32_t tag)
{
    struct pointer_reads *p = &gpu->pointers;
    p->answered[(p->head + p->count++) % POINTER_READS] = (uint8_t)tag;
}

bool host_port_read_pointer(struct gpu *gpu, uint64_t address, uint32_t tag)
{
    bool failed = !image_valid(&gpu->image, address, POINTER_BYTES);
    struct host_read *read = failed ? NULL : start_pointer_read(gpu, address, tag);
    if (!read && !failed)
        return false;
    gpu->pointers.read[tag].address = address;
    gpu->pointers.read[tag].failed = failed;
    if (failed)
        answer_pointer(gpu, tag);
    else
        read->pointer = true;
    return true;
}

bool host_port_read_for_processor(struct gpu *gpu, uint64_t address, uint32_t bytes, uint32_t tag)
{
    struct host_read *read = start_read(gpu, address, bytes, tag);
    if (read)
        read->packets = address;
    return read != NULL;
}

static void finish_read(struct gpu *gpu, struct host_read *read)
{
    read->used = false;
    if (read->packets) {
        pp_data(gpu->processor, gpu->cycle, read->user_tag, gpu->image.base + read->packets);
        return;
    }
    if (!read->pointer) {
        gpu->calls.read_done(gpu->calls.user, read->user_tag);
        return;
    }
    uint32_t tag = read->user_tag;
    memcpy(&gpu->pointers.read[tag].value, gpu->image.base + gpu->pointers.read[tag].address,
           POINTER_BYTES);
    answer_pointer(gpu, tag);
}

/* One request of the queue, or of a list of the region, in turns. */
static void send_one(struct gpu *gpu)
{
    struct host_port *port = &gpu->host;
    if (port->pointers && memsys_request(gpu->memsys, &port->pointer[port->pointer_head])) {
        port->pointer_head = (port->pointer_head + 1) % POINTER_READS;
        port->pointers--;
        port->outstanding++;
        return;
    }
    for (uint32_t i = 0; i < (gpu->region.in_use ? 3 : 1); i++) {
        uint32_t who = (port->turn + i) % 3;
        const struct mem_request *r = who ? region_requests_next(gpu, who - 1)
                                          : (port->count ? &port->queue[port->head] : NULL);
        if (!r)
            continue;
        if (!memsys_request(gpu->memsys, r))
            return;
        port->turn = gpu->region.in_use ? (who + 1) % 3 : 0;
        port->outstanding++;
        if (who) {
            region_requests_sent(gpu, who - 1);
        } else {
            port->head = (port->head + 1) % HOST_QUEUE;
            port->count--;
        }
        return;
    }
}

void host_port_tick(struct gpu *gpu)
{
    struct host_port *port = &gpu->host;
    struct mem_request reply;
    if (port->outstanding && memsys_reply(gpu->memsys, port->port, &reply)) {
        port->outstanding--;
        if (reply.tag & HOST_TAG_REGION)
            region_requests_reply(gpu, &reply);
        else if (reply.tag & HOST_TAG_POLLED)
            bus_port_reply(gpu, &reply);
        else if (reply.tag != TAG_WRITE && --port->reads[reply.tag].lines_left == 0)
            finish_read(gpu, &port->reads[reply.tag]);
    }
    send_one(gpu);
}

bool host_port_wants(const struct gpu *gpu)
{
    return gpu->host.count || gpu->host.pointers ||
           (gpu->region.in_use && (region_requests_next(gpu, 0) || region_requests_next(gpu, 1)));
}

bool host_port_busy(const struct gpu *gpu)
{
    return host_port_wants(gpu) || gpu->host.outstanding;
}
