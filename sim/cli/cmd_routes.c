/* evgpu routes: a routing table with the prefix lengths of a real one. */
#include <argp.h>
#include <stdio.h>

#include "sim/cli/cli.h"
#include "sw/services/common/routes.h"

enum { OPT_SEED = 256, OPT_HOPS, OPT_IPV6 };

static const struct argp_option options[] = {
    {"count", 'n', "N", 0, "routes (100000)", 0},
    {"hops", OPT_HOPS, "N", 0, "next hops (256)", 0},
    {"ipv6", OPT_IPV6, NULL, 0, "IPv6 routes", 0},
    {"seed", OPT_SEED, "N", 0, "seed of the generator (1)", 0},
    {0},
};

struct request {
    struct route_source routes;
    const char *path;
    struct error err;
};

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    uint64_t n = 0;
    switch (key) {
    case 'n':
        if (!parse_count("--count", arg, ROUTES_MAX_IPV4, &n, &r->err))
            return EINVAL;
        r->routes.count = (uint32_t)n;
        return 0;
    case OPT_HOPS:
        if (!parse_count("--hops", arg, ROUTE_MAX_HOPS, &n, &r->err))
            return EINVAL;
        r->routes.hops = (uint32_t)n;
        return 0;
    case OPT_SEED:
        return parse_whole("--seed", arg, UINT64_MAX, &r->routes.seed, &r->err) ? 0 : EINVAL;
    case OPT_IPV6:
        r->routes.family = ADDRESS_IPV6;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            return ARGP_ERR_UNKNOWN;
        r->path = arg;
        return 0;
    case ARGP_KEY_END:
        if (!r->path)
            argp_error(state, "name the file to write the table to");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool write_table(struct request *r)
{
    struct route_list list;
    bool ok = routes_make(&r->routes, &list, &r->err) && routes_write(r->path, &list, &r->err);
    if (ok)
        printf("%s: %u %s routes, %u next hops\n", r->path, list.count,
               address_family_name(list.family), list.n_hops);
    routes_free(&list);
    return ok;
}

const struct argp routes_argp = {.options = options,
                                 .parser = on_option,
                                 .args_doc = "FILE",
                                 .doc = "Writes a table of `prefix/length hop` lines with the "
                                        "prefix lengths of an Internet routing table."};

int cmd_routes(int argc, char **argv)
{
    struct request r = {
        .routes = {.seed = 1, .count = ROUTES_DEFAULT_COUNT, .hops = ROUTES_DEFAULT_HOPS}};
    if (argp_parse(&routes_argp, argc, argv, 0, NULL, &r) == 0 && write_table(&r))
        return EXIT_VERIFIED;
    complain(EXIT_BAD_INPUT, &r.err);
    return EXIT_BAD_INPUT;
}
