#include "sw/services/echo/echo_reference.h"

#include <stdbool.h>
#include <string.h>

#include "sw/services/ipv4/ipv4.h"

#define ETHERTYPE_FIELD 12u
#define MAC_BYTES       6u
#define FRAGMENT_FIELD  6u

static enum echo_verdict check_ipv4(const uint8_t *frame, uint32_t length)
{
    const uint8_t *ip = frame + ECHO_ETHERNET_BYTES;
    if (length < ECHO_ETHERNET_BYTES + ECHO_IPV4_BYTES + ECHO_UDP_BYTES)
        return ECHO_TOO_SHORT;
    uint32_t words = ip[IPV4_VERSION_IHL] & 15, total = read_be16(ip + IPV4_TOTAL);
    if (read_be16(frame + ETHERTYPE_FIELD) != ECHO_ETHERTYPE || ip[IPV4_VERSION_IHL] >> 4 != 4 ||
        words < 5 || total < 4 * words)
        return ECHO_BAD_HEADER;
    if (ECHO_ETHERNET_BYTES + total > length)
        return ECHO_TOO_SHORT;
    /* A sender's all-ones checksum stands for zero. */
    uint32_t checksum = read_be16(ip + IPV4_CHECKSUM);
    if (ipv4_checksum(ip, words) != (checksum == 0xFFFF ? 0 : checksum))
        return ECHO_BAD_CHECKSUM;
    bool fragment = read_be16(ip + FRAGMENT_FIELD) & ECHO_FRAGMENT;
    return fragment || ip[IPV4_PROTOCOL] != ECHO_PROTOCOL_UDP ? ECHO_OTHER : ECHO_NONE;
}

static enum echo_verdict check_udp(const uint8_t *udp, uint32_t bytes, uint32_t port)
{
    if (bytes < ECHO_UDP_BYTES || read_be16(udp + 4) < ECHO_UDP_BYTES || read_be16(udp + 4) > bytes)
        return ECHO_BAD_HEADER;
    if (port && read_be16(udp + 2) != port)
        return ECHO_OTHER;
    return read_be16(udp) == read_be16(udp + 2) ? ECHO_LOOP : ECHO_NONE;
}

static void exchange(uint8_t *a, uint8_t *b, uint32_t bytes)
{
    uint8_t held[MAC_BYTES];
    memcpy(held, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, held, bytes);
}

enum echo_verdict echo_reference(uint8_t *frame, uint32_t length, uint32_t port)
{
    enum echo_verdict verdict = check_ipv4(frame, length);
    if (verdict != ECHO_NONE)
        return verdict;
    uint8_t *ip = frame + ECHO_ETHERNET_BYTES;
    uint32_t header = 4u * (ip[IPV4_VERSION_IHL] & 15u);
    uint8_t *udp = ip + header;
    verdict = check_udp(udp, read_be16(ip + IPV4_TOTAL) - header, port);
    if (verdict != ECHO_NONE)
        return verdict;
    exchange(frame, frame + MAC_BYTES, MAC_BYTES);
    exchange(ip + IPV4_SOURCE, ip + IPV4_DESTINATION, 4);
    exchange(udp, udp + 2, 2);
    return ECHO_ANSWERED;
}

const char *echo_verdict_name(uint32_t verdict)
{
    static const char *const NAMES[ECHO_VERDICTS] = {
        "not processed",         "answered", "too short", "bad header", "bad checksum",
        "not for the echo port", "echo loop"};
    return verdict < ECHO_VERDICTS ? NAMES[verdict] : "invalid verdict";
}
