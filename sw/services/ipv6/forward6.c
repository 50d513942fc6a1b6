#include "sw/services/ipv6/forward6.h"

#include <string.h>

#include "sw/services/ipv6/address6.h"

#define MAC_BYTES       6u
#define ETHERTYPE_FIELD 12u
#define ICMPV6          58u
#define ICMPV6_INFORMS  128u /* types below are errors */
#define ICMPV6_REDIRECT 137u

static bool unspecified(struct address a)
{
    return a.high == 0 && a.low == 0;
}

/* RFC 4291, 2.5 and 2.7. */
static bool routable(struct address a)
{
    bool loopback = a.high == 0 && a.low == 1;
    bool link_local = a.high >> 54 == 0xFE80 >> 6;
    bool multicast = a.high >> 56 == 0xFF;
    return !unspecified(a) && !loopback && !link_local && !multicast;
}

static enum fwd6_verdict check(const uint8_t *frame, uint32_t length)
{
    const uint8_t *ip = frame + FWD6_ETHERNET_BYTES;
    if (length < FWD6_ETHERNET_BYTES + FWD6_IPV6_BYTES)
        return FWD6_TOO_SHORT;
    if (read_be16(frame + ETHERTYPE_FIELD) != FWD6_ETHERTYPE || ip[0] >> 4 != 6)
        return FWD6_BAD_HEADER;
    if (FWD6_ETHERNET_BYTES + FWD6_IPV6_BYTES + read_be16(ip + IPV6_PAYLOAD) > length)
        return FWD6_TOO_SHORT;
    if (!routable(address6_read(ip + IPV6_SOURCE)) ||
        !routable(address6_read(ip + IPV6_DESTINATION)))
        return FWD6_BAD_ADDRESS;
    return ip[IPV6_HOP_LIMIT] <= 1 ? FWD6_HOP_LIMIT : FWD6_NONE;
}

uint32_t forward6_reference(uint8_t *frame, uint32_t length, const struct match6 *routes,
                            const struct fwd_hop *hops, uint32_t mtu)
{
    enum fwd6_verdict verdict = check(frame, length);
    if (verdict != FWD6_NONE)
        return verdict;
    uint8_t *ip = frame + FWD6_ETHERNET_BYTES;
    uint32_t number = match6_lookup(routes, address6_read(ip + IPV6_DESTINATION));
    if (number == 0)
        return FWD6_NO_ROUTE;
    if (mtu && read_be16(ip + IPV6_PAYLOAD) + FWD6_IPV6_BYTES > mtu)
        return FWD6_TOO_BIG;
    const struct fwd_hop *hop = &hops[number];
    memcpy(frame, hop->dst_mac, MAC_BYTES);
    memcpy(frame + MAC_BYTES, hop->src_mac, MAC_BYTES);
    ip[IPV6_HOP_LIMIT]--;
    return (uint32_t)hop->port << FWD6_RESULT_PORT_SHIFT | FWD6_FORWARD;
}

bool forward6_answers(const uint8_t *frame, uint32_t length, enum fwd6_verdict verdict)
{
    if (verdict != FWD6_NO_ROUTE && verdict != FWD6_HOP_LIMIT && verdict != FWD6_TOO_BIG)
        return false;
    const uint8_t *ip = frame + FWD6_ETHERNET_BYTES, *icmp = ip + FWD6_IPV6_BYTES;
    return ip[IPV6_NEXT_HEADER] != ICMPV6 || frame + length <= icmp ||
           (*icmp >= ICMPV6_INFORMS && *icmp != ICMPV6_REDIRECT);
}

const char *forward6_verdict_name(uint32_t verdict)
{
    static const char *const NAMES[FWD6_VERDICTS] = {
        "not processed",  "forwarded", "no route",   "hop limit exceeded",
        "packet too big", "too short", "bad header", "address not routable"};
    return verdict < FWD6_VERDICTS ? NAMES[verdict] : "invalid verdict";
}
