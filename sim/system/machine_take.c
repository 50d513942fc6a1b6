/* Reads of devices that take words of the synchronised region: each line's request waits until its
 * words are full, and empties them. What has no place yet waits in order, apart from other reads.
 */
#include "base/alloc.h"
#include "sim/gpu/region_port.h"
#include "sim/mem/request.h"
#include "sim/system/machine_internal.h"

#define WORD_BYTES 4u

static uint8_t *data_of(struct machine *m, uint32_t slot)
{
    return m->takes.data + (size_t)slot * MAX_READ;
}

/* False: there is no place for the rest. */
static bool ask(struct machine *m, uint32_t slot)
{
    struct device_read *read = &m->reads[slot];
    while (read->asked < read->bytes) {
        uint64_t address = read->address + read->asked;
        uint32_t left = read->bytes - read->asked;
        uint32_t line = LINE_BYTES - (uint32_t)(address % LINE_BYTES);
        struct region_request part = {.address = address,
                                      .bytes = line < left ? line : left,
                                      .trigger = TRIGGER_FULL,
                                      .action = ACTION_EMPTY,
                                      .data = data_of(m, slot) + read->asked,
                                      .tag = TAKE_TAG | slot};
        if (!gpu_region_request(m->gpu, &part))
            return false;
        read->asked = (uint16_t)(read->asked + part.bytes);
        read->under_way++;
    }
    return true;
}

void machine_take(struct machine *m, uint32_t slot)
{
    struct device_takes *t = &m->takes;
    const struct device_read *read = &m->reads[slot];
    if (read->address % WORD_BYTES || read->bytes % WORD_BYTES) {
        error_set(&m->fault, "PCIe read of %u bytes at 0x%llx takes no whole words", read->bytes,
                  (unsigned long long)read->address);
        return;
    }
    if (!t->data)
        t->data = ALLOC_ARRAY(uint8_t, (size_t)READ_SLOTS * MAX_READ);
    if (!t->count && ask(m, slot))
        return;
    if (t->count++)
        m->reads[t->last].next = slot;
    else
        t->first = slot;
    t->last = slot;
}

void machine_retry_takes(struct machine *m)
{
    struct device_takes *t = &m->takes;
    while (t->count && ask(m, t->first)) {
        t->first = m->reads[t->first].next;
        t->count--;
    }
}

void machine_took(struct machine *m, uint32_t tag)
{
    uint32_t slot = tag & ~TAKE_TAG;
    struct device_read *read = &m->reads[slot];
    uint64_t cycle = gpu_cycle(m->gpu);
    driver_other_done(m->driver, cycle);
    if (--read->under_way || read->asked < read->bytes)
        return;
    read->used = false;
    pcie_complete(m->gpu_link, cycle, read->handle, data_of(m, slot));
}
