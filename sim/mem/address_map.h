/* Where a device address lies: which channel (partition), which cache bank of it, and where there.
 *
 * Block n of `1 << shift` bytes belongs to channel n % channels and is block n / channels there; of
 * those, block m belongs to bank m % banks and is block m / banks there. Hashed, the channel or
 * bank is moved on by the folded bits of what is left of the block's number, so that a power-of-two
 * stride meets all of them. Both ways the mapping is one to one, for any number of channels. */
#ifndef EVGPU_MEM_ADDRESS_MAP_H
#define EVGPU_MEM_ADDRESS_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct address_map {
    uint32_t channels, banks; /* banks: per channel */
    uint32_t shift;           /* log2 of the interleaved bytes */
    bool hashed;
    uint32_t first; /* number of the first channel */
};

struct place {
    uint32_t channel, bank;
    uint64_t bank_line; /* address within the bank, what its sets are chosen by */
};

static inline uint64_t map_fold(const struct address_map *map, uint64_t n)
{
    return map->hashed ? (n ^ n >> 3 ^ n >> 7 ^ n >> 13) & 0xffff : 0;
}

/* By what mostly is a power of two, which spares the division. */
static inline uint64_t map_divide(uint64_t n, uint32_t by)
{
    return by & (by - 1) ? n / by : n >> __builtin_ctz(by);
}

static inline uint32_t map_remainder(uint64_t n, uint32_t by)
{
    return (uint32_t)(by & (by - 1) ? n % by : n & (by - 1));
}

static inline struct place map_place(const struct address_map *map, uint64_t address)
{
    uint64_t n = address >> map->shift, low = address & ((1ull << map->shift) - 1);
    uint64_t m = map_divide(n, map->channels), k = map_divide(m, map->banks);
    return (struct place){.channel =
                              map->first + map_remainder(n + map_fold(map, m), map->channels),
                          .bank = map_remainder(m + map_fold(map, k), map->banks),
                          .bank_line = k << map->shift | low};
}

/* Address within the channel, what DRAM banks and rows are chosen by. */
static inline uint64_t map_channel_address(const struct address_map *map, uint32_t bank,
                                           uint64_t bank_line)
{
    uint64_t k = bank_line >> map->shift, low = bank_line & ((1ull << map->shift) - 1);
    uint32_t moved = map_remainder(map_fold(map, k), map->banks);
    uint64_t m = k * map->banks + map_remainder(bank + map->banks - moved, map->banks);
    return m << map->shift | low;
}

#endif
