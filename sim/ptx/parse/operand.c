#include "sim/ptx/parse/parser.h"

#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/special.h"

/* --- constant expressions ----------------------------------------------------------------------
 */

#define MAX_NESTING 64

static bool expression(struct parser *p, int64_t *value, int level, int nesting);

static bool unary(struct parser *p, int64_t *value, int nesting)
{
    const struct token *t = parser_peek(p);
    if (nesting > MAX_NESTING)
        return parser_error(p, "expression nested too deeply");
    if (t->kind == TOKEN_INT) {
        *value = (int64_t)t->value;
        p->pos++;
        return true;
    }
    if (parser_accept_word(p, "WARP_SZ")) {
        *value = WARP_SIZE;
        return true;
    }
    if (parser_accept(p, '('))
        return expression(p, value, 0, nesting + 1) && parser_expect(p, ')');
    for (const char *sign = "-+~!"; *sign; sign++) {
        if (!parser_accept(p, *sign))
            continue;
        if (!unary(p, value, nesting + 1))
            return false;
        if (*sign == '-')
            *value = (int64_t)(0 - (uint64_t)*value);
        else if (*sign == '~')
            *value = ~*value;
        else if (*sign == '!')
            *value = !*value;
        return true;
    }
    return parser_error(p, "integer expected");
}

static bool apply(struct parser *p, char op, int64_t *a, int64_t b)
{
    uint64_t x = (uint64_t)*a, y = (uint64_t)b;
    switch (op) {
    case '+':
        *a = (int64_t)(x + y);
        return true;
    case '-':
        *a = (int64_t)(x - y);
        return true;
    case '*':
        *a = (int64_t)(x * y);
        return true;
    case '&':
        *a = (int64_t)(x & y);
        return true;
    case '^':
        *a = (int64_t)(x ^ y);
        return true;
    case '|':
        *a = (int64_t)(x | y);
        return true;
    case '<':
        *a = y < 64 ? (int64_t)(x << y) : 0;
        return true;
    case '>':
        *a = *a >> (y < 64 ? y : 63);
        return true;
    default:
        if (b == 0 || (*a == INT64_MIN && b == -1))
            return parser_error(p, "the division has no result");
        *a = op == '/' ? *a / b : *a % b;
        return true;
    }
}

/* Binary operators from loosest to tightest; "<" and ">" stand for the shifts. */
static const char *const levels[] = {"|", "^", "&", "<>", "+-", "*/%"};

static bool expression(struct parser *p, int64_t *value, int level, int nesting)
{
    if (level == sizeof levels / sizeof *levels)
        return unary(p, value, nesting);
    if (!expression(p, value, level + 1, nesting))
        return false;
    for (;;) {
        const struct token *t = parser_peek(p);
        if (t->kind != TOKEN_PUNCT || !strchr(levels[level], (int)t->value))
            return true;
        char op = (char)t->value;
        if (op == '<' || op == '>') {
            if (t[1].kind != TOKEN_PUNCT || t[1].value != t->value)
                return true;
            p->pos++;
        }
        p->pos++;
        int64_t right;
        if (!expression(p, &right, level + 1, nesting) || !apply(p, op, value, right))
            return false;
    }
}

bool parse_integer(struct parser *p, int64_t *value)
{
    return expression(p, value, 0, 0);
}

bool parse_number(struct parser *p, struct ast_operand *operand)
{
    const struct token *t = parser_peek(p);
    bool minus = parser_is(p, '-');
    t += minus;
    if (t->kind != TOKEN_FLOAT && t->kind != TOKEN_DOUBLE) {
        operand->kind = OPERAND_INT;
        return parse_integer(p, &operand->value);
    }
    bool single = t->kind == TOKEN_FLOAT;
    operand->kind = single ? OPERAND_FLOAT : OPERAND_DOUBLE;
    operand->value = (int64_t)(t->value ^ (minus ? (single ? 1ull << 31 : 1ull << 63) : 0));
    p->pos += 1 + (size_t)minus;
    return true;
}

/* --- operands ------------------------------------------------------------------------------------
 */

static bool undeclared(struct parser *p, const struct token *t)
{
    int length = t->length < 80 ? (int)t->length : 80;
    return parser_error(p, "'%.*s' is not declared", length, p->unit->text + t->offset);
}

/* A vector register is the list of its elements. */
static void put_vector(struct parser *p, const struct symbol *symbol, struct ast_operand *operand)
{
    struct unit *unit = p->unit;
    operand->kind = OPERAND_VECTOR;
    operand->index = (uint32_t)unit->n_elements;
    operand->count = symbol->count;
    for (uint32_t i = 0; i < symbol->count; i++) {
        ARRAY_RESERVE(unit->elements, unit->n_elements, unit->elements_capacity);
        unit->elements[unit->n_elements++] =
            (struct ast_operand){.kind = OPERAND_REG, .index = symbol->index + i, .second = NONE};
    }
}

/* Something with a name: register, variable, special register, function or label. */
static bool parse_name(struct parser *p, uint8_t operation, struct ast_operand *operand)
{
    const struct token *t = parser_peek(p);
    const char *name = p->unit->text + t->offset;
    if (t->length == 1 && *name == '_') {
        operand->kind = OPERAND_SINK;
        p->pos++;
        return true;
    }
    if (symbols_register(&p->symbols, name, t->length, &operand->index)) {
        operand->kind = OPERAND_REG;
        p->pos++;
        return true;
    }
    if (symbols_variable(&p->symbols, name, t->length, &operand->index)) {
        operand->kind = OPERAND_SYMBOL;
        p->pos++;
        return true;
    }
    const struct symbol *symbol = symbols_find(&p->symbols, name, t->length);
    if (symbol && symbol->kind == SYMBOL_REG_VECTOR) {
        put_vector(p, symbol, operand);
        p->pos++;
        return true;
    }
    bool call = operation == OP_call;
    if (symbol && (symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_PROTOTYPE)) {
        if (!call && (operation != OP_mov || symbol->kind != SYMBOL_FUNCTION))
            return parser_error(p, "the operand must not be the name of a function");
        if (!call && !p->unit->functions[symbol->index].is_entry)
            p->unit->functions[symbol->index].address_taken = true;
        operand->kind = symbol->kind == SYMBOL_FUNCTION ? OPERAND_FUNCTION : OPERAND_SINK;
        operand->index = symbol->index;
        p->pos++;
        return true;
    }
    if (symbol && symbol->kind == SYMBOL_TARGETS && operation == OP_brx) {
        operand->kind = OPERAND_TARGETS;
        operand->index = symbol->index;
        p->pos++;
        return true;
    }
    enum special_register special = special_of(name, t->length);
    if (special < SPECIAL_COUNT) {
        operand->kind = OPERAND_SPECIAL;
        operand->index = special;
        p->pos++;
        return true;
    }
    if (name[0] == '%') { /* perhaps a special register that we lack: an error where it is read */
        p->unknown = p->unknown ? p->unknown : t;
        operand->kind = OPERAND_REG;
        p->pos++;
        return true;
    }
    if (operation != OP_bra)
        return undeclared(p, t);
    operand->kind = OPERAND_LABEL;
    operand->index = (uint32_t)p->pos++; /* the token, until the label is known */
    return true;
}

static bool parse_address(struct parser *p, struct ast_operand *operand)
{
    operand->kind = OPERAND_ADDRESS;
    operand->base_kind = OPERAND_INT;
    if (parser_peek(p)->kind == TOKEN_WORD && !parser_is_word(p, "WARP_SZ")) {
        struct ast_operand base = {0};
        if (!parse_name(p, OP_ld, &base))
            return false;
        if (base.kind != OPERAND_REG && base.kind != OPERAND_SYMBOL)
            return parser_error(p, "an address needs a register or a variable");
        operand->base_kind = base.kind;
        operand->index = base.index;
        if (parser_is(p, '+') && p->tokens[p->pos + 1].kind != TOKEN_WORD)
            p->pos++;
        else if (!parser_is(p, '-'))
            return parser_expect(p, ']');
    }
    return parse_integer(p, &operand->value) && parser_expect(p, ']');
}

static bool parse_operand(struct parser *p, uint8_t operation, bool in_list,
                          struct ast_operand *operand);

static bool parse_elements(struct parser *p, uint8_t operation, char close,
                           struct ast_operand *operand)
{
    struct unit *unit = p->unit;
    operand->index = (uint32_t)unit->n_elements;
    if (close == ')' && parser_accept(p, close))
        return true;
    do {
        struct ast_operand element = {.second = NONE};
        if (!parse_operand(p, operation, true, &element))
            return false;
        ARRAY_RESERVE(unit->elements, unit->n_elements, unit->elements_capacity);
        unit->elements[unit->n_elements++] = element;
        operand->count++;
    } while (parser_accept(p, ','));
    return parser_expect(p, close);
}

static bool parse_operand(struct parser *p, uint8_t operation, bool in_list,
                          struct ast_operand *operand)
{
    operand->second = NONE;
    if (!in_list && parser_accept(p, '[')) {
        return parse_address(p, operand);
    }
    if (!in_list && parser_accept(p, '{')) {
        operand->kind = OPERAND_VECTOR;
        return parse_elements(p, operation, '}', operand);
    }
    if (!in_list && operation == OP_call && parser_accept(p, '(')) {
        operand->kind = OPERAND_LIST;
        return parse_elements(p, operation, ')', operand);
    }
    bool negated = parser_is(p, '!') && p->tokens[p->pos + 1].kind == TOKEN_WORD;
    p->pos += negated;
    if (parser_peek(p)->kind != TOKEN_WORD || parser_is_word(p, "WARP_SZ"))
        return parse_number(p, operand);
    if (!parse_name(p, operation, operand))
        return false;
    operand->negated = negated;
    if (negated && operand->kind != OPERAND_REG)
        return parser_error(p, "'!' needs a predicate register");
    if (operand->kind == OPERAND_SYMBOL && (parser_is(p, '+') || parser_is(p, '-'))) {
        (void)parser_accept(p, '+');
        return parse_integer(p, &operand->value);
    }
    if (parser_accept(p, '|')) {
        struct ast_operand second = {0};
        if (parser_peek(p)->kind != TOKEN_WORD || !parse_name(p, operation, &second))
            return parser_error(p, "register expected after '|'");
        if (second.kind != OPERAND_REG && second.kind != OPERAND_SINK)
            return parser_error(p, "register expected after '|'");
        if (second.kind == OPERAND_REG &&
            (operand->kind == OPERAND_REG || operand->kind == OPERAND_SINK))
            operand->second = second.index;
        else if (operand->kind != OPERAND_REG)
            return parser_error(p, "register expected before '|'");
    }
    return true;
}

/* [texture, {x, y}]: an address and a vector. */
static bool parse_texture(struct parser *p, struct ast_operand *texture,
                          struct ast_operand *coordinates)
{
    struct ast_operand base = {0};
    *texture = (struct ast_operand){.kind = OPERAND_ADDRESS, .second = NONE};
    *coordinates = (struct ast_operand){.kind = OPERAND_VECTOR, .second = NONE};
    if (!parser_expect(p, '[') || !parse_name(p, OP_tex, &base) || !parser_expect(p, ','))
        return false;
    if (base.kind != OPERAND_REG && base.kind != OPERAND_SYMBOL)
        return parser_error(p, "a texture is a register or a variable");
    if (parser_peek(p)->kind == TOKEN_WORD)
        return parser_error(p, "textures with a separate sampler are not supported");
    texture->base_kind = base.kind;
    texture->index = base.index;
    return parser_expect(p, '{') && parse_elements(p, OP_tex, '}', coordinates) &&
           parser_expect(p, ']');
}

/* Operand n, from 1, is a texture or surface and its coordinates. */
static bool is_texture(uint8_t operation, uint8_t n)
{
    bool reads = operation == OP_tex || operation == OP_tld4 || operation == OP_suld;
    return operation == OP_sust ? n == 1 : reads && n == 2;
}

bool parse_operands(struct parser *p, struct ast_inst *inst)
{
    struct unit *unit = p->unit;
    struct ast_operand list[MAX_OPERANDS];
    uint8_t operation = unit->ops.items[inst->op].operation;
    if (!parser_accept(p, ';')) {
        do {
            if (inst->n_operands == MAX_OPERANDS)
                return parser_error(p, "too many operands");
            struct ast_operand *operand = &list[inst->n_operands++];
            *operand = (struct ast_operand){0};
            if (is_texture(operation, inst->n_operands)) {
                inst->n_operands++;
                if (!parse_texture(p, operand, operand + 1))
                    return false;
                continue;
            }
            if (!parse_operand(p, operation, false, operand))
                return false;
        } while (parser_accept(p, ','));
        if (!parser_expect(p, ';'))
            return false;
    }
    inst->operands = (uint32_t)unit->n_operands;
    for (uint8_t i = 0; i < inst->n_operands; i++) {
        ARRAY_RESERVE(unit->operands, unit->n_operands, unit->operands_capacity);
        if (list[i].kind == OPERAND_LABEL) {
            ARRAY_RESERVE(p->refs, p->n_refs, p->refs_capacity);
            p->refs[p->n_refs++] = (struct label_ref){.operand = (uint32_t)unit->n_operands,
                                                      .list = NONE,
                                                      .inst = (uint32_t)unit->n_insts,
                                                      .token = list[i].index};
        }
        unit->operands[unit->n_operands++] = list[i];
    }
    return true;
}
