/* Scoped names while parsing: registers, register ranges, variables, labels, functions. */
#ifndef EVGPU_PTX_PARSE_SYMBOLS_H
#define EVGPU_PTX_PARSE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum symbol_kind {
    SYMBOL_REG,
    SYMBOL_REG_RANGE,
    SYMBOL_REG_VECTOR,
    SYMBOL_VARIABLE,
    SYMBOL_VARIABLE_RANGE,
    SYMBOL_LABEL,
    SYMBOL_FUNCTION,
    SYMBOL_TARGETS,
    SYMBOL_PROTOTYPE
};

struct symbol {
    const char *name;
    uint32_t length, hash;
    uint32_t depth;    /* scope nesting, 0: module */
    uint32_t previous; /* next in the hash chain */
    uint8_t kind;      /* enum symbol_kind */
    uint32_t index;    /* meaning by kind; the first of a range or vector */
    uint32_t count;    /* of a range or vector */
};

struct symbol_table {
    struct symbol *items;
    size_t count, capacity;
    uint32_t *chains;
    size_t n_chains;
    uint32_t depth;
};

void symbols_init(struct symbol_table *table);
void symbols_free(struct symbol_table *table);
void symbols_open(struct symbol_table *table);
void symbols_close(struct symbol_table *table); /* forgets what was added since symbols_open */

/* Adds to the innermost scope; NULL if the name is there already. */
struct symbol *symbols_add(struct symbol_table *table, const char *name, uint32_t length,
                           enum symbol_kind kind, uint32_t index);

/* Innermost symbol of this exact name, or NULL. */
struct symbol *symbols_find(const struct symbol_table *table, const char *name, uint32_t length);

/* A register by name, "%r17" of a range "%r<20>" and "%v.x" of a vector included; false when there
 * is none. */
bool symbols_register(const struct symbol_table *table, const char *name, uint32_t length,
                      uint32_t *index);
/* The same for variables. */
bool symbols_variable(const struct symbol_table *table, const char *name, uint32_t length,
                      uint32_t *index);

#endif
