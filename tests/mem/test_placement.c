/* Maps of a mesh: numbers in the order of reading, room, errors. */
#include "sim/mem/net/placement.h"
#include "tests/unit.h"

static struct placement map_of(const char *rows, uint32_t cores_per_node)
{
    struct placement p = {.cores_per_node = cores_per_node};
    struct error err = {0};
    if (!placement_add(&p, rows, &err))
        fail_msg("%s", err.text);
    return p;
}

static void test_numbers(void **state)
{
    (void)state;
    struct placement p = map_of("G.C/mGM", 2);
    struct error err = {0};
    assert_true(placement_add(&p, "CCG", &err));
    assert_int_equal(p.width, 3);
    assert_int_equal(p.height, 3);
    const uint32_t cores[] = {0, 0, 4, 4, 8, 8, PLACEMENT_NODES};
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(placement_node(&p, ENDPOINT_CORE, i), cores[i]);
    const uint32_t cpus[] = {2, 6, 7, PLACEMENT_NODES};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(placement_node(&p, ENDPOINT_CPU, i), cpus[i]);
    assert_int_equal(placement_node(&p, ENDPOINT_PARTITION, 0), 3);
    assert_int_equal(placement_node(&p, ENDPOINT_PARTITION, 1), 5);
    assert_int_equal(placement_node(&p, ENDPOINT_PARTITION, 2), PLACEMENT_NODES);
    assert_int_equal(placement_node(&p, ENDPOINT_HOST, 0), 3);
    assert_int_equal(placement_room(&p, ENDPOINT_CORE), 6);
    assert_int_equal(placement_room(&p, ENDPOINT_CPU), 3);
    p = map_of("HG", 1);
    assert_int_equal(placement_node(&p, ENDPOINT_HOST, 0), 0);
    assert_int_equal(placement_node(&p, ENDPOINT_CORE, 0), 1);
}

static void test_fits(void **state)
{
    (void)state;
    struct placement p = map_of("GGCM/gMMM", 2);
    struct error err = {0};
    for (uint32_t cores = 1; cores <= 8; cores++)
        assert_int_equal(placement_fits(&p, ENDPOINT_CORE, cores, NULL), cores == 5 || cores == 6);
    assert_true(placement_fits(&p, ENDPOINT_HOST, 1, NULL));
    assert_false(placement_fits(&p, ENDPOINT_PARTITION, 5, &err));
    assert_non_null(strstr(err.text, "4 x 2 nodes marks 4 nodes 'M', but 5 memory partitions"));
    assert_false(placement_fits(&p, ENDPOINT_PARTITION, 3, NULL));
    p = map_of("GGCM", 2);
    err = (struct error){0};
    assert_false(placement_fits(&p, ENDPOINT_HOST, 1, &err));
    assert_non_null(strstr(err.text, "0 nodes 'H'"));
    p = map_of("gMH", 2);
    assert_false(placement_fits(&p, ENDPOINT_HOST, 1, NULL));
}

static void refused(const char *rows, const char *text)
{
    struct placement p = {.cores_per_node = 1};
    struct error err = {0};
    assert_false(placement_add(&p, rows, &err));
    if (!strstr(err.text, text))
        fail_msg("'%s' does not contain '%s'", err.text, text);
}

static void test_errors(void **state)
{
    (void)state;
    refused("GG/GXG", "row 2 of the map has 3 nodes, the first one has 2");
    refused("GG/GX", "row 2, column 2 of the map: 'X' is none of");
    refused("GG//GG", "row 2 of the map is empty");
    refused("", "row 1 of the map is empty");
    refused("GG/", "row 2 of the map is empty");
    char wide[300];
    memset(wide, 'G', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    refused(wide, "more than 256 nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_fits),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
