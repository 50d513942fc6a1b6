/* The trie of 16 and 8 bits that the GPU kernel looks up, built from a route list. The format is in
 * sw/services/ipv6/ipv6_forward.h. */
#ifndef EVGPU_SW_TABLE6_H
#define EVGPU_SW_TABLE6_H

#include <stdint.h>

#include "sw/services/ipv6/ipv6_forward.h"
#include "sw/services/common/routes.h"

struct table6 {
    uint32_t *root;  /* [FWD6_ROOT_ENTRIES] */
    uint32_t *nodes; /* [n_nodes][FWD6_NODE_ENTRIES] */
    uint32_t n_nodes, capacity;
};

void table6_build(const struct route_list *list, struct table6 *table);
void table6_free(struct table6 *table);

/* Next hop number, 0 for none. */
uint32_t table6_lookup(const struct table6 *table, struct address address);

#endif
