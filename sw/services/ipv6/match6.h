/* Longest-prefix match by binary search among the sorted prefixes of each length: slow, simple, and
 * independent of the trie that it is there to check. */
#ifndef EVGPU_SW_MATCH6_H
#define EVGPU_SW_MATCH6_H

#include <stdint.h>

#include "sw/services/common/routes.h"

struct match6;

struct match6 *match6_create(const struct route_list *list);
void match6_destroy(struct match6 *match);

/* Next hop number, 0 for none. */
uint32_t match6_lookup(const struct match6 *match, struct address address);

#endif
