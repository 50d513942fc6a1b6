#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvrtc/program.h"

enum action {
    PASS,    /* to nvcc, which has it too */
    IGNORE,  /* nothing here depends on it */
    WORD,    /* to nvcc, by the word behind it */
    DEFAULT, /* -default-device */
    DEFINE,
    UNDEFINE,
    ARCH
};

struct option {
    const char *name, *brief; /* without dashes */
    bool value;
    enum action action;
    const char *word;
};

/* NVRTC User Guide, "Supported Compile Options". */
static const struct option table[] = {
    {"gpu-architecture", "arch", true, ARCH, NULL},
    {"device-c", "dc", false, WORD, "-rdc=true"},
    {"device-w", "dw", false, WORD, "-rdc=false"},
    {"relocatable-device-code", "rdc", true, PASS, NULL},
    {"extensible-whole-program", "ewp", false, IGNORE, NULL},
    {"device-debug", "G", false, PASS, NULL},
    {"generate-line-info", "lineinfo", false, PASS, NULL},
    {"dopt", "dopt", true, IGNORE, NULL},
    {"ptxas-options", "Xptxas", true, PASS, NULL},
    {"maxrregcount", "maxrregcount", true, PASS, NULL},
    {"ftz", "ftz", true, PASS, NULL},
    {"prec-sqrt", "prec-sqrt", true, PASS, NULL},
    {"prec-div", "prec-div", true, PASS, NULL},
    {"fmad", "fmad", true, PASS, NULL},
    {"use_fast_math", "use_fast_math", false, PASS, NULL},
    {"extra-device-vectorization", "extra-device-vectorization", false, IGNORE, NULL},
    {"modify-stack-limit", "modify-stack-limit", true, IGNORE, NULL},
    {"dlink-time-opt", "dlto", false, PASS, NULL},
    {"optix-ir", "optix-ir", false, PASS, NULL},
    {"define-macro", "D", true, DEFINE, NULL},
    {"undefine-macro", "U", true, UNDEFINE, NULL},
    {"include-path", "I", true, PASS, NULL},
    {"pre-include", "include", true, PASS, NULL},
    {"no-source-include", "no-source-include", false, IGNORE, NULL},
    {"std", "std", true, PASS, NULL},
    {"builtin-move-forward", "builtin-move-forward", true, IGNORE, NULL},
    {"builtin-initializer-list", "builtin-initializer-list", true, IGNORE, NULL},
    {"disable-warnings", "w", false, PASS, NULL},
    {"restrict", "restrict", false, IGNORE, NULL},
    {"device-as-default-execution-space", "default-device", false, DEFAULT, NULL},
    {"device-int128", "device-int128", false, IGNORE, NULL},
    {"optimization-info", "opt-info", true, IGNORE, NULL},
    {"version-ident", "dQ", true, IGNORE, NULL},
    {"display-error-number", "err-no", false, IGNORE, NULL},
    {"no-display-error-number", "no-err-no", false, IGNORE, NULL},
    {"diag-error", "diag-error", true, IGNORE, NULL},
    {"diag-suppress", "diag-suppress", true, IGNORE, NULL},
    {"diag-warn", "diag-warn", true, IGNORE, NULL},
    {"brief-diagnostics", "brief-diag", true, IGNORE, NULL},
    {"time", "time", true, IGNORE, NULL},
    {"split-compile", "split-compile", true, IGNORE, NULL},
    {"minimal", "minimal", false, IGNORE, NULL},
    {"no-cache", "no-cache", false, IGNORE, NULL},
};

static const struct option *find(const char *word)
{
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    for (size_t i = 0; *word == '-' && i < sizeof table / sizeof table[0]; i++) {
        if ((strlen(table[i].name) == length && !strncmp(table[i].name, name, length)) ||
            (strlen(table[i].brief) == length && !strncmp(table[i].brief, name, length)))
            return &table[i];
    }
    return NULL;
}

/* -DNAME, -UNAME and -Ifolder in one word; NULL: it is none of them. */
static const struct option *joined(const char *word)
{
    const char name[] = {'-', word[0] == '-' ? word[1] : '\0', '\0'};
    return name[1] && strchr("DUI", name[1]) && word[2] ? find(name) : NULL;
}

/* NAME or NAME=VALUE as a line of the program's macros. */
static void define(nvrtcProgram prog, const char *macro)
{
    size_t name = strcspn(macro, "=");
    char *made = words_text("%s#define %.*s %s\n", prog->macros, (int)name, macro,
                            macro[name] ? macro + name + 1 : "1");
    free(prog->macros);
    prog->macros = made;
}

static void undefine(nvrtcProgram prog, const char *name)
{
    char *made = words_text("%s#undef %s\n", prog->macros, name);
    free(prog->macros);
    prog->macros = made;
}

static void take(nvrtcProgram prog, const struct option *option, const char *value,
                 struct words *words)
{
    switch (option->action) {
    case ARCH:
        prog->real = !strncmp(value, "sm_", 3);
        /* fallthrough */
    case PASS:
        words_add(words, words_text("--%s", option->name));
        if (option->value)
            words_add(words, words_text("%s", value));
        break;
    case WORD:
        words_add(words, words_text("%s", option->word));
        break;
    case DEFAULT:
        prog->default_device = true;
        break;
    case DEFINE:
        define(prog, value);
        break;
    case UNDEFINE:
        undefine(prog, value);
        break;
    case IGNORE:
        break;
    }
}

bool options_translate(nvrtcProgram prog, int count, const char *const *options,
                       struct words *words)
{
    prog->real = prog->default_device = false;
    free(prog->macros);
    prog->macros = words_text("%s", "");
    for (int i = 0; i < count; i++) {
        const char *word = options[i] ? options[i] + strspn(options[i], " ") : "";
        const struct option *option = find(word);
        if (!option && joined(word)) {
            take(prog, joined(word), word + 2, words);
            continue;
        }
        const char *value = strchr(word, '=');
        if (option && option->value && !value && i + 1 < count)
            value = options[++i];
        else if (value)
            value++;
        if (!option || option->value != (value != NULL)) {
            prog->log = words_text("nvrtc: error: %s: '%s'\n",
                                   !option         ? "unrecognized option"
                                   : option->value ? "option without its value"
                                                   : "option that takes no value",
                                   word);
            return false;
        }
        take(prog, option, value, words);
    }
    return true;
}
