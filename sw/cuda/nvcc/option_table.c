#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sw/cuda/nvcc/arch.h"
#include "sw/cuda/nvcc/options.h"

#define AT(field) offsetof(struct options, field), 0, NULL
#define IGNORE    ACT_IGNORE, 0, 0, NULL
#define NUMBER    ACT_IGNORE, 0, true, NULL
#define NO        ACT_REFUSE, 0, 0
#define PHASE(p)  ACT_PHASE, 0, p, NULL
#define DO(act)   act, 0, 0, NULL

#define NO_SASS "evgpu has no machine code and loads PTX; use -ptx or -fatbin"

/* clang-format off */
static const struct option_row rows[] = {
    /* phases */
    {"compile", "c", FORM_FLAG, PHASE(PHASE_COMPILE)},
    {"ptx", "ptx", FORM_FLAG, PHASE(PHASE_PTX)},
    {"fatbin", "fatbin", FORM_FLAG, PHASE(PHASE_FATBIN)},
    {"preprocess", "E", FORM_FLAG, PHASE(PHASE_PREPROCESS)},
    {"lib", "lib", FORM_FLAG, PHASE(PHASE_ARCHIVE)},
    {"link", "link", FORM_FLAG, PHASE(PHASE_LINK)},
    {"device-link", "dlink", FORM_FLAG, PHASE(PHASE_DLINK)},
    {"device-c", "dc", FORM_FLAG, ACT_DEVICE_OBJECT, 0, true, NULL},
    {"device-w", "dw", FORM_FLAG, ACT_DEVICE_OBJECT, 0, false, NULL},
    {"cubin", "cubin", FORM_FLAG, PHASE(PHASE_CUBIN)},
    {"optix-ir", "optix-ir", FORM_FLAG, NO, NO_SASS},
    {"ltoir", "ltoir", FORM_FLAG, NO, NO_SASS},
    {"cuda", "cuda", FORM_FLAG, PHASE(PHASE_CUDA)},
    {"generate-dependencies", "M", FORM_FLAG, ACT_DEPEND, 0, 'M', NULL},
    {"generate-nonsystem-dependencies", "MM", FORM_FLAG, ACT_DEPEND, 0, 'm', NULL},
    {"generate-dependencies-with-compile", "MD", FORM_FLAG, ACT_DEPEND, 0, 'D', NULL},
    {"generate-nonsystem-dependencies-with-compile", "MMD", FORM_FLAG, ACT_DEPEND, 0, 'd', NULL},
    {"dependency-output", "MF", FORM_VALUE, ACT_TEXT, AT(dependency_file)},
    {"dependency-target-name", "MT", FORM_VALUE, ACT_DEPEND_VALUE, 0, 0, "-MT"},
    {"generate-dependency-targets", "MP", FORM_FLAG, ACT_DEPEND_VALUE, 0, 0, "-MP"},
    {"run", "run", FORM_FLAG, ACT_FLAG, AT(run)},
    {"run-args", "run-args", FORM_VALUE, DO(ACT_RUN_ARGS)},
    /* files and folders */
    {"output-file", "o", FORM_VALUE, ACT_TEXT, AT(output)},
    {"output-directory", "odir", FORM_VALUE, ACT_TEXT, AT(folder)},
    {"x", "x", FORM_VALUE, ACT_TEXT, AT(language)},
    {"pre-include", "include", FORM_VALUE, ACT_INCLUDE, 0, 0, "-include"},
    {"include-path", "I", FORM_JOINED, ACT_INCLUDE, 0, 0, "-I"},
    {"system-include", "isystem", FORM_VALUE, ACT_INCLUDE, 0, 0, "-isystem"},
    {"define-macro", "D", FORM_JOINED, ACT_INCLUDE, 0, 0, "-D"},
    {"undefine-macro", "U", FORM_JOINED, ACT_INCLUDE, 0, 0, "-U"},
    {"library-path", "L", FORM_JOINED, DO(ACT_LINKER)},
    {"library", "l", FORM_JOINED, DO(ACT_LIBRARY)},
    {"options-file", "optf", FORM_VALUE, DO(ACT_RESPONSE)},
    {"keep", "keep", FORM_FLAG, ACT_FLAG, AT(keep)},
    {"save-temps", "save-temps", FORM_FLAG, ACT_FLAG, AT(keep)},
    {"keep-dir", "keep-dir", FORM_VALUE, ACT_TEXT, AT(keep_folder)},
    /* languages and code */
    {"std", "std", FORM_VALUE, ACT_TEXT, AT(standard)},
    {"debug", "g", FORM_FLAG, ACT_FLAG, AT(debug_host)},
    {"device-debug", "G", FORM_FLAG, DO(ACT_DEBUG_DEVICE)},
    {"generate-line-info", "lineinfo", FORM_FLAG, IGNORE},
    {"optimize", "O", FORM_JOINED, ACT_TEXT, AT(optimise)},
    {"profile", "pg", FORM_FLAG, DO(ACT_PROFILE)},
    {"relocatable-device-code", "rdc", FORM_SWITCH, DO(ACT_RELOCATABLE)},
    {"maxrregcount", "maxrregcount", FORM_VALUE, DO(ACT_REGISTERS)},
    {"gpu-architecture", "arch", FORM_VALUE, DO(ACT_ARCH)},
    {"gpu-code", "code", FORM_VALUE, DO(ACT_CODE)},
    {"generate-code", "gencode", FORM_VALUE, DO(ACT_GENCODE)},
    {"use_fast_math", "use_fast_math", FORM_FLAG, DO(ACT_FAST_MATH)},
    {"ftz", "ftz", FORM_SWITCH, DO(ACT_FLUSH)},
    {"prec-div", "prec-div", FORM_SWITCH, ACT_MATH, AT(rough_division)},
    {"prec-sqrt", "prec-sqrt", FORM_SWITCH, ACT_MATH, AT(rough_root)},
    {"fmad", "fmad", FORM_SWITCH, ACT_MATH, AT(no_contraction)},
    {"default-stream", "default-stream", FORM_VALUE, ACT_TEXT, AT(stream)},
    {"machine", "m", FORM_JOINED, DO(ACT_MACHINE)},
    {"shared", "shared", FORM_FLAG, ACT_FLAG, AT(shared)},
    {"cudart", "cudart", FORM_VALUE, ACT_TEXT, AT(runtime_library)},
    {"compiler-bindir", "ccbin", FORM_VALUE, ACT_TEXT, AT(host_compiler)},
    /* options for the tools behind */
    {"compiler-options", "Xcompiler", FORM_VALUE, DO(ACT_HOST)},
    {"linker-options", "Xlinker", FORM_VALUE, DO(ACT_XLINKER)},
    {"archive-options", "Xarchive", FORM_VALUE, DO(ACT_ARCHIVE)},
    {"ptxas-options", "Xptxas", FORM_VALUE, DO(ACT_PTXAS)},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", FORM_FLAG, ACT_FLAG, AT(forward_unknown)},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", FORM_FLAG, ACT_FLAG, AT(forward_unknown_linker)},
    {"forward-unknown-opts", "forward-unknown-opts", FORM_FLAG, ACT_FLAG, AT(forward_unknown)},
    /* what the driver itself does */
    {"verbose", "v", FORM_FLAG, ACT_FLAG, AT(verbose)},
    {"dryrun", "dryrun", FORM_FLAG, ACT_FLAG, AT(dry_run)},
    {"help", "h", FORM_FLAG, DO(ACT_HELP)},
    {"version", "V", FORM_FLAG, DO(ACT_VERSION)},
    {"list-gpu-arch", "arch-ls", FORM_FLAG, ACT_LIST_ARCH, 0, 0, "compute"},
    {"list-gpu-code", "code-ls", FORM_FLAG, ACT_LIST_ARCH, 0, 0, "sm"},
    {"disable-warnings", "w", FORM_FLAG, ACT_FLAG, AT(quiet)},
    {"Werror", "Werror", FORM_VALUE, DO(ACT_WERROR)},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", FORM_FLAG, ACT_FLAG, AT(no_arch_warning)},
    /* accepted, and without meaning here: clang does it always, or there is nothing to do it to */
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", FORM_FLAG, IGNORE},
    {"expt-extended-lambda", "expt-extended-lambda", FORM_FLAG, IGNORE},
    {"extended-lambda", "extended-lambda", FORM_FLAG, IGNORE},
    {"extensible-whole-program", "ewp", FORM_FLAG, IGNORE},
    {"extra-device-vectorization", "extra-device-vectorization", FORM_FLAG, IGNORE},
    {"restrict", "restrict", FORM_FLAG, IGNORE},
    {"resource-usage", "res-usage", FORM_FLAG, IGNORE},
    {"source-in-ptx", "src-in-ptx", FORM_FLAG, IGNORE},
    {"no-align-double", "no-align-double", FORM_FLAG, IGNORE},
    {"no-compress", "no-compress", FORM_FLAG, IGNORE},
    {"no-device-link", "nodlink", FORM_FLAG, IGNORE},
    {"no-host-device-initializer-list", "nohdinitlist", FORM_FLAG, IGNORE},
    {"no-host-device-move-forward", "nohdmoveforward", FORM_FLAG, IGNORE},
    {"dont-use-profile", "noprof", FORM_FLAG, IGNORE},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", FORM_FLAG, IGNORE},
    {"display-error-number", "err-no", FORM_FLAG, IGNORE},
    {"no-display-error-number", "no-err-no", FORM_FLAG, IGNORE},
    {"brief-diagnostics", "brief-diag", FORM_SWITCH, IGNORE},
    {"diag-error", "diag-error", FORM_VALUE, IGNORE},
    {"diag-suppress", "diag-suppress", FORM_VALUE, IGNORE},
    {"diag-warn", "diag-warn", FORM_VALUE, IGNORE},
    {"cudafe-options", "Xcudafe", FORM_VALUE, IGNORE},
    {"nvlink-options", "Xnvlink", FORM_VALUE, IGNORE},
    {"fatbin-options", "Xfatbin", FORM_VALUE, IGNORE},
    {"compress-mode", "compress-mode", FORM_VALUE, IGNORE},
    {"dlink-time-opt", "dlto", FORM_FLAG, IGNORE}, /* PTX is optimised when it is loaded */
    {"gen-opt-lto", "gen-opt-lto", FORM_FLAG, IGNORE},
    {"fdevice-time-trace", "fdevice-time-trace", FORM_VALUE, IGNORE},
    {"jump-table-density", "jtd", FORM_VALUE, IGNORE},
    {"cudadevrt", "cudadevrt", FORM_VALUE, IGNORE},
    {"threads", "t", FORM_JOINED, NUMBER},
    {"split-compile", "split-compile", FORM_VALUE, NUMBER},
    {"time", "time", FORM_VALUE, IGNORE},
    {"library-ext", "ldir", FORM_VALUE, IGNORE},
    {"use-local-env", "use-local-env", FORM_FLAG, IGNORE},
    {"frandom-seed", "frandom-seed", FORM_VALUE, IGNORE},
    {"Wreorder", "Wreorder", FORM_FLAG, IGNORE},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", FORM_FLAG, IGNORE},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", FORM_FLAG, IGNORE},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", FORM_FLAG, IGNORE},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", FORM_FLAG, IGNORE},
    /* refused */
    {"device-emulation", "deviceemu", FORM_FLAG, NO, "device emulation ended with CUDA 3.0; programs run on the simulated GPU"},
    {"entries", "e", FORM_VALUE, NO, "nvcc compiles every kernel of a file"},
    {"clean-targets", "clean", FORM_FLAG, NO, "remove the files with make or rm"},
};
/* clang-format on */

static size_t dashes(const char *word)
{
    return word[0] == '-' ? 1 + (word[1] == '-') : 0;
}

/* Whether NAME is the word, or the word up to "=". */
static bool is_option(const char *word, const char *name, const char **value)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length))
        return false;
    *value = word[length] == '=' ? word + length + 1 : NULL;
    return !word[length] || word[length] == '=';
}

const struct option_row *option_find(const char *word, const char **value)
{
    const char *name = word + dashes(word);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_option(name, rows[i].long_name, value) || is_option(name, rows[i].short_name, value))
            return &rows[i];
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].form == FORM_JOINED && dashes(word) == 1 && strlen(rows[i].short_name) == 1 &&
            *name == *rows[i].short_name &&
            (!strchr("mt", *name) || isdigit((unsigned char)name[1]))) {
            *value = name + 1;
            return &rows[i];
        }
    }
    return NULL;
}

static const char *form_text(const struct option_row *row)
{
    switch (row->form) {
    case FORM_FLAG:
        return "";
    case FORM_SWITCH:
        return " true|false";
    case FORM_VALUE:
    case FORM_JOINED:
        break;
    }
    return " VALUE";
}

void options_help(void)
{
    printf(
        "Usage: nvcc [OPTION...] FILE...\n\nCompiles CUDA C++ with clang for evgpu. FILE: .cu .c "
        ".cc .cpp .cxx .o .a .so .ptx\n\n");
    static const char *const heads[] = {"Options:", "Accepted without effect:", "Refused:"};
    for (int part = 0; part < 3; part++) {
        printf("%s%s\n", part ? "\n" : "", heads[part]);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            int of = rows[i].action == ACT_IGNORE ? 1 : rows[i].action == ACT_REFUSE ? 2 : 0;
            if (of != part)
                continue;
            printf("  -%s, --%s%s%s%s\n", rows[i].short_name, rows[i].long_name,
                   form_text(&rows[i]), part == 2 ? ": " : "", part == 2 ? rows[i].why : "");
            if (rows[i].action == ACT_ARCH)
                arch_help();
        }
    }
}
