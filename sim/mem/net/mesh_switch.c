/* Switches of a mesh, for every allocation (mesh.h). */
#include "sim/mem/net/mesh_internal.h"

/* What is left to match in a tick. */
struct matching {
    const uint8_t *channel; /* by buffer */
    struct router *r;
    uint64_t chosen;     /* buffers that send */
    uint64_t ask[PORTS]; /* by output: buffers that could send to it */
    uint64_t inputs;     /* buffers of the ports that have sent nothing yet */
    uint32_t outputs;    /* bit o: output o has sent nothing yet, and is asked for */
    bool first;          /* round */
};

static void match(struct matching *k, uint32_t lane, uint32_t out)
{
    k->chosen |= 1ull << lane;
    k->inputs &= ~(LANE_MASK << (lane & ~(LANES - 1)));
    k->outputs &= ~(1u << out);
}

/* The buffers of any port that could send to outputs that are left. */
static uint64_t asking(const struct matching *k)
{
    uint64_t set = 0;
    for (uint32_t left = k->outputs; left; left &= left - 1)
        set |= k->ask[__builtin_ctz(left)];
    return set & k->inputs;
}

/* Inputs offer, outputs take; false when nobody has asked. */
static bool round_by_input(struct matching *k)
{
    uint32_t offered[PORTS] = {0}, lane_of[PORTS];
    uint64_t set = asking(k);
    if (!set)
        return false;
    for (uint32_t in = 0; in < PORTS; in++) {
        uint64_t mine = set >> in * LANES & LANE_MASK;
        if (!mine)
            continue;
        lane_of[in] = in * LANES + mesh_first(mine, k->r->turn_in[in]);
        offered[k->channel[lane_of[in]] >> LANE_BITS] |= 1u << in;
    }
    for (uint32_t out = 0; out < PORTS; out++) {
        if (!offered[out])
            continue;
        uint32_t in = mesh_first(offered[out], k->r->turn_out[out]);
        match(k, lane_of[in], out);
        if (!k->first)
            continue;
        k->r->turn_out[out] = (uint8_t)(in + 1);
        k->r->turn_in[in] = (uint8_t)((lane_of[in] & (LANES - 1)) + 1);
    }
    return true;
}

/* Outputs grant, inputs accept. */
static bool round_by_output(struct matching *k)
{
    uint32_t granted[PORTS] = {0}, lane_of[PORTS];
    if (!asking(k))
        return false;
    for (uint32_t left = k->outputs; left; left &= left - 1) {
        uint32_t out = (uint32_t)__builtin_ctz(left);
        uint64_t mine = k->ask[out] & k->inputs;
        if (!mine)
            continue;
        lane_of[out] = mesh_first(mine, k->r->turn_out[out]);
        granted[lane_of[out] >> LANE_BITS] |= 1u << out;
    }
    for (uint32_t in = 0; in < PORTS; in++) {
        if (!granted[in])
            continue;
        uint32_t out = mesh_first(granted[in], k->r->turn_in[in]);
        match(k, lane_of[out], out);
        if (!k->first)
            continue;
        k->r->turn_in[in] = (uint8_t)(out + 1);
        k->r->turn_out[out] = (uint8_t)(lane_of[out] + 1);
    }
    return true;
}

uint64_t mesh_switch(const struct mesh *m, uint32_t node, uint64_t set)
{
    struct matching k = {.channel = m->buffers[node].channel,
                         .r = &m->router[node],
                         .inputs = INPUT_MASK,
                         .first = true};
    for (; set; set &= set - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(set);
        uint32_t out = k.channel[lane] >> LANE_BITS;
        k.ask[out] |= 1ull << lane;
        k.outputs |= 1u << out;
    }
    bool by_input = m->config.allocation == MESH_INPUT_FIRST;
    for (uint32_t i = 0; i < m->config.iterations; i++, k.first = false) {
        if (!(by_input ? round_by_input(&k) : round_by_output(&k)))
            break;
    }
    return k.chosen;
}
