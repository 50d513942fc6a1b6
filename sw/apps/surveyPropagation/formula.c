/* Boolean formulas: random ones, and DIMACS files. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/surveyPropagation/surveyPropagation.h"

/* From clause_rows, variable_of and negated to the rest. */
static void complete(struct formula *f)
{
    f->edges = f->clause_rows[f->clauses];
    f->clause_of = ALLOC_ARRAY(uint32_t, f->edges);
    f->variable_rows = ALLOC_ARRAY(uint32_t, (size_t)f->variables + 1);
    f->variable_edges = ALLOC_ARRAY(uint32_t, f->edges);
    uint32_t *next = ALLOC_ARRAY(uint32_t, (size_t)f->variables + 1);
    for (uint32_t c = 0; c < f->clauses; c++)
        for (uint32_t e = f->clause_rows[c]; e < f->clause_rows[c + 1]; e++) {
            f->clause_of[e] = c;
            f->variable_rows[f->variable_of[e] + 1]++;
        }
    for (uint32_t v = 0; v < f->variables; v++)
        f->variable_rows[v + 1] += f->variable_rows[v];
    memcpy(next, f->variable_rows, ((size_t)f->variables + 1) * sizeof *next);
    for (uint32_t e = 0; e < f->edges; e++)
        f->variable_edges[next[f->variable_of[e]]++] = e;
    free(next);
}

void formula_random(uint64_t seed, uint32_t clauses, uint32_t variables, uint32_t literals,
                    struct formula *formula)
{
    struct rng rng;
    struct formula f = {.clauses = clauses, .variables = variables};
    size_t edges = (size_t)clauses * literals;
    f.clause_rows = ALLOC_ARRAY(uint32_t, (size_t)clauses + 1);
    f.variable_of = ALLOC_ARRAY(uint32_t, edges);
    f.negated = ALLOC_ARRAY(uint8_t, edges);
    rng_seed(&rng, seed);
    for (uint32_t c = 0, e = 0; c < clauses; c++) {
        while (e < (c + 1) * literals) {
            uint32_t v = rng_below(&rng, variables), other = c * literals;
            while (other < e && f.variable_of[other] != v)
                other++;
            if (other < e)
                continue;
            f.negated[e] = rng_chance(&rng, 1, 2);
            f.variable_of[e++] = v;
        }
        f.clause_rows[c + 1] = e;
    }
    complete(&f);
    *formula = f;
}

struct parse {
    const char *path;
    uint32_t line;
    uint32_t variables, clauses; /* of the 'p' line; 0 variables: not read yet */
    uint32_t edge_capacity;
};

/* The next number of the line; the place behind it, or NULL. */
static const char *number(const char *at, long long *value)
{
    char *after = NULL;
    *value = strtoll(at, &after, 10);
    return after > at && strchr(" \t\r\n", *after) ? after : NULL;
}

static bool parse_size(struct parse *p, const char *text, struct formula *f, struct error *err)
{
    long long variables = 0, clauses = 0;
    const char *at = strncmp(text, "p cnf ", 6) == 0 ? text + 6 : NULL;
    at = at ? number(at, &variables) : NULL;
    at = at && *at != '\n' ? number(at, &clauses) : NULL;
    at = at ? at + strspn(at, " \t\r") : NULL;
    if (p->variables)
        return error_set(err, "%s:%u: a second 'p' line", p->path, p->line);
    if (!at || (*at && *at != '\n') || variables < 1 || variables > SP_MAX_EDGES || clauses < 1 ||
        clauses > SP_MAX_EDGES)
        return error_set(err, "%s:%u: expected 'p cnf VARIABLES CLAUSES', each 1 to %u", p->path,
                         p->line, SP_MAX_EDGES);
    p->variables = f->variables = (uint32_t)variables;
    p->clauses = (uint32_t)clauses;
    f->clause_rows = ALLOC_ARRAY(uint32_t, (size_t)clauses + 1);
    return true;
}

static bool add_literal(struct parse *p, long long literal, struct formula *f, struct error *err)
{
    if (f->clauses == p->clauses)
        return error_set(err, "%s:%u: the formula has more than %u clauses", p->path, p->line,
                         p->clauses);
    if (literal == 0) {
        if (f->edges == f->clause_rows[f->clauses])
            return error_set(err, "%s:%u: the clause has no literals", p->path, p->line);
        f->clause_rows[++f->clauses] = f->edges;
        return true;
    }
    if (literal < -(long long)p->variables || literal > p->variables)
        return error_set(err, "%s:%u: literal %lld exceeds the variables 1 to %u", p->path, p->line,
                         literal, p->variables);
    if (f->edges == SP_MAX_EDGES)
        return error_set(err, "%s:%u: the formula has more than %u literals", p->path, p->line,
                         SP_MAX_EDGES);
    if (f->edges == p->edge_capacity) {
        p->edge_capacity = p->edge_capacity ? 2 * p->edge_capacity : 64;
        f->variable_of = alloc_resize(f->variable_of, p->edge_capacity, sizeof *f->variable_of);
        f->negated = alloc_resize(f->negated, p->edge_capacity, sizeof *f->negated);
    }
    f->variable_of[f->edges] = (uint32_t)(literal < 0 ? -literal : literal) - 1;
    f->negated[f->edges++] = literal < 0;
    return true;
}

static bool parse_line(struct parse *p, const char *text, struct formula *f, struct error *err)
{
    if (*text == 'c')
        return true;
    if (*text == 'p')
        return parse_size(p, text, f, err);
    for (text += strspn(text, " \t\r"); *text && *text != '\n'; text += strspn(text, " \t\r")) {
        long long literal;
        const char *after = number(text, &literal);
        if (!after)
            return error_set(err, "%s:%u: '%.*s' is no literal", p->path, p->line,
                             (int)strcspn(text, " \t\r\n"), text);
        if (p->variables == 0)
            return error_set(err, "%s:%u: a clause precedes the line 'p cnf VARIABLES CLAUSES'",
                             p->path, p->line);
        if (!add_literal(p, literal, f, err))
            return false;
        text = after;
    }
    return true;
}

bool formula_parse(const char *path, const char *text, struct formula *formula, struct error *err)
{
    struct parse p = {.path = path};
    struct formula f = {0};
    bool good = true;
    while (good && *text && *text != '%') {
        p.line++;
        good = parse_line(&p, text, &f, err);
        text += strcspn(text, "\n");
        text += *text != 0;
    }
    if (good && p.variables == 0)
        good = error_set(err, "%s: the line 'p cnf VARIABLES CLAUSES' is missing", path);
    if (good && f.edges > f.clause_rows[f.clauses])
        good = error_set(err, "%s: the last clause does not end with 0", path);
    if (good && f.clauses != p.clauses)
        good = error_set(err, "%s: the file has %u clauses, but its 'p' line says %u", path,
                         f.clauses, p.clauses);
    if (good)
        complete(&f);
    else
        formula_free(&f);
    *formula = f;
    return good;
}

void formula_free(struct formula *f)
{
    free(f->clause_rows);
    free(f->variable_rows);
    free(f->variable_edges);
    free(f->clause_of);
    free(f->variable_of);
    free(f->negated);
    *f = (struct formula){0};
}
