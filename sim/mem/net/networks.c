#include "sim/mem/net/networks.h"

#include "base/error.h"
#include "sim/mem/memsys_config.h"
#include "sim/mem/net/crossbar.h"
#include "sim/mem/net/mesh.h"
#include "sim/mem/net/net.h"
#include "sim/mem/net/net_parts.h"
#include "sim/mem/net/placement.h"

#define QUARTERS 4u

/* Who is at the two sides, as nodes of the mesh. */
struct sides {
    uint16_t requester[MAX_ENDPOINTS], bank[MAX_ENDPOINTS], lane[MAX_ENDPOINTS];
    uint32_t requesters, banks, lanes;
};

static bool place(const struct placement *map, enum endpoint_kind kind, uint32_t index,
                  uint16_t *node, struct error *err)
{
    static const char *const names[ENDPOINT_KINDS] = {"SIMT core", "CPU core", "host interface",
                                                      "memory partition"};
    uint32_t at = placement_node(map, kind, index);
    if (at >= PLACEMENT_NODES)
        return error_set(err, "the map of the mesh has no node for %s %u", names[kind], index);
    *node = (uint16_t)at;
    return true;
}

static bool find_places(struct sides *s, const struct memsys_config *c,
                        const struct endpoint *requesters, uint32_t lanes, struct error *err)
{
    s->requesters = c->ports;
    s->banks = c->partitions * c->banks;
    s->lanes = s->banks * lanes;
    for (uint32_t i = 0; i < s->requesters; i++) {
        if (!place(&c->placement, requesters[i].kind, requesters[i].index, &s->requester[i], err))
            return false;
    }
    for (uint32_t i = 0; i < s->banks; i++) {
        if (!place(&c->placement, ENDPOINT_PARTITION, i / c->banks, &s->bank[i], err))
            return false;
        for (uint32_t l = 0; l < lanes; l++)
            s->lane[i * lanes + l] = s->bank[i];
    }
    return true;
}

static bool create_meshes(struct networks *n, const struct memsys_config *c, const struct sides *s,
                          uint32_t vcs, struct error *err)
{
    struct mesh_config mesh = {.width = c->placement.width,
                               .height = c->placement.height,
                               .inputs = s->requesters,
                               .outputs = s->lanes,
                               .input_node = s->requester,
                               .output_node = s->lane,
                               .vcs = vcs,
                               .vc_buffer = c->vc_buffer,
                               .router_delay = c->router_delay,
                               .link_delay = c->link_delay,
                               .credit_delay = c->credit_delay,
                               .allocation = c->allocation,
                               .iterations = c->iterations,
                               .input_queue = c->port_queue,
                               .output_queue = c->output_queue};
    n->requests = mesh_create(&mesh, err);
    mesh.inputs = s->banks;
    mesh.outputs = s->requesters;
    mesh.input_node = s->bank;
    mesh.output_node = s->requester;
    mesh.any_vc = true;
    n->replies = n->requests ? mesh_create(&mesh, err) : NULL;
    return n->replies != NULL;
}

static bool create_mesh(struct networks *n, const struct memsys_config *c, const struct sides *s,
                        struct error *err)
{
    if (c->parts == PARTS_SHARED)
        return create_meshes(n, c, s, c->vcs, err);
    uint32_t gpu_vcs = c->vcs / QUARTERS * c->parts;
    struct networks gpu = {0}, cpu = {0};
    if (!create_meshes(&gpu, c, s, gpu_vcs, err) ||
        !create_meshes(&cpu, c, s, c->vcs - gpu_vcs, err)) {
        networks_destroy(&gpu);
        networks_destroy(&cpu);
        return false;
    }
    n->requests = net_parts_create(gpu.requests, cpu.requests);
    n->replies = net_parts_create(gpu.replies, cpu.replies);
    return true;
}

#define EVENT_PLACES 2u /* of an input's queue, beside those for all */

static void create_crossbar(struct networks *n, const struct memsys_config *c, uint32_t lanes)
{
    uint32_t banks = c->partitions * c->banks;
    struct crossbar_config crossbar = {.inputs = c->ports,
                                       .outputs = banks * lanes,
                                       .latency = c->request_latency,
                                       .input_queue = c->port_queue,
                                       .output_queue = c->output_queue,
                                       .reserved = c->event_lane ? EVENT_PLACES : 0,
                                       .order = c->input_order};
    if (c->event_lane)
        crossbar.input_queue += EVENT_PLACES;
    n->requests = crossbar_create(&crossbar);
    crossbar.input_queue = c->port_queue;
    crossbar.reserved = 0;
    crossbar.inputs = banks;
    crossbar.outputs = c->ports;
    crossbar.latency = c->reply_latency;
    n->replies = crossbar_create(&crossbar);
}

bool networks_create(struct networks *n, const struct memsys_config *config,
                     const struct endpoint *requesters, uint32_t lanes, struct error *err)
{
    *n = (struct networks){0};
    for (uint32_t class = 0; class < REQUEST_CLASSES; class ++) {
        uint32_t quarters = config->parts == PARTS_SHARED    ? QUARTERS
                            : net_part((uint8_t) class) == 0 ? config->parts
                                                             : QUARTERS - config->parts;
        n->flit_bytes[class] = config->flit_bytes * quarters / QUARTERS;
    }
    if (config->network == NETWORK_CROSSBAR) {
        create_crossbar(n, config, lanes);
        return true;
    }
    struct sides sides;
    if (find_places(&sides, config, requesters, lanes, err) && create_mesh(n, config, &sides, err))
        return true;
    networks_destroy(n);
    return false;
}

void networks_destroy(struct networks *n)
{
    net_destroy(n->requests);
    net_destroy(n->replies);
    *n = (struct networks){0};
}
