#include "sw/services/ipv4/router.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/forward.h"

struct router {
    const struct route_list *routes;
    struct fwd_hop *hops;
    struct trie *trie; /* for the reference; made when it is needed */
};

struct router *router_create(const struct route_list *routes, struct packet_tables *tables,
                             struct error *err)
{
    uint64_t hop_bytes = (uint64_t)(routes->n_hops + 1) * sizeof(struct fwd_hop);
    void *level1 = packet_table(tables, "level1", DIR24_LEVEL1_BYTES, PACKET_READ, err);
    void *level2 =
        packet_table(tables, "level2", dir24_level2_bytes(dir24_blocks(routes)), PACKET_READ, err);
    void *hops = packet_table(tables, "hops", hop_bytes, PACKET_READ, err);
    if (err->set)
        return NULL;
    struct router *r = ALLOC(struct router);
    r->routes = routes;
    dir24_fill(routes, level1, level2);
    r->hops = ALLOC_ARRAY(struct fwd_hop, routes->n_hops + 1);
    forward_make_hops(r->hops, routes->n_hops, FORWARD_PORTS);
    memcpy(hops, r->hops, hop_bytes);
    return r;
}

void router_destroy(struct router *r)
{
    if (!r)
        return;
    trie_destroy(r->trie);
    free(r->hops);
    free(r);
}

uint32_t router_reference(struct router *r, uint8_t *frame, uint32_t length)
{
    if (!r->trie)
        r->trie = trie_create(r->routes);
    return forward_reference(frame, length, r->trie, r->hops);
}
