#include "sw/services/common/service.h"

void *packet_table(struct packet_tables *tables, const char *name, uint64_t bytes,
                   enum packet_lending lending, struct error *err)
{
    uint64_t address;
    void *memory = tables->allocate(tables->user, bytes, &address, err);
    if (memory)
        tables->table[tables->n_tables++] = (struct packet_table){name, address, bytes, lending};
    return memory;
}

void packet_want_result(struct packet_want *want, uint32_t result)
{
    want->verdict = result & 0xFF;
    want->port = result >> PACKET_PORT_SHIFT;
}
