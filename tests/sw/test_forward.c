/* The host reference of IPv4 forwarding, and the checksum update that the kernels use. */
#include "base/alloc.h"
#include "base/rng.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/ipv4.h"
#include "tests/unit.h"

#define FRAME 60u

struct fixture {
    struct trie *trie;
    struct fwd_hop hops[4];
    uint8_t frame[128];
};

/* One route, 10.0.0.0/8 to next hop 3 (port 2); a good frame for it. */
static int set_up(void **state)
{
    struct fixture *f = ALLOC(struct fixture);
    struct route route = {address_of_ipv4(0x0A000000), 3, 8};
    struct route_list list = {.routes = &route, .count = 1, .n_hops = 3};
    f->trie = trie_create(&list);
    forward_make_hops(f->hops, 3, 16);
    uint8_t *ip = f->frame + FWD_ETHERNET_BYTES;
    memset(f->frame, 0xEE, 12);
    write_be16(f->frame + 12, FWD_ETHERTYPE_IPV4);
    ip[IPV4_VERSION_IHL] = 0x45;
    write_be16(ip + IPV4_TOTAL, FRAME - FWD_ETHERNET_BYTES);
    ip[IPV4_TTL] = 64;
    ip[IPV4_PROTOCOL] = 17;
    write_be32(ip + IPV4_SOURCE, 0xC0000201);
    write_be32(ip + IPV4_DESTINATION, 0x0A010203);
    write_be16(ip + IPV4_CHECKSUM, ipv4_checksum(ip, 5));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    trie_destroy(f->trie);
    free(f);
    return 0;
}

static void fix_checksum(struct fixture *f)
{
    uint8_t *ip = f->frame + FWD_ETHERNET_BYTES;
    write_be16(ip + IPV4_CHECKSUM, ipv4_checksum(ip, ip[0] & 15u));
}

/* The verdict, and for a drop, that the frame is untouched. */
static uint32_t run(struct fixture *f, uint32_t length)
{
    uint8_t before[sizeof f->frame];
    memcpy(before, f->frame, sizeof before);
    uint32_t result = forward_reference(f->frame, length, f->trie, f->hops);
    if ((result & 0xFF) != FWD_FORWARD)
        assert_memory_equal(before, f->frame, sizeof before);
    return result;
}

static void forwards_a_good_packet(void **state)
{
    struct fixture *f = *state;
    uint8_t *ip = f->frame + FWD_ETHERNET_BYTES;
    assert_int_equal(run(f, FRAME), 2 << FWD_RESULT_PORT_SHIFT | FWD_FORWARD);
    assert_memory_equal(f->frame, f->hops[3].dst_mac, 6);
    assert_memory_equal(f->frame + 6, f->hops[3].src_mac, 6);
    assert_int_equal(ip[IPV4_TTL], 63);
    assert_int_equal(read_be16(ip + IPV4_CHECKSUM), ipv4_checksum(ip, 5));
}

static void gives_each_verdict(void **state)
{
    struct fixture *f = *state;
    uint8_t *ip = f->frame + FWD_ETHERNET_BYTES;
    uint8_t good[sizeof f->frame];
    memcpy(good, f->frame, sizeof good);
#define AGAIN() memcpy(f->frame, good, sizeof good)

    for (uint32_t length = 0; length < 34; length++)
        assert_int_equal(run(f, length), FWD_TOO_SHORT);
    assert_int_equal(run(f, 59), FWD_TOO_SHORT); /* total length is 46 */
    write_be32(ip + IPV4_DESTINATION, 0x0B000000);
    fix_checksum(f);
    assert_int_equal(run(f, FRAME), FWD_NO_ROUTE);
    AGAIN();
    for (uint8_t ttl = 0; ttl < 2; ttl++) {
        ip[IPV4_TTL] = ttl;
        fix_checksum(f);
        assert_int_equal(run(f, FRAME), FWD_TTL_EXPIRED);
    }
    ip[IPV4_TTL] = 2;
    fix_checksum(f);
    assert_int_equal(run(f, FRAME) & 0xFF, FWD_FORWARD);
    AGAIN();
    for (uint32_t bit = 0; bit < 16; bit++) {
        ip[IPV4_CHECKSUM + bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(run(f, FRAME), FWD_BAD_CHECKSUM);
        AGAIN();
    }
    static const uint8_t VERSIONS[] = {0x65, 0x44, 0x40, 0x05};
    for (size_t i = 0; i < sizeof VERSIONS; i++) {
        ip[0] = VERSIONS[i];
        assert_int_equal(run(f, FRAME), FWD_BAD_HEADER);
        AGAIN();
    }
    write_be16(ip + IPV4_TOTAL, 19);
    fix_checksum(f);
    assert_int_equal(run(f, FRAME), FWD_BAD_HEADER);
    AGAIN();
    write_be16(f->frame + 12, 0x86DD);
    assert_int_equal(run(f, FRAME), FWD_BAD_HEADER);
    AGAIN();
    write_be16(ip + IPV4_TOTAL, 0xFFFF);
    fix_checksum(f);
    assert_int_equal(run(f, FRAME), FWD_TOO_SHORT);
#undef AGAIN
}

static void checks_options_too(void **state)
{
    struct fixture *f = *state;
    uint8_t *ip = f->frame + FWD_ETHERNET_BYTES;
    for (uint32_t words = 5; words <= 15; words++) {
        ip[0] = (uint8_t)(0x40 | words);
        write_be16(ip + IPV4_TOTAL, 60);
        ip[IPV4_TTL] = 9;
        ip[59] = 0x5A; /* in the header only when it has 15 words */
        fix_checksum(f);
        assert_int_equal(run(f, 74) & 0xFF, FWD_FORWARD);
        assert_int_equal(read_be16(ip + IPV4_CHECKSUM), ipv4_checksum(ip, words));
        if (words > 5) {
            ip[4 * words - 1] ^= 1;
            assert_int_equal(run(f, 74), FWD_BAD_CHECKSUM);
            ip[4 * words - 1] ^= 1;
        }
    }
}

/* RFC 1624: the two ways to write a zero sum must not confuse the check. */
static void all_ones_checksum_is_zero(void **state)
{
    struct fixture *f = *state;
    uint8_t *ip = f->frame + FWD_ETHERNET_BYTES;
    write_be16(ip + 4, 0);
    uint32_t checksum = ipv4_checksum(ip, 5);
    write_be16(ip + 4, checksum); /* identification that makes the checksum 0 */
    assert_int_equal(ipv4_checksum(ip, 5), 0);
    write_be16(ip + IPV4_CHECKSUM, 0);
    uint8_t good[sizeof f->frame];
    memcpy(good, f->frame, sizeof good);
    assert_int_equal(run(f, FRAME) & 0xFF, FWD_FORWARD);
    memcpy(f->frame, good, sizeof good);
    write_be16(ip + IPV4_CHECKSUM, 0xFFFF);
    assert_int_equal(run(f, FRAME) & 0xFF, FWD_FORWARD);
}

/* RFC 1624 equation 3, as in the kernels, equals a full recomputation for any header. */
static void incremental_update_equals_recomputation(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1624);
    for (uint32_t i = 0; i < 2000000; i++) {
        uint8_t ip[60];
        for (uint32_t b = 0; b < sizeof ip; b += 4)
            write_be32(ip + b, rng_chance(&rng, 1, 4) ? 0xFFFFFFFF * rng_below(&rng, 2)
                                                      : (uint32_t)rng_u64(&rng));
        uint32_t words = 5 + rng_below(&rng, 11);
        ip[0] = (uint8_t)(0x40 | words);
        ip[IPV4_TTL] = (uint8_t)(2 + rng_below(&rng, 254));
        uint32_t old = ipv4_checksum(ip, words), m = read_be16(ip + IPV4_TTL);
        uint32_t sum = (~old & 0xFFFF) + (~m & 0xFFFF) + (m - 0x100);
        sum = (sum & 0xFFFF) + (sum >> 16);
        sum = (sum & 0xFFFF) + (sum >> 16);
        ip[IPV4_TTL]--;
        assert_int_equal(~sum & 0xFFFF, ipv4_checksum(ip, words));
    }
}

static void hops_are_distinct(void **state)
{
    (void)state;
    struct fwd_hop hops[301];
    forward_make_hops(hops, 300, 4);
    for (uint32_t a = 1; a <= 300; a++) {
        assert_int_equal(hops[a].port, (a - 1) % 4);
        assert_int_equal(hops[a].dst_mac[0] & 1, 0); /* unicast */
        for (uint32_t b = 1; b < a; b++) {
            assert_memory_not_equal(hops[a].dst_mac, hops[b].dst_mac, 6);
            assert_int_equal(!memcmp(hops[a].src_mac, hops[b].src_mac, 6),
                             hops[a].port == hops[b].port);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(forwards_a_good_packet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gives_each_verdict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(checks_options_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_ones_checksum_is_zero, set_up, tear_down),
        cmocka_unit_test(incremental_update_equals_recomputation),
        cmocka_unit_test(hops_are_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
