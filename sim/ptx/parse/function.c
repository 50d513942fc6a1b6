#include "sim/ptx/parse/parser.h"

#include <string.h>

#include "base/alloc.h"

static bool parse_formals(struct parser *p, struct formal **list, size_t *count, size_t *capacity)
{
    if (!parser_expect(p, '('))
        return false;
    if (parser_accept(p, ')'))
        return true;
    do {
        struct formal formal = {0};
        if (parser_accept_word(p, ".reg")) {
            struct function *f = p->function;
            uint8_t type;
            const struct token *t;
            if (!parse_type(p, &type))
                return false;
            t = parser_peek(p);
            if (t->kind != TOKEN_WORD)
                return parser_error(p, "register name expected");
            formal.is_register = true;
            formal.index = (uint32_t)f->n_regs;
            if (!symbols_add(&p->symbols, p->unit->text + t->offset, t->length, SYMBOL_REG,
                             formal.index))
                return parser_error(p, "declared twice");
            p->pos++;
            ARRAY_RESERVE(f->regs, f->n_regs, f->regs_capacity);
            f->regs[f->n_regs++] = type;
        } else if (parser_accept_word(p, ".param")) {
            if (!parse_parameter(p, &formal.index))
                return false;
        } else {
            return parser_error(p, ".param or .reg expected");
        }
        ARRAY_RESERVE(*list, *count, *capacity);
        (*list)[(*count)++] = formal;
    } while (parser_accept(p, ','));
    return parser_expect(p, ')');
}

/* --- labels --------------------------------------------------------------------------------------
 */

static bool define_label(struct parser *p)
{
    const struct token *t = parser_peek(p);
    struct unit *unit = p->unit;
    uint32_t label = p->function->n_labels++;
    if (!symbols_add(&p->symbols, unit->text + t->offset, t->length, SYMBOL_LABEL, label))
        return parser_error(p, "label defined twice");
    ARRAY_RESERVE(unit->insts, unit->n_insts, unit->insts_capacity);
    unit->insts[unit->n_insts++] = (struct ast_inst){.line = t->line,
                                                     .text = t->offset,
                                                     .text_length = t->length,
                                                     .op = NONE,
                                                     .guard = NONE,
                                                     .operands = label};
    p->pos += 2;
    return true;
}

/* Matches the references since `first` with the labels of the scope that ends; the others are left
 * to the enclosing scope, or are errors at the end of the function. */
static bool resolve_labels(struct parser *p, size_t first, bool last)
{
    struct unit *unit = p->unit;
    size_t kept = first;
    for (size_t i = first; i < p->n_refs; i++) {
        struct label_ref ref = p->refs[i];
        const struct token *t = &p->tokens[ref.token];
        const struct symbol *s = symbols_find(&p->symbols, unit->text + t->offset, t->length);
        if (s && s->kind == SYMBOL_LABEL && s->depth == p->symbols.depth) {
            if (ref.list == NONE)
                unit->operands[ref.operand].index = s->index;
            else
                unit->targets[ref.list].labels[ref.operand] = s->index;
        } else if (last) {
            return inst_error(unit, &unit->insts[ref.inst], p->err, "label '%.*s' is not defined",
                              (int)(t->length < 80 ? t->length : 80), unit->text + t->offset);
        } else {
            p->refs[kept++] = ref;
        }
    }
    p->n_refs = kept;
    return true;
}

/* NAME: .branchtargets L1, L2; */
static bool parse_targets(struct parser *p)
{
    struct unit *unit = p->unit;
    const struct token *name = parser_peek(p);
    p->pos += 3;
    ARRAY_RESERVE(unit->targets, unit->n_targets, unit->targets_capacity);
    uint32_t index = (uint32_t)unit->n_targets++;
    struct label_list *list = &unit->targets[index];
    *list = (struct label_list){0};
    if (!symbols_add(&p->symbols, unit->text + name->offset, name->length, SYMBOL_TARGETS, index))
        return parser_error(p, "declared twice");
    do {
        if (parser_peek(p)->kind != TOKEN_WORD)
            return parser_error(p, "label expected");
        ARRAY_RESERVE(p->refs, p->n_refs, p->refs_capacity);
        p->refs[p->n_refs++] = (struct label_ref){.operand = (uint32_t)list->count,
                                                  .list = index,
                                                  .inst = (uint32_t)unit->n_insts,
                                                  .token = (uint32_t)p->pos++};
        ARRAY_RESERVE(list->labels, list->count, list->capacity);
        list->labels[list->count++] = 0;
    } while (parser_accept(p, ','));
    if (!parser_expect(p, ';'))
        return false;
    /* Kept as a pseudo-instruction so that messages about the list have a place. */
    ARRAY_RESERVE(unit->insts, unit->n_insts, unit->insts_capacity);
    unit->insts[unit->n_insts++] = (struct ast_inst){.line = name->line,
                                                     .text = name->offset,
                                                     .text_length = name->length,
                                                     .op = NONE,
                                                     .guard = NONE,
                                                     .operands = NONE};
    return true;
}

/* --- statements ----------------------------------------------------------------------------------
 */

static bool parse_guard(struct parser *p, struct ast_inst *inst)
{
    inst->guard = NONE;
    if (!parser_accept(p, '@'))
        return true;
    inst->guard_negated = parser_accept(p, '!');
    const struct token *t = parser_peek(p);
    if (t->kind != TOKEN_WORD ||
        !symbols_register(&p->symbols, p->unit->text + t->offset, t->length, &inst->guard) ||
        p->function->regs[inst->guard] != PTX_PRED)
        return parser_error(p, "a guard needs a declared predicate register");
    p->pos++;
    return true;
}

static bool parse_instruction(struct parser *p)
{
    struct unit *unit = p->unit;
    struct ast_inst inst = {.line = parser_peek(p)->line, .text = parser_peek(p)->offset};
    if (!parse_guard(p, &inst))
        return false;
    const struct token *t = parser_peek(p);
    const char *bad;
    uint32_t bad_length;
    if (t->kind != TOKEN_WORD)
        return parser_error(p, "instruction expected");
    inst.line = t->line;
    inst.op = opcode_intern(&unit->ops, unit->text + t->offset, t->length, &bad, &bad_length);
    p->pos++;
    if (inst.op == NONE) { /* an error only where the instruction would be executed */
        inst.op = UNKNOWN_OP;
        inst.operands = (uint32_t)(bad - unit->text);
        inst.n_operands = (uint8_t)(bad_length < 80 ? bad_length : 80);
        if (!parser_skip_to(p, ';'))
            return false;
    } else if (!parse_operands(p, &inst)) {
        return false;
    } else if (p->unknown) {
        inst.op = UNKNOWN_OP;
        inst.operands = p->unknown->offset;
        inst.n_operands = (uint8_t)(p->unknown->length < 80 ? p->unknown->length : 80);
        p->unknown = NULL;
    }
    const struct token *end = &p->tokens[p->pos - 1];
    inst.text_length = end->offset + end->length - inst.text;
    ARRAY_RESERVE(unit->insts, unit->n_insts, unit->insts_capacity);
    unit->insts[unit->n_insts++] = inst;
    return true;
}

static bool parse_block(struct parser *p, int nesting);

static bool parse_statement(struct parser *p, int nesting)
{
    const struct token *t = parser_peek(p);
    uint8_t space;
    p->statement = p->pos;
    if (parser_is(p, '{'))
        return parse_block(p, nesting + 1);
    if (parser_accept(p, ';'))
        return true;
    if (t->kind == TOKEN_WORD && p->unit->text[t->offset] == '.') {
        if (parser_accept_word(p, ".reg"))
            return parse_registers(p);
        if (parse_debug(p))
            return true;
        if (parser_accept_word(p, ".pragma"))
            return parser_skip_to(p, ';');
        if (parse_space(p, &space))
            return parse_variables(p, space, false);
        return parser_error(p, "unknown directive");
    }
    if (t->kind == TOKEN_WORD && t[1].kind == TOKEN_PUNCT && t[1].value == ':') {
        if (t[2].kind == TOKEN_WORD && t[2].length == 14 &&
            !memcmp(p->unit->text + t[2].offset, ".branchtargets", 14))
            return parse_targets(p);
        if (t[2].kind == TOKEN_WORD && t[2].length > 5 &&
            memcmp(p->unit->text + t[2].offset, ".call", 5) == 0) {
            if (!symbols_add(&p->symbols, p->unit->text + t->offset, t->length, SYMBOL_PROTOTYPE,
                             0))
                return parser_error(p, "declared twice");
            return parser_skip_to(p, ';');
        }
        return define_label(p);
    }
    return parse_instruction(p);
}

static bool parse_block(struct parser *p, int nesting)
{
    size_t first_ref = p->n_refs;
    if (nesting > 64)
        return parser_error(p, "braces nested too deeply");
    if (!parser_expect(p, '{'))
        return false;
    symbols_open(&p->symbols);
    while (!parser_is(p, '}')) {
        p->statement = p->pos;
        if (parser_peek(p)->kind == TOKEN_END)
            return parser_error(p, "'}' expected");
        if (!parse_statement(p, nesting))
            return false;
    }
    p->statement = p->pos;
    if (!resolve_labels(p, first_ref, nesting == 0))
        return false;
    symbols_close(&p->symbols);
    p->pos++;
    return true;
}

/* --- functions -----------------------------------------------------------------------------------
 */

static bool parse_limits(struct parser *p)
{
    static const char *const limits[] = {".maxntid", ".reqntid",      ".minnctapersm",
                                         ".maxnreg", ".maxnctapersm", ".noreturn"};
    for (;;) {
        size_t which = 0;
        while (which < 6 && !parser_accept_word(p, limits[which]))
            which++;
        if (which == 6 && parser_accept_word(p, ".pragma")) {
            if (!parser_skip_to(p, ';'))
                return false;
            continue;
        }
        if (which == 6)
            return true;
        if (which == 5)
            continue;
        uint64_t product = 1;
        do {
            int64_t n;
            if (!parse_integer(p, &n))
                return false;
            if (n <= 0 || n > INT32_MAX || product > UINT32_MAX)
                return parser_error(p, "the limit is not valid");
            product *= (uint64_t)n;
        } while (parser_accept(p, ','));
        if (which < 2)
            p->function->max_threads = product;
        if (which == 3)
            p->function->max_regs = product;
    }
}

static void place_params(struct parser *p)
{
    struct function *f = p->function;
    uint64_t offset = 0;
    for (size_t i = 0; i < f->n_params; i++) {
        struct variable *v = &p->unit->variables[f->params[i].index];
        offset = (offset + v->align - 1) / v->align * v->align;
        v->offset = offset;
        offset += v->size;
    }
    f->param_bytes = offset;
}

static void function_reset(struct function *f)
{
    f->n_params = f->n_returns = f->n_regs = 0;
    f->n_labels = 0;
}

/* The function's record: that of an earlier declaration, or a new one. */
static bool declare_function(struct parser *p, const struct token *name, bool is_entry)
{
    struct unit *unit = p->unit;
    struct symbol *s = symbols_find(&p->symbols, unit->text + name->offset, name->length);
    if (s && s->kind == SYMBOL_FUNCTION && unit->functions[s->index].is_entry == is_entry) {
        p->function = &unit->functions[s->index];
        return true;
    }
    if (!symbols_add(&p->symbols, unit->text + name->offset, name->length, SYMBOL_FUNCTION,
                     (uint32_t)unit->n_functions))
        return parser_error(p, "name declared twice");
    ARRAY_RESERVE(unit->functions, unit->n_functions, unit->functions_capacity);
    p->function = &unit->functions[unit->n_functions++];
    *p->function =
        (struct function){.name = alloc_string_n(unit->text + name->offset, name->length),
                          .line = name->line,
                          .is_entry = is_entry};
    return true;
}

static bool parse_header(struct parser *p, bool is_entry)
{
    /* The return value stands before the name, but belongs to the function: parse it afterwards. */
    size_t returns = 0;
    if (!is_entry && parser_is(p, '(')) {
        returns = p->pos;
        if (!parser_skip_to(p, ')'))
            return false;
    }
    const struct token *name = parser_peek(p);
    if (name->kind != TOKEN_WORD || p->unit->text[name->offset] == '.')
        return parser_error(p, "function name expected");
    p->pos++;
    if (!declare_function(p, name, is_entry))
        return false;
    struct function *f = p->function;
    if (f->defined) {
        /* A declaration after the definition: read, but nothing to keep. */
        while (!parser_is(p, ';'))
            if (parser_peek(p)->kind == TOKEN_END || parser_is(p, '{'))
                return parser_error(p, "function defined twice");
            else
                p->pos++;
        return true;
    }
    function_reset(f);
    f->first_variable = (uint32_t)p->unit->n_variables;
    symbols_open(&p->symbols);
    if (returns) {
        size_t after = p->pos;
        p->pos = returns;
        if (!parse_formals(p, &f->returns, &f->n_returns, &f->returns_capacity))
            return false;
        p->pos = after;
    }
    if (parser_is(p, '(') && !parse_formals(p, &f->params, &f->n_params, &f->params_capacity))
        return false;
    if (is_entry)
        for (size_t i = 0; i < f->n_params; i++)
            if (f->params[i].is_register)
                return parser_error(p, "parameters of a kernel must be .param");
    return parse_limits(p);
}

bool parse_function(struct parser *p, bool is_entry)
{
    if (!parse_header(p, is_entry))
        return false;
    struct function *f = p->function;
    if (parser_accept(p, ';')) {
        if (!f->defined)
            symbols_close(&p->symbols);
        p->function = NULL;
        return true;
    }
    if (is_entry)
        place_params(p);
    f->first_inst = (uint32_t)p->unit->n_insts;
    p->n_refs = 0;
    parse_debug_end(p);
    if (!parse_block(p, 0))
        return false;
    f->defined = true;
    f->n_insts = (uint32_t)p->unit->n_insts - f->first_inst;
    f->n_variables = (uint32_t)p->unit->n_variables - f->first_variable;
    symbols_close(&p->symbols);
    p->function = NULL;
    return true;
}
