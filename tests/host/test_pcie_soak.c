/* A soak of the PCIe link. The GPU refuses writes and answers reads late and in any order; NIC and
 * host write random bytes each into a region of their own and read them back, so that a read must
 * see every earlier write of its sender. Every byte and the order of every TLP is checked, and
 * ticking in every cycle must give the same arrivals as ticking at events only. */
#include "base/rng.h"
#include "sim/host/pcie.h"
#include "tests/unit.h"

#define MEMORY 8192u

struct soak_node {
    struct pcie *link;
    struct rng rng;
    uint8_t *memory;
    uint8_t expect[2][4096], got[4096];
    struct pcie_read held[64];
    uint32_t n_held, reads_done, writes_seen;
    uint32_t sent[2], next_tag[2];
    uint64_t hash;
    uint8_t read_expect[2][16][1024];
    uint32_t read_bytes[2][16];
    uint16_t tag_busy[2];
};

static void mix(struct soak_node *s, uint64_t value)
{
    s->hash = (s->hash ^ value) * 0x100000001b3;
}

static bool soak_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct soak_node *s = user;

    /* From the cycle alone, so that both ways of ticking see the same. */
    if (cycle * 2654435761u % 7 < 3)
        return false;
    assert_int_equal(w->tag, s->next_tag[w->from - 1]);
    s->next_tag[w->from - 1]++;
    memcpy(s->memory + w->address, w->data, w->bytes);
    s->writes_seen++;
    mix(s, cycle);
    return true;
}

static void soak_read(void *user, uint64_t cycle, const struct pcie_read *r)
{
    struct soak_node *s = user;

    mix(s, cycle + 1);
    /* What is read is fixed at delivery, as by a memory behind it. */
    memcpy(s->got, s->memory + r->address, r->bytes);
    assert_memory_equal(s->got, s->read_expect[r->from - 1][r->tag], r->bytes);
    s->held[s->n_held++] = *r;
}

static void soak_completion_of(struct soak_node *s, uint32_t who, uint64_t cycle,
                               const struct pcie_completion *c)
{
    assert_memory_equal(c->data, s->read_expect[who][c->tag] + c->offset, c->bytes);
    mix(s, cycle + 2);
    if (c->last) {
        assert_int_equal(c->offset + c->bytes, s->read_bytes[who][c->tag]);
        s->tag_busy[who] = (uint16_t)(s->tag_busy[who] & ~(1u << c->tag));
        s->reads_done++;
    }
}

static void soak_completion_nic(void *user, uint64_t cycle, const struct pcie_completion *c)
{
    soak_completion_of(user, 0, cycle, c);
}

static void soak_completion_host(void *user, uint64_t cycle, const struct pcie_completion *c)
{
    soak_completion_of(user, 1, cycle, c);
}

static void send_random(struct soak_node *s, uint32_t who, uint64_t cycle)
{
    uint8_t data[1024];
    uint32_t bytes = 1 + rng_below(&s->rng, 1024), at = rng_below(&s->rng, 4096 - 1024);
    uint32_t read_tag = rng_below(&s->rng, 16);

    if (rng_chance(&s->rng, 2, 3)) {
        bytes = bytes > 256 ? 256 : bytes; /* one TLP: the tag counts TLPs */
        for (uint32_t i = 0; i < bytes; i++)
            data[i] = (uint8_t)rng_u64(&s->rng);
        struct pcie_write w = {.address = who * 4096 + at,
                               .data = data,
                               .bytes = bytes,
                               .tag = s->sent[who],
                               .from = (uint8_t)(who + 1),
                               .to = 0};
        if (!pcie_write(s->link, cycle, &w))
            return;
        s->sent[who]++;
        memcpy(s->expect[who] + at, data, bytes);
    } else if (!(s->tag_busy[who] >> read_tag & 1)) {
        struct pcie_read r = {.address = who * 4096 + at,
                              .bytes = bytes,
                              .tag = read_tag,
                              .from = (uint8_t)(who + 1),
                              .to = 0};
        if (!pcie_read(s->link, cycle, &r))
            return;
        s->tag_busy[who] = (uint16_t)(s->tag_busy[who] | 1u << read_tag);
        memcpy(s->read_expect[who][read_tag], s->expect[who] + at, bytes);
        s->read_bytes[who][read_tag] = bytes;
    }
}

/* Returns a hash over the cycles of all arrivals. */
static uint64_t soak(bool every, uint64_t seed)
{
    struct pcie_config c = {.core_khz = 705000,
                            .bytes_per_second = {7000000000, 14000000000},
                            .latency_ns = 30,
                            .max_payload = 256,
                            .header_bytes = 24,
                            .send_queue = 20,
                            .credits = 8,
                            .read_tags = 8,
                            .max_read = 1024};
    struct soak_node *s = calloc(1, sizeof *s);
    uint64_t hash;

    s->memory = calloc(1, MEMORY);
    rng_seed(&s->rng, seed);
    s->link = pcie_create(&c, NULL);
    for (int i = 0; i < 3; i++) {
        struct pcie_endpoint e = {.name = "soak",
                                  .side = i != 0,
                                  .user = s,
                                  .deliver_write = soak_write,
                                  .deliver_read = soak_read,
                                  .deliver_completion =
                                      i == 2 ? soak_completion_host : soak_completion_nic};
        assert_int_equal(pcie_attach(s->link, &e, NULL), i);
    }
    for (uint64_t cycle = 0; cycle < 200000 || !pcie_idle(s->link); cycle++) {
        if (every || pcie_next_event(s->link) <= cycle)
            pcie_tick(s->link, cycle);
        if (cycle < 200000 && rng_chance(&s->rng, 1, 20))
            send_random(s, rng_below(&s->rng, 2), cycle);
        if (s->n_held && rng_chance(&s->rng, 1, 15)) {
            uint32_t i = rng_below(&s->rng, s->n_held);
            const struct pcie_read *r = &s->held[i];
            pcie_complete(s->link, cycle, r->handle, s->read_expect[r->from - 1][r->tag]);
            s->held[i] = s->held[--s->n_held];
        }
        assert_true(cycle < 10000000);
    }
    assert_int_equal(s->writes_seen, s->sent[0] + s->sent[1]);
    assert_true(s->reads_done > 1000 && s->writes_seen > 2000);
    assert_memory_equal(s->memory, s->expect[0], 4096);
    assert_memory_equal(s->memory + 4096, s->expect[1], 4096);
    hash = s->hash;
    pcie_destroy(s->link);
    free(s->memory);
    free(s);
    return hash;
}

static void soak_checks_every_byte(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++)
        assert_true(soak(true, seed) == soak(false, seed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soak_checks_every_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
