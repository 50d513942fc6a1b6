#include "sw/services/ipv4/pktgen_frame.h"

#include <string.h>

#include "base/rng.h"
#include "sw/services/ipv4/ipv4.h"
#include "sw/services/ipv4/ipv4_forward.h"

#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_ARP   0x0806u
#define ETHERTYPE_VLAN  0x8100u
#define ETHERTYPE_IPV6  0x86DDu
#define VLAN_TAG_BYTES  4u
#define UDP_BYTES       8u
#define IP_PROTOCOL_UDP 17u
#define OPTION_NOP      1u
#define OPTION_FRAME    (128u - TRAFFIC_FCS_BYTES) /* room for the longest header and some payload */
#define MAX_OPTIONS     10u                        /* words */

static const uint8_t ROUTER_MAC[6] = {0x02, 'r', 0, 0, 0, 1};
static const uint8_t SENDER_MAC[6] = {0x02, 's', 0, 0, 0, 1};

/* IPv4 and UDP header of a packet of `total` bytes, random payload. */
static void make_ipv4(uint8_t *ip, uint32_t total, enum pktgen_kind kind, uint32_t destination,
                      struct rng *rng)
{
    uint32_t options = kind == PKTGEN_OPTIONS ? 1 + rng_below(rng, MAX_OPTIONS) : 0;
    uint32_t words = FWD_IPV4_BYTES / 4 + options, header = 4 * words;
    traffic_random(ip, total, rng);
    ip[IPV4_VERSION_IHL] = (uint8_t)(0x40 | words);
    ip[1] = 0;
    write_be16(ip + IPV4_TOTAL,
               kind == PKTGEN_BAD_LENGTH ? total + 1 + rng_below(rng, 1000) : total);
    write_be16(ip + 6, 0); /* not a fragment */
    ip[IPV4_TTL] = kind == PKTGEN_TTL_EXPIRED ? 1 : (uint8_t)(2 + rng_below(rng, 254));
    ip[IPV4_PROTOCOL] = IP_PROTOCOL_UDP;
    write_be32(ip + IPV4_SOURCE, 0x0A000000 | rng_below(rng, 1u << 24)); /* 10/8 */
    write_be32(ip + IPV4_DESTINATION, destination);
    memset(ip + FWD_IPV4_BYTES, OPTION_NOP, 4 * options);
    write_be16(ip + header + 4, total - header); /* UDP length; its checksum 0 is "none" */
    write_be16(ip + header + 6, 0);
    if (kind == PKTGEN_BAD_VERSION)
        ip[IPV4_VERSION_IHL] = rng_below(rng, 2) ? 0x65 : 0x44;
    uint32_t checksum = ipv4_checksum(ip, ip[IPV4_VERSION_IHL] & 15u);
    if (kind == PKTGEN_BAD_CHECKSUM)
        checksum ^= 1u << rng_below(rng, 16); /* one bit: never the other zero of the same sum */
    write_be16(ip + IPV4_CHECKSUM, checksum);
}

static void make_arp(uint8_t *payload, uint32_t bytes, uint32_t destination)
{
    static const uint8_t REQUEST[8] = {0, 1, 8, 0, 6, 4, 0, 1};
    memset(payload, 0, bytes);
    memcpy(payload, REQUEST, sizeof REQUEST);
    memcpy(payload + 8, SENDER_MAC, sizeof SENDER_MAC);
    write_be32(payload + 24, destination);
}

static void make_ipv6(uint8_t *payload, uint32_t bytes, struct rng *rng)
{
    traffic_random(payload, bytes, rng);
    write_be32(payload, 6u << 28);
    write_be16(payload + 4, bytes - 40);
    payload[6] = 59; /* no next header */
    payload[7] = 64;
}

uint32_t pktgen_frame(uint8_t *frame, uint32_t length, enum pktgen_kind kind, uint32_t destination,
                      struct rng *rng)
{
    if (kind == PKTGEN_OPTIONS && length < OPTION_FRAME)
        length = OPTION_FRAME;
    memcpy(frame, ROUTER_MAC, sizeof ROUTER_MAC);
    memcpy(frame + sizeof ROUTER_MAC, SENDER_MAC, sizeof SENDER_MAC);
    uint8_t *type = frame + ETHERTYPE_FIELD, *payload = frame + FWD_ETHERNET_BYTES;
    uint32_t bytes = length - FWD_ETHERNET_BYTES;
    switch (kind) {
    case PKTGEN_ARP:
        write_be16(type, ETHERTYPE_ARP);
        make_arp(payload, bytes, destination);
        break;
    case PKTGEN_IPV6:
        write_be16(type, ETHERTYPE_IPV6);
        make_ipv6(payload, bytes, rng);
        break;
    case PKTGEN_VLAN:
        write_be16(type, ETHERTYPE_VLAN);
        write_be16(payload, 1 + rng_below(rng, 4094)); /* VLAN number */
        write_be16(payload + 2, FWD_ETHERTYPE_IPV4);
        make_ipv4(payload + VLAN_TAG_BYTES, bytes - VLAN_TAG_BYTES, kind, destination, rng);
        break;
    default:
        write_be16(type, FWD_ETHERTYPE_IPV4);
        make_ipv4(payload, bytes, kind, destination, rng);
        break;
    }
    return length;
}
