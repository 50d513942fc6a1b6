#include "sw/cuda/nvcc/ptx_module.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static const char *skip_space(const char *s)
{
    for (;;) {
        s += strspn(s, " \t\r\n");
        if (s[0] == '/' && s[1] == '/')
            s += strcspn(s, "\n");
        else if (s[0] == '/' && s[1] == '*' && strstr(s, "*/"))
            s = strstr(s, "*/") + 2;
        else
            return s;
    }
}

static const char *skip_braces(const char *s, const char *file)
{
    size_t depth = 0;
    do {
        s = skip_space(s);
        if (!*s)
            fatal("%s: device code ends inside braces", file);
        depth += (*s == '{') - (size_t)(*s == '}');
        s++;
    } while (depth);
    return s;
}

/* The last identifier before the initialiser or size. */
static char *variable_name(const char *s, const char *end)
{
    const char *name = "";
    size_t length = 0;
    while (s < end && *s != '=' && *s != '[') {
        if (*s == '.') {
            for (s++; in_name(*s); s++)
                ;
        } else if (*s == '(') {
            s += strcspn(s, ")");
        } else if (in_name(*s)) {
            name = s;
            for (length = 0; in_name(s[length]); length++)
                ;
            s += length;
        } else {
            s++;
        }
    }
    return text_part(name, length);
}

static char *function_name(const char *s)
{
    s = skip_space(strchr(s + 1, ' ') ? strchr(s + 1, ' ') : s + strlen(s));
    if (*s == '(')
        s = skip_space(s + strcspn(s, ")") + 1);
    size_t length = 0;
    while (in_name(s[length]))
        length++;
    return text_part(s, length);
}

/* The word of the directive at `s`, between its dot and its end. */
static bool is_directive(const char *s, const char *name)
{
    return starts_with(s, name) && !in_name(s[strlen(name)]);
}

static void read_linkage(struct ptx_item *item)
{
    static const struct {
        const char *name;
        enum ptx_linkage linkage;
    } words[] = {{".extern", PTX_EXTERN},
                 {".visible", PTX_VISIBLE},
                 {".weak", PTX_WEAK},
                 {".common", PTX_COMMON}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is_directive(item->text, words[i].name))
            item->linkage = words[i].linkage;
    }
}

/* A function or a variable: up to ';', or up to the end of the body. */
static const char *read_declaration(struct ptx_item *item, const char *file)
{
    const char *s = item->text, *function = NULL;
    bool initialised = false;
    item->kind = PTX_VARIABLE;
    for (s = skip_space(s); *s && *s != ';'; s = skip_space(s)) {
        if (is_directive(s, ".func") || is_directive(s, ".entry")) {
            item->kind = s[1] == 'f' ? PTX_FUNCTION : PTX_ENTRY;
            function = s;
        }
        item->shared |= is_directive(s, ".shared");
        initialised |= *s == '=';
        if (*s == '{' && function && !initialised) {
            item->head = (size_t)(s - item->text);
            s = skip_braces(s, file);
            break;
        }
        s = *s == '{' ? skip_braces(s, file) : s + 1;
    }
    s += *s == ';';
    item->name = function ? function_name(function) : variable_name(item->text, s);
    return s;
}

static const char *read_item(struct ptx_item *item, const char *file)
{
    const char *s = item->text;
    if (is_directive(s, ".version") || is_directive(s, ".target") ||
        is_directive(s, ".address_size") || is_directive(s, ".file")) {
        item->kind = is_directive(s, ".file") ? PTX_FILE : PTX_HEADER;
        return s + strcspn(s, "\n");
    }
    if (is_directive(s, ".section")) {
        item->kind = PTX_DEBUG;
        return skip_braces(s + strcspn(s, "{"), file);
    }
    read_linkage(item);
    return read_declaration(item, file);
}

struct ptx_module ptx_parse(const char *text, const char *file)
{
    struct ptx_module module = {0};
    size_t room = 0;
    for (const char *s = skip_space(text); *s; s = skip_space(s)) {
        if (module.count == room) {
            room = room ? 2 * room : 64;
            module.items = reallocate(module.items, room * sizeof *module.items);
        }
        struct ptx_item *item = &module.items[module.count++];
        *item = (struct ptx_item){.name = "", .text = s};
        const char *end = read_item(item, file);
        item->length = (size_t)(end - s);
        if (!item->head)
            item->head = item->length;
        s = end;
    }
    return module;
}

void ptx_names(const char *s, struct list *names)
{
    while (*s) {
        size_t length = 0;
        while (in_name(s[length]))
            length++;
        if (length && !isdigit((unsigned char)*s))
            list_add(names, text_part(s, length));
        s += length ? length : 1;
    }
}

static const char *renamed(const char *word, size_t length, const struct list *from,
                           const struct list *to)
{
    for (size_t i = 0; i < from->count; i++) {
        if (strlen(from->at[i]) == length && !memcmp(from->at[i], word, length))
            return to->at[i];
    }
    return NULL;
}

/* The number behind ".loc" or "inlined_at"; returns what is behind it. */
static const char *put_file(FILE *out, const char *s, const unsigned *files, size_t n_files)
{
    size_t blank = strspn(s, " \t");
    fwrite(s, 1, blank, out);
    char *end;
    unsigned long number = strtoul(s + blank, &end, 10);
    if (end != s + blank)
        fprintf(out, "%lu", number < n_files ? files[number] : number);
    return end == s + blank ? s + blank : end;
}

char *ptx_rename(const char *from_text, size_t length, const struct list *from,
                 const struct list *to, const unsigned *files, size_t n_files)
{
    char *made;
    size_t size;
    FILE *out = open_memstream(&made, &size);
    if (!out)
        fatal("out of memory");
    const char *s = from_text, *end = from_text + length;
    while (s < end) {
        size_t word = *s == '.';
        while (s + word < end && in_name(s[word]))
            word++;
        if (!word) {
            fputc(*s++, out);
            continue;
        }
        const char *other = *s == '.' ? NULL : renamed(s, word, from, to);
        if (other)
            fputs(other, out);
        else
            fwrite(s, 1, word, out);
        bool numbered =
            (word == 4 && !memcmp(s, ".loc", 4)) || (word == 10 && !memcmp(s, "inlined_at", 10));
        s += word;
        if (numbered && files)
            s = put_file(out, s, files, n_files);
    }
    if (fclose(out))
        fatal("out of memory");
    return made;
}
