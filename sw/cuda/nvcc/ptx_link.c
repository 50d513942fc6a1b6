#include "sw/cuda/nvcc/ptx_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/ptx_module.h"

struct unit {
    const struct device_object *object;
    struct ptx_module module;
    struct list from, to; /* local names that change */
    unsigned *files;      /* file numbers of the linked module, by this unit's */
    size_t n_files;
    bool *put; /* by item: a variable that the linked module has already */
};

struct linker {
    struct unit *units;
    size_t n_units;
    struct list files; /* names, with their quotes; number 1 first */
    unsigned errors;
    bool launches; /* kernels launch kernels, and know them by their names */
    FILE *out;
};

static void complain(struct linker *linker, const char *what, const char *name, const char *where)
{
    fprintf(stderr, "nvlink error   : %s '%s'%s\n", what, name, where);
    linker->errors++;
}

static bool is_symbol(const struct ptx_item *item)
{
    return item->kind == PTX_VARIABLE || item->kind == PTX_FUNCTION || item->kind == PTX_ENTRY;
}

static bool is_definition(const struct ptx_item *item)
{
    if (!is_symbol(item) || item->linkage == PTX_EXTERN)
        return false;
    return item->kind == PTX_VARIABLE || item->head != item->length;
}

/* The definition that stands for a name seen by all units: the one that is not weak, else the
 * first. */
static const struct ptx_item *find_definition(const struct linker *linker, const char *name,
                                              size_t *unit)
{
    const struct ptx_item *found = NULL;
    for (size_t u = 0; u < linker->n_units; u++) {
        const struct ptx_module *module = &linker->units[u].module;
        for (size_t i = 0; i < module->count; i++) {
            const struct ptx_item *item = &module->items[i];
            if (!is_definition(item) || item->linkage == PTX_LOCAL || strcmp(item->name, name))
                continue;
            if (!found || (found->linkage != PTX_VISIBLE && item->linkage == PTX_VISIBLE)) {
                found = item;
                *unit = u;
            }
        }
    }
    return found;
}

/* Whether another unit than `except` has the name, whatever its linkage. */
static bool name_elsewhere(const struct linker *linker, size_t except, const char *name)
{
    for (size_t u = 0; u < linker->n_units; u++) {
        const struct ptx_module *module = &linker->units[u].module;
        for (size_t i = 0; u != except && i < module->count; i++) {
            if (is_symbol(&module->items[i]) && !strcmp(module->items[i].name, name))
                return true;
        }
    }
    return false;
}

static void rename_locals(struct linker *linker, size_t u)
{
    struct unit *unit = &linker->units[u];
    for (size_t i = 0; i < unit->module.count; i++) {
        const struct ptx_item *item = &unit->module.items[i];
        if (!is_symbol(item) || item->linkage != PTX_LOCAL || list_has(&unit->from, item->name) ||
            !name_elsewhere(linker, u, item->name))
            continue;
        list_add(&unit->from, item->name);
        list_add(&unit->to, text("%s$%zu", item->name, u + 1));
    }
}

static void number_file(struct linker *linker, struct unit *unit, const struct ptx_item *item)
{
    char *line = text_part(item->text, item->length), *name;
    unsigned long number = strtoul(line + strlen(".file"), &name, 10);
    name += strspn(name, " \t");
    size_t index = 0;
    while (index < linker->files.count && strcmp(linker->files.at[index], name))
        index++;
    if (index == linker->files.count)
        list_add(&linker->files, name);
    if (number >= unit->n_files) {
        unit->files = reallocate(unit->files, (number + 1) * sizeof *unit->files);
        for (size_t n = unit->n_files; n <= number; n++)
            unit->files[n] = (unsigned)n;
        unit->n_files = number + 1;
    }
    unit->files[number] = (unsigned)index + 1;
}

static void check_symbol(struct linker *linker, size_t u, const struct ptx_item *item)
{
    static const char *const given[] = {"vprintf",
                                        "malloc",
                                        "free",
                                        "__assertfail",
                                        "cudaDeviceSynchronize",
                                        "__evgpu_launch_buffer",
                                        "__evgpu_launch",
                                        "__evgpu_launches"};
    const char *file = linker->units[u].object->file;
    size_t home = 0;
    linker->launches |= !strcmp(item->name, "__evgpu_launch");
    const struct ptx_item *definition = find_definition(linker, item->name, &home);
    if (item->linkage == PTX_EXTERN && !definition && !item->shared) {
        for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
            if (!strcmp(item->name, given[i]))
                return;
        }
        complain(linker, "Undefined reference to", item->name, text(" in '%s'", file));
    }
    if (is_definition(item) && item->linkage == PTX_VISIBLE && definition != item)
        complain(linker, "Multiple definition of", item->name,
                 text(" in '%s', first defined in '%s'", file, linker->units[home].object->file));
}

static void put(struct linker *linker, const struct unit *unit, const char *from, size_t length)
{
    char *made = ptx_rename(from, length, &unit->from, &unit->to, unit->files, unit->n_files);
    fputs(made, linker->out);
    free(made);
}

/* Whether the linked module has this item. */
static bool is_kept(const struct linker *linker, const struct ptx_item *item, bool *declared)
{
    size_t home;
    *declared = false;
    if (item->linkage == PTX_LOCAL)
        return is_definition(item);
    const struct ptx_item *definition = find_definition(linker, item->name, &home);
    *declared = !definition;
    return definition == item || !definition;
}

/* --- variables, each behind those that its initialiser names ------------------------------------
 */

static void put_variable(struct linker *linker, size_t u, size_t i, struct list *declared);

/* The variable that unit `u` calls so. */
static void put_named(struct linker *linker, size_t u, const char *name, struct list *declared)
{
    const struct ptx_module *own = &linker->units[u].module;
    for (size_t i = 0; i < own->count; i++) {
        const struct ptx_item *item = &own->items[i];
        if (item->kind == PTX_VARIABLE && item->linkage == PTX_LOCAL && !strcmp(item->name, name)) {
            put_variable(linker, u, i, declared);
            return;
        }
    }
    size_t home;
    const struct ptx_item *found = find_definition(linker, name, &home);
    if (found && found->kind == PTX_VARIABLE)
        put_variable(linker, home, (size_t)(found - linker->units[home].module.items), declared);
}

static void put_variable(struct linker *linker, size_t u, size_t i, struct list *declared)
{
    struct unit *unit = &linker->units[u];
    const struct ptx_item *item = &unit->module.items[i];
    bool only_declared;
    if (unit->put[i] || !is_kept(linker, item, &only_declared) ||
        (only_declared && list_has(declared, item->name)))
        return;
    unit->put[i] = true;
    if (only_declared)
        list_add(declared, item->name);
    char *line = text_part(item->text, item->length), *value = strchr(line, '=');
    struct list names = {0};
    if (value)
        ptx_names(value, &names);
    for (size_t n = 0; n < names.count; n++)
        put_named(linker, u, names.at[n], declared);
    put(linker, unit, item->text, item->length);
    fputc('\n', linker->out);
}

/* --- the module ---------------------------------------------------------------------------------
 */

enum pass {
    HEADS, /* of functions, so that all names are known */
    VARIABLES,
    FUNCTIONS
};

/* What has no definition is declared once. */
static void put_pass(struct linker *linker, enum pass pass, struct list *declared)
{
    for (size_t u = 0; u < linker->n_units; u++) {
        struct unit *unit = &linker->units[u];
        for (size_t i = 0; i < unit->module.count; i++) {
            const struct ptx_item *item = &unit->module.items[i];
            bool only_declared;
            if (!is_symbol(item) || (item->kind == PTX_VARIABLE) != (pass == VARIABLES) ||
                !is_kept(linker, item, &only_declared))
                continue;
            if (pass == VARIABLES) {
                put_variable(linker, u, i, declared);
            } else if (only_declared && pass == HEADS && !list_has(declared, item->name)) {
                list_add(declared, item->name);
                put(linker, unit, item->text, item->length);
                fputc('\n', linker->out);
            } else if (!only_declared && pass == HEADS &&
                       (item->kind == PTX_FUNCTION || linker->launches)) {
                put(linker, unit, item->text, item->head);
                fputs(";\n", linker->out);
            } else if (!only_declared && pass == FUNCTIONS) {
                put(linker, unit, item->text, item->length);
                fputc('\n', linker->out);
            }
        }
    }
}

/* The highest of the units' versions and targets. */
static const char *highest(const struct linker *linker, const char *directive)
{
    const char *best = "";
    double most = 0;
    for (size_t u = 0; u < linker->n_units; u++) {
        const struct ptx_module *module = &linker->units[u].module;
        for (size_t i = 0; i < module->count; i++) {
            const struct ptx_item *item = &module->items[i];
            if (item->kind != PTX_HEADER || !starts_with(item->text, directive))
                continue;
            char *line = text_part(item->text, item->length);
            double value = strtod(line + strcspn(line, "0123456789"), NULL);
            if (value > most) {
                most = value;
                best = line;
            }
        }
    }
    return best;
}

static void put_module(struct linker *linker)
{
    fprintf(linker->out, "%s\n%s\n.address_size 64\n", highest(linker, ".version"),
            highest(linker, ".target"));
    struct list declared = {0};
    for (enum pass pass = HEADS; pass <= FUNCTIONS; pass++)
        put_pass(linker, pass, &declared);
    for (size_t i = 0; i < linker->files.count; i++)
        fprintf(linker->out, ".file %zu %s\n", i + 1, linker->files.at[i]);
}

char *ptx_link(const struct device_objects *objects)
{
    struct linker linker = {.units = allocate(objects->count * sizeof(struct unit)),
                            .n_units = objects->count};
    for (size_t u = 0; u < linker.n_units; u++) {
        struct unit *unit = &linker.units[u];
        unit->object = &objects->at[u];
        unit->module = ptx_parse(unit->object->ptx, unit->object->file);
        unit->put = allocate(unit->module.count * sizeof *unit->put);
    }
    for (size_t u = 0; u < linker.n_units; u++) {
        struct unit *unit = &linker.units[u];
        rename_locals(&linker, u);
        for (size_t i = 0; i < unit->module.count; i++) {
            const struct ptx_item *item = &unit->module.items[i];
            if (item->kind == PTX_FILE)
                number_file(&linker, unit, item);
            else if (is_symbol(item))
                check_symbol(&linker, u, item);
        }
    }
    if (linker.errors) {
        leave_clean();
        exit(1);
    }
    char *made;
    size_t size;
    linker.out = open_memstream(&made, &size);
    if (!linker.out)
        fatal("out of memory");
    put_module(&linker);
    if (fclose(linker.out))
        fatal("out of memory");
    return made;
}
