#include "sw/cuda/nvcc/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/arch.h"
#include "sw/cuda/nvcc/version.h"

struct words {
    struct list *list;
    size_t next;
};

static void parse_words(struct options *options, struct list *words);

static const char *name_of(const struct option_row *row)
{
    return row->long_name;
}

static void *field(struct options *options, const struct option_row *row)
{
    return (char *)options + row->offset;
}

static bool truth(const struct option_row *row, const char *value)
{
    if (!strcmp(value, "true") || !strcmp(value, "1"))
        return true;
    if (strcmp(value, "false") && strcmp(value, "0"))
        fatal("'%s': expected 'true' or 'false' for option '%s'", value, name_of(row));
    return false;
}

static void parse_registers(struct options *options, const char *value)
{
    char *end;
    options->max_registers = strtol(value, &end, 0);
    if (end == value || *end || options->max_registers < 0 || options->max_registers > 255)
        fatal("'maxrregcount' is '%s': must be a number from 1 to 255, or 0 for no limit", value);
    /* The ABI takes 16; below that nvcc, too, goes on with 16. */
    if (options->max_registers > 0 && options->max_registers < 16)
        options->max_registers = 16;
}

static void check_number(const struct option_row *row, const char *value)
{
    if (!*value || strspn(value, "0123456789") != strlen(value))
        fatal("'%s' is '%s': must be a whole number, 0 or more", name_of(row), value);
}

/* What stands for ptxas is the loader: only what changes code is of interest. */
static void parse_ptxas(struct options *options, const char *value)
{
    static const char *const ignored[] = {"-dscm=",
                                          "--def-store-cache=",
                                          "-abi=",
                                          "--abi-compile=",
                                          "-warn-spills",
                                          "--warn-on-spills",
                                          "-warn-lmem-usage",
                                          "--warn-on-",
                                          "-warn-double-usage",
                                          "-w",
                                          "-Werror",
                                          "--warning-as-error",
                                          "-suppress-",
                                          "--suppress-",
                                          "-allow-expensive-optimizations",
                                          "--allow-expensive-optimizations",
                                          "-ret-end",
                                          "--return-at-end",
                                          "-sp-bounds-check",
                                          "--sp-bounds-check",
                                          "-pic",
                                          "--position-independent-code",
                                          "-no-bb-merge",
                                          "--dont-merge-basicblocks",
                                          "--disable-optimizer-constants",
                                          "-O1",
                                          "-O2",
                                          "-O3",
                                          "-O4",
                                          "--opt-level",
                                          "-lineinfo",
                                          "--generate-line-info",
                                          "-g",
                                          "--device-debug",
                                          "-preserve-relocs",
                                          "--preserve-relocs",
                                          "-c"};
    struct list words = {0};
    list_add_split(&words, value, true);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.at[i];
        bool known = false;
        for (size_t k = 0; k < sizeof ignored / sizeof ignored[0]; k++)
            known |= starts_with(word, ignored[k]);
        if (!strcmp(word, "-v") || !strcmp(word, "--verbose"))
            options->ptxas_verbose = true;
        else if (!strcmp(word, "-O0"))
            options->no_optimise_device = true;
        else if (starts_with(word, "-dlcm=") || starts_with(word, "--def-load-cache="))
            options->cache_global = !strcmp(strchr(word, '=') + 1, "cg");
        else if (starts_with(word, "-maxrregcount=") || starts_with(word, "--maxrregcount="))
            parse_registers(options, strchr(word, '=') + 1);
        else if (!known)
            fatal("Unknown option '%s' in -Xptxas", word);
    }
}

#define RESPONSE_DEPTH 20

static void parse_response(struct options *options, const char *path)
{
    if (options->response_depth++ == RESPONSE_DEPTH)
        fatal("options file %s is the %dth inside another: does it name itself?", path,
              RESPONSE_DEPTH);
    char *bytes = file_read(path, NULL);
    if (!bytes)
        fatal("cannot read options file %s: %s", path, strerror(errno));
    struct list words = {0};
    list_add_split(&words, bytes, false);
    parse_words(options, &words);
    options->response_depth--;
}

static void print_version(void)
{
    /* Build tools look for the first line and for "release" and "V". */
    printf(
        "nvcc: NVIDIA (R) Cuda compiler driver\nunder this name for tools that look for it; this "
        "nvcc belongs to evgpu and runs clang\nCuda compilation tools, release %d.%d, V%d.%d.%d\n",
        NVCC_MAJOR, NVCC_MINOR, NVCC_MAJOR, NVCC_MINOR, NVCC_BUILD);
    exit(0);
}

/* Makefiles give -dlink among the flags of every compilation: beside -c there is nothing to link.
 */
static void set_phase(struct options *options, enum phase phase)
{
    if (phase == PHASE_DLINK && options->phase == PHASE_COMPILE)
        return;
    if (phase == PHASE_COMPILE && options->phase == PHASE_DLINK)
        options->phase = PHASE_COMPILE;
    if (options->phase != PHASE_LINK && options->phase != phase)
        fatal("More than one compilation phase specified");
    options->phase = phase;
}

static void parse_depend(struct options *options, int letter)
{
    switch (letter) {
    case 'm':
        options->depend_no_system = true;
        set_phase(options, PHASE_DEPEND);
        break;
    case 'M':
        set_phase(options, PHASE_DEPEND);
        break;
    case 'd':
        options->depend_with_compile_no_system = true;
        break;
    default:
        options->depend_with_compile = true;
        break;
    }
}

/* nvcc takes a list of macros, so build tools write \, for a comma within one. */
static char *with_commas(const char *value)
{
    char *made = text("%s", value), *to = made;
    for (const char *s = value; *s; s++) {
        if (*s == '\\' && s[1] == ',')
            s++;
        *to++ = *s;
    }
    *to = 0;
    return made;
}

static void add_include(struct options *options, const char *option, const char *value)
{
    if (strlen(option) == 2) {
        bool macro = !strcmp(option, "-D");
        list_add(&options->include, text("%s%s", option, macro ? with_commas(value) : value));
        return;
    }
    list_add_these(&options->include, option, value, NULL);
}

/* Options that decide what device code becomes; false for others. */
static bool act_on_code(struct options *options, const struct option_row *row, const char *value)
{
    switch (row->action) {
    case ACT_PTXAS:
        parse_ptxas(options, value);
        break;
    case ACT_ARCH:
        options->arch = value;
        arch_add(options, value, name_of(row));
        break;
    case ACT_CODE: {
        struct list names = {0};
        list_add_split(&names, value, true);
        for (size_t i = 0; i < names.count; i++)
            arch_number(names.at[i], name_of(row));
        break;
    }
    case ACT_GENCODE:
        arch_add_gencode(options, value);
        break;
    case ACT_RELOCATABLE:
        options->relocatable = truth(row, value);
        break;
    case ACT_REGISTERS:
        parse_registers(options, value);
        break;
    case ACT_MATH:
        *(bool *)field(options, row) = !truth(row, value);
        break;
    case ACT_FLUSH:
        options->flush_denormals = truth(row, value);
        break;
    default:
        return false;
    }
    return true;
}

static void act_with_value(struct options *options, const struct option_row *row, const char *value)
{
    if (act_on_code(options, row, value))
        return;
    switch (row->action) {
    case ACT_TEXT:
        *(const char **)field(options, row) = value;
        break;
    case ACT_INCLUDE:
        add_include(options, row->why, value);
        break;
    case ACT_LINKER:
        list_add(&options->linker, text("-L%s", value));
        break;
    case ACT_LIBRARY:
        list_add(&options->inputs, text("-l%s", value));
        break;
    case ACT_HOST:
        list_add_split(&options->host, value, true);
        break;
    case ACT_XLINKER: {
        struct list words = {0};
        list_add_split(&words, value, true);
        for (size_t i = 0; i < words.count; i++)
            list_add_these(&options->linker, "-Xlinker", words.at[i], NULL);
        break;
    }
    case ACT_ARCHIVE:
        list_add_split(&options->archiver, value, true);
        break;
    case ACT_MACHINE:
        if (strcmp(value, "64"))
            fatal("'-m%s': evgpu runs only 64-bit programs", value);
        break;
    case ACT_WERROR:
        options->warnings_are_errors |= strstr(value, "all-warnings") != NULL;
        break;
    case ACT_DEPEND_VALUE:
        list_add_these(&options->depend, row->why, value, NULL);
        break;
    case ACT_RUN_ARGS:
        list_add_split(&options->run_args, value, true);
        break;
    case ACT_RESPONSE:
        parse_response(options, value);
        break;
    case ACT_IGNORE:
        if (row->value)
            check_number(row, value);
        break;
    default:
        break;
    }
}

static void act_flag(struct options *options, const struct option_row *row)
{
    switch (row->action) {
    case ACT_FLAG:
        *(bool *)field(options, row) = true;
        break;
    case ACT_PHASE:
        set_phase(options, (enum phase)row->value);
        break;
    case ACT_DEVICE_OBJECT:
        options->relocatable = row->value;
        set_phase(options, PHASE_COMPILE);
        break;
    case ACT_DEPEND:
        parse_depend(options, row->value);
        break;
    case ACT_DEPEND_VALUE:
        list_add(&options->depend, row->why);
        break;
    case ACT_FAST_MATH:
        options->fast_math = options->flush_denormals = true;
        options->rough_division = options->rough_root = true;
        break;
    case ACT_DEBUG_DEVICE:
        options->debug_device = true;
        break;
    case ACT_PROFILE:
        options->profile = true;
        break;
    case ACT_VERSION:
        print_version();
        break;
    case ACT_HELP:
        options_help();
        exit(0);
    case ACT_LIST_ARCH:
        arch_print(row->why);
        exit(0);
    default:
        break;
    }
}

static void unknown_option(struct options *options, const char *word)
{
    if (options->forward_unknown)
        list_add(&options->host, word);
    else if (options->forward_unknown_linker)
        list_add(&options->linker, word);
    else
        fatal("Unknown option '%s'", word);
}

static void parse_option(struct options *options, struct words *words)
{
    const char *word = words->list->at[words->next++], *value;
    const struct option_row *row = option_find(word, &value);
    if (!row) {
        unknown_option(options, word);
        return;
    }
    if (row->action == ACT_REFUSE)
        fatal("Option '%s': %s", word, row->why);
    if (row->form == FORM_FLAG) {
        if (value)
            fatal("Option '%s' takes no value", word);
        act_flag(options, row);
        return;
    }
    if (!value) {
        if (words->next == words->list->count)
            fatal("A value is missing after option '%s'", word);
        value = words->list->at[words->next++];
    }
    act_with_value(options, row, value);
}

static void parse_words(struct options *options, struct list *list)
{
    struct words words = {.list = list};
    while (words.next < list->count) {
        const char *word = list->at[words.next];
        if (word[0] == '@' && word[1]) {
            words.next++;
            parse_response(options, word + 1);
        } else if (word[0] == '-' && word[1]) {
            parse_option(options, &words);
        } else {
            list_add(&options->inputs, word);
            words.next++;
        }
    }
}

void options_parse(struct options *options, const char *home, int argc, char **argv)
{
    options->home = home;
    struct list words = {0};
    /* It decides what becomes of unknown options on its left, too. */
    for (int i = 1; i < argc; i++) {
        const char *value;
        const struct option_row *row = argv[i][0] == '-' ? option_find(argv[i], &value) : NULL;
        if (row && row->action == ACT_FLAG && starts_with(row->long_name, "forward-unknown"))
            act_flag(options, row);
    }
    const char *before = getenv("NVCC_PREPEND_FLAGS"), *behind = getenv("NVCC_APPEND_FLAGS");
    if (before)
        list_add_split(&words, before, false);
    for (int i = 1; i < argc; i++) { /* as NVIDIA's has it, blanks in front of an option go */
        const char *option = argv[i] + strspn(argv[i], " ");
        list_add(&words, *option == '-' ? option : argv[i]);
    }
    if (behind)
        list_add_split(&words, behind, false);
    parse_words(options, &words);
    arch_choose(options);
}
