/* PTX as parsed: functions, variables and instructions, names resolved, nothing lowered yet. */
#ifndef EVGPU_PTX_PARSE_AST_H
#define EVGPU_PTX_PARSE_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/ptx/module.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/source_map.h"

#define NONE       UINT32_MAX
#define UNKNOWN_OP (UINT32_MAX - 1) /* `operands`: offset in the text of the part not known */

enum operand_kind {
    OPERAND_REG,      /* index: register of the function */
    OPERAND_INT,      /* value */
    OPERAND_FLOAT,    /* value: f32 bits */
    OPERAND_DOUBLE,   /* value: f64 bits */
    OPERAND_SPECIAL,  /* index: enum special_register */
    OPERAND_SYMBOL,   /* index: variable; value: offset */
    OPERAND_ADDRESS,  /* [base + value]; base_kind REG, SYMBOL or INT (then value alone) */
    OPERAND_VECTOR,   /* { a, b }: elements index .. index + count */
    OPERAND_LIST,     /* ( a, b ): elements of a call */
    OPERAND_LABEL,    /* index: label of the function */
    OPERAND_FUNCTION, /* index: function */
    OPERAND_TARGETS,  /* index: label list of .branchtargets */
    OPERAND_SINK      /* _ */
};

struct ast_operand {
    uint8_t kind;      /* enum operand_kind */
    uint8_t base_kind; /* of an address */
    bool negated;      /* !%p */
    uint32_t index;
    uint32_t second; /* register q of p|q, or NONE */
    uint32_t count;
    int64_t value;
};

struct ast_inst {
    uint32_t line;
    uint32_t text, text_length; /* in the source, for messages */
    uint32_t op;                /* opcode_pool index, NONE for a label, or UNKNOWN_OP */
    uint32_t guard;             /* register of the function, or NONE */
    bool guard_negated;
    uint8_t n_operands;
    uint32_t operands; /* first operand; the label itself for a label */
};

struct init_symbol { /* `size` bytes at `offset` of the initialiser are variable + addend */
    uint64_t offset;
    int64_t addend;
    uint32_t variable, size;
    bool is_function; /* `variable` is the number of a function */
};

struct variable {
    const char *name; /* in the source, not terminated */
    uint32_t name_length;
    uint32_t line;
    uint8_t space;  /* enum mem_space */
    uint8_t type;   /* enum ptx_type of one element */
    bool is_extern; /* dynamic shared memory, or defined elsewhere */
    uint64_t align, size;
    uint8_t *init; /* NULL: zero */
    struct init_symbol *symbols;
    size_t n_symbols, symbols_capacity;
    uint64_t offset; /* of a kernel parameter */
    uint32_t placed; /* index among the module's variables, or NONE */
};

struct formal { /* a parameter or return value of a function */
    bool is_register;
    uint32_t index; /* register of the function, or variable */
};

struct function {
    char *name;
    uint32_t line;
    bool is_entry, defined;
    bool address_taken; /* may be called by address */
    bool called;        /* not expanded where it is called (callgraph.h) */
    struct formal *params, *returns;
    size_t n_params, params_capacity, n_returns, returns_capacity;
    uint8_t *regs; /* enum ptx_type of each register */
    size_t n_regs, regs_capacity;
    uint32_t first_inst, n_insts;
    uint32_t first_variable, n_variables; /* parameters and everything declared in the body */
    uint32_t n_labels;
    uint64_t max_threads, max_regs; /* .maxntid product, .maxnreg; 0 without */
    uint64_t param_bytes;
};

struct label_list {
    uint32_t *labels;
    size_t count, capacity;
};

struct unit {
    const char *name, *text;
    size_t length;
    uint32_t version;      /* 72 of .version 7.2 */
    uint32_t architecture; /* 52 of sm_52; 0: none named */
    struct opcode_pool ops;
    struct variable *variables;
    size_t n_variables, variables_capacity;
    struct function *functions;
    size_t n_functions, functions_capacity;
    struct ast_inst *insts;
    size_t n_insts, insts_capacity;
    struct ast_operand *operands, *elements;
    size_t n_operands, operands_capacity, n_elements, elements_capacity;
    struct label_list *targets;
    size_t n_targets, targets_capacity;
    struct source_map *source; /* .file and .loc */
};

/* Parses the whole text into an empty unit; false with `err` set. unit_free either way. */
bool parse_unit(struct unit *unit, const char *name, const char *text, size_t length,
                struct error *err);
void unit_free(struct unit *unit);

/* Sets "FILE:LINE: message: instruction text". Returns false. */
bool inst_error(const struct unit *unit, const struct ast_inst *inst, struct error *err,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

uint32_t type_bytes(uint8_t type); /* 1 for predicates */
bool type_is_float(uint8_t type);
bool type_is_signed(uint8_t type);

#endif
