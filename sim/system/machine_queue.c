/* What the GPU reads and writes on PCIe: its packet processor, and stores of kernels, whose
 * addresses the core has checked. */
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/system/machine_internal.h"

#define PROCESSOR_TAGS 256u /* of its reads */

/* The device whose memory is there; false: none. */
static bool find_device(const struct machine *m, uint64_t address, uint32_t bytes, uint8_t *device)
{
    uint64_t endpoint = address >> WINDOW_SHIFT;
    *device = (uint8_t)endpoint;
    return endpoint > m->host_end && endpoint <= m->host_end + m->n_devices &&
           (address + bytes - 1) >> WINDOW_SHIFT == endpoint;
}

/* Of the owner's own devices. */
bool machine_bus_valid(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read)
{
    const struct machine *m = user;
    uint8_t device;
    return find_device(m, address, bytes, &device) && pcie_serves(m->gpu_link, device, read) &&
           m->device_guest[device] && m->device_guest[device]->owner == owner;
}

bool machine_bus_read(void *user, uint64_t address, uint32_t bytes, uint32_t tag)
{
    struct machine *m = user;
    struct pcie_read read = {
        .address = address, .bytes = bytes, .tag = tag, .from = m->gpu_end, .bar = PCIE_BAR_MEMORY};
    if (!m->bus_data)
        m->bus_data = alloc_array(PROCESSOR_TAGS, sizeof *m->bus_data);
    find_device(m, address, bytes, &read.to);
    return pcie_read(m->gpu_link, gpu_cycle(m->gpu), &read);
}

/* A doorbell of the GPU's own, rung by a kernel, is with the front end without the link. */
static bool ring_own(struct machine *m, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    uint32_t value = 0;
    memcpy(&value, data, bytes < sizeof value ? bytes : sizeof value);
    return gpu_doorbell(m->gpu, (uint32_t)(address - ((uint64_t)m->gpu_end << WINDOW_SHIFT)), bytes,
                        GPU_RID, value);
}

bool machine_bus_write(void *user, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    struct machine *m = user;
    if (address >> WINDOW_SHIFT == m->gpu_end)
        return ring_own(m, address, data, bytes);
    struct pcie_write write = {.address = address,
                               .data = data,
                               .bytes = bytes,
                               .from = m->gpu_end,
                               .bar = PCIE_BAR_MEMORY};
    find_device(m, address, bytes, &write.to);
    return pcie_write(m->gpu_link, gpu_cycle(m->gpu), &write);
}

void machine_bus_completion(void *user, uint64_t cycle, const struct pcie_completion *completion)
{
    struct machine *m = user;
    uint8_t *data = m->bus_data[completion->tag];
    (void)cycle;
    memcpy(data + completion->offset, completion->data, completion->bytes);
    if (completion->last)
        gpu_bus_data(m->gpu, completion->tag, data);
}

void machine_queue_doorbell(struct machine *m, const struct pcie_write *write)
{
    uint8_t value[AQL_INDEX_BYTES] = {0};
    memcpy(value, write->data, write->bytes < sizeof value ? write->bytes : sizeof value);
    gpu_queue_doorbell(m->gpu, write->address, write->bytes, write->rid,
                       aql_get(value, sizeof value));
}
