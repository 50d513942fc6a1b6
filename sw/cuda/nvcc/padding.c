#include "sw/cuda/nvcc/padding.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/list.h"

#define INTEGER 8 /* bytes; larger objects are copied by other means */

/* --- layouts ---------------------------------------------------------------------------------- */

/* Bytes of the type at *at, which moves behind it; 0: not a number, nor an array of bytes. */
static unsigned long size_of(const char **at)
{
    char *end;
    unsigned long size = 0;
    if (**at == '[') {
        size = strtoul(*at + 1, &end, 10);
        size = starts_with(end, " x i8]") ? size : 0;
    } else if (**at == 'i') {
        size = strtoul(*at + 1, &end, 10) / 8;
    } else if (starts_with(*at, "float")) {
        size = 4;
    } else if (starts_with(*at, "double")) {
        size = 8;
    } else if (starts_with(*at, "half")) {
        size = 2;
    }
    *at += strcspn(*at, ",}");
    return size;
}

/* "{ i32, i8, [3 x i8] }>": no larger than an integer, or of a size that is not known. */
static bool is_small(const char *members)
{
    unsigned long sum = 0;
    const char *at = members + 1;
    while (*at && *at != '}') {
        at += strspn(at, " ,");
        if (*at == '}')
            break;
        unsigned long size = size_of(&at);
        if (!size)
            return true;
        sum += size;
    }
    return sum <= INTEGER;
}

/* A class with padding behind it has another type where others derive from it. An empty one has
 * nothing but its padding. */
bool padding_in_layouts(const char *layouts)
{
    static const char whole[] = "\n  LLVMType:", base[] = "\n  NonVirtualBaseLLVMType:";
    char *bytes = file_read(layouts, NULL);
    bool found = false;
    for (const char *at = bytes; at && !found && (at = strstr(at, whole)); at++) {
        const char *next = strstr(at, base), *members = strchr(at, '{');
        size_t line = next ? strcspn(next + 1, "\n") : 0;
        if (!next || !members || members > next)
            continue;
        char *of_base = text_part(next, line + 1);
        found =
            strstr(of_base, ".base = type ") && !strstr(of_base, "type {}") && is_small(members);
        free(of_base);
    }
    free(bytes);
    return found;
}

/* --- LLVM's text ------------------------------------------------------------------------------ */

struct member {
    char *type;
};

struct layout {
    char *name; /* with its '%' */
    struct member *members;
    size_t count;
};

struct module {
    struct layout *layouts;
    size_t count;
    struct list locals; /* of the present function: names of its variables */
    unsigned made;
    struct output {
        char *bytes;
        size_t used, room;
    } out;
};

static void write_part(struct output *out, const char *bytes, size_t length)
{
    if (out->used + length + 1 > out->room) {
        out->room = 2 * (out->used + length) + 1024;
        out->bytes = reallocate(out->bytes, out->room);
    }
    memcpy(out->bytes + out->used, bytes, length);
    out->used += length;
    out->bytes[out->used] = '\0';
}

static void write_text(struct output *out, char *bytes)
{
    write_part(out, bytes, strlen(bytes));
    free(bytes);
}

/* The end of a type: a comma or bracket that belongs to none of its own. */
static const char *type_end(const char *at)
{
    int depth = 0;
    for (bool quoted = false; *at && *at != '\n'; at++) {
        quoted = *at == '"' ? !quoted : quoted;
        if (quoted)
            continue;
        if (!depth && strchr(",)]}", *at))
            break;
        depth += strchr("([{<", *at) ? 1 : strchr(")]}>", *at) ? -1 : 0;
    }
    while (at[-1] == ' ')
        at--;
    return at;
}

/* "%struct.P = type <{ i32, i8, [3 x i8] }>" */
static void note_layout(struct module *module, const char *line)
{
    const char *equal = strstr(line, " = type "), *end = strchr(line, '\n');
    const char *at = equal ? strchr(equal, '{') : NULL;
    if (!at || (end && at > end))
        return;
    struct layout made = {.name = text_part(line, (size_t)(equal - line))};
    for (at++; at += strspn(at, " ,"), *at && *at != '}' && *at != '\n'; at = type_end(at)) {
        made.members = reallocate(made.members, (made.count + 1) * sizeof *made.members);
        made.members[made.count++].type = text_part(at, (size_t)(type_end(at) - at));
    }
    module->layouts = reallocate(module->layouts, (module->count + 1) * sizeof *module->layouts);
    module->layouts[module->count++] = made;
}

static const struct layout *find_layout(const struct module *module, const char *name)
{
    for (size_t i = 0; i < module->count; i++) {
        if (!strcmp(module->layouts[i].name, name))
            return &module->layouts[i];
    }
    return NULL;
}

/* Bytes that a last member may have as padding. */
static unsigned long padding_bytes(const char *type)
{
    if (!strcmp(type, "i8"))
        return 1;
    char *end = NULL;
    unsigned long count = *type == '[' ? strtoul(type + 1, &end, 10) : 0;
    return count < INTEGER && end && !strcmp(end, " x i8]") ? count : 0;
}

/* Writes what gives each byte at `path` of the variable a value. It keeps the one that it has, if
 * the bytes are no padding after all. */
static void freeze(struct module *module, const char *type, const char *name, const char *path,
                   unsigned long bytes)
{
    for (unsigned long i = 0; i < bytes; i++) {
        unsigned n = module->made++;
        char *at = bytes > 1 ? text("%s, i32 %lu", path, i) : text("%s", path);
        write_text(&module->out,
                   text("  %%evgpu.at.%u = getelementptr inbounds %s, %s* %s, i32 0%s\n"
                        "  %%evgpu.old.%u = load i8, i8* %%evgpu.at.%u, align 1\n"
                        "  %%evgpu.new.%u = freeze i8 %%evgpu.old.%u\n"
                        "  store i8 %%evgpu.new.%u, i8* %%evgpu.at.%u, align 1\n",
                        n, type, type, name, at, n, n, n, n, n, n));
        free(at);
    }
}

static void freeze_members(struct module *module, const struct layout *layout, const char *type,
                           const char *name, const char *path)
{
    for (size_t i = 0; i < layout->count; i++) {
        const char *member = layout->members[i].type;
        const struct layout *inner = find_layout(module, member);
        char *to = text("%s, i32 %zu", path, i);
        if (inner)
            freeze_members(module, inner, type, name, to);
        else if (i + 1 == layout->count)
            freeze(module, type, name, to, padding_bytes(member));
        free(to);
    }
}

/* "  %5 = load %struct.P, %struct.P* %4, align 4": what a function returns, of its own variables.
 */
static void mend_load(struct module *module, const char *line)
{
    const char *load = strstr(line, " = load %"), *end = strchr(line, '\n');
    if (!load || (end && load > end))
        return;
    const char *type = load + strlen(" = load "), *comma = type_end(type);
    char *name_of_type = text_part(type, (size_t)(comma - type));
    const struct layout *layout = find_layout(module, name_of_type);
    const char *name = comma + 2 + strlen(name_of_type) + 2;
    if (layout && starts_with(comma, ", ") && starts_with(comma + 2, name_of_type) &&
        starts_with(name - 2, "* %")) {
        char *variable = text_part(name, strcspn(name, ", \n"));
        if (list_has(&module->locals, variable))
            freeze_members(module, layout, name_of_type, variable, "");
        free(variable);
    }
    free(name_of_type);
}

static void note_variable(struct module *module, const char *line)
{
    const char *at = line + strspn(line, " "), *equal = strstr(at, " = alloca ");
    const char *end = strchr(line, '\n');
    if (*at == '%' && equal && (!end || equal < end))
        list_add(&module->locals, text_part(at, (size_t)(equal - at)));
}

void padding_mend(const char *path)
{
    struct module module = {.layouts = NULL};
    char *bytes = file_read(path, NULL);
    if (!bytes)
        fatal("cannot read %s", path);
    for (const char *line = bytes; *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        if (*line == '%')
            note_layout(&module, line);
        else if (starts_with(line, "define "))
            module.locals.count = 0;
        if (*line == ' ') {
            note_variable(&module, line);
            mend_load(&module, line);
        }
        write_part(&module.out, line, length);
        line += length;
    }
    file_write(path, module.out.bytes, module.out.used);
}
