#include "sim/mem/net/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/mem/net/mesh_internal.h"

static struct mesh *mesh_of(struct net *n)
{
    return (struct mesh *)(void *)n;
}

static const struct mesh *mesh_seen(const struct net *n)
{
    return (const struct mesh *)(const void *)n;
}

/* --- as a network ----------------------------------------------------------------------------- */

static uint32_t room(const struct net *n, uint32_t input, uint8_t class)
{
    (void)class;
    const struct occupancy *use = &mesh_seen(n)->injection[input].use;
    return (uint32_t)use->stats.size - use->count;
}

static void push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
                 const struct mem_request *message)
{
    struct mesh *m = mesh_of(n);
    struct injection *in = &m->injection[input];
    uint32_t index = m->unused[--m->n_unused], size = m->config.input_queue;
    uint32_t at = in->first + in->use.count, node = in->node;
    m->packets[index] = (struct packet){.message = *message,
                                        .input = (uint16_t)input,
                                        .output = (uint16_t)output,
                                        .flits = (uint16_t)flits,
                                        .node = m->output_node[output],
                                        .allowed = m->allowed[message->class]};
    in->packets[at < size ? at : at - size] = index;
    m->router[node].waiting = (uint16_t)(m->router[node].waiting + !in->use.count);
    m->injecting[node / 64] |= 1ull << node % 64;
    occupancy_enter(&in->use, m->now);
    net_classes_enter(&m->classes, message->class, flits, m->now);
    m->held++;
    m->in_motion++;
}

static const struct mem_request *peek(const struct net *n, uint32_t output)
{
    return queue_head(&mesh_seen(n)->output[output]);
}

static void take(struct net *n, uint32_t output)
{
    struct mesh *m = mesh_of(n);
    net_classes_leave(&m->classes, queue_head(&m->output[output])->class, m->now);
    queue_pop(&m->output[output], m->now);
    m->held--;
    if (queue_empty(&m->output[output]))
        m->net.ready[output / 64] &= ~(1ull << output % 64);
}

static bool moves(const struct mesh *m)
{
    return m->in_motion || m->credits_until > m->now;
}

static void tick(struct net *n)
{
    struct mesh *m = mesh_of(n);
    if (moves(m)) {
        mesh_credit(m);
        mesh_inject(m);
        mesh_route(m);
    }
    m->now++;
}

static uint64_t quiet(const struct net *n)
{
    return moves(mesh_seen(n)) ? 0 : UINT64_MAX;
}

static void skip(struct net *n, uint64_t ticks)
{
    mesh_of(n)->now += ticks;
}

static bool idle(const struct net *n)
{
    return !mesh_seen(n)->held;
}

static void stats(const struct net *n, struct net_stats *s)
{
    const struct mesh *m = mesh_seen(n);
    *s = (struct net_stats){.messages = m->messages, .flits = m->granted, .stood = m->stood};
    net_classes_stats(&m->classes, m->now, s);
    for (uint32_t i = 0; i < m->config.inputs; i++)
        queue_stats_add(&s->inputs, &m->injection[i].use, m->now);
    for (uint32_t o = 0; o < m->config.outputs; o++)
        queue_stats_add(&s->outputs, &m->output[o].use, m->now);
}

static uint32_t links(const struct net *n, uint64_t *flits)
{
    const struct mesh *m = mesh_seen(n);
    for (uint32_t i = 0; flits && i < m->nodes; i++) {
        for (uint32_t port = 0; port < PORTS; port++)
            flits[i * PORTS + port] = m->router[i].sent[port];
    }
    return m->nodes * PORTS;
}

/* --- set-up ----------------------------------------------------------------------------------- */

static void destroy(struct net *n)
{
    struct mesh *m = mesh_of(n);
    for (uint32_t i = 0; i < m->config.inputs; i++)
        free(m->injection[i].packets);
    for (uint32_t o = 0; o < m->config.outputs; o++)
        queue_destroy(&m->output[o]);
    void *const parts[] = {m->input_node, m->output_node, m->router,      m->buffers,
                           m->behind,     m->slot,        m->port,        m->packets,
                           m->unused,     m->injection,   m->node_inputs, m->node_first,
                           m->output,     m->reserved,    m->pair_count,  m->pair_vc};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        free(parts[i]);
    free(m);
}

static const struct net_ops operations = {.push = push,
                                          .room = room,
                                          .peek = peek,
                                          .take = take,
                                          .tick = tick,
                                          .quiet = quiet,
                                          .skip_ticks = skip,
                                          .idle = idle,
                                          .stats = stats,
                                          .links = links,
                                          .destroy = destroy};

static bool in_range(const char *what, uint32_t value, uint32_t low, uint32_t high,
                     struct error *err)
{
    return (value >= low && value <= high) ||
           error_set(err, "mesh: %s is %u, must be %u to %u", what, value, low, high);
}

static bool check_nodes(const char *what, const uint16_t *node, uint32_t count, uint32_t nodes,
                        struct error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (node[i] >= nodes)
            return error_set(err, "mesh: %s %u is at node %u of %u", what, i, node[i], nodes);
    }
    return true;
}

static bool check(const struct mesh_config *c, struct error *err)
{
    const struct {
        const char *what;
        uint32_t value, low, high;
    } ranges[] = {{"width", c->width, 1, MESH_MAX_NODES},
                  {"height", c->height, 1, MESH_MAX_NODES},
                  {"width * height", c->width * c->height, 1, MESH_MAX_NODES},
                  {"the number of inputs", c->inputs, 1, MAX_ENDPOINTS},
                  {"the number of outputs", c->outputs, 1, MAX_ENDPOINTS},
                  {"the number of virtual channels", c->vcs, 1, MESH_MAX_VCS},
                  {"the buffer of a virtual channel", c->vc_buffer, 1, MESH_MAX_BUFFER},
                  {"router_delay", c->router_delay, 0, MESH_MAX_DELAY},
                  {"link_delay", c->link_delay, 1, MESH_MAX_DELAY},
                  {"credit_delay", c->credit_delay, 1, MESH_MAX_DELAY},
                  {"input_queue", c->input_queue, 1, 4096},
                  {"output_queue", c->output_queue, 1, 4096},
                  {"allocation", c->allocation, MESH_INPUT_FIRST, MESH_OUTPUT_FIRST},
                  {"iterations", c->iterations, 0, MESH_MAX_ITERATIONS}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (!in_range(ranges[i].what, ranges[i].value, ranges[i].low, ranges[i].high, err))
            return false;
    }
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        if (c->class_vcs[i] && !(c->class_vcs[i] & ((1u << c->vcs) - 1)))
            return error_set(err, "mesh: class %u may use none of the %u virtual channels", i,
                             c->vcs);
    }
    uint32_t nodes = c->width * c->height;
    return check_nodes("input", c->input_node, c->inputs, nodes, err) &&
           check_nodes("output", c->output_node, c->outputs, nodes, err);
}

/* Links: an output port leads to the opposite port of the neighbour, the local one to the node's
 * ejection; credits of a buffer go back the same way, those of the local port to the entrance.
 * Ports at the rim lead nowhere, and no packet asks for them. */
static void connect(struct mesh *m, uint32_t node, enum port port)
{
    static const enum port opposite[PORTS] = {PORT_LOCAL, PORT_WEST, PORT_EAST, PORT_NORTH,
                                              PORT_SOUTH};
    const struct mesh_config *c = &m->config;
    uint32_t width = c->width, x = node % width, y = node / width;
    const int32_t step[PORTS] = {0, 1, -1, (int32_t)width, -(int32_t)width};
    const bool there[PORTS] = {true, x + 1 < width, x > 0, y + 1 < c->height, y > 0};
    if (!there[port])
        return;
    uint32_t other = (uint32_t)((int32_t)node + step[port]);
    uint32_t to = port == PORT_LOCAL ? EJECTION : opposite[port];
    m->router[node].ahead[port] =
        (struct way){.node = (uint16_t)other, .lane = (uint8_t)(to * LANES)};
    m->router[other].back[to] =
        (struct way){.node = (uint16_t)node, .lane = (uint8_t)(port * LANES)};
    if (port == PORT_LOCAL)
        m->router[node].back[PORT_LOCAL] =
            (struct way){.node = (uint16_t)node, .lane = ENTRANCE * LANES};
}

/* First along x, then along y. */
static enum port next_port(const struct mesh *m, uint32_t node, uint32_t to)
{
    uint32_t width = m->config.width;
    uint32_t x = node % width, y = node / width, to_x = to % width, to_y = to / width;
    if (to_x != x)
        return to_x > x ? PORT_EAST : PORT_WEST;
    if (to_y != y)
        return to_y > y ? PORT_SOUTH : PORT_NORTH;
    return PORT_LOCAL;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void create_slots(struct mesh *m)
{
    const struct mesh_config *c = &m->config;
    uint32_t longest = most(c->link_delay + c->router_delay, c->credit_delay);
    for (m->slots = 2; m->slots <= longest; m->slots *= 2)
        ;
    m->slot = alloc_lines(m->slots, sizeof *m->slot);
}

/* All channels are free, and have a credit for every place of the buffer. */
static void create_router(struct mesh *m, uint32_t node)
{
    struct router *r = &m->router[node];
    uint64_t channels = 0;
    for (uint32_t port = 0; port <= ENTRANCE; port++)
        channels |= (uint64_t)((1u << m->config.vcs) - 1) << port * LANES;
    m->words.free[node] = channels;
    for (uint32_t i = 0; i < m->planes; i++)
        m->words.credits[i][node] = m->config.vc_buffer >> i & 1 ? channels : 0;
    m->words.turn_in[node] = INPUT_MASK;
    for (uint32_t port = 0; port < PORTS; port++)
        m->words.turn_out[port][node] = INPUT_MASK;
    memset(r->holder, NO_BUFFER, sizeof r->holder);
    for (uint32_t port = 0; port < BUFFER_PORTS; port++)
        r->back[port].node = NO_NODE;
}

static void create_routers(struct mesh *m)
{
    const struct mesh_config *c = &m->config;
    m->router = alloc_lines(m->nodes, sizeof *m->router);
    m->buffers = alloc_lines(m->nodes, sizeof *m->buffers);
    m->behind = ALLOC_ARRAY(struct passage, (size_t)m->nodes * ROUTER_LANES * c->vc_buffer);
    m->port = ALLOC_ARRAY(uint8_t, (size_t)m->nodes * m->nodes);
    m->planes = 32 - (uint32_t)__builtin_clz(c->vc_buffer);
    create_slots(m);
    for (uint32_t node = 0; node < m->nodes; node++) {
        create_router(m, node);
        for (uint32_t to = 0; to < m->nodes; to++)
            m->port[node * m->nodes + to] = (uint8_t)next_port(m, node, to);
    }
    for (uint32_t i = 0; i < m->nodes * PORTS; i++)
        connect(m, i / PORTS, (enum port)(i % PORTS));
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        uint32_t all = (1u << c->vcs) - 1, some = c->class_vcs[i] & all;
        m->allowed[i] = (uint8_t)(some ? some : all);
    }
}

static void create_ends(struct mesh *m)
{
    const struct mesh_config *c = &m->config;
    uint32_t packets = c->inputs * c->input_queue + m->nodes * BUFFER_PORTS * c->vcs * c->vc_buffer;
    m->packets = ALLOC_ARRAY(struct packet, packets);
    m->unused = ALLOC_ARRAY(uint32_t, packets);
    for (uint32_t i = 0; i < packets; i++)
        m->unused[m->n_unused++] = packets - 1 - i;
    m->injection = ALLOC_ARRAY(struct injection, c->inputs);
    m->node_inputs = ALLOC_ARRAY(uint16_t, c->inputs);
    m->node_first = ALLOC_ARRAY(uint32_t, m->nodes + 1);
    m->output = ALLOC_ARRAY(struct request_queue, c->outputs);
    m->reserved = ALLOC_ARRAY(uint16_t, c->outputs);
    m->pair_count = ALLOC_ARRAY(uint16_t, (size_t)c->inputs * c->outputs);
    m->pair_vc = ALLOC_ARRAY(uint8_t, (size_t)c->inputs * c->outputs);
    uint32_t next = 0;
    for (uint32_t node = 0; node < m->nodes; node++) {
        m->node_first[node] = next;
        for (uint32_t i = 0; i < c->inputs; i++) {
            if (m->input_node[i] == node)
                m->node_inputs[next++] = (uint16_t)i;
        }
    }
    m->node_first[m->nodes] = next;
    for (uint32_t i = 0; i < c->inputs; i++) {
        m->injection[i].packets = ALLOC_ARRAY(uint32_t, c->input_queue);
        m->injection[i].use.stats.size = c->input_queue;
        m->injection[i].node = m->input_node[i];
    }
    for (uint32_t o = 0; o < c->outputs; o++)
        queue_create(&m->output[o], c->output_queue);
}

struct mesh_config mesh_table_one(void)
{
    return (struct mesh_config){.width = 6,
                                .height = 6,
                                .vcs = 4,
                                .vc_buffer = 4,
                                .router_delay = 2,
                                .link_delay = 1,
                                .credit_delay = 1,
                                .input_queue = 4,
                                .output_queue = 4};
}

struct net *mesh_create(const struct mesh_config *config, struct error *err)
{
    if (!check(config, err))
        return NULL;
    struct mesh *m = alloc_lines(1, sizeof *m);
    m->net = (struct net){
        .ops = &operations, .inputs = config->inputs, .outputs = config->outputs, .ahead = 1};
    m->config = *config;
    m->config.iterations = config->iterations ? config->iterations : 1;
    m->simple = config->allocation == MESH_INPUT_FIRST && m->config.iterations == 1;
    m->nodes = config->width * config->height;
    m->input_node = ALLOC_ARRAY(uint16_t, config->inputs);
    m->output_node = ALLOC_ARRAY(uint16_t, config->outputs);
    memcpy(m->input_node, config->input_node, config->inputs * sizeof(uint16_t));
    memcpy(m->output_node, config->output_node, config->outputs * sizeof(uint16_t));
    create_routers(m);
    create_ends(m);
    return &m->net;
}

/* --- for tests -------------------------------------------------------------------------------- */

static uint32_t count_of(const planes number, uint32_t node, uint32_t bit)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < PLANES; i++)
        n |= (uint32_t)(number[i][node] >> bit & 1) << i;
    return n;
}

/* Flits on their way to a buffer of the node, or credits to a channel. */
static uint32_t under_way(const struct mesh *m, uint32_t node, uint32_t bit, bool credits)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->slots; i++)
        n += (credits ? m->slot[i].credits : m->slot[i].flits)[node] >> bit & 1;
    return n;
}

/* A buffer and the credits of the channel before it. */
static bool lane_consistent(const struct mesh *m, uint32_t node, uint32_t lane, struct error *err)
{
    const struct words *w = &m->words;
    const struct way *back = &m->router[node].back[lane / LANES];
    uint32_t channel = way_bit(back, lane), size = m->config.vc_buffer;
    uint32_t credits = count_of(w->credits, back->node, channel);
    uint32_t flits = count_of(w->flits, node, lane), coming = under_way(m, node, lane, false);
    uint32_t returning = under_way(m, back->node, channel, true);
    uint32_t sum = credits + flits + coming + returning;
    if (!moves(m) && returning)
        return error_set(err, "node %u, buffer %u: at rest with a credit on its way", node, lane);
    if (sum != size)
        return error_set(err, "node %u, buffer %u: flits and credits are %u, the buffer has %u",
                         node, lane, sum, size);
    const struct buffers *b = &m->buffers[node];
    uint32_t packets = b->count[lane], left = b->left[lane];
    if (packets ? !left || left > b->head[lane].flits : flits + coming)
        return error_set(err, "node %u, buffer %u: %u packets, %u flits, but %u of the first left",
                         node, lane, packets, flits + coming, left);
    bool routed = w->routed[node] >> lane & 1, blocked = w->blocked[node] >> lane & 1;
    if (blocked != (routed && !count_of(w->credits, node, b->channel[lane])))
        return error_set(
            err, "node %u, buffer %u: blocked although it has credits, or not blocked without",
            node, lane);
    return true;
}

bool mesh_consistent(const struct net *n, struct error *err)
{
    const struct mesh *m = mesh_seen(n);
    for (uint32_t node = 0; node < m->nodes; node++) {
        for (uint32_t lane = 0; lane < ROUTER_LANES; lane++) {
            bool there = m->router[node].back[lane / LANES].node != NO_NODE;
            if (there && lane % LANES < m->config.vcs && !lane_consistent(m, node, lane, err))
                return false;
        }
    }
    return true;
}
