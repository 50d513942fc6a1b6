/* The synchronised region of a memory system: which words lie where, and the schedulers of the
 * partitions (fe.h). */
#include "sim/mem/memsys_internal.h"
#include "sim/mem/region/fe.h"

bool memsys_fe_start(struct memsys *m, const struct tile_place *place, struct error *err)
{
    for (uint32_t i = 0; i < m->config.partitions; i++)
        if (!fe_start(partition_fe(m->partition[i]), place, err))
            return false;
    return true;
}

struct fe *memsys_fe(struct memsys *m, uint32_t partition)
{
    return partition_fe(m->partition[partition]);
}

bool memsys_fe_submit(struct memsys *m, uint32_t partition, const struct fe_job *job)
{
    if (!fe_submit(partition_fe(m->partition[partition]), job))
        return false;
    memsys_sync(m);
    m->busy |= 1ull << partition;
    m->wake = m->cycle;
    return true;
}

/* Bytes before `address` in the channel, as far as a range that ends there has come: each block of
 * the map lies in one channel, and each channel has one of every `channels` of them. */
static uint64_t bytes_before(const struct memsys *m, uint32_t channel, uint64_t address)
{
    const struct address_map *map = &m->map[0];
    uint64_t row = (uint64_t)map->channels << map->shift, block = 1ull << map->shift;
    uint64_t rows = address / row, low = address & (block - 1);
    uint64_t bytes = rows << map->shift;
    for (uint64_t at = rows * row; at < address; at += block) {
        if (map_place(map, at).channel != channel)
            continue;
        return bytes + (at + block <= address ? block : low);
    }
    return bytes;
}

bool memsys_fe_words(const struct memsys *m, uint32_t partition, uint64_t address, uint64_t bytes,
                     uint32_t *first, uint32_t *last)
{
    uint64_t start = bytes_before(m, partition, m->config.fe.base);
    uint64_t from = bytes_before(m, partition, address) - start;
    uint64_t to = bytes_before(m, partition, address + bytes) - start;
    *first = (uint32_t)(from / 4);
    *last = (uint32_t)((to - 1) / 4);
    return from < to;
}

void memsys_fe_each(const struct memsys *m,
                    void (*see)(void *user, const struct mem_request *r, bool left), void *user)
{
    for (uint32_t i = 0; i < m->config.partitions; i++)
        fe_each(partition_fe(m->partition[i]), see, user);
}

uint32_t memsys_fe_against(const struct memsys *m, const struct mem_request *r)
{
    return fe_against(partition_fe(m->partition[map_place(&m->map[0], r->line).channel]), r);
}

uint64_t memsys_fe_watches(const struct memsys *m)
{
    uint64_t n = 0;
    for (uint32_t i = 0; m->config.fe.bytes && i < m->config.partitions; i++)
        n += fe_watches(partition_fe(m->partition[i]));
    return n;
}

bool memsys_fe_timed_out(const struct memsys *m, struct fe_report *report)
{
    if (!m->config.fe.bytes)
        return false;
    for (uint32_t i = 0; i < m->config.partitions; i++)
        if (fe_timed_out(partition_fe(m->partition[i]), report))
            return true;
    return false;
}

void memsys_fe_report_over(struct memsys *m, const struct fe_report *report)
{
    fe_report_over(partition_fe(m->partition[report->partition]));
}
