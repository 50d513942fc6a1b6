#include "sim/ptx/parse/ast.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t type_bytes(uint8_t type)
{
    static const uint8_t bytes[] = {
        [PTX_PRED] = 1, [PTX_B8] = 1,  [PTX_B16] = 2, [PTX_B32] = 4, [PTX_B64] = 8,  [PTX_U8] = 1,
        [PTX_U16] = 2,  [PTX_U32] = 4, [PTX_U64] = 8, [PTX_S8] = 1,  [PTX_S16] = 2,  [PTX_S32] = 4,
        [PTX_S64] = 8,  [PTX_F16] = 2, [PTX_F32] = 4, [PTX_F64] = 8, [PTX_F16X2] = 4};
    return bytes[type];
}

bool type_is_float(uint8_t type)
{
    return type >= PTX_F16;
}

bool type_is_signed(uint8_t type)
{
    return type >= PTX_S8 && type <= PTX_S64;
}

bool inst_error(const struct unit *unit, const struct ast_inst *inst, struct error *err,
                const char *format, ...)
{
    char message[200], text[120];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t n = 0;
    for (uint32_t i = 0; i < inst->text_length && n < sizeof text - 1; i++) {
        char c = unit->text[inst->text + i];
        if (c == '\n' || c == '\t' || c == '\r')
            c = ' ';
        if (c == ' ' && (n == 0 || text[n - 1] == ' '))
            continue;
        text[n++] = c >= ' ' && c < 127 ? c : '?';
    }
    text[n] = 0;
    return error_set(err, "%s:%u: %s: %s", unit->name, inst->line, message, text);
}

void unit_free(struct unit *unit)
{
    for (size_t i = 0; i < unit->n_variables; i++) {
        free(unit->variables[i].init);
        free(unit->variables[i].symbols);
    }
    for (size_t i = 0; i < unit->n_functions; i++) {
        free(unit->functions[i].name);
        free(unit->functions[i].params);
        free(unit->functions[i].returns);
        free(unit->functions[i].regs);
    }
    source_map_free(unit->source);
    for (size_t i = 0; i < unit->n_targets; i++)
        free(unit->targets[i].labels);
    opcode_pool_free(&unit->ops);
    free(unit->variables);
    free(unit->functions);
    free(unit->insts);
    free(unit->operands);
    free(unit->elements);
    free(unit->targets);
}
