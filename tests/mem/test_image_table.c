/* What an address belongs to, and what it missed. */
#include "sim/mem/image/image.h"
#include "tests/unit.h"

static struct image image;
static uint64_t low, high;

static int open_image(void **state)
{
    (void)state;
    return image_create(&image, 1 << 20, NULL) ? 0 : -1;
}

static int close_image(void **state)
{
    (void)state;
    image_destroy(&image);
    return 0;
}

static bool span(uint32_t owner, uint64_t address)
{
    return image_span(&image, owner, address, false, false, &low, &high);
}

static void expect(uint64_t address, enum image_relation relation, uint64_t block,
                   uint64_t distance)
{
    struct image_block found = {0};
    uint64_t far = 0;
    assert_int_equal(image_locate(&image, address, &found, &far), relation);
    assert_int_equal(found.address, block);
    assert_int_equal(far, distance);
}

static void blocks_have_exact_ends(void **state)
{
    (void)state;
    uint64_t a = image_alloc(&image, 400, 256), b = image_alloc(&image, 40, 8);
    uint64_t c = image_alloc(&image, 48, 8);
    assert_true(span(0, a) && low == a && high == a + 400);
    assert_true(span(0, a + 399));
    assert_false(span(0, a + 400)); /* what is small does not lie in the rest of the unit */
    assert_true(b >= a + 512 && c > b + 40);
    assert_false(span(0, b + 40));
    assert_false(span(0, a - 1));
    expect(a + 400, IMAGE_AFTER, a, 1);
    expect(a - 8, IMAGE_BEFORE, a, 8);
    expect(b + 39, IMAGE_INSIDE, b, 39);
    expect(b - 3, IMAGE_BEFORE, b, 3);
}

static void notes_say_who_may(void **state)
{
    (void)state;
    uint32_t one = image_add_owner(&image, "one"), two = image_add_owner(&image, "two");
    uint64_t a = image_alloc(&image, 100, 256), b = image_alloc(&image, 100, 256);
    uint64_t c = image_alloc(&image, 100, 256), d = image_alloc(&image, 4096, 256);
    image_describe(&image, a, &(struct image_note){.owner = one});
    image_describe(&image, b,
                   &(struct image_note){.owner = one, .access = IMAGE_CONST, .what = "v"});
    image_describe(&image, c, &(struct image_note){.owner = two, .access = IMAGE_CLOSED});
    image_describe(&image, d, &(struct image_note){.owner = two, .limit = 10});
    assert_string_equal(image_owner(&image, two), "two");
    assert_true(span(one, a) && span(0, a) && !span(two, a));
    assert_true(image_span(&image, one, b, true, false, &low, &high));
    assert_false(image_span(&image, one, b, false, true, &low, &high));
    image_show_constant(&image, b);
    assert_true(image_span(&image, one, b, true, false, &low, &high));
    assert_true(image_span(&image, one, b, false, true, &low, &high));
    image_describe(&image, a, &(struct image_note){.owner = one, .what = "w"});
    image_show_constant(&image, a);
    assert_false(image_span(&image, one, a, true, false, &low, &high)); /* not constant */
    assert_false(span(two, c));
    assert_true(span(two, d + 9) && high == d + 10);
    assert_false(span(two, d + 10));
    expect(c + 5, IMAGE_AFTER, b, c + 5 - (b + 100) + 1); /* closed ones do not count */
}

/* Two owners' blocks that touch, and with pages of 4096 bytes between them. */
static void owners_end_at_the_byte(void **state)
{
    (void)state;
    uint32_t one = image_add_owner(&image, "one"), two = image_add_owner(&image, "two");
    uint64_t a = image_alloc(&image, 8192, 4096), b = image_alloc(&image, 4096, 4096);
    uint64_t top = image.start + image.bytes;
    assert_int_equal(a + 8192, b);
    image_describe(&image, a, &(struct image_note){.owner = one});
    image_describe(&image, b, &(struct image_note){.owner = two});
    assert_true(span(one, a + 8191) && low == a && high == b);
    assert_true(span(one, a + 4096) && !span(one, b) && !span(one, b + 4095));
    assert_true(span(two, b) && low == b && high == b + 4096);
    assert_false(span(two, b - 1) || span(two, a) || span(two, a - 1) || span(two, b + 4096));
    assert_false(span(one, UINT64_MAX) || span(two, UINT64_MAX) || span(one, top));
    assert_false(span(one, a + (1ull << 63)) || span(one, a - (1ull << 40)));
    image.unguarded = true;
    assert_true(span(one, b) && span(two, b - 1));
    assert_false(span(two, b + 4096) || span(two, UINT64_MAX));
}

static void what_is_given_back_is_the_next_owners(void **state)
{
    (void)state;
    uint32_t one = image_add_owner(&image, "one"), two = image_add_owner(&image, "two");
    uint64_t a = image_alloc(&image, 400, 256);
    image_describe(&image, a, &(struct image_note){.owner = one});
    memset(image.base + a, 1, 400);
    image_release(&image, a);
    assert_false(span(one, a) || span(two, a));
    uint32_t version = image.version;
    assert_int_equal(image_alloc(&image, 400, 256), a);
    image_describe(&image, a, &(struct image_note){.owner = two});
    assert_true(image.version != version);
    assert_true(span(two, a) && !span(one, a));
    assert_int_equal(image.base[a] | image.base[a + 399], 0); /* nothing of the last owner's */
}

static bool writes(uint32_t owner, uint64_t address)
{
    return image_span(&image, owner, address, false, true, &low, &high);
}

static void a_borrower_gets_what_is_lent(void **state)
{
    (void)state;
    uint32_t one = image_add_owner(&image, "one"), two = image_add_owner(&image, "two");
    uint32_t three = image_add_owner(&image, "three");
    uint64_t a = image_alloc(&image, 256, 256), b = image_alloc(&image, 256, 256);
    image_describe(&image, a, &(struct image_note){.owner = one});
    image_describe(&image, b, &(struct image_note){.owner = one});
    uint32_t version = image.version;
    image_lend(&image, a, two, false);
    assert_true(image.version != version);
    assert_true(span(two, a) && !writes(two, a) && writes(one, a));
    assert_false(span(three, a) || span(two, b));
    image_lend(&image, b + 1, two, true); /* no block begins there */
    assert_false(span(two, b));
    image_lend(&image, b, two, true);
    assert_true(writes(two, b) && !writes(three, b));
    image_describe(&image, b, &(struct image_note){.owner = three, .access = IMAGE_CLOSED});
    image_lend(&image, b, two, true);
    assert_false(span(two, b));
}

static void released_blocks_are_remembered(void **state)
{
    (void)state;
    uint64_t a = image_alloc(&image, 400, 256), b = image_alloc(&image, 400, 256);
    uint32_t version = image.version;
    image_release(&image, a);
    assert_true(image.version != version);
    assert_false(span(0, a));
    expect(a + 20, IMAGE_FREED, a, 20);
    assert_int_equal(image_alloc(&image, 8, 256), a);
    expect(a + 4, IMAGE_INSIDE, a, 4);
    expect(a + 20, IMAGE_FREED, a, 20);
    for (uint32_t i = 0; i < IMAGE_HISTORY; i++)
        image_release(&image, image_alloc(&image, 16, 256));
    expect(a + 100, IMAGE_AFTER, a, 93);
    expect(b + 20, IMAGE_INSIDE, b, 20);
}

static void closed_blocks_hide_nothing(void **state)
{
    (void)state;
    uint64_t a = image_alloc(&image, 400, 256);
    (void)image_alloc(&image, 400, 256);
    image_release(&image, a);
    assert_int_equal(image_alloc(&image, 64, 256), a);
    image_describe(&image, a, &(struct image_note){.access = IMAGE_CLOSED});
    expect(a + 20, IMAGE_FREED, a, 20); /* the 400 bytes */
    image_add_part(&image, &(struct image_block){.address = a + 16, .bytes = 4});
    expect(a + 20, IMAGE_AFTER, a + 16, 1);
}

static void parts_of_a_heap(void **state)
{
    (void)state;
    uint64_t heap = image_alloc(&image, 4096, 256), after = image_alloc(&image, 16, 16);
    image_describe(&image, heap, &(struct image_note){.access = IMAGE_CLOSED});
    image_add_part(&image, &(struct image_block){.address = heap + 116, .bytes = 40});
    image_add_part(&image, &(struct image_block){.address = heap + 16, .bytes = 40});
    assert_true(span(0, heap + 16) && high == heap + 56);
    assert_false(span(0, heap));
    assert_false(span(0, heap + 56));
    expect(heap + 60, IMAGE_AFTER, heap + 16, 5);
    expect(heap + 110, IMAGE_BEFORE, heap + 116, 6);
    image_release_part(&image, heap + 16);
    assert_false(span(0, heap + 16));
    expect(heap + 20, IMAGE_FREED, heap + 16, 4);
    image_add_part(&image, &(struct image_block){.address = heap + 16, .bytes = 44});
    assert_true(span(0, heap + 16) && high == heap + 60);
    image_release(&image, heap);
    assert_false(span(0, heap + 16) || span(0, heap + 116));
    assert_true(span(0, after));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blocks_have_exact_ends, open_image, close_image),
        cmocka_unit_test_setup_teardown(notes_say_who_may, open_image, close_image),
        cmocka_unit_test_setup_teardown(owners_end_at_the_byte, open_image, close_image),
        cmocka_unit_test_setup_teardown(what_is_given_back_is_the_next_owners, open_image,
                                        close_image),
        cmocka_unit_test_setup_teardown(a_borrower_gets_what_is_lent, open_image, close_image),
        cmocka_unit_test_setup_teardown(released_blocks_are_remembered, open_image, close_image),
        cmocka_unit_test_setup_teardown(closed_blocks_hide_nothing, open_image, close_image),
        cmocka_unit_test_setup_teardown(parts_of_a_heap, open_image, close_image)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
