#include "sw/services/ipsec/sas.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/rng.h"
#include "sw/services/common/bytes.h"
#include "sw/services/common/text_input.h"

#define LOCAL_ADDRESS 0xC0000201u /* 192.0.2.1 */
#define NETWORKS      0x0A000000u /* 10.0.0.0/24, 10.0.1.0/24, ... */
#define PEERS         0xC6336400u /* 198.51.100.0/24 */

void sas_free(struct sa_list *list)
{
    free(list->sa);
    *list = (struct sa_list){0};
}

uint32_t sas_find(const struct sa_list *list, uint32_t spi)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->sa[i].spi == spi)
            return i;
    }
    return UINT32_MAX;
}

static void add(struct sa_list *list, const struct sa *sa)
{
    ARRAY_RESERVE(list->sa, list->count, list->capacity);
    list->sa[list->count++] = *sa;
}

void sas_generate(uint64_t seed, uint32_t count, enum esp_cipher cipher, struct sa_list *list)
{
    struct rng rng;
    uint32_t spi = SA_LEAST_SPI;
    *list = (struct sa_list){0};
    rng_seed(&rng, seed ^ 0x657370);
    for (uint32_t i = 0; i < count; i++) {
        spi += 1 + rng_below(&rng, UINT32_MAX / (2 * SA_MOST));
        struct sa sa = {.spi = spi,
                        .source = PEERS + i % 256,
                        .local = LOCAL_ADDRESS,
                        .network = NETWORKS + (i << 8),
                        .mask = UINT32_MAX << 8,
                        .protects = true,
                        .cipher = cipher};
        for (uint32_t b = 0; b < SA_KEY_BYTES; b++)
            sa.key[b] = (uint8_t)rng_u64(&rng);
        add(list, &sa);
    }
}

static bool read_key(const char *text, struct sa *sa, struct error *err)
{
    uint32_t bytes = cipher_key_bytes(sa->cipher), n = 0;
    text += strncmp(text, "0x", 2) == 0 ? 2 : 0;
    for (unsigned value; n < bytes && isxdigit((unsigned char)text[0]) &&
                         isxdigit((unsigned char)text[1]) && sscanf(text, "%2x", &value) == 1;
         text += 2)
        sa->key[n++] = (uint8_t)value;
    return (n == bytes && !*text) || error_set(err, "a key of %s has %u hexadecimal digits",
                                               cipher_name(sa->cipher), 2 * bytes);
}

static bool read_address(const char *text, uint32_t *address, struct error *err)
{
    struct in_addr in;
    if (!*text)
        return true;
    if (inet_pton(AF_INET, text, &in) != 1)
        return error_set(err, "'%s' is not an IPv4 address", text);
    *address = ntohl(in.s_addr);
    return true;
}

static bool read_network(char *text, struct sa *sa, struct error *err)
{
    char *slash = strchr(text, '/');
    unsigned length = 0;
    char more[2];
    if (!*text)
        return true;
    if (!slash || sscanf(slash + 1, "%2u%1s", &length, more) != 1 || length > 32)
        return error_set(err, "'%s' is not a network such as 10.1.0.0/16", text);
    *slash = '\0';
    sa->mask = length ? UINT32_MAX << (32 - length) : 0;
    sa->protects = true;
    if (!read_address(text, &sa->network, err))
        return false;
    return !(sa->network & ~sa->mask) ||
           error_set(err, "'%s' has address bits beyond its prefix length %u", text, length);
}

static bool read_sa(const char *line, struct sa_list *list, struct error *err)
{
    char spi[24] = "", cipher[24] = "", key[64] = "", source[24] = "", local[24] = "",
         network[32] = "", more[2];
    struct sa sa = {0};
    int fields = sscanf(line, "%23s %23s %63s %23s %23s %31s %1s", spi, cipher, key, source, local,
                        network, more);
    if (fields != 3 && fields != 5 && fields != 6)
        return error_set(
            err, "a line must have SPI, cipher, key, and optionally two addresses and a network");
    uint64_t value;
    if (!parse_whole("SPI", spi, UINT32_MAX, &value, NULL) || value < SA_LEAST_SPI)
        return error_set(err, "'%s' is not an SPI; the lowest is %u", spi, SA_LEAST_SPI);
    sa.spi = (uint32_t)value;
    if (sas_find(list, sa.spi) != UINT32_MAX)
        return error_set(err, "SPI %s occurs twice", spi);
    if (strcmp(cipher, "3des") != 0 && strcmp(cipher, "aes128") != 0)
        return error_set(err, "cipher '%s' is not 3des or aes128", cipher);
    sa.cipher = cipher[0] == '3' ? ESP_3DES_CBC : ESP_AES128_CBC;
    if (list->count == SA_MOST)
        return error_set(err, "more than %u associations", SA_MOST);
    if (!read_key(key, &sa, err) || !read_address(source, &sa.source, err) ||
        !read_address(local, &sa.local, err) || !read_network(network, &sa, err))
        return false;
    add(list, &sa);
    return true;
}

bool sas_read(const char *path, struct sa_list *list, struct error *err)
{
    *list = (struct sa_list){0};
    struct text_input *in = text_input_open(path, err);
    if (!in)
        return false;
    struct error local = {0};
    const char *line;
    while (text_input_line(in, &line, &local)) {
        line += strspn(line, " \t");
        if (*line == '\0' || *line == '#')
            continue;
        if (!read_sa(line, list, &local)) {
            error_prefix(&local, "%s:%u", path, text_input_number(in));
            break;
        }
    }
    text_input_close(in);
    if (!local.set && list->count == 0)
        error_set(&local, "%s: the file contains no security association", path);
    if (!local.set)
        return true;
    sas_free(list);
    return error_set(err, "%s", local.text);
}

static uint32_t as_in_packet(uint32_t address)
{
    uint8_t bytes[4];
    uint32_t word;
    write_be32(bytes, address);
    memcpy(&word, bytes, sizeof word);
    return word;
}

struct esp_sa sas_entry(const struct sa_list *list, uint32_t index)
{
    const struct sa *sa = &list->sa[index];
    struct esp_sa e = {.spi = sa->spi,
                       .source = as_in_packet(sa->source),
                       .local = as_in_packet(sa->local),
                       .cipher = sa->cipher,
                       .port = (uint16_t)(index % SA_PORTS),
                       .dst_mac = {2, 'i', 0, 0, (uint8_t)(index >> 8), (uint8_t)index},
                       .src_mac = {2, 'p', 0, 0, 0, (uint8_t)(index % SA_PORTS)}};
    return e;
}

uint32_t sas_places(const struct sa_list *list)
{
    uint32_t places = 2;
    while (places < 2 * list->count)
        places *= 2;
    return places;
}

static uint32_t place_of(const struct sa_list *list, const struct esp_sa *sas, uint32_t spi,
                         uint32_t found)
{
    uint32_t mask = sas_places(list) - 1, place = ESP_PLACE(spi) & mask;
    while (sas[place].spi != found)
        place = (place + 1) & mask;
    return place;
}

void sas_fill(const struct sa_list *list, bool encrypt, struct esp_sa *sas, uint32_t *keys)
{
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t place = place_of(list, sas, list->sa[i].spi, 0);
        sas[place] = sas_entry(list, i);
        cipher_schedule(list->sa[i].cipher, encrypt, list->sa[i].key,
                        keys + (uint64_t)place * ESP_KEY_WORDS);
    }
}

uint32_t sas_policies(const struct sa_list *list, const struct esp_sa *sas,
                      struct esp_policy *policies)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct sa *sa = &list->sa[i];
        if (sa->protects)
            policies[n++] = (struct esp_policy){.network = as_in_packet(sa->network),
                                                .mask = as_in_packet(sa->mask),
                                                .place = place_of(list, sas, sa->spi, sa->spi)};
    }
    return n;
}
