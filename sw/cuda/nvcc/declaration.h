/* The text of a variable's declaration. */
#ifndef EVGPU_NVCC_DECLARATION_H
#define EVGPU_NVCC_DECLARATION_H

#include <stdbool.h>

bool declaration_is_word(char c);
/* Is the whole word at `s`, in a text that begins at `begin`, this one? */
bool declaration_has_word(const char *begin, const char *s, const char *word);

/* Behind what stands in front of a type: alignments, storage classes, __device__. */
const char *declaration_type(const char *s);

#endif
