#include "sw/cuda/nvcc/alignments.h"

#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

#define BLANKS " \t\n"

/* The specifier in front of the one at `s`; `s` itself: there is none. */
static char *specifier_before(const char *begin, char *s)
{
    static const char *const words[] = {"static", "extern", "volatile", "const"};
    char *end = s;
    while (end > begin && strchr(BLANKS, end[-1]))
        end--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (end < s && (size_t)(end - begin) >= length &&
            declaration_has_word(begin, end - length, words[i]))
            return end - length;
    }
    return s;
}

/* "FIRST BLANKS SECOND" becomes "SECOND BLANKS FIRST". */
static void swap(char *first, size_t first_length, size_t blanks, size_t second_length)
{
    size_t all = first_length + blanks + second_length;
    char *old = text_part(first, all);
    memcpy(first, old + first_length + blanks, second_length);
    memcpy(first + second_length, old + first_length, blanks);
    memcpy(first + second_length + blanks, old, first_length);
}

bool alignments_mend(char *bytes)
{
    static const char keyword[] = "__shared__";
    bool changed = false;
    for (char *s = bytes; *s;) {
        const char *other = brackets_behind_other(s);
        if (other) {
            s += other - s;
            continue;
        }
        if (!declaration_has_word(bytes, s, keyword)) {
            s++;
            continue;
        }
        char *end = s + strlen(keyword), *align = end + strspn(end, BLANKS);
        const char *open = align + strlen("alignas");
        bool aligned = align > end && declaration_has_word(bytes, align, "alignas");
        open += aligned ? strspn(open, BLANKS) : 0;
        size_t length = aligned ? brackets_round(open) : 0;
        const char *behind = open + length;
        if (!length || !strchr(BLANKS, *behind)) {
            s = end;
            continue;
        }
        char *first = s;
        for (char *before; (before = specifier_before(bytes, first)) != first;)
            first = before;
        swap(first, (size_t)(end - first), (size_t)(align - end), (size_t)(behind - align));
        changed = true;
        s = first + (behind - align); /* there may be another one */
    }
    return changed;
}
