/* bin2c: a file as an array of C, for programs that carry their modules inside. Elements are
 * little-endian; the last one is filled up with zeros. A module is text here and a program hands it
 * on without its size, so a zero is always behind it. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_LINE  32u /* bytes */
#define MOST_PADS 64u

struct options {
    const char *name, *type, *file;
    bool is_const, is_static;
    uint8_t pads[MOST_PADS]; /* behind the file's bytes */
    size_t n_pads;
};

static const struct element {
    const char *name, *in_c;
    size_t bytes;
} elements[] = {{"char", "unsigned char", 1},
                {"short", "unsigned short", 2},
                {"int", "unsigned int", 4},
                {"longlong", "unsigned long long", 8}};

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "bin2c: %s: %s\n", what, why);
    return 2;
}

static const struct element *element_of(const char *type)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (!strcmp(elements[i].name, type))
            return &elements[i];
    }
    return NULL;
}

/* Numbers of a byte each, with commas between. */
static bool take_pads(struct options *o, const char *text)
{
    while (o->n_pads < MOST_PADS) {
        char *end;
        errno = 0;
        unsigned long value = strtoul(text, &end, 0);
        if (end == text || errno || value > UINT8_MAX || (*end && *end != ','))
            return false;
        o->pads[o->n_pads++] = (uint8_t)value;
        if (!*end)
            return true;
        text = end + 1;
    }
    return false;
}

/* The value of an option that has one: behind "=", or the next word. NULL: another option. */
static const char *value_of(char **argv, int *i, const char *brief, const char *full)
{
    const char *word = argv[*i];
    size_t length = strlen(full);
    if (!strncmp(word, full, length) && word[length] == '=')
        return word + length + 1;
    if (strcmp(word, brief) && strcmp(word, full))
        return NULL;
    return argv[*i + 1] ? argv[++*i] : "";
}

static bool take_flag(struct options *o, const char *word)
{
    bool constant = !strcmp(word, "-c") || !strcmp(word, "--const");
    bool fixed = !strcmp(word, "-st") || !strcmp(word, "--static");
    o->is_const = o->is_const || constant;
    o->is_static = o->is_static || fixed;
    return constant || fixed;
}

static int take_options(struct options *o, char **argv)
{
    for (int i = 1; argv[i]; i++) {
        const char *value;
        if (take_flag(o, argv[i]))
            continue;
        if ((value = value_of(argv, &i, "-n", "--name")) != NULL)
            o->name = value;
        else if ((value = value_of(argv, &i, "-t", "--type")) != NULL)
            o->type = value;
        else if ((value = value_of(argv, &i, "-p", "--padd")) != NULL) {
            if (!take_pads(o, value))
                return fail(value, "--padd wants bytes with commas between, 64 at most");
        } else if (argv[i][0] == '-' || o->file)
            return fail(argv[i],
                        "unknown argument; usage: bin2c [--const] [--static] [--name NAME] "
                        "[--type char|short|int|longlong] [--padd BYTE,...] FILE");
        else
            o->file = argv[i];
    }
    if (!*o->name || !element_of(o->type))
        return fail(*o->name ? o->type : "--name",
                    *o->name ? "--type is char, short, int or longlong" : "the name is missing");
    return o->file ? 0 : fail("FILE", "the file is missing");
}

/* Writes a byte where its element has it; elements are written when they are whole. */
struct writer {
    size_t size, have, written;
    uint64_t value;
};

static void put(struct writer *w, uint8_t byte)
{
    w->value |= (uint64_t)byte << 8 * w->have;
    if (++w->have < w->size)
        return;
    printf("%s0x%0*llx,", w->written % PER_LINE ? "" : "\n", (int)(2 * w->size),
           (unsigned long long)w->value);
    w->written += w->size;
    w->value = w->have = 0;
}

/* The file begins as PTX does; it is read again from the beginning. */
static bool is_module(FILE *file)
{
    char text[4096];
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    rewind(file);
    return strstr(text, "\n.version ") != NULL;
}

int main(int argc, char **argv)
{
    struct options o = {.name = "imageBytes", .type = "longlong"};
    (void)argc;
    int status = take_options(&o, argv);
    FILE *file = status ? NULL : fopen(o.file, "rb");
    if (!file)
        return status ? status : fail(o.file, strerror(errno));
    const struct element *e = element_of(o.type);
    struct writer w = {.size = e->bytes};
    bool more = is_module(file);
    printf("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n%s%s%s %s[] = {",
           o.is_static ? "static " : "", o.is_const ? "const " : "", e->in_c, o.name);
    for (int c; (c = getc(file)) != EOF;)
        put(&w, (uint8_t)c);
    for (size_t i = 0; i < o.n_pads; i++)
        put(&w, o.pads[i]);
    for (; more || w.have; more = false)
        put(&w, 0);
    printf("\n};\n\n#ifdef __cplusplus\n}\n#endif\n");
    bool bad = ferror(file) || fflush(stdout) || ferror(stdout);
    fclose(file);
    return bad ? fail(o.file, "cannot be read, or the array cannot be written") : 0;
}
