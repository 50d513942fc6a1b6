/* Settings of services: values, errors and help by a table. */
#include "sim/guest/service/settings.h"
#include "tests/unit.h"

enum { COUNT, SIZE, WAYS, COLOUR, NAME, LOUD, ROWS };

static const char *const colours[] = {"red", "green", "blue", NULL};

static const struct setting_row rows[] = {
    [COUNT] = {.key = "count",
               .type = SETTING_NUMBER,
               .unit = "N",
               .help = "of things",
               .least = 2,
               .most = 20,
               .usual = 7},
    [SIZE] = {.key = "size",
              .type = SETTING_NUMBER,
              .unit = "BYTES",
              .help = "of each",
              .most = 40,
              .multiple = 4,
              .usual_text = "that of the machine"},
    [WAYS] = {.key = "ways",
              .type = SETTING_NUMBER,
              .unit = "N",
              .help = "of a set",
              .least = 1,
              .most = 64,
              .power_of_two = true,
              .usual = 4},
    [COLOUR] = {.key = "colour",
                .type = SETTING_CHOICE,
                .unit = "WHICH",
                .help = "of the box",
                .choices = colours,
                .usual = 1},
    [NAME] = {.key = "name",
              .type = SETTING_TEXT,
              .unit = "FILE",
              .help = "where it lies",
              .usual_text = "none"},
    [LOUD] = {.key = "loud", .type = SETTING_FLAG, .help = "say more"},
    {.key = NULL}};

static const struct setting_row more_rows[] = {
    {.key = "seed", .type = SETTING_NUMBER, .unit = "N", .help = "of all", .most = UINT64_MAX},
    {.key = NULL}};

struct fixture {
    struct setting_value own[ROWS], more[1];
    struct settings tables[2];
};

static struct fixture fixture(void)
{
    struct fixture f = {.tables = {{rows, NULL}, {more_rows, NULL}}};
    return f;
}

static bool take(struct fixture *f, const char *key, const char *value, struct error *err)
{
    f->tables[0].values = f->own;
    f->tables[1].values = f->more;
    return settings_take(f->tables, 2, &(struct setting){key, value}, err);
}

static void takes_values(void **state)
{
    (void)state;
    struct fixture f = fixture();
    struct error err = {.set = false};
    f.tables[0].values = f.own;
    settings_default(&f.tables[0]);
    assert_int_equal(f.own[COUNT].number, 7);
    assert_int_equal(f.own[COLOUR].number, 1);
    assert_false(f.own[COUNT].given);
    assert_null(f.own[NAME].text);
    assert_true(take(&f, "count", "3", &err) && take(&f, "count", "20", &err)); /* the later one */
    assert_true(take(&f, "size", "0", &err) && take(&f, "ways", "64", &err));
    assert_true(take(&f, "colour", "blue", &err) && take(&f, "name", "a,b", &err));
    assert_true(take(&f, "loud", NULL, &err) && take(&f, "seed", "18446744073709551615", &err));
    assert_int_equal(f.own[COUNT].number, 20);
    assert_true(f.own[SIZE].given && f.own[SIZE].number == 0);
    assert_int_equal(f.own[WAYS].number, 64);
    assert_int_equal(f.own[COLOUR].number, 2);
    assert_string_equal(f.own[NAME].text, "a,b");
    assert_true(f.own[LOUD].given && f.own[LOUD].number == 1);
    assert_true(f.more[0].number == UINT64_MAX);
}

static void names_what_is_wrong(void **state)
{
    static const struct {
        const char *key, *value, *message;
    } CASES[] = {{"count", NULL, "count: needs a number, as count=2"},
                 {"count", "1", "count=1: must be 2 to 20"},
                 {"count", "21", "count: '21' is not a whole number up to 20"},
                 {"count", "x", "count: 'x' is not a whole number up to 20"},
                 {"size", "6", "size=6: must be a multiple of 4"},
                 {"ways", "12", "ways=12: must be a power of two"},
                 {"colour", "pink", "colour pink: must be red, green or blue"},
                 {"colour", NULL, "colour : must be red, green or blue"},
                 {"name", "", "name: needs a value, as name=FILE"},
                 {"loud", "1", "loud: takes no value"},
                 {"counts", "1",
                  "no setting counts; there are count, size, ways, colour, name, loud, seed; did "
                  "you mean `count`?"}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct fixture f = fixture();
        struct error err = {.set = false};
        assert_false(take(&f, CASES[i].key, CASES[i].value, &err));
        assert_string_equal(err.text, CASES[i].message);
    }
}

static void prints_help(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    settings_print(rows, to);
    settings_print(more_rows, to);
    fclose(to);
    assert_string_equal(text, "count=N           of things (2 to 20; default: 7)\n"
                              "size=BYTES        of each (0 to 40; default: that of the machine)\n"
                              "ways=N            of a set (1 to 64; default: 4)\n"
                              "colour=WHICH      of the box (red, green or blue; default: green)\n"
                              "name=FILE         where it lies (default: none)\n"
                              "loud              say more\n"
                              "seed=N            of all (default: 0)\n");
    free(text);
}

static void cuts_lists(void **state)
{
    char text[] = "a=1,b\\,c=2\\\\,,d=\\x,e", *rest = text;
    (void)state;
    assert_string_equal(settings_next(&rest), "a=1");
    assert_string_equal(settings_next(&rest), "b,c=2\\");
    assert_string_equal(settings_next(&rest), "");
    char *item = settings_next(&rest);
    assert_string_equal(item, "d=\\x"); /* a backslash before anything else is one */
    struct setting s = setting_of(item);
    assert_string_equal(s.key, "d");
    assert_string_equal(s.value, "\\x");
    s = setting_of(settings_next(&rest));
    assert_string_equal(s.key, "e");
    assert_null(s.value);
    assert_null(settings_next(&rest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_values),
                                       cmocka_unit_test(names_what_is_wrong),
                                       cmocka_unit_test(prints_help), cmocka_unit_test(cuts_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
