/* Splits PTX text into tokens.
 *
 * A word holds an identifier or a whole dotted instruction name ("ld.global.v4.f32", "%tid.x"); a
 * word that begins with a dot is one directive or type (".reg", ".b32"). Comments vanish. Source:
 * PTX ISA, "Syntax". */
#ifndef EVGPU_PTX_PARSE_LEXER_H
#define EVGPU_PTX_PARSE_LEXER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_INT,    /* value: the integer */
    TOKEN_FLOAT,  /* 0f........: value: f32 bits */
    TOKEN_DOUBLE, /* 0d................ or decimal: value: f64 bits */
    TOKEN_STRING, /* offset and length without the quotes */
    TOKEN_PUNCT   /* value: the character */
};

struct token {
    uint8_t kind;    /* enum token_kind */
    uint32_t offset; /* of the first character */
    uint32_t length;
    uint32_t line; /* from 1 */
    uint64_t value;
};

/* All tokens of the text, the last one TOKEN_END; the caller frees the array. NULL with `err` set
 * to "NAME:LINE: ..." for a character, number, string or comment that is not PTX. */
struct token *lex(const char *name, const char *text, size_t length, size_t *count,
                  struct error *err);

#endif
