/* Shared memory banks: how many cycles a warp's access takes.
 *
 * A bank delivers one 4-byte word per cycle, to all lanes that want it. Elements of 8 and 16 bytes
 * are served in two halves and four quarters of the warp. Atomics on one word are done one lane
 * after the other. */
#include "sim/simt/lsu/memory.h"

#define MAX_BANKS 64

struct banks {
    uint32_t count;           /* of banks */
    uint32_t used[MAX_BANKS]; /* cycles this bank needs */
    uint32_t last[MAX_BANKS]; /* its last distinct word, index + 1 */
    uint32_t word[WARP_SIZE], before[WARP_SIZE];
    uint32_t words, worst;
};

static void add_word(struct banks *b, uint32_t word, bool atomic)
{
    uint32_t bank = word % b->count;
    for (uint32_t i = b->last[bank]; i && !atomic; i = b->before[i - 1]) {
        if (b->word[i - 1] == word)
            return;
    }
    b->word[b->words] = word;
    b->before[b->words] = b->last[bank];
    b->last[bank] = ++b->words;
    if (++b->used[bank] > b->worst)
        b->worst = b->used[bank];
}

/* Each row of 16 lanes has one word, or 16 in a row. */
bool shared_pattern_free(uint32_t banks, const struct lane_pattern *p, uint32_t size)
{
    uint32_t words = p->step / 4 * 15 + 1;
    if (size != 4 || p->step > 4 || banks & (banks - 1) || words > banks)
        return false;
    uint32_t apart = p->half / 4, behind = apart % banks;
    /* The same banks only for the same words; else banks of its own. */
    return apart < words ? apart + words <= banks || !apart
                         : behind >= words && behind + words <= banks;
}

/* All lanes within one row of the banks. */
static bool one_row(uint32_t banks, const uint64_t address[WARP_SIZE])
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        differ |= address[i] ^ address[0];
    return differ < (uint64_t)banks * 4;
}

/* The usual case: words of four bytes, and no bank asked for two of them. */
static bool conflict_free(uint32_t banks, const uint64_t address[WARP_SIZE], uint32_t mask)
{
    uint32_t owner[MAX_BANKS];
    uint64_t used = 0;
    if (banks & (banks - 1))
        return false;
    if (mask == FULL_MASK && one_row(banks, address))
        return true;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t word = (uint32_t)address[lane] / 4, bank = word & (banks - 1);
        if (!(used >> bank & 1))
            owner[bank] = word;
        else if (owner[bank] != word)
            return false;
        used |= BIT(bank);
    }
    return true;
}

uint32_t shared_cycles(uint32_t banks, const uint64_t address[WARP_SIZE], uint32_t mask,
                       uint32_t size, bool atomic, uint64_t *conflicts)
{
    if (size <= 4 && !atomic && conflict_free(banks, address, mask))
        return 1;
    uint32_t words = size < 4 ? 1 : size / 4;
    uint32_t group = WARP_SIZE / words; /* lanes served together */
    uint32_t total = 0, groups = 0;
    struct banks b;
    b.count = banks;
    for (uint32_t first = 0; first < WARP_SIZE; first += group) {
        uint32_t lanes = (uint32_t)(((1ull << group) - 1) << first) & mask;
        if (!lanes)
            continue;
        b.words = b.worst = 0;
        for (uint32_t i = 0; i < b.count; i++)
            b.used[i] = b.last[i] = 0;
        for (uint32_t m = lanes; m; m &= m - 1) {
            uint32_t word = (uint32_t)address[lowest(m)] / 4;
            for (uint32_t i = 0; i < words; i++)
                add_word(&b, word + i, atomic);
        }
        total += b.worst;
        groups++;
    }
    *conflicts += total - groups;
    return total;
}
