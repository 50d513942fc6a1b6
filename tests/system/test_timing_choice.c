/* What --timing says: parsed, refused, and applied to launches. */
#include <string.h>

#include "sim/gpu/timing.h"
#include "tests/unit.h"

static struct timing_choice parse(const char *text)
{
    struct timing_choice choice;
    struct error err = {0};
    if (!timing_parse(text, &choice, &err))
        fail_msg("%s", err.text);
    return choice;
}

static void refuse(const char *text, const char *why)
{
    struct timing_choice choice;
    struct error err = {0};
    assert_false(timing_parse(text, &choice, &err));
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
}

static void test_parse(void **state)
{
    (void)state;
    assert_int_equal(parse("all").kind, TIMED_ALL);
    assert_int_equal(parse("none").kind, TIMED_NONE);
    assert_int_equal(parse("every:7").number, 7);
    assert_int_equal(parse("after:0").number, 0);
    assert_int_equal(parse("a,bc,none").n_names, 3);
    refuse("every:0", "a whole number, 1 or more");
    refuse("every:", "a whole number, 1 or more");
    refuse("after:-1", "a whole number, 0 or more");
    refuse("after:3x", "a whole number");
    refuse("after:18446744073709551616", "of at most 64 bits");
    refuse("a,,b", "must be all, none, every:N");
    refuse("", "must be all, none");
    refuse("each:3", "must be all, none");
    refuse("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "more than 16 kernels");
}

static bool named(const char *name, const char *kernel)
{
    return timing_names(name, (uint32_t)strlen(name), kernel);
}

static void test_names(void **state)
{
    (void)state;
    assert_true(named("add", "add"));
    assert_true(named("add", "_Z3addPfS_i"));
    assert_true(named("_Z3addPfS_i", "_Z3addPfS_i"));
    assert_true(named("reduce", "_Z6reduceIfLj256EEvPT_"));
    assert_true(named("add", "_ZN5space3addEPf"));
    assert_true(named("add", "_ZN12_GLOBAL__N_13addEPf"));
    assert_false(named("ad", "_Z3addPf"));
    assert_false(named("add", "adder"));
    assert_false(named("space", "_ZN5space3addEPf"));
    assert_false(named("add", "_Z99add"));
}

static void test_selects(void **state)
{
    (void)state;
    struct timing_choice every = parse("every:3"), after = parse("after:100"), some = parse("b,a");
    for (uint64_t i = 0; i < 7; i++)
        assert_int_equal(timing_selects(&every, "k", i, 0), i % 3 == 0);
    assert_false(timing_selects(&after, "k", 5, 99));
    assert_true(timing_selects(&after, "k", 5, 100));
    assert_true(timing_selects(&some, "_Z1aPi", 0, 0));
    assert_int_equal(timing_named(&some, "_Z1aPi"), 2);
    assert_false(timing_selects(&some, "_Z1cPi", 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parse), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_selects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
