#include "sw/cuda/nvcc/declaration.h"

#include <ctype.h>
#include <string.h>

#include "sw/cuda/nvcc/list.h"

bool declaration_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool declaration_has_word(const char *begin, const char *s, const char *word)
{
    return starts_with(s, word) && !declaration_is_word(s[strlen(word)]) &&
           (s == begin || !declaration_is_word(s[-1]));
}

/* Behind what stands in front of a type: alignments and storage classes. */
const char *declaration_type(const char *s)
{
    static const char *const words[] = {"alignas", "__align__", "__attribute__",
                                        "static",  "extern",    "__device__"};
    for (bool found = true; found;) {
        s += strspn(s, " \t\n");
        found = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t length = strlen(words[i]);
            if (!starts_with(s, words[i]) || declaration_is_word(s[length]))
                continue;
            found = true;
            s += length;
            s += strspn(s, " \t\n");
            int depth = 0;
            do {
                depth += (*s == '(') - (*s == ')');
                s += depth || *s == ')';
            } while (depth && *s);
        }
    }
    return s;
}
