#include "sw/cuda/nvcc/assembly.h"

#include <ctype.h>
#include <string.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/declaration.h"
#include "sw/cuda/nvcc/list.h"

/* A '%' in front of a word: two letters at least, since one may stand before an operand's number.
 */
static bool is_name(const char *s)
{
    return *s == '%' && isalpha((unsigned char)s[1]) && isalpha((unsigned char)s[2]);
}

/* The round bracket behind `asm` and what may follow it; NULL: no assembly begins at `s`. */
static const char *bracket_of(const char *begin, const char *s)
{
    static const char *const words[] = {"asm", "__asm__", "__asm"};
    static const char *const more[] = {"volatile", "__volatile__", "__volatile"};
    size_t i = 0;
    while (i < 3 && !declaration_has_word(begin, s, words[i]))
        i++;
    if (i == 3)
        return NULL;
    const char *at = s + strlen(words[i]);
    at += strspn(at, " \t\n\\");
    for (i = 0; i < 3; i++) {
        if (declaration_has_word(begin, at, more[i])) {
            at += strlen(more[i]);
            at += strspn(at, " \t\n\\");
            break;
        }
    }
    return *at == '(' ? at : NULL;
}

/* The ':' that ends the instructions; NULL: there is none, and a '%' is no operand's. */
static const char *colon_of(const char *open)
{
    const char *end = open + brackets_round(open);
    int depth = 0;
    for (const char *s = open; s < end;) {
        const char *other = brackets_behind_other(s);
        depth += other ? 0 : (*s == '(') - (*s == ')');
        if (!other && *s == ':' && depth == 1)
            return s;
        s = other ? other : s + 1;
    }
    return NULL;
}

/* Copies what stands between both to `to`, names doubled; NULL `to`: only counts them. */
static size_t copy(const char *from, const char *end, char *to)
{
    size_t names = 0;
    for (const char *s = from; s < end; s++) {
        bool pair = s[0] == '%' && s[1] == '%';
        if (is_name(s)) {
            if (to)
                *to++ = '%';
            names++;
        }
        for (int i = 0; i < 1 + pair; i++) {
            if (to)
                *to++ = s[i];
        }
        s += pair;
    }
    return names;
}

/* Whether the bracket before `s` closes an operand that another one follows without a comma. */
static bool lacks_comma(const char *s)
{
    for (const char *other = s; other && *s != '"';) {
        s += strspn(s, " \t\n\\");
        other = *s == '/' ? brackets_behind_other(s) : NULL;
        s = other ? other : s;
    }
    return *s == '"' || *s == '[';
}

/* As copy(), of the operands with the bracket that closes them: counts commas. */
static size_t copy_operands(const char *from, const char *end, char *to)
{
    size_t commas = 0;
    int depth = 1;
    for (const char *s = from; s < end;) {
        const char *other = brackets_behind_other(s);
        size_t length = other ? (size_t)(other - s) : 1;
        depth += other ? 0 : (*s == '(') - (*s == ')');
        bool lacks = *s == ')' && depth == 1 && lacks_comma(s + 1);
        if (to) {
            memcpy(to, s, length);
            to += length;
            if (lacks)
                *to++ = ',';
        }
        commas += lacks;
        s += length;
    }
    return commas;
}

/* The same, of a whole text. */
static size_t pass(const char *bytes, char *to)
{
    size_t more = 0;
    for (const char *s = bytes; *s;) {
        const char *end = brackets_behind_other(s), *open = end ? NULL : bracket_of(bytes, s);
        const char *colon = open ? colon_of(open) : NULL;
        end = colon ? open + brackets_round(open) : end ? end : s + 1;
        size_t here = colon ? copy(s, colon, to) : 0;
        if (colon)
            here += copy_operands(colon, end, to ? to + (colon - s) + here : NULL);
        else if (to)
            memcpy(to, s, (size_t)(end - s));
        if (to)
            to += (size_t)(end - s) + here;
        more += here;
        s = end;
    }
    return more;
}

char *assembly_mend(char *bytes)
{
    size_t more = pass(bytes, NULL);
    if (!more)
        return bytes;
    char *made = allocate(strlen(bytes) + more + 1);
    pass(bytes, made);
    made[strlen(bytes) + more] = '\0';
    return made;
}
