/* What the names in an experiment file refer to. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/experiment/internal.h"

#define MAX_ROWS 100000u

int32_t experiment_variable(const struct experiment *x, const char *name)
{
    for (uint32_t i = 0; i < x->n_variables; i++) {
        if (!strcmp(x->variables[i].name, name))
            return (int32_t)i;
    }
    return -1;
}

int32_t experiment_label(const struct experiment *x, uint32_t variable, const char *name)
{
    const struct variable *v = &x->variables[variable];
    for (uint32_t i = 0; i < v->count; i++) {
        if (!strcmp(v->labels[i].name, name))
            return (int32_t)i;
    }
    return -1;
}

static int32_t name_variable(void *user, const char *name)
{
    return experiment_variable(user, name);
}

static int32_t name_label(void *user, uint32_t variable, const char *name)
{
    return experiment_label(user, variable, name);
}

static uint32_t name_label_count(void *user, uint32_t variable)
{
    const struct experiment *x = user;
    return x->variables[variable].count;
}

/* 64, 8K, 1M; NAN for other labels. */
static double name_label_number(void *user, uint32_t variable, uint32_t label)
{
    const struct experiment *x = user;
    char *end;
    double number = strtod(x->variables[variable].labels[label].name, &end);
    if (end == x->variables[variable].labels[label].name)
        return NAN;
    if (*end == 'K')
        number *= 1 << 10;
    else if (*end == 'M')
        number *= 1 << 20;
    else if (*end)
        return NAN;
    return end[*end != '\0'] ? NAN : number;
}

static int32_t name_figure(void *user, const char *name)
{
    const struct experiment *x = user;
    for (uint32_t i = 0; i < x->n_figures; i++) {
        if (!strcmp(x->figures[i].name, name))
            return (int32_t)i;
    }
    return -1;
}

static uint32_t name_figure_needs(void *user, uint32_t figure)
{
    const struct experiment *x = user;
    const struct simulation *s = &x->simulations[x->figures[figure].simulation];
    uint32_t mask = 0;
    for (uint32_t i = 0; i < s->n_over; i++)
        mask |= 1u << s->over[i];
    for (uint32_t i = 0; i < x->figures[figure].n_extra; i++)
        mask |= 1u << x->figures[figure].extra[i];
    return mask;
}

/* The last of its variables changes fastest. */
static uint32_t row_of(const struct experiment *x, const struct simulation *s,
                       const struct binding *at)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < s->n_over; i++)
        row = row * x->variables[s->over[i]].count + (uint32_t)at->label[s->over[i]];
    return s->first_row + row;
}

static double name_figure_value(void *user, uint32_t figure, const struct binding *at)
{
    const struct experiment *x = user;
    const struct simulation *s = &x->simulations[x->figures[figure].simulation];
    return *experiment_value(x, &x->figures[figure], row_of(x, s, at), at);
}

double *experiment_value(const struct experiment *x, const struct figure *f, uint32_t row,
                         const struct binding *at)
{
    uint32_t index = row - x->simulations[f->simulation].first_row;
    for (uint32_t i = 0; i < f->n_extra; i++)
        index = index * x->variables[f->extra[i]].count + (uint32_t)at->label[f->extra[i]];
    return &x->values[f->first + index];
}

/* Those before the one that is being bound, which have an expression: no definition needs itself.
 */
static const struct expression *name_definition(void *user, const char *name)
{
    const struct experiment *x = user;
    for (uint32_t i = 0; i < x->n_definitions; i++) {
        if (!strcmp(x->definitions[i].name, name))
            return x->definitions[i].expression;
    }
    return NULL;
}

struct heading {
    char text[96];
};

/* "[KIND NAME]"; "[KIND]" of the only one, which has no name. */
static struct heading heading(const char *kind, const char *name)
{
    struct heading h;
    snprintf(h.text, sizeof h.text, "[%s%s%s]", kind, *name ? " " : "", name);
    return h;
}

/* All variables when it does not say which. */
static bool bind_over(struct experiment *x, struct simulation *s, struct error *err)
{
    for (uint32_t v = 0; !s->over_text && v < x->n_variables; v++)
        s->over[s->n_over++] = v;
    if (s->over_text && !experiment_variables(x, s->over_text, s->over, &s->n_over, err)) {
        error_prefix(err, "%s over", heading("simulation", s->name).text);
        return false;
    }
    uint64_t rows = 1;
    for (uint32_t i = 0; i < s->n_over && rows <= MAX_ROWS; i++)
        rows *= x->variables[s->over[i]].count;
    if (x->rows + rows > MAX_ROWS)
        return error_set(err, "more than %u simulations", MAX_ROWS);
    s->first_row = x->rows;
    s->rows = (uint32_t)rows;
    x->rows += s->rows;
    return true;
}

static bool bind_options(const struct experiment *x, const struct simulation *s, struct error *err)
{
    struct binding at;
    char *text;
    for (uint32_t v = 0; v < MAX_VARIABLES; v++)
        at.label[v] = UNBOUND;
    for (uint32_t i = 0; i < s->n_over; i++)
        at.label[s->over[i]] = 0;
    for (uint32_t i = 0; i < s->n_options; i++) {
        if (!experiment_fill(x, s->options[i].text, &at, &text, err)) {
            error_prefix(err, "%s %s", heading("simulation", s->name).text, s->options[i].key);
            return false;
        }
        free(text);
    }
    return true;
}

static bool bind_formula(struct experiment *x, struct formula *f, uint32_t bound, struct error *err)
{
    f->expression = expression_parse(f->text, &x->names, err);
    if (!f->expression) {
        error_prefix(err, "%s", f->name);
        return false;
    }
    uint32_t open = expression_needs(f->expression) & ~bound;
    for (uint32_t v = 0; open && v < x->n_variables; v++) {
        if (open & 1u << v)
            return error_set(err,
                             "%s: the value depends on %s, which has no label here; write "
                             "NAME[%s=LABEL] or a fold over it",
                             f->name, x->variables[v].name, x->variables[v].name);
    }
    return true;
}

static bool bind_table(struct experiment *x, struct table *t, struct error *err)
{
    double nothing;
    int32_t rows = t->rows_text ? experiment_variable(x, t->rows_text) : -1;
    t->columns_variable = t->columns_text ? experiment_variable(x, t->columns_text) : -1;
    if (rows < 0)
        return error_set(err, "rows: must be a variable");
    if (t->columns_text && t->columns_variable < 0)
        return error_set(err, "columns: must be a variable, or left out");
    if (t->columns_text ? t->n_columns != 1 : t->n_columns == 0)
        return error_set(err, "needs `columns` and one `cell`, or one or more `column NAME`");
    t->over = t->over_text ? experiment_variable(x, t->over_text) : x->over;
    if (!t->over_text && (t->over == rows || t->over == t->columns_variable))
        t->over = -1;
    if (t->over_text && (t->over < 0 || t->over == rows || t->over == t->columns_variable))
        return error_set(err, "over: must be a variable, and not that of rows or columns");
    if (t->fold && !fold_named(t->fold, NULL, 0, &nothing))
        return error_set(err, "fold: must be mean, geomean, hmean, sum, min or max");
    t->rows = (uint32_t)rows;
    uint32_t bound = 1u << t->rows;
    if (t->columns_variable >= 0)
        bound |= 1u << t->columns_variable;
    if (t->over >= 0)
        bound |= 1u << t->over;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (!bind_formula(x, &t->columns[i], bound, err))
            return false;
    }
    return true;
}

static bool find_table(const struct experiment *x, const char *name, uint32_t *index)
{
    for (*index = 0; *index < x->n_tables; (*index)++) {
        if (!strcmp(x->tables[*index].name, name))
            return true;
    }
    return false;
}

static bool bind_picture(struct experiment *x, struct picture *p, struct error *err)
{
    const char *table = p->table_name ? p->table_name : "";
    if (!find_table(x, table, &p->table))
        return error_set(err, "table: no table is named '%s'", table);
    if (!p->kind || (strcmp(p->kind, "bars") != 0 && strcmp(p->kind, "stacked") != 0 &&
                     strcmp(p->kind, "lines") != 0))
        return error_set(err, "kind: must be bars, stacked or lines");
    if (!p->x_label || !p->y_label)
        return error_set(err, "x and y: the axes need labels with units");
    return true;
}

/* ROW/COLUMN of a table, or a summary name. */
static bool bind_paper(const struct experiment *x, struct paper_value *p, struct error *err)
{
    if (*p->table_name || strchr(p->cell, '/'))
        return find_table(x, p->table_name, &p->table) ||
               error_set(err, "%s: no table has this name", heading("paper", p->table_name).text);
    p->table = UINT32_MAX;
    for (uint32_t i = 0; i < x->n_summary; i++) {
        if (!strcmp(x->summary[i].name, p->cell))
            return true;
    }
    return error_set(err, "[paper] %s: [summary] does not define it", p->cell);
}

static bool bind_all(struct experiment *x, struct error *err)
{
    for (uint32_t i = 0; i < x->n_definitions; i++) {
        if (!bind_formula(x, &x->definitions[i], UINT32_MAX, err))
            return error_prefix(err, "[define]"), false;
    }
    for (uint32_t i = 0; i < x->n_tables; i++) {
        if (!bind_table(x, &x->tables[i], err))
            return error_prefix(err, "%s", heading("table", x->tables[i].name).text), false;
    }
    for (uint32_t i = 0; i < x->n_pictures; i++) {
        if (!bind_picture(x, &x->pictures[i], err))
            return error_prefix(err, "%s", heading("picture", x->pictures[i].name).text), false;
    }
    for (uint32_t i = 0; i < x->n_summary; i++) {
        if (!bind_formula(x, &x->summary[i], x->over < 0 ? 0 : 1u << x->over, err))
            return error_prefix(err, "[summary]"), false;
    }
    for (uint32_t i = 0; i < x->n_paper; i++) {
        if (!bind_paper(x, &x->paper[i], err))
            return false;
    }
    return true;
}

/* What a source names beside the variables of its simulation. */
static bool bind_figure(const struct experiment *x, struct figure *f, struct error *err)
{
    const struct simulation *s = &x->simulations[f->simulation];
    struct binding at;
    uint32_t named = 0;
    char *source;
    experiment_text_variables(x, f->source, &named);
    for (uint32_t v = 0; v < MAX_VARIABLES; v++)
        at.label[v] = 0;
    if (!experiment_fill(x, f->source, &at, &source, err)) {
        error_prefix(err, "%s %s", heading("figures", s->name).text, f->name);
        return false;
    }
    free(source);
    for (uint32_t i = 0; i < s->n_over; i++)
        named &= ~(1u << s->over[i]);
    f->per_row = 1;
    for (uint32_t v = 0; v < x->n_variables; v++) {
        if (!(named >> v & 1))
            continue;
        f->extra[f->n_extra++] = v;
        f->per_row *= x->variables[v].count;
    }
    return true;
}

static bool bind_figures(struct experiment *x, struct error *err)
{
    size_t values = 0;
    for (uint32_t i = 0; i < x->n_figures; i++) {
        struct figure *f = &x->figures[i];
        if (!bind_figure(x, f, err))
            return false;
        f->first = values;
        values += (size_t)f->per_row * x->simulations[f->simulation].rows;
    }
    x->values = ALLOC_ARRAY(double, values);
    for (size_t i = 0; i < values; i++)
        x->values[i] = NAN;
    return true;
}

bool experiment_bind(struct experiment *x, struct error *err)
{
    x->names = (struct names){.user = x,
                              .variable = name_variable,
                              .label = name_label,
                              .label_count = name_label_count,
                              .label_number = name_label_number,
                              .figure = name_figure,
                              .figure_needs = name_figure_needs,
                              .figure_value = name_figure_value,
                              .definition = name_definition};
    if (!x->title)
        return error_set(err, "[experiment] title is missing");
    x->over = x->over_text ? experiment_variable(x, x->over_text) : -1;
    if (x->over_text && x->over < 0)
        return error_set(err, "[experiment] over: must be a variable");
    if (x->members && !x->members[strspn(x->members, " ,")])
        return error_set(err, "[experiment] members: names none");
    if (x->members)
        return x->n_simulations == 0 ||
               error_set(err,
                         "[experiment] members: a file with members must contain nothing else");
    if (!experiment_bind_maps(x, err))
        return false;
    for (uint32_t i = 0; i < x->n_simulations; i++) {
        struct simulation *s = &x->simulations[i];
        if (s->n_options == 0 && !s->command)
            return error_set(err, "%s: the section is empty", heading("simulation", s->name).text);
        if (!bind_over(x, s, err) || !bind_options(x, s, err))
            return false;
    }
    if (x->rows == 0)
        return error_set(err, "[simulation] is missing");
    if (x->n_figures == 0)
        return error_set(err, "[figures] is missing");
    if (!bind_figures(x, err))
        return false;
    return bind_all(x, err);
}

const struct simulation *experiment_row(const struct experiment *x, uint32_t row,
                                        struct binding *at)
{
    const struct simulation *s = x->simulations;
    while (row >= s->first_row + s->rows)
        s++;
    uint32_t rest = row - s->first_row;
    for (uint32_t v = 0; v < MAX_VARIABLES; v++)
        at->label[v] = UNBOUND;
    for (uint32_t i = s->n_over; i-- > 0;) {
        uint32_t count = x->variables[s->over[i]].count;
        at->label[s->over[i]] = (int32_t)(rest % count);
        rest /= count;
    }
    return s;
}

void experiment_row_name(const struct experiment *x, uint32_t row, char *text, size_t room)
{
    struct binding at;
    const struct simulation *s = experiment_row(x, row, &at);
    size_t n = 0;
    text[0] = '\0';
    if (*s->name)
        n = (size_t)snprintf(text, room, "%s:", s->name);
    for (uint32_t i = 0; i < s->n_over && n < room; i++) {
        uint32_t v = s->over[i];
        n += (size_t)snprintf(text + n, room - n, "%s%s", i ? "," : "",
                              x->variables[v].labels[at.label[v]].name);
    }
    if (!*text)
        snprintf(text, room, "all");
}

const struct paper_value *experiment_paper(const struct experiment *x, uint32_t table,
                                           const char *cell)
{
    for (uint32_t i = 0; i < x->n_paper; i++) {
        if (x->paper[i].table == table && !strcmp(x->paper[i].cell, cell))
            return &x->paper[i];
    }
    return NULL;
}
