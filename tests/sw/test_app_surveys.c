/* Formulas of surveyPropagation, and its reference on formulas whose answer is known. */
#include "base/error.h"
#include "sw/apps/surveyPropagation/surveyPropagation.h"
#include "tests/unit.h"

static struct sp_state propagate(const struct formula *f, uint32_t steps)
{
    struct sp_state s;
    struct sp_limits limits = {.sweeps = 1000, .steps = steps, .fix = 1};
    sp_start(f, 3, &s);
    sp_reference(f, &limits, &s);
    return s;
}

static struct formula parsed(const char *text)
{
    struct formula f;
    struct error err = {0};
    assert_true(formula_parse("f", text, &f, &err));
    return f;
}

/* Units lead to all of it: 1, then not 2, then 3. */
static void units_are_followed(void **state)
{
    (void)state;
    struct formula f = parsed("c units\np cnf 3 3\n1 0 -1 -2\n0\n 2 3 0\n%\n0\n");
    struct sp_state s = propagate(&f, 100);
    assert_int_equal(s.end, SP_NO_LEANING);
    assert_int_equal(s.steps, 3);
    assert_memory_equal(s.fixed, ((uint8_t[]){1, 1, 1}), 3);
    assert_memory_equal(s.value, ((uint8_t[]){1, 0, 1}), 3);
    assert_memory_equal(s.satisfied, ((uint8_t[]){1, 1, 1}), 3);
    assert_int_equal(sp_contradictions(&f, &s), 0);
    s.value[0] = 0;
    s.satisfied[0] = 0;
    assert_int_equal(sp_contradictions(&f, &s), 1);
    sp_free(&s);
    formula_free(&f);
}

static void a_contradiction_leans_nowhere(void **state)
{
    (void)state;
    struct formula f = parsed("p cnf 1 2\n1 0\n-1 0\n");
    struct sp_state s = propagate(&f, 100);
    assert_int_equal(s.end, SP_NO_LEANING);
    assert_int_equal(s.steps, 0);
    assert_float_equal(s.survey[0], 1.0f, 0.0f);
    assert_float_equal(s.survey[1], 1.0f, 0.0f);
    sp_free(&s);
    formula_free(&f);
}

/* Few clauses bind nothing, and many bind: the surveys die out, and they do not. */
static void surveys_live_near_the_threshold(void **state)
{
    (void)state;
    struct formula few, many;
    formula_random(1, 3500, 1000, 3, &few);
    formula_random(1, 4200, 1000, 3, &many);
    struct sp_state a = propagate(&few, 3), b = propagate(&many, 3);
    assert_int_equal(a.end, SP_NO_LEANING);
    assert_int_equal(a.steps, 0);
    assert_int_equal(b.end, SP_STEPS);
    for (uint32_t c = 0; c < many.clauses; c++) { /* satisfied: by a variable that is fixed so */
        bool by_fixed = false;
        for (uint32_t e = many.clause_rows[c]; e < many.clause_rows[c + 1]; e++)
            by_fixed |=
                b.fixed[many.variable_of[e]] && b.value[many.variable_of[e]] != many.negated[e];
        assert_int_equal(b.satisfied[c], by_fixed);
    }
    sp_free(&a);
    sp_free(&b);
    formula_free(&few);
    formula_free(&many);
}

static void random_formulas_are_whole(void **state)
{
    (void)state;
    struct formula f;
    formula_random(7, 50, 5, 5, &f);
    assert_int_equal(f.edges, 250);
    for (uint32_t c = 0; c < 50; c++) {
        uint32_t seen = 0;
        assert_int_equal(f.clause_rows[c], 5 * c);
        for (uint32_t e = 5 * c; e < 5 * c + 5; e++) {
            assert_int_equal(f.clause_of[e], c);
            seen |= 1u << f.variable_of[e];
        }
        assert_int_equal(seen, 31);
    }
    for (uint32_t v = 0; v < 5; v++) {
        assert_int_equal(f.variable_rows[v + 1] - f.variable_rows[v], 50);
        for (uint32_t i = f.variable_rows[v]; i < f.variable_rows[v + 1]; i++)
            assert_int_equal(f.variable_of[f.variable_edges[i]], v);
    }
    formula_free(&f);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "f: the line 'p cnf VARIABLES CLAUSES' is missing"},
        {"1 0\n", "f:1: a clause precedes the line 'p cnf VARIABLES CLAUSES'"},
        {"p cnf 3\n1 0\n", "f:1: expected 'p cnf VARIABLES CLAUSES', each 1 to 134217728"},
        {"p cnf 0 1\n", "f:1: expected 'p cnf VARIABLES CLAUSES', each 1 to 134217728"},
        {"p cnf 3 1 1\n", "f:1: expected 'p cnf VARIABLES CLAUSES', each 1 to 134217728"},
        {"p sat 3 1\n", "f:1: expected 'p cnf VARIABLES CLAUSES', each 1 to 134217728"},
        {"p cnf 3 1\np cnf 3 1\n", "f:2: a second 'p' line"},
        {"p cnf 3 1\n4 0\n", "f:2: literal 4 exceeds the variables 1 to 3"},
        {"p cnf 3 1\n1 -4 0\n", "f:2: literal -4 exceeds the variables 1 to 3"},
        {"p cnf 3 1\n1 x 0\n", "f:2: 'x' is no literal"},
        {"p cnf 3 1\n1 2x 0\n", "f:2: '2x' is no literal"},
        {"p cnf 3 1\n0\n", "f:2: the clause has no literals"},
        {"p cnf 3 1\n1 0\n2 0\n", "f:3: the formula has more than 1 clauses"},
        {"p cnf 3 2\n1 0\n2\n", "f: the last clause does not end with 0"},
        {"p cnf 3 2\n1 0\n", "f: the file has 1 clauses, but its 'p' line says 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct formula f;
        struct error err = {0};
        assert_false(formula_parse("f", bad[i][0], &f, &err));
        assert_string_equal(err.text, bad[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_followed),
        cmocka_unit_test(a_contradiction_leans_nowhere),
        cmocka_unit_test(surveys_live_near_the_threshold),
        cmocka_unit_test(random_formulas_are_whole),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
