#include "sw/services/memc/memc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sw/services/common/bytes.h"
#include "sw/services/ipv4/ipv4.h"

#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_IPV4  0x0800u
#define DONT_FRAGMENT   0x4000u
#define IP_UDP          17u
#define UDP_LENGTH      4
#define UDP_CHECKSUM    6
#define REPLY_ROOM      2048u

struct request {
    const uint8_t *key;
    uint32_t key_length, opcode;
    bool binary, with_cas;
};

const char *memc_verdict_name(uint32_t verdict)
{
    static const char *const NAMES[MEMC_VERDICTS] = {"not processed",
                                                     "hit",
                                                     "miss",
                                                     "miss of a quiet get",
                                                     "too short",
                                                     "bad header",
                                                     "bad checksum",
                                                     "not for memcached",
                                                     "bad UDP length",
                                                     "bad UDP checksum",
                                                     "bad frame header",
                                                     "unknown command",
                                                     "several keys or commands",
                                                     "bad request",
                                                     "bad key"};
    return verdict < MEMC_VERDICTS ? NAMES[verdict] : "invalid verdict";
}

/* The sum over pseudo header and datagram; 0xFFFF where the checksum in it is right. */
static uint32_t udp_sum(const uint8_t *ip, const uint8_t *udp, uint32_t bytes)
{
    uint64_t sum = IP_UDP + bytes;
    for (uint32_t i = IPV4_SOURCE; i < IPV4_DESTINATION + 4; i += 2)
        sum += read_be16(ip + i);
    for (uint32_t i = 0; i < bytes; i++)
        sum += i & 1 ? udp[i] : (uint32_t)udp[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint32_t)sum;
}

static enum memc_verdict check_ip(const uint8_t *frame, uint32_t length)
{
    const uint8_t *ip = frame + MEMC_IP;
    if (length < MEMC_UDP)
        return MEMC_TOO_SHORT;
    uint32_t total = read_be16(ip + IPV4_TOTAL), checksum = read_be16(ip + IPV4_CHECKSUM);
    if (read_be16(frame + ETHERTYPE_FIELD) != ETHERTYPE_IPV4 || ip[IPV4_VERSION_IHL] != 0x45 ||
        (read_be16(ip + 6) & ~DONT_FRAGMENT) != 0 || total < 20)
        return MEMC_BAD_HEADER;
    if (MEMC_IP + total > length)
        return MEMC_TOO_SHORT;
    if (ipv4_checksum(ip, 5) != (checksum == 0xFFFF ? 0 : checksum))
        return MEMC_BAD_CHECKSUM;
    return ip[IPV4_PROTOCOL] == IP_UDP ? MEMC_NONE : MEMC_OTHER;
}

static enum memc_verdict check_udp(const uint8_t *frame, const struct memc_server *server)
{
    static const uint8_t SINGLE[6] = {0, 0, 0, 1, 0, 0};
    const uint8_t *ip = frame + MEMC_IP, *udp = frame + MEMC_UDP;
    uint32_t room = read_be16(ip + IPV4_TOTAL) - 20;
    if (room < 8)
        return MEMC_BAD_UDP_LENGTH;
    if (server->port && read_be16(udp + 2) != server->port)
        return MEMC_OTHER;
    uint32_t bytes = read_be16(udp + UDP_LENGTH);
    if (bytes < 16 || bytes > room)
        return MEMC_BAD_UDP_LENGTH;
    if (read_be16(udp + UDP_CHECKSUM) && !server->skip_checksums &&
        udp_sum(ip, udp, bytes) != 0xFFFF)
        return MEMC_BAD_UDP_CHECKSUM;
    return memcmp(frame + MEMC_HEADER + 2, SINGLE, sizeof SINGLE) ? MEMC_BAD_FRAME : MEMC_NONE;
}

static enum memc_verdict parse_binary(const uint8_t *at, uint32_t bytes, struct request *r)
{
    if (bytes < MEMC_BINARY)
        return MEMC_BAD_REQUEST;
    r->binary = true;
    r->opcode = at[1];
    if (r->opcode != MEMC_OP_GET && r->opcode != MEMC_OP_GETQ && r->opcode != MEMC_OP_GETK &&
        r->opcode != MEMC_OP_GETKQ)
        return MEMC_UNKNOWN;
    r->key = at + MEMC_BINARY;
    r->key_length = read_be16(at + 2);
    uint32_t body = read_be32(at + 8);
    if (at[4] || at[5] || body != r->key_length || body > bytes - MEMC_BINARY)
        return MEMC_BAD_REQUEST;
    if (r->key_length < 1 || r->key_length > MEMC_LONGEST_KEY)
        return MEMC_BAD_KEY;
    return body + MEMC_BINARY < bytes ? MEMC_SEVERAL : MEMC_NONE;
}

static enum memc_verdict parse_text(const uint8_t *at, uint32_t bytes, struct request *r)
{
    const uint8_t *end = at + bytes;
    if (bytes < 5 || memcmp(at, "get", 3) != 0)
        return MEMC_UNKNOWN;
    r->with_cas = at[3] == 's';
    at += r->with_cas ? 4 : 3;
    if (*at != ' ')
        return MEMC_UNKNOWN;
    while (at < end && *at == ' ')
        at++;
    r->key = at;
    while (at<end && * at> ' ')
        at++;
    r->key_length = (uint32_t)(at - r->key);
    if (r->key_length < 1 || r->key_length > MEMC_LONGEST_KEY)
        return MEMC_BAD_KEY;
    while (at < end && *at == ' ')
        at++;
    if (at<end && * at> ' ')
        return MEMC_SEVERAL;
    if (at < end && *at == '\r')
        at++;
    if (at == end || *at != '\n')
        return MEMC_BAD_REQUEST;
    return at + 1 == end ? MEMC_NONE : MEMC_SEVERAL;
}

static uint32_t text_reply(const struct request *r, const struct memc_pair *p, uint8_t *reply)
{
    uint32_t n = 0;
    char cas[24] = "";
    if (!p) {
        memcpy(reply, "END\r\n", 5);
        return 5;
    }
    if (r->with_cas)
        snprintf(cas, sizeof cas, " %" PRIu64, p->cas);
    n = (uint32_t)snprintf((char *)reply, REPLY_ROOM, "VALUE %.*s %u %u%s\r\n", (int)p->key_length,
                           (const char *)p->key, p->flags, p->value_length, cas);
    memcpy(reply + n, p->value, p->value_length);
    memcpy(reply + n + p->value_length, "\r\nEND\r\n", 7);
    return n + p->value_length + 7;
}

static uint32_t binary_reply(const struct request *r, const struct memc_pair *p,
                             const uint8_t *request, uint8_t *reply)
{
    bool with_key = r->opcode == MEMC_OP_GETK || r->opcode == MEMC_OP_GETKQ;
    uint32_t n = MEMC_BINARY;
    memset(reply, 0, MEMC_BINARY);
    reply[0] = MEMC_MAGIC_REPLY;
    reply[1] = (uint8_t)r->opcode;
    write_be16(reply + 2, with_key ? r->key_length : 0);
    memcpy(reply + 12, request + 12, 4); /* opaque */
    if (p) {
        reply[4] = 4;
        write_be32(reply + 16, (uint32_t)(p->cas >> 32));
        write_be32(reply + 20, (uint32_t)p->cas);
        write_be32(reply + n, p->flags);
        n += 4;
    } else {
        write_be16(reply + 6, MEMC_STATUS_ABSENT);
    }
    if (with_key) {
        memcpy(reply + n, r->key, r->key_length);
        n += r->key_length;
    } else if (!p) {
        memcpy(reply + n, MEMC_NOT_FOUND, sizeof MEMC_NOT_FOUND - 1);
        n += sizeof MEMC_NOT_FOUND - 1;
    }
    if (p) {
        memcpy(reply + n, p->value, p->value_length);
        n += p->value_length;
    }
    write_be32(reply + 8, n - MEMC_BINARY);
    return n;
}

static void swap_bytes(uint8_t *a, uint8_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint8_t keep = a[i];
        a[i] = b[i];
        b[i] = keep;
    }
}

/* The frame's headers around `bytes` of reply; the frame's length. */
static uint32_t make_headers(uint8_t *frame, uint32_t bytes)
{
    uint8_t *ip = frame + MEMC_IP, *udp = frame + MEMC_UDP;
    uint32_t udp_bytes = 16 + bytes, length = MEMC_REQUEST + bytes;
    swap_bytes(frame, frame + 6, 6);
    ip[1] = 0;
    write_be16(ip + IPV4_TOTAL, 20 + udp_bytes);
    write_be16(ip + 6, DONT_FRAGMENT);
    ip[IPV4_TTL] = MEMC_TTL;
    swap_bytes(ip + IPV4_SOURCE, ip + IPV4_DESTINATION, 4);
    write_be16(ip + IPV4_CHECKSUM, ipv4_checksum(ip, 5));
    swap_bytes(udp, udp + 2, 2);
    write_be16(udp + UDP_LENGTH, udp_bytes);
    write_be16(udp + UDP_CHECKSUM, 0);
    uint32_t sum = udp_sum(ip, udp, udp_bytes);
    write_be16(udp + UDP_CHECKSUM, sum == 0xFFFF ? sum : ~sum);
    for (; length < MEMC_LEAST_FRAME; length++)
        frame[length] = 0;
    return length;
}

uint32_t memc_growth(const struct memc_items *items)
{
    /* "VALUE", flags, length, version and "END" against "get"; or padding of a short frame. */
    return 64 + items->longest_value;
}

enum memc_verdict memc_reference(uint8_t *frame, uint32_t *length, const struct memc_server *server)
{
    struct request r = {0};
    uint8_t reply[REPLY_ROOM];
    enum memc_verdict verdict = check_ip(frame, *length);
    if (verdict == MEMC_NONE)
        verdict = check_udp(frame, server);
    if (verdict != MEMC_NONE)
        return verdict;
    uint8_t *request = frame + MEMC_REQUEST;
    uint32_t bytes = read_be16(frame + MEMC_UDP + UDP_LENGTH) - 16;
    if (!bytes)
        return MEMC_UNKNOWN;
    verdict = *request == MEMC_MAGIC_REQUEST ? parse_binary(request, bytes, &r)
                                             : parse_text(request, bytes, &r);
    if (verdict != MEMC_NONE)
        return verdict;
    const struct memc_pair *p = memc_items_find(server->items, r.key, r.key_length);
    if (!p && r.binary && (r.opcode == MEMC_OP_GETQ || r.opcode == MEMC_OP_GETKQ))
        return MEMC_QUIET_MISS;
    uint32_t n = r.binary ? binary_reply(&r, p, request, reply) : text_reply(&r, p, reply);
    memcpy(request, reply, n);
    *length = make_headers(frame, n);
    return p ? MEMC_HIT : MEMC_MISS;
}
