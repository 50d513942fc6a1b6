/* Longest-prefix match by a binary trie: slow, simple, and independent of the DIR-24-8 table that
 * it is there to check. */
#ifndef EVGPU_SW_TRIE_H
#define EVGPU_SW_TRIE_H

#include <stdint.h>

#include "sw/services/common/routes.h"

struct trie;

struct trie *trie_create(const struct route_list *list);
void trie_destroy(struct trie *trie);

/* Next hop number, 0 for none. */
uint32_t trie_lookup(const struct trie *trie, uint32_t address);

#endif
