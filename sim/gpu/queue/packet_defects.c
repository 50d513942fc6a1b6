/* What keeps a packet from being launched, before kernel management is asked. */
#include "sim/gpu/queue/packet_processor_internal.h"

const char *pp_defect_name(enum pp_defect defect)
{
    static const char *const names[PP_DEFECTS] = {"type",   "fence",   "size",
                                                  "kernel", "address", "too_large"};
    return names[defect];
}

static bool signal_right(const struct packet_processor *p, uint32_t owner, uint64_t signal,
                         bool read)
{
    return !signal || (signal % AQL_SIGNAL_BYTES == 0 &&
                       p->env.valid(p->env.user, owner, signal, AQL_SIGNAL_BYTES, read));
}

/* Whole groups, since kernels of this machine have no other; unused dimensions are 1. */
static bool size_right(const struct aql_dispatch *d)
{
    if (!d->dimensions)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        if (!d->group[i] || !d->grid[i] || d->grid[i] % d->group[i])
            return false;
        if (i >= d->dimensions && (d->group[i] != 1 || d->grid[i] != 1))
            return false;
    }
    return true;
}

static enum pp_defect dispatch_defect(const struct packet_processor *p, uint32_t owner,
                                      const uint8_t *packet)
{
    struct aql_dispatch d = aql_read_dispatch(packet);
    if (!size_right(&d))
        return PP_BAD_SIZE;
    if (!p->env.is_kernel(p->env.user, owner, d.kernel))
        return PP_BAD_KERNEL;
    if ((d.kernarg &&
         (d.kernarg & AQL_BUS || !p->env.valid(p->env.user, owner, d.kernarg, 1, true))) ||
        !signal_right(p, owner, d.signal, false))
        return PP_BAD_ADDRESS;
    return PP_DEFECTS;
}

static enum pp_defect barrier_defect(const struct packet_processor *p, uint32_t owner,
                                     const uint8_t *packet)
{
    for (uint32_t i = 0; i < AQL_BARRIER_DEPEND; i++) {
        if (!signal_right(p, owner, aql_get(packet + AQL_DEPEND + AQL_SIGNAL_BYTES * i, 8), true))
            return PP_BAD_ADDRESS;
    }
    return signal_right(p, owner, aql_get(packet + AQL_SIGNAL, 8), false) ? PP_DEFECTS
                                                                          : PP_BAD_ADDRESS;
}

enum pp_defect pp_find_defect(const struct packet_processor *p, uint32_t owner,
                              const uint8_t *packet)
{
    uint8_t type = aql_type(packet);
    if (type != AQL_DISPATCH && type != AQL_BARRIER_AND)
        return PP_BAD_TYPE;
    if (aql_acquire(packet) > AQL_SCOPE_SYSTEM || aql_release(packet) > AQL_SCOPE_SYSTEM)
        return PP_BAD_FENCE;
    return type == AQL_DISPATCH ? dispatch_defect(p, owner, packet)
                                : barrier_defect(p, owner, packet);
}
