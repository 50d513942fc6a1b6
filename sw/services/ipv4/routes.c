#include "sw/services/ipv4/routes.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/services/common/text_input.h"

void routes_free(struct route_list *list)
{
    free(list->routes);
    *list = (struct route_list){0};
}

static void add_route(struct route_list *list, struct route route)
{
    ARRAY_RESERVE(list->routes, list->count, list->capacity);
    list->routes[list->count++] = route;
    list->by_length[route.length]++;
}

static uint16_t default_hop(uint32_t prefix, uint32_t length, uint32_t n_hops)
{
    uint64_t x = ((uint64_t)prefix << 6 | length) * 0x9E3779B97F4A7C15u;
    return (uint16_t)(1 + ((x >> 32) * n_hops >> 32));
}

static bool check_hops(uint32_t n_hops, struct error *err)
{
    if (n_hops < 1 || n_hops > ROUTE_MAX_HOPS)
        return error_set(err, "number of next hops is %u; it must be 1..%u", n_hops,
                         ROUTE_MAX_HOPS);
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

static bool read_address(const char **at, uint32_t *address)
{
    *address = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t byte;
        if ((i && *(*at)++ != '.') || !read_number(at, 255, &byte))
            return false;
        *address = *address << 8 | byte;
    }
    return true;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* An IPv6 prefix at `p`, which has a colon. */
static bool valid_ipv6(const char *p)
{
    char text[INET6_ADDRSTRLEN];
    size_t n = strcspn(p, "/ \t");
    struct in6_addr address;
    if (n >= sizeof text || p[n] != '/')
        return false;
    memcpy(text, p, n);
    text[n] = '\0';
    const char *rest = p + n + 1;
    uint32_t length;
    return inet_pton(AF_INET6, text, &address) == 1 && read_number(&rest, 128, &length) &&
           (*rest == '\0' || *rest == ' ' || *rest == '\t');
}

/* One line that is neither empty nor a comment; the message has no position yet. */
static bool read_route(const char *line, struct route_list *list, struct error *err)
{
    const char *p = line;
    uint32_t prefix, length, hop;
    if (strchr(line, ':')) {
        if (!valid_ipv6(line))
            return error_set(err, "'%.60s' is not an IPv6 prefix", line);
        list->ipv6_skipped++;
        return true;
    }
    if (!read_address(&p, &prefix))
        return error_set(err,
                         "'%.60s' does not start with an IPv4 address; a line is "
                         "prefix/length and optionally a next hop number",
                         line);
    if (*p++ != '/' || !read_number(&p, 32, &length))
        return error_set(err, "'%.60s' has no prefix length 0..32 after the address", line);
    if (prefix & ~route_mask(length))
        return error_set(err, "'%.60s' has address bits beyond the prefix length %u", line, length);
    const char *rest = skip_blanks(p);
    if (*rest == '\0')
        hop = default_hop(prefix, length, list->n_hops);
    else if (rest == p || !read_number(&rest, list->n_hops, &hop) || hop == 0 ||
             *skip_blanks(rest) != '\0')
        return error_set(err, "'%.60s': what follows the prefix is not a next hop number 1..%u",
                         line, list->n_hops);
    add_route(list, (struct route){prefix, (uint16_t)hop, (uint8_t)length});
    return true;
}

static bool read_lines(const char *path, struct text_input *in, struct route_list *list,
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
        return error_set(err, "%s: no IPv4 route in it (%u IPv6 prefixes)", path,
                         list->ipv6_skipped);
    return true;
}

bool routes_read(const char *path, uint32_t n_hops, struct route_list *list, struct error *err)
{
    *list = (struct route_list){.n_hops = n_hops};
    if (!check_hops(n_hops, err))
        return false;
    struct text_input *in = text_input_open(path, err);
    if (!in)
        return false;
    bool ok = read_lines(path, in, list, err);
    text_input_close(in);
    if (!ok)
        routes_free(list);
    return ok;
}

bool routes_write(const char *path, const struct route_list *list, struct error *err)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct route *r = &list->routes[i];
        fprintf(file, "%u.%u.%u.%u/%u %u\n", r->prefix >> 24, r->prefix >> 16 & 255,
                r->prefix >> 8 & 255, r->prefix & 255, r->length, r->hop);
    }
    bool ok = !ferror(file);
    ok &= fclose(file) == 0;
    if (!ok) {
        error_set(err, "%s: %s", path, strerror(errno));
        remove(path);
    }
    return ok;
}
