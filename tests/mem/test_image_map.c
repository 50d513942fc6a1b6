/* Addresses that have what is mapped there: room, wishes, aliases, and what an address is. */
#include "sim/mem/image/map.h"

#include <string.h>

#include "tests/unit.h"

#define UNIT  ((uint64_t)IMAGE_MAP_UNIT)
#define START (1ull << 45)

static struct image image;
static uint64_t low, high;

static int open_image(void **state)
{
    (void)state;
    return image_create_shared(&image, START, 8 * UNIT, NULL) ? 0 : -1;
}

static int close_image(void **state)
{
    (void)state;
    image_destroy(&image);
    return 0;
}

static bool span(uint64_t address)
{
    return image_span(&image, 0, address, false, true, &low, &high);
}

static void test_ranges(void **state)
{
    (void)state;
    const uint64_t first = image.far.address, end = first + image.far.bytes;
    assert_int_equal(first, START + 8 * UNIT);
    assert_int_equal(image_reserve(&image, 2 * UNIT, UNIT, 0), first);
    assert_int_equal(image_reserve(&image, UNIT, UNIT, first + 4 * UNIT), first + 4 * UNIT);
    /* Taken, not aligned, no far address: another one. */
    assert_int_equal(image_reserve(&image, UNIT, UNIT, first + UNIT), first + 2 * UNIT);
    assert_int_equal(image_reserve(&image, UNIT, 2 * UNIT, first + 7 * UNIT), first + 6 * UNIT);
    assert_int_equal(image_reserve(&image, UNIT, UNIT, START), first + 3 * UNIT);
    assert_int_equal(image_reserve(&image, end - first, UNIT, 0), 0);
    assert_int_equal(image_reserve(&image, UNIT, UNIT, end), first + 5 * UNIT);
    uint64_t rest = end - (first + 7 * UNIT);
    assert_int_equal(image_reserve(&image, rest, UNIT, 0), first + 7 * UNIT); /* to the last one */
    assert_int_equal(image_reserve(&image, UNIT, UNIT, 0), 0);
    image_unreserve(&image, first + UNIT); /* none begins there */
    assert_true(image_is_reserved(&image, first + 2 * UNIT - 1));
    image_unreserve(&image, first);
    assert_false(image_is_reserved(&image, first + 2 * UNIT - 1));
    assert_true(image_is_reserved(&image, first + 2 * UNIT));
    assert_int_equal(image_reserve(&image, 3 * UNIT, UNIT, 0), 0);
    assert_int_equal(image_reserve(&image, 2 * UNIT, UNIT, 0), first);
    assert_false(image_is_far(&image, first - 1));
    assert_true(image_is_far(&image, end - 1));
    assert_false(image_is_far(&image, end));
}

static void map_at(uint64_t address, uint64_t from, enum image_access access)
{
    const struct image_block part = {
        .address = address, .bytes = UNIT, .note = {.access = (uint8_t)access}};
    assert_true(image_map(&image, &part, from));
}

static void test_aliases(void **state)
{
    (void)state;
    uint64_t memory = image_alloc(&image, 2 * UNIT, UNIT);
    uint64_t a = image_reserve(&image, 3 * UNIT, UNIT, 0), b = a + UNIT;
    uint64_t brk = image.brk, allocated = image.allocated;
    assert_false(span(a));
    map_at(a, memory + UNIT, IMAGE_OPEN);
    map_at(b, memory + UNIT, IMAGE_CLOSED);
    strcpy((char *)image.base + a + 40, "here");
    assert_string_equal((char *)image.base + b + 40, "here");
    assert_string_equal((char *)image.base + memory + UNIT + 40, "here");
    assert_true(span(a) && low == a && high == b);
    assert_false(span(b)); /* closed */
    assert_false(span(b + UNIT));
    assert_true(image_holds(&image, 0, b, &low, &high) && low == b);
    assert_false(image_valid(&image, a, 1));
    /* Neither is an allocation. */
    assert_int_equal(image.brk, brk);
    assert_int_equal(image.allocated, allocated);
    uint32_t version = image.version;
    image_unmap(&image, &(struct image_range){a, UNIT});
    assert_int_not_equal(image.version, version);
    assert_false(span(a));
    assert_string_equal((char *)image.base + b + 40, "here");
    map_at(a, memory, IMAGE_OPEN);
    assert_int_equal(image.base[a + 40], 0);
    assert_true(span(a + UNIT - 1) && low == a);
}

/* What was mapped is known as freed, unless nobody could reach it. */
static void test_freed(void **state)
{
    (void)state;
    struct image_block block;
    uint64_t distance = 0, memory = image_alloc(&image, UNIT, UNIT);
    uint64_t a = image_reserve(&image, 2 * UNIT, UNIT, 0), b = a + UNIT;
    map_at(a, memory, IMAGE_OPEN);
    map_at(b, memory, IMAGE_CLOSED);
    image_unmap(&image, &(struct image_range){b, UNIT});
    assert_int_equal(image_locate(&image, b + 4, &block, &distance), IMAGE_AFTER);
    assert_int_equal(distance, 5);
    image_unmap(&image, &(struct image_range){a, UNIT});
    assert_int_equal(image_locate(&image, a + 4, &block, &distance), IMAGE_FREED);
    assert_true(block.address == a && block.bytes == UNIT && distance == 4);
}

/* Released memory is zero by every address that it gets later. */
static void test_zero(void **state)
{
    (void)state;
    uint64_t memory = image_alloc(&image, UNIT, UNIT), a = image_reserve(&image, UNIT, UNIT, 0);
    map_at(a, memory, IMAGE_OPEN);
    memset(image.base + a, 1, UNIT);
    image_unmap(&image, &(struct image_range){a, UNIT});
    assert_true(image_release(&image, memory));
    memory = image_alloc(&image, UNIT, UNIT);
    map_at(a, memory, IMAGE_OPEN);
    for (uint64_t i = 0; i < UNIT; i += 4096)
        assert_int_equal(image.base[a + i], 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_image, close_image)
    const struct CMUnitTest tests[] = {TEST(test_ranges), TEST(test_aliases), TEST(test_freed),
                                       TEST(test_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
