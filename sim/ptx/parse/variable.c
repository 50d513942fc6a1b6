#include "sim/ptx/parse/parser.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/execute/texture.h"

#define MAX_VARIABLE_BYTES     (1ull << 32)
#define MAX_FUNCTION_REGISTERS (1u << 22)
#define MAX_RANGE              (1 << 16)

bool parse_type(struct parser *p, uint8_t *type)
{
    *type = PTX_PRED;
    const struct token *t = parser_peek(p);
    if (t->kind == TOKEN_WORD && t->length > 1 && p->unit->text[t->offset] == '.') {
        enum modifier m = modifier_of(p->unit->text + t->offset + 1, t->length - 1);
        if (m <= M_f16x2) {
            *type = (uint8_t)m;
            p->pos++;
            return true;
        }
    }
    return parser_error(p, "type expected");
}

bool parse_space(struct parser *p, uint8_t *space)
{
    static const struct {
        const char *word;
        uint8_t space;
    } spaces[] = {{".global", SPACE_GLOBAL},
                  {".const", SPACE_CONST},
                  {".shared", SPACE_SHARED},
                  {".local", SPACE_LOCAL},
                  {".param", SPACE_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (parser_accept_word(p, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static bool parse_align(struct parser *p, uint64_t *align)
{
    int64_t n;
    if (!parser_accept_word(p, ".align"))
        return true;
    if (!parse_integer(p, &n))
        return false;
    if (n <= 0 || n > 65536 || (n & (n - 1)))
        return parser_error(p, "alignment must be a power of two up to 65536");
    *align = (uint64_t)n;
    return true;
}

/* Attributes that change nothing here: ".ptr .global .align 8", ".attribute(.managed)". */
static bool skip_attributes(struct parser *p)
{
    uint8_t space;
    uint64_t align;
    for (;;) {
        if (parser_accept_word(p, ".attribute")) {
            if (!parser_expect(p, '(') || !parser_skip_to(p, ')'))
                return false;
        } else if (parser_accept_word(p, ".ptr")) {
            (void)parse_space(p, &space);
            if (!parse_align(p, &align))
                return false;
        } else {
            return true;
        }
    }
}

/* 1 where neither .v2 nor .v4 comes. */
static uint32_t parse_vector(struct parser *p)
{
    return parser_accept_word(p, ".v2") ? 2 : parser_accept_word(p, ".v4") ? 4 : 1;
}

/* ".align n .type", in either order, into a fresh variable. */
static bool parse_prefix(struct parser *p, uint8_t space, struct variable *v)
{
    *v = (struct variable){.space = space, .placed = NONE};
    if (!skip_attributes(p) || !parse_align(p, &v->align))
        return false;
    uint32_t vector = parse_vector(p);
    if (!parse_type(p, &v->type))
        return false;
    if (v->type == PTX_PRED)
        return parser_error(p, "a variable cannot be a predicate");
    if (!skip_attributes(p) || !parse_align(p, &v->align))
        return false;
    v->size = (uint64_t)type_bytes(v->type) * vector;
    if (!v->align)
        v->align = v->size;
    return true;
}

/* The name and dimensions. `*open` when the first dimension is left to the initialiser. */
static bool parse_declarator(struct parser *p, struct variable *v, bool *open)
{
    const struct token *t = parser_peek(p);
    if (t->kind != TOKEN_WORD || p->unit->text[t->offset] == '.')
        return parser_error(p, "name expected");
    v->name = p->unit->text + t->offset;
    v->name_length = t->length;
    v->line = t->line;
    p->pos++;
    *open = false;
    for (bool first = true; parser_accept(p, '['); first = false) {
        int64_t n;
        if (first && parser_accept(p, ']')) {
            *open = true;
            continue;
        }
        if (!parse_integer(p, &n))
            return false;
        if (n < 0 || (uint64_t)n > MAX_VARIABLE_BYTES)
            return parser_error(p, "the array size is not valid");
        v->size *= (uint64_t)n;
        if (v->size > MAX_VARIABLE_BYTES)
            return parser_error(p, "array larger than 4 GiB");
        if (!parser_expect(p, ']'))
            return false;
    }
    return true;
}

/* --- initialisers --------------------------------------------------------------------------------
 */

struct initialiser {
    struct variable *v;
    uint64_t used, capacity; /* bytes; capacity of an open array grows */
    bool open;
};

static bool room(struct parser *p, struct initialiser *in, uint32_t bytes)
{
    if (in->used + bytes <= in->capacity)
        return true;
    if (!in->open)
        return parser_error(p, "more initial values than elements");
    in->v->init = alloc_resize(in->v->init, 2 * in->capacity + 64, 1);
    memset(in->v->init + in->capacity, 0, in->capacity + 64);
    in->capacity = 2 * in->capacity + 64;
    return true;
}

/* sym, sym+off, generic(sym), generic(sym)+off */
static bool parse_symbol_value(struct parser *p, struct init_symbol *value)
{
    bool generic = parser_accept_word(p, "generic");
    if (generic && !parser_expect(p, '('))
        return false;
    const struct token *t = parser_peek(p);
    const struct symbol *s = symbols_find(&p->symbols, p->unit->text + t->offset, t->length);
    if (t->kind != TOKEN_WORD || !s)
        return parser_error(p, "'%.*s' is not declared", (int)(t->length < 80 ? t->length : 80),
                            p->unit->text + t->offset);
    if (s->kind == SYMBOL_FUNCTION) {
        if (!p->unit->functions[s->index].is_entry)
            p->unit->functions[s->index].address_taken = true;
        value->is_function = true;
        value->variable = s->index;
        p->pos++;
        return !generic || parser_expect(p, ')');
    }
    if (s->kind != SYMBOL_VARIABLE)
        return parser_error(p, "an initial value must be a number or the address of a variable");
    uint8_t space = p->unit->variables[s->index].space;
    if (space != SPACE_GLOBAL && space != SPACE_CONST)
        return parser_error(p, "only .global and .const variables have an address at load time");
    value->variable = s->index;
    p->pos++;
    if (generic && !parser_expect(p, ')'))
        return false;
    if (!parser_is(p, '+') && !parser_is(p, '-'))
        return true;
    (void)parser_accept(p, '+');
    return parse_integer(p, &value->addend);
}

static uint64_t float_to_type(const struct ast_operand *number, uint8_t type)
{
    uint64_t bits = (uint64_t)number->value;
    if (number->kind == OPERAND_DOUBLE && type == PTX_F32) {
        double d;
        memcpy(&d, &bits, sizeof d);
        float f = (float)d;
        uint32_t word;
        memcpy(&word, &f, sizeof word);
        return word;
    }
    if (number->kind == OPERAND_FLOAT && type == PTX_F64) {
        uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        double d = (double)f;
        memcpy(&bits, &d, sizeof d);
    }
    return bits;
}

static uint64_t int_to_float(int64_t value, uint8_t type)
{
    struct ast_operand number = {.kind = OPERAND_DOUBLE};
    double d = (double)value;
    memcpy(&number.value, &d, sizeof d);
    return float_to_type(&number, type);
}

static bool parse_value(struct parser *p, struct initialiser *in, int nesting)
{
    uint8_t type = in->v->type;
    uint32_t bytes = type_bytes(type);
    if (nesting > 8)
        return parser_error(p, "braces nested too deeply");
    if (parser_accept(p, '{')) {
        if (parser_accept(p, '}'))
            return true;
        do {
            if (!parse_value(p, in, nesting + 1))
                return false;
        } while (parser_accept(p, ','));
        return parser_expect(p, '}');
    }
    if (!room(p, in, bytes))
        return false;
    if (parser_peek(p)->kind == TOKEN_WORD && !parser_is_word(p, "WARP_SZ")) {
        struct init_symbol value = {.offset = in->used, .size = bytes};
        if (bytes < 4)
            return parser_error(p, "an address needs 8 bytes");
        if (!parse_symbol_value(p, &value))
            return false;
        ARRAY_RESERVE(in->v->symbols, in->v->n_symbols, in->v->symbols_capacity);
        in->v->symbols[in->v->n_symbols++] = value;
    } else {
        struct ast_operand number = {0};
        if (!parse_number(p, &number))
            return false;
        uint64_t bits = (uint64_t)number.value;
        if (number.kind != OPERAND_INT && type != PTX_F32 && type != PTX_F64)
            return parser_error(p, "an integer variable needs integer values");
        if (number.kind != OPERAND_INT)
            bits = float_to_type(&number, type);
        else if (type == PTX_F32 || type == PTX_F64)
            bits = int_to_float(number.value, type);
        memcpy(in->v->init + in->used, &bits, bytes);
    }
    in->used += bytes;
    return true;
}

static bool parse_initialiser(struct parser *p, struct variable *v, bool open)
{
    struct initialiser in = {.v = v, .capacity = open ? 0 : v->size, .open = open};
    if (v->space != SPACE_GLOBAL && v->space != SPACE_CONST)
        return parser_error(p, "only .global and .const variables can have initial values");
    v->init = open ? NULL : alloc_array(v->size, 1);
    if (!parse_value(p, &in, 0))
        return false;
    if (open)
        v->size = (in.used + v->size - 1) / v->size * v->size;
    return true;
}

/* --- declarations --------------------------------------------------------------------------------
 */

static bool declare(struct parser *p, const struct variable *v)
{
    struct unit *unit = p->unit;
    const struct symbol *old = symbols_find(&p->symbols, v->name, v->name_length);
    if (old && old->depth == p->symbols.depth && old->kind == SYMBOL_VARIABLE) {
        struct variable *first = &unit->variables[old->index];
        /* An .extern declaration may come before the definition, or be repeated. */
        if (first->space == v->space && (first->is_extern || v->is_extern)) {
            if (first->is_extern && !v->is_extern)
                *first = *v;
            return true;
        }
    }
    if (!symbols_add(&p->symbols, v->name, v->name_length, SYMBOL_VARIABLE,
                     (uint32_t)unit->n_variables))
        return parser_error(p, "'%.*s' is declared twice",
                            (int)(v->name_length < 80 ? v->name_length : 80), v->name);
    ARRAY_RESERVE(unit->variables, unit->n_variables, unit->variables_capacity);
    unit->variables[unit->n_variables++] = *v;
    return true;
}

static bool add_variable(struct parser *p, struct variable *v)
{
    bool open, ok;
    if (!parse_declarator(p, v, &open))
        return false;
    if (parser_accept(p, '='))
        ok = parse_initialiser(p, v, open);
    else if (open && !(v->is_extern && v->space == SPACE_SHARED))
        ok = parser_error(p, "the array has no size");
    else
        ok = true;
    if (open && !v->init)
        v->size = 0;
    if (ok && v->space == SPACE_SHARED && v->is_extern && !open)
        v->is_extern = false; /* of a known size: an ordinary shared array */
    if (ok && declare(p, v))
        return true;
    free(v->init);
    free(v->symbols);
    return false;
}

/* A .texref is its descriptor; samplers and surfaces only have an address. */
static bool parse_reference(struct parser *p, bool is_extern)
{
    const struct token *t = parser_peek(p);
    struct variable v = {.name = p->unit->text + t->offset,
                         .name_length = t->length,
                         .line = t->line,
                         .space = SPACE_GLOBAL,
                         .type = PTX_B8,
                         .is_extern = is_extern,
                         .align = TEXTURE_ALIGN,
                         .size = TEXTURE_BYTES,
                         .placed = NONE};
    if (t->kind != TOKEN_WORD)
        return parser_error(p, "variable name expected");
    p->pos++;
    return declare(p, &v) && parser_skip_to(p, ';');
}

/* NAME<n>: variables NAME0 to NAME(n - 1) of a function. */
static bool add_range(struct parser *p, const struct variable *prefix)
{
    struct unit *unit = p->unit;
    const struct token *t = parser_peek(p);
    struct variable v = *prefix;
    int64_t count;
    v.name = unit->text + t->offset;
    v.name_length = t->length;
    v.line = t->line;
    p->pos += 2;
    if (!parse_integer(p, &count) || !parser_expect(p, '>'))
        return false;
    if (count < 0 || count > MAX_RANGE)
        return parser_error(p, "too many variables");
    struct symbol *s = symbols_add(&p->symbols, v.name, v.name_length, SYMBOL_VARIABLE_RANGE,
                                   (uint32_t)unit->n_variables);
    if (!s)
        return parser_error(p, "declared twice");
    s->count = (uint32_t)count;
    for (int64_t i = 0; i < count; i++) {
        ARRAY_RESERVE(unit->variables, unit->n_variables, unit->variables_capacity);
        unit->variables[unit->n_variables++] = v;
    }
    return true;
}

static bool is_range(const struct parser *p)
{
    const struct token *t = parser_peek(p);
    return p->function && t[0].kind == TOKEN_WORD && t[1].kind == TOKEN_PUNCT && t[1].value == '<';
}

bool parse_variables(struct parser *p, uint8_t space, bool is_extern)
{
    struct variable prefix;
    if (parser_accept_word(p, ".texref") || parser_accept_word(p, ".samplerref") ||
        parser_accept_word(p, ".surfref"))
        return parse_reference(p, is_extern);
    if (!parse_prefix(p, space, &prefix))
        return false;
    prefix.is_extern = is_extern;
    do {
        struct variable v = prefix;
        if (!(is_range(p) ? add_range(p, &v) : add_variable(p, &v)))
            return false;
    } while (parser_accept(p, ','));
    return parser_expect(p, ';');
}

bool parse_parameter(struct parser *p, uint32_t *variable)
{
    struct variable v;
    bool open;
    if (!parse_prefix(p, SPACE_PARAM, &v) || !parse_declarator(p, &v, &open))
        return false;
    if (open)
        return parser_error(p, "a parameter needs a size");
    *variable = (uint32_t)p->unit->n_variables;
    return declare(p, &v);
}

/* --- registers -----------------------------------------------------------------------------------
 */

/* NAME, NAME<n> or a vector NAME of `width` elements. */
static bool add_registers(struct parser *p, uint8_t type, uint32_t width)
{
    struct function *f = p->function;
    const struct token *t = parser_peek(p);
    int64_t count = width;
    if (t->kind != TOKEN_WORD || p->unit->text[t->offset] == '.')
        return parser_error(p, "register name expected");
    p->pos++;
    bool range = width == 1 && parser_accept(p, '<');
    if (range && (!parse_integer(p, &count) || !parser_expect(p, '>')))
        return false;
    if (count < 0 || count > MAX_FUNCTION_REGISTERS ||
        f->n_regs + (size_t)count > MAX_FUNCTION_REGISTERS)
        return parser_error(p, "too many registers");
    enum symbol_kind kind = range ? SYMBOL_REG_RANGE : width > 1 ? SYMBOL_REG_VECTOR : SYMBOL_REG;
    struct symbol *s =
        symbols_add(&p->symbols, p->unit->text + t->offset, t->length, kind, (uint32_t)f->n_regs);
    if (!s)
        return parser_error(p, "declared twice");
    s->count = (uint32_t)count;
    for (int64_t i = 0; i < count; i++) {
        ARRAY_RESERVE(f->regs, f->n_regs, f->regs_capacity);
        f->regs[f->n_regs++] = type;
    }
    return true;
}

bool parse_registers(struct parser *p)
{
    uint8_t type;
    uint32_t width = parse_vector(p);
    if (!parse_type(p, &type))
        return false;
    do {
        if (!add_registers(p, type, width))
            return false;
    } while (parser_accept(p, ','));
    return parser_expect(p, ';');
}
