#include "sw/services/ipv4/forward.h"

#include <string.h>

#include "sw/services/ipv4/ipv4.h"

#define MAC_BYTES       6u
#define ETHERTYPE_FIELD 12u

static enum fwd_verdict check(const uint8_t *frame, uint32_t length)
{
    const uint8_t *ip = frame + FWD_ETHERNET_BYTES;
    if (length < FWD_ETHERNET_BYTES + FWD_IPV4_BYTES)
        return FWD_TOO_SHORT;
    uint32_t words = ip[IPV4_VERSION_IHL] & 15, total = read_be16(ip + IPV4_TOTAL);
    if (read_be16(frame + ETHERTYPE_FIELD) != FWD_ETHERTYPE_IPV4 ||
        ip[IPV4_VERSION_IHL] >> 4 != 4 || words < 5 || total < 4 * words)
        return FWD_BAD_HEADER;
    if (FWD_ETHERNET_BYTES + total > length)
        return FWD_TOO_SHORT;
    /* A sender's all-ones checksum stands for zero: both are the same number in one's complement.
     */
    uint32_t checksum = read_be16(ip + IPV4_CHECKSUM);
    if (ipv4_checksum(ip, words) != (checksum == 0xFFFF ? 0 : checksum))
        return FWD_BAD_CHECKSUM;
    return FWD_NONE;
}

uint32_t forward_reference(uint8_t *frame, uint32_t length, const struct trie *routes,
                           const struct fwd_hop *hops)
{
    enum fwd_verdict verdict = check(frame, length);
    if (verdict != FWD_NONE)
        return verdict;
    uint8_t *ip = frame + FWD_ETHERNET_BYTES;
    if (ip[IPV4_TTL] <= 1)
        return FWD_TTL_EXPIRED;
    uint32_t number = trie_lookup(routes, read_be32(ip + IPV4_DESTINATION));
    if (number == 0)
        return FWD_NO_ROUTE;
    const struct fwd_hop *hop = &hops[number];
    memcpy(frame, hop->dst_mac, MAC_BYTES);
    memcpy(frame + MAC_BYTES, hop->src_mac, MAC_BYTES);
    ip[IPV4_TTL]--;
    write_be16(ip + IPV4_CHECKSUM, ipv4_checksum(ip, ip[IPV4_VERSION_IHL] & 15u));
    return (uint32_t)hop->port << FWD_RESULT_PORT_SHIFT | FWD_FORWARD;
}

static void make_mac(uint8_t mac[MAC_BYTES], uint8_t kind, uint32_t number)
{
    mac[0] = 0x02; /* locally administered, unicast */
    mac[1] = kind;
    write_be32(mac + 2, number);
}

void forward_make_hops(struct fwd_hop *hops, uint32_t n_hops, uint32_t ports)
{
    hops[0] = (struct fwd_hop){0};
    for (uint32_t h = 1; h <= n_hops; h++) {
        struct fwd_hop *hop = &hops[h];
        *hop = (struct fwd_hop){.port = (uint16_t)((h - 1) % ports)};
        make_mac(hop->dst_mac, 'h', h);
        make_mac(hop->src_mac, 'p', hop->port);
    }
}

const char *forward_verdict_name(uint32_t verdict)
{
    static const char *const NAMES[FWD_VERDICTS] = {"not processed", "forwarded",    "no route",
                                                    "TTL expired",   "bad checksum", "too short",
                                                    "bad header"};
    return verdict < FWD_VERDICTS ? NAMES[verdict] : "invalid verdict";
}
