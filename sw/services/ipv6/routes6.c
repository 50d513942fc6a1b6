#include "sw/services/ipv6/routes6.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/common/text_input.h"

void routes6_free(struct route6_list *list)
{
    free(list->routes);
    *list = (struct route6_list){0};
}

static void add_route(struct route6_list *list, struct route6 route)
{
    ARRAY_RESERVE(list->routes, list->count, list->capacity);
    list->routes[list->count++] = route;
    list->by_length[route.length]++;
}

static uint16_t default_hop(struct address6 prefix, uint32_t length, uint32_t n_hops)
{
    uint64_t x = (prefix.high ^ prefix.low << 8 ^ length) * 0x9E3779B97F4A7C15u;
    return (uint16_t)(1 + ((x >> 32) * n_hops >> 32));
}

static bool check_hops(uint32_t n_hops, struct error *err)
{
    if (n_hops < 1 || n_hops > ROUTE6_MAX_HOPS)
        return error_set(err, "number of next hops is %u; it must be 1..%u", n_hops,
                         ROUTE6_MAX_HOPS);
    return true;
}

/* A decimal number of at most `max`, without sign; advances *at. */
static bool read_number(const char **at, uint32_t max, uint32_t *value)
{
    const char *p = *at;
    uint64_t v = 0;
    if (!isdigit((unsigned char)*p))
        return false;
    while (isdigit((unsigned char)*p) && v <= max)
        v = v * 10 + (uint64_t)(*p++ - '0');
    *at = p;
    *value = (uint32_t)v;
    return v <= max;
}

static bool read_address(const char *line, const char **end, struct address6 *address)
{
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    size_t n = strcspn(line, "/ \t");
    if (n >= sizeof text)
        return false;
    memcpy(text, line, n);
    text[n] = '\0';
    if (inet_pton(AF_INET6, text, bytes) != 1)
        return false;
    *address = address6_read(bytes);
    *end = line + n;
    return true;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* An IPv4 prefix, which has no colon. */
static bool skip_ipv4(const char *line, struct route6_list *list, struct error *err)
{
    unsigned a, b, c, d, length;
    if (sscanf(line, "%3u.%3u.%3u.%3u/%2u", &a, &b, &c, &d, &length) != 5 ||
        (a | b | c | d) > 255 || length > 32)
        return error_set(err,
                         "'%.60s' does not start with an IPv6 prefix; a line is prefix/length and "
                         "optionally a next hop number",
                         line);
    list->ipv4_skipped++;
    return true;
}

/* One line that is neither empty nor a comment; the message has no position yet. */
static bool read_route(const char *line, struct route6_list *list, struct error *err)
{
    const char *p = line;
    struct address6 prefix;
    uint32_t length, hop;
    if (!strchr(line, ':'))
        return skip_ipv4(line, list, err);
    if (!read_address(line, &p, &prefix))
        return error_set(err, "'%.60s' does not start with an IPv6 address", line);
    if (*p++ != '/' || !read_number(&p, 128, &length))
        return error_set(err, "'%.60s' has no prefix length 0..128 after the address", line);
    struct address6 mask = address6_mask(length);
    if ((prefix.high & ~mask.high) | (prefix.low & ~mask.low))
        return error_set(err, "'%.60s' has address bits beyond the prefix length %u", line, length);
    const char *rest = skip_blanks(p);
    if (*rest == '\0')
        hop = default_hop(prefix, length, list->n_hops);
    else if (rest == p || !read_number(&rest, list->n_hops, &hop) || hop == 0 ||
             *skip_blanks(rest) != '\0')
        return error_set(err, "'%.60s': what follows the prefix is not a next hop number 1..%u",
                         line, list->n_hops);
    add_route(list, (struct route6){prefix, (uint16_t)hop, (uint8_t)length});
    return true;
}

static bool read_lines(const char *path, struct text_input *in, struct route6_list *list,
                       struct error *err)
{
    struct error local = {0};
    const char *line;
    while (text_input_line(in, &line, &local)) {
        line = skip_blanks(line);
        if (*line == '\0' || *line == '#')
            continue;
        if (!read_route(line, list, &local)) {
            error_prefix(&local, "%s:%u", path, text_input_number(in));
            break;
        }
    }
    if (local.set)
        return error_set(err, "%s", local.text);
    if (list->count == 0)
        return error_set(err, "%s: no IPv6 route in it (%u IPv4 prefixes)", path,
                         list->ipv4_skipped);
    return true;
}

bool routes6_read(const char *path, uint32_t n_hops, struct route6_list *list, struct error *err)
{
    *list = (struct route6_list){.n_hops = n_hops};
    if (!check_hops(n_hops, err))
        return false;
    struct text_input *in = text_input_open(path, err);
    if (!in)
        return false;
    bool ok = read_lines(path, in, list, err);
    text_input_close(in);
    if (!ok)
        routes6_free(list);
    return ok;
}

bool routes6_write(const char *path, const struct route6_list *list, struct error *err)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct route6 *r = &list->routes[i];
        char text[INET6_ADDRSTRLEN];
        uint8_t bytes[16];
        address6_write(bytes, r->prefix);
        fprintf(file, "%s/%u %u\n", inet_ntop(AF_INET6, bytes, text, sizeof text), r->length,
                r->hop);
    }
    bool ok = !ferror(file);
    ok &= fclose(file) == 0;
    if (!ok) {
        error_set(err, "%s: %s", path, strerror(errno));
        remove(path);
    }
    return ok;
}
