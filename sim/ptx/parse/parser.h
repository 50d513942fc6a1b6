/* Inside of the parser; parse_unit (ast.h) is its interface.
 *
 * parser.c          tokens, messages, module directives
 * variable.c  variables and initialisers
 * operand.c   constant expressions and operands
 * function.c  function headers, bodies, scopes, labels
 * debug.c     line information */
#ifndef EVGPU_PTX_PARSE_PARSER_H
#define EVGPU_PTX_PARSE_PARSER_H

#include "sim/ptx/parse/ast.h"
#include "sim/ptx/parse/lexer.h"
#include "sim/ptx/parse/symbols.h"

#define MAX_OPERANDS     8
#define MAX_SHARED_BYTES (1ull << 32)

struct label_ref {    /* a label used, not yet matched with its definition */
    uint32_t operand; /* in unit->operands, or in the target list */
    uint32_t list;    /* target list, or NONE */
    uint32_t inst;    /* instruction index, for messages */
    uint32_t token;   /* its name */
};

struct parser {
    struct unit *unit;
    const struct token *tokens;
    size_t pos;
    struct symbol_table symbols;
    struct function *function; /* being parsed, or NULL */
    struct label_ref *refs;
    size_t n_refs, refs_capacity;
    const struct token *unknown; /* a register of the instruction that is not there, or NULL */
    size_t statement;            /* first token of the current statement, for messages: <= pos */
    struct error *err;
};

/* parser.c */
const struct token *parser_peek(const struct parser *p);
bool parser_is(const struct parser *p, char punct); /* the next token is this character */
bool parser_is_word(const struct parser *p, const char *word);
bool parser_accept(struct parser *p, char punct); /* takes it if so */
bool parser_accept_word(struct parser *p, const char *word);
bool parser_expect(struct parser *p, char punct);
bool parser_error(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool parser_skip_to(struct parser *p, char punct);

/* operand.c */
bool parse_integer(struct parser *p, int64_t *value);             /* constant expression */
bool parse_number(struct parser *p, struct ast_operand *operand); /* with floats */
bool parse_operands(struct parser *p, struct ast_inst *inst);     /* up to and including ';' */

/* variable.c */
bool parse_type(struct parser *p, uint8_t *type);   /* ".u32" */
bool parse_space(struct parser *p, uint8_t *space); /* ".shared"; false and no error if none */
/* After the space: "[.align n] .type name[dims] [= init], ..." up to and including ';'. */
bool parse_variables(struct parser *p, uint8_t space, bool is_extern);
/* One declarator without initialiser: a parameter. */
bool parse_parameter(struct parser *p, uint32_t *variable);
bool parse_registers(struct parser *p); /* after ".reg" */

/* debug.c: .file and .loc, if one of them comes. Text not of their form is skipped: line
 * information is for messages only. */
bool parse_debug(struct parser *p);
/* Of what follows, nothing is known. */
void parse_debug_end(struct parser *p);

/* function.c: after ".entry" or ".func". */
bool parse_function(struct parser *p, bool is_entry);

#endif
