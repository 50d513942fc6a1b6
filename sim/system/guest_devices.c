/* What the devices of guests reach in device memory: their guest's, or once a program has bound a
 * kernel to the device, the program's as well. A device that is sent elsewhere - by a program that
 * has freed its buffers - writes nothing and reads zeros, and the guest that it works for fails. */
#include <stdio.h>

#include "sim/system/machine_internal.h"

static bool holds(const struct machine *m, const struct guest *g, uint64_t address, uint64_t bytes)
{
    uint64_t low, high;
    return image_holds(gpu_image(m->gpu), g->owner, address, &low, &high) &&
           bytes <= high - address;
}

bool machine_device_reaches(struct machine *m, uint8_t device, uint64_t address, uint32_t bytes)
{
    struct guest *g = m->device_guest[device];
    if (!g)
        return image_valid(gpu_image(m->gpu), address, bytes) ||
               error_set(&m->fault, "PCIe access of %u bytes at 0x%llx, outside device memory",
                         bytes, (unsigned long long)address);
    if (holds(m, g, address, bytes) || (g->served && holds(m, g->served, address, bytes)))
        return true;
    if (m->stray.guest)
        return false;
    m->stray.guest = g->served ? g->served : g;
    snprintf(m->stray.text, sizeof m->stray.text,
             "the device of %s accesses %u bytes at 0x%llx, which lie in no allocation of %s; a "
             "buffer must stay allocated until the device has finished",
             g->name, bytes, (unsigned long long)address, m->stray.guest->name);
    return false;
}

void machine_device_faults(struct machine *m)
{
    struct guest *g = m->stray.guest;
    m->stray.guest = NULL;
    if (g->ops->faulted)
        guest_fail(g, &(struct guest_fault){.kind = FAULT_NONE, .text = m->stray.text});
    else
        error_set(&m->fault, "%s", m->stray.text);
}
