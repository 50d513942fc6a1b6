#include "sw/cuda/nvcc/padding.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/list.h"

#define INTEGER 8 /* bytes; larger objects are copied by other means */

/* --- types ------------------------------------------------------------------------------------ */

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

/* --- layouts ---------------------------------------------------------------------------------- */

/* A name and " = type " in front of the next members. */
static bool names_type(const char *at, const char *name, size_t length)
{
    return !strncmp(at, name, length) && starts_with(at + length, " = type ");
}

static unsigned long members_size(const char *layouts, const char *members);

/* Bytes of a class of this name, or less; 0: not known. */
static unsigned long class_size(const char *layouts, const char *name, size_t length)
{
    static const char record[] = "LLVMType:";
    for (const char *at = layouts; (at = strstr(at, record));) {
        at += strlen(record);
        if (names_type(at, name, length))
            return members_size(layouts, at + length + strlen(" = type "));
    }
    return 0;
}

static unsigned long type_size(const char *layouts, const char *type, size_t length)
{
    static const struct {
        const char *name;
        unsigned long size;
    } numbers[] = {{"half", 2}, {"float", 4}, {"double", 8}};
    char *end;
    if (type[length - 1] == '*')
        return 8;
    if (*type == '%')
        return class_size(layouts, type, length);
    if (*type == '[') {
        unsigned long count = strtoul(type + 1, &end, 10);
        const char *of = end + strlen(" x ");
        return of < type + length - 1
                   ? count * type_size(layouts, of, (size_t)(type + length - 1 - of))
                   : 0;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strlen(numbers[i].name) == length && starts_with(type, numbers[i].name))
            return numbers[i].size;
    return *type == 'i' ? (strtoul(type + 1, &end, 10) + 7) / 8 : 0;
}

/* Of "<{ i32, i8, [3 x i8] }>", without what alignment adds; 0: not known. */
static unsigned long members_size(const char *layouts, const char *members)
{
    const char *at = members + strspn(members, "<");
    unsigned long sum = 0;
    if (*at++ != '{')
        return 0;
    for (; at += strspn(at, " ,"), *at && *at != '}' && *at != '\n'; at = type_end(at)) {
        unsigned long size = type_size(layouts, at, (size_t)(type_end(at) - at));
        if (!size)
            return 0;
        sum += size;
    }
    return sum;
}

/* A class with padding behind it has another type where others derive from it. An empty one has
 * nothing but its padding. */
bool padding_in_layouts(const char *layouts)
{
    static const char whole[] = "\n  LLVMType:", base[] = "\n  NonVirtualBaseLLVMType:";
    char *bytes = file_read(layouts, NULL);
    bool found = false;
    for (const char *at = bytes; at && !found && (at = strstr(at, whole)); at++) {
        const char *name = at + strlen(whole), *next = strstr(at, base);
        const char *equal = strstr(name, " = type ");
        if (!next || !equal || equal > next)
            continue;
        next += strlen(base);
        char *of_base = text_part(next, strcspn(next, "\n"));
        found = !names_type(next, name, (size_t)(equal - name)) && !strstr(of_base, "type {}") &&
                members_size(bytes, equal + strlen(" = type ")) <= INTEGER;
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

/* `what` in the line; NULL: it is not there. */
static const char *in_line(const char *line, const char *what)
{
    return memmem(line, strcspn(line, "\n"), what, strlen(what));
}

/* "%struct.P = type <{ i32, i8, [3 x i8] }>" */
static void note_layout(struct module *module, const char *line)
{
    const char *equal = in_line(line, " = type "), *at = equal ? in_line(equal, "{") : NULL;
    if (!at)
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
    const char *load = in_line(line, " = load %");
    if (!load)
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
    const char *at = line + strspn(line, " "), *equal = in_line(at, " = alloca ");
    if (*at == '%' && equal)
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
