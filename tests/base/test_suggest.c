/* base/suggest.h: distances by hand. */
#include "base/suggest.h"
#include "tests/unit.h"

static const char *nearest(const char *word, const char *const *names)
{
    struct suggestion s = suggest(word);
    for (; *names; names++)
        suggest_offer(&s, *names);
    return s.best ? s.best : "-";
}

static void test_nearest(void **state)
{
    static const char *const commands[] = {"run", "kernel", "config", "routes", NULL};
    (void)state;
    assert_string_equal(nearest("confg", commands), "config");   /* left out */
    assert_string_equal(nearest("configg", commands), "config"); /* put in */
    assert_string_equal(nearest("kermel", commands), "kernel");  /* changed */
    assert_string_equal(nearest("rnu", commands), "run");        /* exchanged: one step, of one */
    assert_string_equal(nearest("rotse", commands), "routes");   /* two steps, of two */
    assert_string_equal(nearest("rtse", commands), "-");         /* three steps, of one */
    assert_string_equal(nearest("x", commands), "-");
    assert_string_equal(nearest("", commands), "-");
}

static void test_long_words(void **state)
{
    char word[80];
    (void)state;
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const char *const names[] = {word, "run", NULL};
    assert_string_equal(nearest("run", names), "run");
    assert_string_equal(nearest(word, names), "-");
}

static void test_text(void **state)
{
    char text[SUGGEST_MOST + 24];
    (void)state;
    struct suggestion s = suggest("confg");
    assert_string_equal(suggest_text(&s, text, sizeof text), "");
    suggest_offer(&s, "config");
    assert_string_equal(suggest_text(&s, text, sizeof text), "; did you mean `config`?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest),
                                       cmocka_unit_test(test_long_words),
                                       cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
