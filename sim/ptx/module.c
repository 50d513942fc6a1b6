#include "sim/ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "sim/ptx/lower/build.h"
#include "sim/ptx/lower/callgraph.h"
#include "sim/ptx/parse/ast.h"
#include "sim/ptx/parse/isa.h"

struct placed_variable {
    struct module_variable public;
    struct init_symbol *symbols; /* `variable` counts the module's variables */
    size_t n_symbols;
};

struct module {
    struct built_kernel *kernels;
    size_t n_kernels, kernels_capacity;
    const struct kernel **entries; /* by number of the function */
    struct placed_variable *variables;
    size_t n_variables, variables_capacity;
    struct source_map *source;
    uint32_t architecture;
    char *remark;
};

/* The module-scope variables that exist in device memory, out of the parsed ones. */
static void take_variables(struct module *m, struct unit *unit)
{
    for (size_t i = 0; i < unit->n_variables; i++) {
        struct variable *v = &unit->variables[i];
        if ((v->space != SPACE_GLOBAL && v->space != SPACE_CONST) || v->is_extern)
            continue;
        ARRAY_RESERVE(m->variables, m->n_variables, m->variables_capacity);
        v->placed = (uint32_t)m->n_variables;
        m->variables[m->n_variables++] =
            (struct placed_variable){.public = {.name = alloc_string_n(v->name, v->name_length),
                                                .space = v->space,
                                                .size = v->size,
                                                .align = v->align,
                                                .init = v->init},
                                     .symbols = v->symbols,
                                     .n_symbols = v->n_symbols};
        v->init = NULL;
        v->symbols = NULL;
    }
}

/* From positions in the unit to positions in the module. */
static bool renumber(struct module *m, const struct unit *unit, struct error *err)
{
    for (size_t i = 0; i < m->n_variables; i++)
        for (size_t s = 0; s < m->variables[i].n_symbols; s++) {
            struct init_symbol *symbol = &m->variables[i].symbols[s];
            if (symbol->is_function)
                continue;
            const struct variable *v = &unit->variables[symbol->variable];
            symbol->variable = v->placed;
            if (v->placed == NONE)
                return error_set(err, "%s:%u: '%.*s' is .extern, but this file does not define it",
                                 unit->name, v->line,
                                 (int)(v->name_length < 80 ? v->name_length : 80), v->name);
        }
    for (size_t i = 0; i < m->n_kernels; i++)
        for (size_t p = 0; p < m->kernels[i].n_patches; p++) {
            struct address_patch *patch = &m->kernels[i].patches[p];
            patch->variable = unit->variables[patch->variable].placed;
        }
    return true;
}

/* Kernels that launch others know them by the numbers of their functions. */
static void number_kernels(struct module *m, const struct unit *unit)
{
    size_t next = 0;
    m->entries = ALLOC_ARRAY(const struct kernel *, unit->n_functions + 1);
    for (size_t i = 0; i < unit->n_functions; i++) {
        if (unit->functions[i].is_entry && unit->functions[i].defined)
            m->entries[i] = &m->kernels[next++].kernel;
    }
    for (size_t i = 0; i < m->n_kernels; i++) {
        m->kernels[i].kernel.entries = m->entries;
        m->kernels[i].kernel.n_entries = (uint32_t)unit->n_functions;
    }
}

struct module *module_parse_within(const char *name, const char *text, size_t length,
                                   uint32_t max_regs, struct error *err)
{
    struct unit unit = {0};
    struct module *m = ALLOC(struct module);
    bool ok = parse_unit(&unit, name, text, length, err);
    if (ok) {
        m->remark = isa_remark(&unit);
        callgraph_build(&unit);
    }
    for (size_t i = 0; i < unit.n_functions && ok; i++) {
        if (!unit.functions[i].is_entry || !unit.functions[i].defined)
            continue;
        ARRAY_RESERVE(m->kernels, m->n_kernels, m->kernels_capacity);
        build_kernel(&m->kernels[m->n_kernels++], &unit, &unit.functions[i], max_regs);
    }
    if (ok) {
        number_kernels(m, &unit);
        take_variables(m, &unit);
        ok = renumber(m, &unit, err);
    }
    m->source = unit.source;
    m->architecture = unit.architecture;
    unit.source = NULL;
    unit_free(&unit);
    if (ok)
        return m;
    module_free(m);
    return NULL;
}

struct module *module_parse(const char *name, const char *text, size_t length, struct error *err)
{
    return module_parse_within(name, text, length, MAX_REGS, err);
}

struct module *module_load_within(const char *path, uint32_t max_regs, struct error *err)
{
    size_t length;
    char *text = (char *)read_file(path, &length, err);
    if (!text)
        return NULL;
    struct module *m = module_parse_within(path, text, length, max_regs, err);
    free(text);
    return m;
}

struct module *module_load(const char *path, struct error *err)
{
    return module_load_within(path, MAX_REGS, err);
}

void module_free(struct module *module)
{
    if (!module)
        return;
    for (size_t i = 0; i < module->n_kernels; i++)
        built_kernel_free(&module->kernels[i]);
    for (size_t i = 0; i < module->n_variables; i++) {
        free(module->variables[i].public.name);
        free(module->variables[i].public.init);
        free(module->variables[i].symbols);
    }
    free(module->kernels);
    free(module->entries);
    free(module->variables);
    source_map_free(module->source);
    free(module->remark);
    free(module);
}

uint32_t module_kernel_count(const struct module *module)
{
    return (uint32_t)module->n_kernels;
}

struct kernel *module_kernel_at(const struct module *module, uint32_t index)
{
    return &module->kernels[index].kernel;
}

struct kernel *module_kernel(const struct module *module, const char *name)
{
    for (size_t i = 0; i < module->n_kernels; i++)
        if (!strcmp(module->kernels[i].kernel.name, name))
            return &module->kernels[i].kernel;
    return NULL;
}

static bool no_such_kernel(const struct module *module, const char *name, struct error *err)
{
    char list[340] = "";
    size_t used = 0, shown = 0;
    for (; shown < module->n_kernels; shown++) {
        const char *other = module->kernels[shown].kernel.name;
        size_t n = strlen(other);
        if (used + n + 2 > sizeof list)
            break;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", shown ? ", " : "", other);
    }
    if (!module->n_kernels)
        return error_set(err, "no kernel named %.80s: the file defines no kernel", name);
    if (shown < module->n_kernels)
        return error_set(err, "no kernel named %.80s; there are %s and %zu more", name, list,
                         module->n_kernels - shown);
    return error_set(err, "no kernel named %.80s; there %s %s", name, shown > 1 ? "are" : "is",
                     list);
}

void kernel_skip(struct kernel *kernel)
{
    kernel->code[0] = (struct inst){.class = INST_EXIT,
                                    .unit = UNIT_CONTROL,
                                    .timing = TIMING_CONTROL,
                                    .guard = NO_GUARD,
                                    .line = kernel->code[0].line,
                                    .reconv = NO_RECONV};
}

const struct kernel *module_launchable(const struct module *module, const char *name,
                                       struct error *err)
{
    const struct kernel *kernel = module_kernel(module, name);
    if (!kernel)
        no_such_kernel(module, name, err);
    else if (kernel->defect)
        error_set(err, "kernel %.80s cannot run: %s", name, kernel->defect);
    return kernel && !kernel->defect ? kernel : NULL;
}

uint32_t module_architecture(const struct module *module)
{
    return module->architecture;
}

const char *module_remark(const struct module *module)
{
    return module->remark;
}

uint32_t module_variable_count(const struct module *module)
{
    return (uint32_t)module->n_variables;
}

struct module_variable *module_variable_at(const struct module *module, uint32_t index)
{
    return &module->variables[index].public;
}

/* --- addresses -----------------------------------------------------------------------------------
 */

static void patch_kernel(const struct module *m, struct built_kernel *built)
{
    for (size_t p = 0; p < built->n_patches; p++) {
        const struct address_patch *patch = &built->patches[p];
        uint64_t value = m->variables[patch->variable].public.address + (uint64_t)patch->addend;
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            built->kernel.konst[patch->row][lane] = (uint32_t)value;
            if (patch->wide)
                built->kernel.konst[patch->row + 1][lane] = (uint32_t)(value >> 32);
        }
    }
}

static bool place_code(struct module *module,
                       uint64_t (*allocate)(void *user, uint64_t bytes, uint64_t align), void *user,
                       struct error *err)
{
    for (size_t i = 0; i < module->n_kernels; i++) {
        struct kernel *k = &module->kernels[i].kernel;
        k->code_address = allocate(user, 8ull * (k->n_inst ? k->n_inst : 1), 128);
        if (!k->code_address)
            return error_set(err, "kernel %s: device memory is full", k->name);
        patch_kernel(module, &module->kernels[i]);
    }
    return true;
}

bool module_place_like(struct module *module, const struct module *like,
                       uint64_t (*allocate)(void *user, uint64_t bytes, uint64_t align), void *user,
                       struct error *err)
{
    for (size_t i = 0; i < module->n_variables; i++)
        module->variables[i].public.address = like->variables[i].public.address;
    return place_code(module, allocate, user, err);
}

bool module_place(struct module *module,
                  uint64_t (*allocate)(void *user, uint64_t bytes, uint64_t align), void *user,
                  struct error *err)
{
    for (size_t i = 0; i < module->n_variables; i++) {
        struct module_variable *v = &module->variables[i].public;
        v->address = allocate(user, v->size ? v->size : 1, v->align);
        if (!v->address)
            return error_set(err, "variable %s: device memory is full (%llu bytes needed)", v->name,
                             (unsigned long long)v->size);
    }
    if (!place_code(module, allocate, user, err))
        return false;
    for (size_t i = 0; i < module->n_variables; i++) {
        struct placed_variable *v = &module->variables[i];
        for (size_t s = 0; s < v->n_symbols; s++) {
            const struct init_symbol *symbol = &v->symbols[s];
            uint64_t value =
                symbol->is_function
                    ? FUNCTION_ADDRESS(symbol->variable)
                    : module->variables[symbol->variable].public.address + (uint64_t)symbol->addend;
            memcpy(v->public.init + v->symbols[s].offset, &value, v->symbols[s].size);
        }
    }
    return true;
}
