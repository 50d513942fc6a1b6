#include "sim/experiment/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum node_kind {
    NODE_NUMBER,
    NODE_VARIABLE,
    NODE_FIGURE,
    NODE_DEFINITION,
    NODE_OPERATOR, /* of two, or '-' of one */
    NODE_FUNCTION,
    NODE_FOLD,
    NODE_ARGMAX,
    NODE_CROSS
};

struct node {
    enum node_kind kind;
    double number;
    uint32_t index; /* variable, figure; NODE_FUNCTION, NODE_FOLD: the function */
    const struct expression *definition; /* not ours */
    struct binding fixed;                /* of a reference */
    char operator;
    struct node *left, *right;
};

struct expression {
    const struct names *names;
    struct node *root;
};

struct parser {
    const char *text, *at;
    const struct names *names;
    struct error *err;
    uint32_t depth;
};

#define MAX_DEPTH 64

static const struct {
    const char *name;
    double (*apply)(double x);
} functions[] = {{"abs", fabs}, {"sqrt", sqrt}, {"log2", log2}, {"ln", log}};

static const char *const folds[] = {"mean", "geomean", "hmean", "sum", "min", "max"};

#define N_FUNCTIONS (sizeof functions / sizeof functions[0])
#define N_FOLDS     (sizeof folds / sizeof folds[0])

static struct node *parse_sum(struct parser *p);

static void node_free(struct node *n)
{
    if (!n)
        return;
    node_free(n->left);
    node_free(n->right);
    free(n);
}

static struct node *fail(struct parser *p, struct node *n, const char *what)
{
    if (p->err && !p->err->set)
        error_set(p->err, "'%s': %s at '%.20s'", p->text, what, *p->at ? p->at : "its end");
    node_free(n);
    return NULL;
}

static struct node *new_node(enum node_kind kind)
{
    struct node *n = ALLOC(struct node);
    n->kind = kind;
    for (uint32_t v = 0; v < MAX_VARIABLES; v++)
        n->fixed.label[v] = UNBOUND;
    return n;
}

static void skip_space(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(struct parser *p, char c)
{
    skip_space(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static bool take_word(struct parser *p, char *word, size_t room)
{
    skip_space(p);
    size_t n = 0;
    if (!isalpha((unsigned char)*p->at))
        return false;
    while (isalnum((unsigned char)*p->at) || *p->at == '_') {
        if (n + 1 >= room)
            return false;
        word[n++] = *p->at++;
    }
    word[n] = '\0';
    return true;
}

/* VARIABLE=LABEL, ... ] */
static bool parse_fixed(struct parser *p, struct binding *fixed)
{
    char word[64], label[64];
    do {
        if (!take_word(p, word, sizeof word) || !take(p, '='))
            return false;
        int32_t variable = p->names->variable(p->names->user, word);
        skip_space(p);
        size_t n = strcspn(p->at, ",]");
        if (variable < 0 || n == 0 || n >= sizeof label)
            return false;
        snprintf(label, sizeof label, "%.*s", (int)n, p->at);
        for (size_t end = n; end > 0 && isspace((unsigned char)label[end - 1]); end--)
            label[end - 1] = '\0';
        int32_t index = p->names->label(p->names->user, (uint32_t)variable, label);
        if (index < 0)
            return false;
        fixed->label[variable] = index;
        p->at += n;
    } while (take(p, ','));
    return take(p, ']');
}

static struct node *parse_reference(struct parser *p, const char *word)
{
    struct node *n = new_node(NODE_FIGURE);
    int32_t variable = p->names->variable(p->names->user, word);
    int32_t figure = p->names->figure(p->names->user, word);
    n->definition = p->names->definition(p->names->user, word);
    if (n->definition) {
        n->kind = NODE_DEFINITION;
    } else if (figure >= 0) {
        n->index = (uint32_t)figure;
    } else if (variable >= 0) {
        n->kind = NODE_VARIABLE;
        n->index = (uint32_t)variable;
        return n;
    } else {
        return fail(p, n, "unknown name, neither figure, definition nor variable; it ends");
    }
    if (take(p, '[') && !parse_fixed(p, &n->fixed))
        return fail(p, n, "expected VARIABLE=LABEL] of this experiment");
    return n;
}

static struct node *parse_fold(struct parser *p, enum node_kind kind, uint32_t fold)
{
    struct node *n = new_node(kind);
    bool cross = kind == NODE_CROSS;
    char word[64];
    int32_t variable = -1;
    n->number = fold;
    if (take_word(p, word, sizeof word))
        variable = p->names->variable(p->names->user, word);
    if (variable < 0 || !take(p, ':'))
        return fail(p, n, "a fold needs (VARIABLE: EXPRESSION)");
    n->index = (uint32_t)variable;
    n->left = parse_sum(p);
    if (n->left && cross)
        n->right = take(p, ',') ? parse_sum(p) : NULL;
    if (!n->left || (cross && !n->right) || !take(p, ')'))
        return fail(p, n, "the fold does not end");
    return n;
}

static struct node *parse_call(struct parser *p, const char *word)
{
    for (uint32_t i = 0; i < N_FOLDS; i++) {
        if (!strcmp(word, folds[i]))
            return parse_fold(p, NODE_FOLD, i);
    }
    if (!strcmp(word, "argmax"))
        return parse_fold(p, NODE_ARGMAX, 0);
    if (!strcmp(word, "cross"))
        return parse_fold(p, NODE_CROSS, 0);
    struct node *n = new_node(NODE_FUNCTION);
    for (n->index = 0; n->index < N_FUNCTIONS; n->index++) {
        if (!strcmp(word, functions[n->index].name))
            break;
    }
    if (n->index == N_FUNCTIONS)
        return fail(p, n, "unknown function; its name ends");
    n->left = parse_sum(p);
    return n->left && take(p, ')') ? n : fail(p, n, "a ) is missing");
}

static struct node *parse_primary(struct parser *p)
{
    char word[64];
    skip_space(p);
    if (++p->depth > MAX_DEPTH)
        return fail(p, NULL, "nested too deeply");
    struct node *n = NULL;
    if (isdigit((unsigned char)*p->at)) {
        char *end;
        n = new_node(NODE_NUMBER);
        n->number = strtod(p->at, &end);
        p->at = end;
    } else if (take(p, '-')) {
        n = new_node(NODE_OPERATOR);
        n->operator= '-';
        n->right = parse_primary(p);
        if (!n->right)
            n = fail(p, n, "a value is missing");
    } else if (take(p, '(')) {
        n = parse_sum(p);
        if (n && !take(p, ')'))
            n = fail(p, n, "a ) is missing");
    } else if (take_word(p, word, sizeof word)) {
        n = take(p, '(') ? parse_call(p, word) : parse_reference(p, word);
    } else {
        n = fail(p, NULL, "a value is missing");
    }
    p->depth--;
    return n;
}

static struct node *join(struct node *left, char operator, struct node * right)
{
    struct node *n = new_node(NODE_OPERATOR);
    n->operator= operator;
    n->left = left;
    n->right = right;
    return n;
}

static struct node *parse_power(struct parser *p)
{
    struct node *n = parse_primary(p);
    if (!n || !take(p, '^'))
        return n;
    struct node *exponent = parse_primary(p);
    return exponent ? join(n, '^', exponent) : fail(p, n, "an exponent is missing");
}

/* Operands joined from the left by operators of one rank. */
static struct node *parse_rank(struct parser *p, const char *operators,
                               struct node *(*operand)(struct parser *p))
{
    struct node *n = operand(p);
    while (n) {
        char operator= take(p, operators[0]) ? operators[0]
        : take(p, operators[1])              ? operators[1]
                                             : '\0';
        if (!operator)
            break;
        struct node *right = operand(p);
        n = right ? join(n, operator, right) : fail(p, n, "a value is missing");
    }
    return n;
}

static struct node *parse_product(struct parser *p)
{
    return parse_rank(p, "*/", parse_power);
}

static struct node *parse_sum(struct parser *p)
{
    return parse_rank(p, "+-", parse_product);
}

struct expression *expression_parse(const char *text, const struct names *names, struct error *err)
{
    struct parser p = {.text = text, .at = text, .names = names, .err = err};
    struct node *root = parse_sum(&p);
    skip_space(&p);
    if (root && *p.at)
        root = fail(&p, root, "unexpected text after the expression");
    if (!root)
        return NULL;
    struct expression *e = ALLOC(struct expression);
    e->names = names;
    e->root = root;
    return e;
}

void expression_free(struct expression *e)
{
    if (e)
        node_free(e->root);
    free(e);
}

static uint32_t needs(const struct names *names, const struct node *n)
{
    if (!n)
        return 0;
    uint32_t mask = needs(names, n->left) | needs(names, n->right);
    if (n->kind == NODE_VARIABLE)
        mask |= 1u << n->index;
    if (n->kind == NODE_FIGURE)
        mask |= names->figure_needs(names->user, n->index);
    if (n->kind == NODE_DEFINITION)
        mask |= expression_needs(n->definition);
    for (uint32_t v = 0; v < MAX_VARIABLES; v++) {
        if (n->fixed.label[v] != UNBOUND)
            mask &= ~(1u << v);
    }
    if (n->kind == NODE_FOLD || n->kind == NODE_ARGMAX || n->kind == NODE_CROSS)
        mask &= ~(1u << n->index);
    return mask;
}

uint32_t expression_needs(const struct expression *e)
{
    return needs(e->names, e->root);
}

static double value(const struct names *names, const struct node *n, const struct binding *at);

bool fold_named(const char *name, const double *values, uint32_t count, double *result)
{
    double sum = 0, logs = 0, inverses = 0, least = INFINITY, most = -INFINITY;
    uint32_t fold = 0;
    while (fold < N_FOLDS && strcmp(name, folds[fold]) != 0)
        fold++;
    bool missing = count == 0;
    for (uint32_t i = 0; i < count; i++) {
        missing = missing || isnan(values[i]);
        sum += values[i];
        logs += log(values[i]);
        inverses += 1 / values[i];
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    const double results[N_FOLDS] = {sum / count, exp(logs / count), count / inverses, sum, least,
                                     most};
    if (fold < N_FOLDS)
        *result = missing ? NAN : results[fold];
    return fold < N_FOLDS;
}

static double fold_value(const struct names *names, const struct node *n, const struct binding *at)
{
    uint32_t count = names->label_count(names->user, n->index);
    double *values = ALLOC_ARRAY(double, count + 1), result = NAN;
    struct binding inner = *at;
    for (uint32_t i = 0; i < count; i++) {
        inner.label[n->index] = (int32_t)i;
        values[i] = value(names, n->left, &inner);
    }
    fold_named(folds[(uint32_t)n->number], values, count, &result);
    free(values);
    return result;
}

static double argmax_value(const struct names *names, const struct node *n,
                           const struct binding *at)
{
    uint32_t count = names->label_count(names->user, n->index);
    struct binding inner = *at;
    double best = -INFINITY, result = NAN;
    for (uint32_t i = 0; i < count; i++) {
        inner.label[n->index] = (int32_t)i;
        double x = value(names, n->left, &inner);
        if (isnan(x))
            return NAN;
        if (x <= best)
            continue;
        best = x;
        result = names->label_number(names->user, n->index, i);
    }
    return result;
}

/* Labels without a value are passed over. */
static double cross_value(const struct names *names, const struct node *n, const struct binding *at)
{
    uint32_t count = names->label_count(names->user, n->index);
    struct binding inner = *at;
    double result = NAN, x_before = NAN, d_before = NAN;
    for (uint32_t i = 0; i < count; i++) {
        inner.label[n->index] = (int32_t)i;
        double x = names->label_number(names->user, n->index, i);
        double d = log(value(names, n->left, &inner) / value(names, n->right, &inner));
        if (isnan(d) || isnan(x))
            continue;
        if (d > 0)
            result = NAN;
        else if (isnan(d_before))
            result = x;
        else if (d_before > 0)
            result = exp(log(x_before) + log(x / x_before) * d_before / (d_before - d));
        x_before = x;
        d_before = d;
    }
    return result;
}

static struct binding with(const struct binding *at, const struct binding *fixed)
{
    struct binding b = *at;
    for (uint32_t v = 0; v < MAX_VARIABLES; v++) {
        if (fixed->label[v] != UNBOUND)
            b.label[v] = fixed->label[v];
    }
    return b;
}

static double operate(char operator, double left, double right)
{
    switch (operator) {
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    case '/':
        return left / right;
    default:
        return pow(left, right);
    }
}

static double value(const struct names *names, const struct node *n, const struct binding *at)
{
    struct binding inner = with(at, &n->fixed);
    switch (n->kind) {
    case NODE_NUMBER:
        return n->number;
    case NODE_VARIABLE:
        return inner.label[n->index] == UNBOUND
                   ? NAN
                   : names->label_number(names->user, n->index, (uint32_t)inner.label[n->index]);
    case NODE_FIGURE:
        return names->figure_value(names->user, n->index, &inner);
    case NODE_DEFINITION:
        return expression_value(n->definition, &inner);
    case NODE_OPERATOR:
        return operate(n->operator, n->left ? value(names, n->left, at) : 0,
                       value(names, n->right, at));
    case NODE_FUNCTION:
        return functions[n->index].apply(value(names, n->left, at));
    case NODE_FOLD:
        return fold_value(names, n, at);
    case NODE_ARGMAX:
        return argmax_value(names, n, at);
    case NODE_CROSS:
        break;
    }
    return cross_value(names, n, at);
}

double expression_value(const struct expression *e, const struct binding *at)
{
    return value(e->names, e->root, at);
}
