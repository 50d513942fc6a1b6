/* The two directions of the on-chip network of a memory system, as its configuration says.
 *
 * Requests: an input per requester, an output per lane of every bank. Replies: an input per bank,
 * an output per requester. A mesh has both directions as networks of their own, so that no reply
 * waits behind a request. Requests of one requester to one bank keep their order; so do replies on
 * a crossbar. On a mesh replies take any channel and may overtake each other: their tags tell them
 * apart.
 *
 * Parts of a mesh (CM-BAL, section 2.2; `xGyC`, of four quarters): GPU and host have x quarters of
 * the virtual channels and of the channel width in a network of their own, CPU cores y quarters in
 * another. */
#ifndef EVGPU_MEM_NET_NETWORKS_H
#define EVGPU_MEM_NET_NETWORKS_H

#include "base/error.h"
#include "sim/mem/memsys.h"

struct networks {
    struct net *requests, *replies;
    uint32_t flit_bytes[REQUEST_CLASSES]; /* channel width of a class */
};

/* `lanes` outputs of the request network to each of partitions * banks banks. False with `err` for
 * a mesh without a place for an endpoint; nothing has been made then. */
bool networks_create(struct networks *n, const struct memsys_config *config,
                     const struct endpoint *requesters, uint32_t lanes, struct error *err);
void networks_destroy(struct networks *n);

#endif
