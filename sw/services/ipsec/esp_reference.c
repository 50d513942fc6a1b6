#include "sw/services/ipsec/esp_reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/ipsec/cbc.h"
#include "sw/services/ipv4/ipv4.h"

#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_IPV4  0x0800u
#define DONT_FRAGMENT   0x4000u
#define OUTER           (ESP_ETHERNET_BYTES + ESP_IPV4_BYTES) /* frame offset of the ESP header */

/* A packet that had everything right, by association and number. */
struct seen {
    uint32_t sa, number, packet;
    bool replay;
};

struct esp_receiver {
    const struct sa_list *list;
    uint32_t icv_bytes;
    uint32_t packets;
    struct seen *seen;
    uint32_t n_seen, capacity;
};

const char *esp_verdict_name(uint32_t verdict)
{
    static const char *const NAMES[ESP_VERDICTS] = {
        "not processed", "decrypted", "too short",      "bad header",
        "bad checksum",  "not ESP",   "bad ESP length", "unknown SPI",
        "wrong peer",    "replay",    "bad padding",    "bad inner packet"};
    return verdict < ESP_VERDICTS ? NAMES[verdict] : "invalid verdict";
}

struct esp_receiver *esp_receiver_create(const struct sa_list *list, uint32_t icv_bytes)
{
    struct esp_receiver *r = ALLOC(struct esp_receiver);
    r->list = list;
    r->icv_bytes = icv_bytes;
    return r;
}

void esp_receiver_destroy(struct esp_receiver *r)
{
    free(r->seen);
    free(r);
}

static enum esp_verdict check_outer(const uint8_t *frame, uint32_t length, uint32_t icv_bytes)
{
    const uint8_t *ip = frame + ESP_ETHERNET_BYTES;
    if (length < OUTER)
        return ESP_TOO_SHORT;
    uint32_t total = read_be16(ip + IPV4_TOTAL), checksum = read_be16(ip + IPV4_CHECKSUM);
    if (read_be16(frame + ETHERTYPE_FIELD) != ETHERTYPE_IPV4 || ip[IPV4_VERSION_IHL] != 0x45 ||
        (read_be16(ip + 6) & ~DONT_FRAGMENT) != 0 || total < ESP_IPV4_BYTES)
        return ESP_BAD_HEADER;
    if (ESP_ETHERNET_BYTES + total > length)
        return ESP_TOO_SHORT;
    if (ipv4_checksum(ip, 5) != (checksum == 0xFFFF ? 0 : checksum))
        return ESP_BAD_CHECKSUM;
    if (ip[IPV4_PROTOCOL] != ESP_PROTOCOL)
        return ESP_OTHER;
    return total < ESP_IPV4_BYTES + ESP_HEADER_BYTES + icv_bytes ? ESP_BAD_LENGTH : ESP_NONE;
}

static enum esp_verdict find(const struct esp_receiver *r, const uint8_t *frame, uint32_t *index)
{
    const uint8_t *ip = frame + ESP_ETHERNET_BYTES;
    uint32_t spi = read_be32(frame + OUTER);
    *index = spi ? sas_find(r->list, spi) : UINT32_MAX;
    if (*index == UINT32_MAX)
        return ESP_UNKNOWN_SPI;
    const struct sa *sa = &r->list->sa[*index];
    bool right = (!sa->source || sa->source == read_be32(ip + IPV4_SOURCE)) &&
                 (!sa->local || sa->local == read_be32(ip + IPV4_DESTINATION));
    return right ? ESP_NONE : ESP_WRONG_PEER;
}

/* The inner packet's length in `*total`. */
static enum esp_verdict check_inner(const uint8_t *text, uint32_t bytes, uint32_t *total)
{
    uint32_t padding = text[bytes - 2];
    if (padding + 2 > bytes)
        return ESP_BAD_PADDING;
    for (uint32_t i = 0; i < padding; i++) {
        if (text[bytes - 2 - padding + i] != i + 1)
            return ESP_BAD_PADDING;
    }
    uint32_t header = 4 * (text[0] & 15u);
    *total = read_be16(text + IPV4_TOTAL);
    return text[bytes - 1] == ESP_NEXT_IPV4 && text[0] >> 4 == 4 && header >= ESP_IPV4_BYTES &&
                   *total >= header && *total + padding + 2 <= bytes
               ? ESP_NONE
               : ESP_BAD_INNER;
}

static void remember(struct esp_receiver *r, uint32_t sa, uint32_t number, bool replay)
{
    ARRAY_RESERVE(r->seen, r->n_seen, r->capacity);
    r->seen[r->n_seen++] = (struct seen){sa, number, r->packets, replay};
}

/* Decrypts and puts the inner packet into the frame; its length. */
static enum esp_verdict open_packet(uint8_t *frame, const struct sa *sa, uint32_t rest,
                                    uint32_t *total)
{
    uint8_t *body = frame + OUTER + ESP_HEADER_BYTES;
    uint32_t block = cipher_block_bytes(sa->cipher), bytes = rest - block;
    uint8_t *text = ALLOC_ARRAY(uint8_t, bytes);
    cbc_crypt(sa->cipher, false, sa->key, body, body + block, text, bytes);
    enum esp_verdict verdict = check_inner(text, bytes, total);
    if (verdict == ESP_NONE)
        memcpy(frame + ESP_ETHERNET_BYTES, text, *total);
    free(text);
    return verdict;
}

uint32_t esp_reference(struct esp_receiver *r, uint8_t *frame, uint32_t *length, bool said_replay)
{
    uint32_t index = 0, total = 0;
    r->packets++;
    enum esp_verdict verdict = check_outer(frame, *length, r->icv_bytes);
    if (verdict == ESP_NONE)
        verdict = find(r, frame, &index);
    if (verdict != ESP_NONE)
        return verdict;
    const struct sa *sa = &r->list->sa[index];
    uint32_t number = read_be32(frame + OUTER + 4), block = cipher_block_bytes(sa->cipher);
    uint32_t rest = read_be16(frame + ESP_ETHERNET_BYTES + IPV4_TOTAL) - ESP_IPV4_BYTES -
                    ESP_HEADER_BYTES - r->icv_bytes;
    if (rest < 2 * block || rest % block)
        return ESP_BAD_LENGTH;
    if (number == 0)
        return ESP_REPLAY;
    if (said_replay) {
        remember(r, index, number, true);
        return ESP_REPLAY;
    }
    verdict = open_packet(frame, sa, rest, &total);
    if (verdict != ESP_NONE)
        return verdict;
    remember(r, index, number, false);
    const struct esp_sa entry = sas_entry(r->list, index);
    memcpy(frame, entry.dst_mac, 6);
    memcpy(frame + 6, entry.src_mac, 6);
    *length = ESP_ETHERNET_BYTES + total;
    for (; *length < ESP_LEAST_FRAME; ++*length)
        frame[*length] = 0;
    return (uint32_t)entry.port << ESP_PORT_SHIFT | ESP_FORWARD;
}

/* By association, place in the window, number. */
static int by_place(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    uint32_t p = x->number % ESP_WINDOW, q = y->number % ESP_WINDOW;
    if (x->sa != y->sa)
        return x->sa < y->sa ? -1 : 1;
    if (p != q)
        return p < q ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool same_place(const struct seen *x, const struct seen *y)
{
    return x->sa == y->sa && x->number % ESP_WINDOW == y->number % ESP_WINDOW;
}

/* The packets of one place of a window, lowest number first. */
static bool place_settled(const struct seen *s, uint32_t n, struct error *err)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (s[i].replay)
            continue;
        if (highest == s[i].number)
            return error_set(err, "packet %u: number %u was accepted twice", s[i].packet,
                             s[i].number);
        highest = s[i].number;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (s[i].replay && s[i].number > highest)
            return error_set(err, "packet %u: number %u is not a replay", s[i].packet, s[i].number);
    }
    return true;
}

bool esp_settled(struct esp_receiver *r, struct error *err)
{
    if (r->n_seen)
        qsort(r->seen, r->n_seen, sizeof *r->seen, by_place);
    for (uint32_t i = 0, n; i < r->n_seen; i += n) {
        for (n = 1; i + n < r->n_seen && same_place(&r->seen[i], &r->seen[i + n]);)
            n++;
        if (!place_settled(&r->seen[i], n, err))
            return false;
    }
    return true;
}
