/* Route files and the route generator. */
#include <lzma.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/common/routes.h"
#include "tests/sw/scratch.h"
#include "tests/unit.h"

#define REAL_TABLE "../shared/data/bgp_prefixes.txt.gz"

static bool read_ipv4(const char *path, uint32_t hops, struct route_list *list, struct error *err)
{
    struct route_source source = {.path = path, .hops = hops};
    return routes_make(&source, list, err);
}

static bool generate_ipv4(uint64_t seed, uint32_t count, uint32_t hops, struct route_list *list,
                          struct error *err)
{
    struct route_source source = {.seed = seed, .count = count, .hops = hops};
    return routes_make(&source, list, err);
}

static bool same_routes(const struct route_list *a, const struct route_list *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        const struct route *x = &a->routes[i], *y = &b->routes[i];
        same = route_ipv4(x) == route_ipv4(y) && x->length == y->length && x->hop == y->hop;
    }
    return same;
}

static struct scratch_path text_file(void **state, const char *text)
{
    struct scratch_path path = scratch_path(state, "routes.txt");
    scratch_write(path.text, text, strlen(text));
    return path;
}

static void reads_all_forms_of_a_line(void **state)
{
    struct error err = {0};
    struct route_list list;
    struct scratch_path path = text_file(state, "# comment\n"
                                                "0.0.0.0/0 3\r\n"
                                                "\n"
                                                "  10.0.0.0/8\t7  \n"
                                                "255.255.255.255/32\n"
                                                "2001:db8::/32\n"
                                                "::/0 5\n"
                                                "192.168.1.0/24 16");
    assert_true(read_ipv4(path.text, 16, &list, &err));
    assert_int_equal(list.count, 4);
    assert_int_equal(list.skipped, 2);
    assert_int_equal(route_ipv4(&list.routes[0]), 0);
    assert_int_equal(list.routes[0].length, 0);
    assert_int_equal(list.routes[0].hop, 3);
    assert_int_equal(route_ipv4(&list.routes[1]), 0x0A000000);
    assert_int_equal(list.routes[1].hop, 7);
    assert_int_equal(route_ipv4(&list.routes[2]), 0xFFFFFFFF);
    assert_int_equal(list.routes[2].length, 32);
    assert_in_range(list.routes[2].hop, 1, 16);
    assert_int_equal(route_ipv4(&list.routes[3]), 0xC0A80100);
    assert_int_equal(list.routes[3].hop, 16);
    assert_int_equal(list.by_length[24], 1);
    routes_free(&list);
}

static void names_file_and_line_of_an_error(void **state)
{
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"1.0.0.0/8\n1.2.3/8\n", ":2: '1.2.3/8' does not start with an IPv4 address"},
        {"1.2.3.4.5/8\n", ":1: '1.2.3.4.5/8' lacks a prefix length"},
        {"256.0.0.0/8\n", ":1: '256.0.0.0/8' does not start"},
        {"1.0.0.0\n", ":1: '1.0.0.0' lacks a prefix length"},
        {"1.0.0.0/33\n", ":1: '1.0.0.0/33' lacks a prefix length 0..32"},
        {"1.0.0.0/\n", ":1: '1.0.0.0/' lacks a prefix length"},
        {"1.0.0.0/-1\n", "lacks a prefix length"},
        {"1.0.0.0/99999999999999999999\n", "lacks a prefix length"},
        {"1.0.0.1/24\n", ":1: '1.0.0.1/24' has address bits beyond the prefix length 24"},
        {"\n\n1.0.0.0/24 0\n", ":3: '1.0.0.0/24 0': the prefix must be followed by a next hop"},
        {"1.0.0.0/24 17\n", "must be followed by a next hop number 1..16"},
        {"1.0.0.0/24 4 x\n", "must be followed by a next hop number"},
        {"1.0.0.0/24x\n", "must be followed by a next hop number"},
        {"hello\n", ":1: 'hello' does not start with an IPv4 address"},
        {"12:zz::/32\n", "is not an IPv6 prefix"},
        {"2001:db8::/129\n", "is not an IPv6 prefix"},
        {"2001:db8::\n", "is not an IPv6 prefix"},
        {"", "the file contains no IPv4 route"},
        {"::/0\n", "the file contains no IPv4 route (1 IPv6 prefixes)"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct error err = {0};
        struct route_list list;
        struct scratch_path path = text_file(state, CASES[i].text);
        assert_false(read_ipv4(path.text, 16, &list, &err));
        if (!strstr(err.text, path.text) || !strstr(err.text, CASES[i].message))
            fail_msg("case %zu: \"%s\" lacks \"%s\"", i, err.text, CASES[i].message);
        assert_null(list.routes);
    }
}

static void rejects_a_zero_byte(void **state)
{
    struct error err = {0};
    struct route_list list;
    struct scratch_path path = scratch_path(state, "routes.txt");
    scratch_write(path.text, "1.0.0.0/8 2\n2.0.0.0/8\0 9\n", 26);
    assert_false(read_ipv4(path.text, 16, &list, &err));
    assert_non_null(strstr(err.text, ":2: the line has a zero byte"));
}

static void rejects_missing_and_overlong(void **state)
{
    struct error err = {0};
    struct route_list list;
    assert_false(read_ipv4("no/such/file", 4, &list, &err));
    assert_string_equal(err.text, "no/such/file: No such file or directory");

    char line[3000];
    memset(line, '1', sizeof line);
    struct scratch_path path = scratch_path(state, "long.txt");
    scratch_write(path.text, line, sizeof line);
    err = (struct error){0};
    assert_false(read_ipv4(path.text, 4, &list, &err));
    assert_non_null(strstr(err.text, ":1: the line is longer than"));

    err = (struct error){0};
    assert_false(read_ipv4(path.text, 0, &list, &err));
    assert_non_null(strstr(err.text, "number of next hops is 0"));
    err = (struct error){0};
    assert_false(read_ipv4(*state, 4, &list, &err)); /* a directory */
    assert_true(err.set);
}

static size_t xz_compress(const char *text, size_t size, uint8_t *out, size_t room)
{
    size_t used = 0;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, size,
                                             out, &used, room),
                     LZMA_OK);
    return used;
}

static void reads_compressed_files(void **state)
{
    struct error err = {0};
    struct route_list made, list;
    assert_true(generate_ipv4(5, 20000, 9, &made, &err));
    struct scratch_path plain = scratch_path(state, "plain"), gz = scratch_path(state, "gz"),
                        xz = scratch_path(state, "xz");
    assert_true(routes_write(plain.text, &made, &err));
    size_t size = 0;
    char *text = scratch_read(plain.text, &size);
    gzFile file = gzopen(gz.text, "wb");
    assert_int_equal(gzwrite(file, text, (unsigned)size), (int)size);
    gzclose(file);
    uint8_t *packed = malloc(size);
    size_t packed_size = xz_compress(text, size, packed, size);
    scratch_write(xz.text, packed, packed_size);

    const char *const paths[] = {plain.text, gz.text, xz.text};
    for (int i = 0; i < 3; i++) {
        assert_true(read_ipv4(paths[i], 9, &list, &err));
        assert_true(same_routes(&list, &made));
        routes_free(&list);
    }

    /* Cut short, and damaged. */
    scratch_write(xz.text, packed, packed_size / 2);
    assert_false(read_ipv4(xz.text, 9, &list, &err));
    assert_non_null(strstr(err.text, "truncated"));
    packed[packed_size / 2] ^= 0x55;
    scratch_write(xz.text, packed, packed_size);
    err = (struct error){0};
    assert_false(read_ipv4(xz.text, 9, &list, &err));
    size_t gz_size = 0;
    char *gz_bytes = scratch_read(gz.text, &gz_size);
    scratch_write(gz.text, gz_bytes, gz_size / 2);
    err = (struct error){0};
    assert_false(read_ipv4(gz.text, 9, &list, &err));
    assert_non_null(strstr(err.text, "truncated"));
    gz_bytes[gz_size / 2] ^= 0x55;
    scratch_write(gz.text, gz_bytes, gz_size);
    err = (struct error){0};
    assert_false(read_ipv4(gz.text, 9, &list, &err));
    free(gz_bytes);
    free(packed);
    free(text);
    routes_free(&made);
}

static int by_prefix(const void *a, const void *b)
{
    const struct route *x = a, *y = b;
    if (x->prefix.high != y->prefix.high)
        return x->prefix.high < y->prefix.high ? -1 : 1;
    return (int)x->length - (int)y->length;
}

static void generates_the_distribution(void **state)
{
    (void)state;
    struct error err = {0};
    struct route_list a, b;
    assert_true(generate_ipv4(1, 100000, 16, &a, &err));
    assert_true(generate_ipv4(1, 100000, 16, &b, &err));
    assert_int_equal(a.count, 100000);
    assert_true(same_routes(&a, &b));
    routes_free(&b);
    assert_true(generate_ipv4(2, 100000, 16, &b, &err));
    assert_false(same_routes(&a, &b));

    assert_in_range(a.by_length[24], 59000, 60000); /* 59.6 % */
    assert_in_range(a.by_length[22], 11900, 12200);
    assert_in_range(a.by_length[16], 1450, 1550);
    assert_in_range(a.by_length[32], 90, 110);
    assert_int_equal(a.by_length[0] + a.by_length[7], 0);

    qsort(a.routes, a.count, sizeof *a.routes, by_prefix);
    for (uint32_t i = 0; i < a.count; i++) {
        const struct route *r = &a.routes[i];
        assert_int_equal(route_ipv4(r) & ~address_ipv4_mask(r->length), 0);
        assert_in_range(r->hop, 1, 16);
        assert_in_range(route_ipv4(r) >> 24, 1, 223);
        assert_true(i == 0 || by_prefix(r - 1, r) < 0);
    }
    routes_free(&a);
    routes_free(&b);
}

static void generates_any_count(void **state)
{
    (void)state;
    struct error err = {0};
    struct route_list list;
    for (uint32_t count = 1; count <= 300; count++) {
        assert_true(generate_ipv4(count, count, 1, &list, &err));
        assert_int_equal(list.count, count);
        routes_free(&list);
    }
    assert_false(generate_ipv4(1, 0, 1, &list, &err));
    err = (struct error){0};
    assert_false(generate_ipv4(1, ROUTES_MAX_IPV4 + 1, 1, &list, &err));
    err = (struct error){0};
    assert_false(generate_ipv4(1, 1, ROUTE_MAX_HOPS + 1, &list, &err));
}

static void reads_the_real_table(void **state)
{
    (void)state;
    struct error err = {0};
    struct route_list real, made;
    if (access(REAL_TABLE, R_OK) != 0) {
        print_message("skipped: %s is not there\n", REAL_TABLE);
        skip();
    }
    assert_true(read_ipv4(REAL_TABLE, 16, &real, &err));
    assert_int_equal(real.count, 901899);
    assert_int_equal(real.skipped, 160147);
    assert_true(generate_ipv4(1, 901899, 16, &made, &err));
    /* The generator's constants are this table's; short prefixes may be limited. */
    for (uint32_t length = 0; length <= 32; length++)
        assert_int_equal(made.by_length[length], real.by_length[length]);
    routes_free(&real);
    routes_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_forms_of_a_line),
        cmocka_unit_test(names_file_and_line_of_an_error),
        cmocka_unit_test(rejects_a_zero_byte),
        cmocka_unit_test(rejects_missing_and_overlong),
        cmocka_unit_test(reads_compressed_files),
        cmocka_unit_test(generates_the_distribution),
        cmocka_unit_test(generates_any_count),
        cmocka_unit_test(reads_the_real_table),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
