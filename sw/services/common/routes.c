#include "sw/services/common/routes.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/output.h"
#include "sw/services/common/bytes.h"
#include "sw/services/common/text_input.h"

static uint32_t address_bits(enum address_family family)
{
    return family == ADDRESS_IPV4 ? 32 : 128;
}

const char *address_family_name(enum address_family family)
{
    return family == ADDRESS_IPV4 ? "IPv4" : "IPv6";
}

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

static uint16_t default_hop(const struct route_list *list, struct address prefix, uint32_t length)
{
    uint64_t key = list->family == ADDRESS_IPV4 ? (uint64_t)address_ipv4(prefix) << 6 | length
                                                : prefix.high ^ prefix.low << 8 ^ length;
    uint64_t x = key * 0x9E3779B97F4A7C15u;
    return (uint16_t)(1 + ((x >> 32) * list->n_hops >> 32));
}

/* --- reading -----------------------------------------------------------------------------------
 */

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

static bool read_ipv4(const char **at, struct address *address)
{
    uint32_t ipv4 = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t byte;
        if ((i && *(*at)++ != '.') || !read_number(at, 255, &byte))
            return false;
        ipv4 = ipv4 << 8 | byte;
    }
    *address = address_of_ipv4(ipv4);
    return true;
}

static bool read_ipv6(const char **at, struct address *address)
{
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    size_t n = strcspn(*at, "/ \t");
    if (n >= sizeof text)
        return false;
    memcpy(text, *at, n);
    text[n] = '\0';
    if (inet_pton(AF_INET6, text, bytes) != 1)
        return false;
    *address = (struct address){read_be64(bytes), read_be64(bytes + 8)};
    *at += n;
    return true;
}

static bool read_address(enum address_family family, const char **at, struct address *address)
{
    return family == ADDRESS_IPV4 ? read_ipv4(at, address) : read_ipv6(at, address);
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static bool not_an_address(const char *line, const struct route_list *list, struct error *err)
{
    return error_set(err,
                     "'%.60s' does not start with an %s address; write prefix/length and "
                     "optionally a next hop number",
                     line, address_family_name(list->family));
}

/* A line with a prefix of the other family. */
static bool skip_route(const char *line, enum address_family family, struct route_list *list,
                       struct error *err)
{
    const char *p = line;
    struct address prefix;
    uint32_t length;
    list->skipped++;
    if (read_address(family, &p, &prefix) && *p++ == '/' &&
        read_number(&p, address_bits(family), &length) && (!*p || *p == ' ' || *p == '\t'))
        return true;
    return family == ADDRESS_IPV6 ? error_set(err, "'%.60s' is not an IPv6 prefix", line)
                                  : not_an_address(line, list, err);
}

/* One line that is neither empty nor a comment; the message has no position yet. */
static bool read_route(const char *line, struct route_list *list, struct error *err)
{
    const char *p = line;
    struct address prefix;
    uint32_t length, hop, bits = address_bits(list->family);
    enum address_family family = strchr(line, ':') ? ADDRESS_IPV6 : ADDRESS_IPV4;
    if (family != list->family)
        return skip_route(line, family, list, err);
    if (!read_address(family, &p, &prefix))
        return not_an_address(line, list, err);
    if (*p++ != '/' || !read_number(&p, bits, &length))
        return error_set(err, "'%.60s' lacks a prefix length 0..%u after the address", line, bits);
    struct address mask = address_mask(length);
    if ((prefix.high & ~mask.high) | (prefix.low & ~mask.low))
        return error_set(err, "'%.60s' has address bits beyond the prefix length %u", line, length);
    const char *rest = skip_blanks(p);
    if (*rest == '\0')
        hop = default_hop(list, prefix, length);
    else if (rest == p || !read_number(&rest, list->n_hops, &hop) || hop == 0 ||
             *skip_blanks(rest) != '\0')
        return error_set(err, "'%.60s': the prefix must be followed by a next hop number 1..%u",
                         line, list->n_hops);
    add_route(list, (struct route){prefix, (uint16_t)hop, (uint8_t)length});
    return true;
}

static bool read_lines(const char *path, struct text_input *in, struct route_list *list,
                       struct error *err)
{
    struct error local = {.set = false};
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
        return error_set(
            err, "%s: the file contains no %s route (%u %s prefixes)", path,
            address_family_name(list->family), list->skipped,
            address_family_name(list->family == ADDRESS_IPV4 ? ADDRESS_IPV6 : ADDRESS_IPV4));
    return true;
}

static bool read_file(const char *path, struct route_list *list, struct error *err)
{
    struct text_input *in = text_input_open(path, err);
    if (!in)
        return false;
    bool ok = read_lines(path, in, list, err);
    text_input_close(in);
    return ok;
}

bool routes_make(const struct route_source *source, struct route_list *list, struct error *err)
{
    uint32_t most = source->family == ADDRESS_IPV4 ? ROUTES_MAX_IPV4 : ROUTES_MAX_IPV6;
    *list = (struct route_list){.family = source->family, .n_hops = source->hops};
    if (source->hops < 1 || source->hops > ROUTE_MAX_HOPS)
        return error_set(err, "the number of next hops is %u; it must be 1..%u", source->hops,
                         ROUTE_MAX_HOPS);
    if (source->path) {
        if (read_file(source->path, list, err))
            return true;
        routes_free(list);
        return false;
    }
    if (source->count < 1 || source->count > most)
        return error_set(err, "the number of routes is %u; it must be 1..%u", source->count, most);
    routes_generate(source, list);
    return true;
}

/* --- writing -----------------------------------------------------------------------------------
 */

static void write_route(FILE *file, enum address_family family, const struct route *r)
{
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    write_be64(bytes, r->prefix.high);
    write_be64(bytes + 8, r->prefix.low);
    inet_ntop(family == ADDRESS_IPV4 ? AF_INET : AF_INET6, bytes, text, sizeof text);
    fprintf(file, "%s/%u %u\n", text, r->length, r->hop);
}

bool routes_write(const char *path, const struct route_list *list, struct error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        write_route(output_stream(out), list->family, &list->routes[i]);
    return output_finish(out, err);
}
