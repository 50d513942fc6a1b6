#include "sw/services/ipsec/seal_reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/ipsec/cbc.h"
#include "sw/services/ipv4/ipv4.h"

#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_IPV4  0x0800u
#define OUTER           (ESP_ETHERNET_BYTES + ESP_IPV4_BYTES) /* frame offset of the ESP header */
#define OUTER_TTL       64u

/* A packet that was sealed, by association and number. */
struct sealed {
    uint32_t sa, number, packet;
};

struct esp_sender {
    const struct sa_list *list;
    struct sealed *sealed;
    uint32_t n_sealed, capacity;
    uint32_t packets;
};

const char *seal_verdict_name(uint32_t verdict)
{
    static const char *const NAMES[SEAL_VERDICTS] = {
        "not processed", "encrypted", "too short", "bad header",
        "bad checksum",  "no policy", "too big",   "no sequence number left"};
    return verdict < SEAL_VERDICTS ? NAMES[verdict] : "invalid verdict";
}

struct esp_sender *esp_sender_create(const struct sa_list *list)
{
    struct esp_sender *s = ALLOC(struct esp_sender);
    s->list = list;
    return s;
}

void esp_sender_destroy(struct esp_sender *s)
{
    free(s->sealed);
    free(s);
}

static enum esp_seal_verdict check(const uint8_t *frame, uint32_t length)
{
    const uint8_t *ip = frame + ESP_ETHERNET_BYTES;
    if (length < OUTER)
        return SEAL_TOO_SHORT;
    uint32_t words = ip[IPV4_VERSION_IHL] & 15u, total = read_be16(ip + IPV4_TOTAL);
    if (read_be16(frame + ETHERTYPE_FIELD) != ETHERTYPE_IPV4 || ip[IPV4_VERSION_IHL] >> 4 != 4 ||
        words < 5 || total < 4 * words)
        return SEAL_BAD_HEADER;
    if (ESP_ETHERNET_BYTES + total > length)
        return SEAL_TOO_SHORT;
    uint32_t checksum = read_be16(ip + IPV4_CHECKSUM);
    return ipv4_checksum(ip, words) == (checksum == 0xFFFF ? 0 : checksum) ? SEAL_NONE
                                                                           : SEAL_BAD_CHECKSUM;
}

static uint32_t find_policy(const struct sa_list *list, uint32_t destination)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct sa *sa = &list->sa[i];
        if (sa->protects && (destination & sa->mask) == sa->network)
            return i;
    }
    return UINT32_MAX;
}

static void make_outer(uint8_t *ip, uint32_t total, uint32_t tos, const struct sa *sa,
                       uint32_t number)
{
    memset(ip, 0, ESP_IPV4_BYTES);
    ip[IPV4_VERSION_IHL] = 0x45;
    ip[1] = (uint8_t)tos;
    write_be16(ip + IPV4_TOTAL, total);
    write_be16(ip + 4, number & 0xFFFF);
    ip[IPV4_TTL] = OUTER_TTL;
    ip[IPV4_PROTOCOL] = ESP_PROTOCOL;
    write_be32(ip + IPV4_SOURCE, sa->source);
    write_be32(ip + IPV4_DESTINATION, sa->local);
    write_be16(ip + IPV4_CHECKSUM, ipv4_checksum(ip, 5));
}

/* The ESP packet around the inner one; how many bytes from the ESP header on. */
static uint32_t make_esp(uint8_t *esp, const uint8_t *inner, uint32_t total, const struct sa *sa,
                         uint32_t number)
{
    static const uint8_t ZERO[16];
    uint32_t block = cipher_block_bytes(sa->cipher), n = total;
    uint8_t *iv = esp + ESP_HEADER_BYTES, *text = iv + block;
    memmove(text, inner, total);
    for (uint32_t i = 1; (n + 2) % block; i++)
        text[n++] = (uint8_t)i;
    text[n] = (uint8_t)(n - total);
    text[n + 1] = ESP_NEXT_IPV4;
    n += 2;
    write_be32(esp, sa->spi);
    write_be32(esp + 4, number);
    memset(iv, 0, block);
    memcpy(iv, esp, ESP_HEADER_BYTES);
    cbc_crypt(sa->cipher, true, sa->key, ZERO, iv, iv, block);
    cbc_crypt(sa->cipher, true, sa->key, iv, text, text, n);
    return ESP_HEADER_BYTES + block + n;
}

uint32_t seal_reference(struct esp_sender *s, uint8_t *frame, uint32_t *length, const uint8_t *sent,
                        uint32_t sent_length)
{
    uint8_t *ip = frame + ESP_ETHERNET_BYTES;
    s->packets++;
    enum esp_seal_verdict verdict = check(frame, *length);
    if (verdict != SEAL_NONE)
        return verdict;
    uint32_t index = find_policy(s->list, read_be32(ip + IPV4_DESTINATION));
    if (index == UINT32_MAX)
        return SEAL_NO_POLICY;
    const struct sa *sa = &s->list->sa[index];
    uint32_t total = read_be16(ip + IPV4_TOTAL), tos = ip[1],
             block = cipher_block_bytes(sa->cipher);
    uint32_t bytes = (total + 2 + block - 1) / block * block;
    if (ESP_IPV4_BYTES + ESP_HEADER_BYTES + block + bytes > UINT16_MAX)
        return SEAL_TOO_BIG;
    uint32_t number =
        sent && sent_length >= OUTER + ESP_HEADER_BYTES ? read_be32(sent + OUTER + 4) : 0;
    ARRAY_RESERVE(s->sealed, s->n_sealed, s->capacity);
    s->sealed[s->n_sealed++] = (struct sealed){index, number, s->packets};
    bytes = make_esp(frame + OUTER, ip, total, sa, number);
    make_outer(ip, ESP_IPV4_BYTES + bytes, tos, sa, number);
    const struct esp_sa entry = sas_entry(s->list, index);
    memcpy(frame, entry.dst_mac, 6);
    memcpy(frame + 6, entry.src_mac, 6);
    *length = OUTER + bytes;
    return (uint32_t)entry.port << ESP_PORT_SHIFT | SEAL_FORWARD;
}

static int by_number(const void *a, const void *b)
{
    const struct sealed *x = a, *y = b;
    if (x->sa != y->sa)
        return x->sa < y->sa ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

bool seal_settled(struct esp_sender *s, struct error *err)
{
    if (s->n_sealed)
        qsort(s->sealed, s->n_sealed, sizeof *s->sealed, by_number);
    for (uint32_t i = 0; i < s->n_sealed; i++) {
        const struct sealed *p = &s->sealed[i];
        uint32_t want = i && p[-1].sa == p->sa ? p[-1].number + 1 : 1;
        if (p->number != want)
            return error_set(err, "packet %u: sequence number %u; the association's next one is %u",
                             p->packet, p->number, want);
    }
    return true;
}
