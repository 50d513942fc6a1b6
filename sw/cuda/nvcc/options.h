/* The choices of the command line. */
#ifndef EVGPU_NVCC_OPTIONS_H
#define EVGPU_NVCC_OPTIONS_H

#include <stdbool.h>

#include "sw/cuda/nvcc/list.h"

enum phase {
    PHASE_LINK,       /* compile and link: a program, or with -shared a library */
    PHASE_COMPILE,    /* -c */
    PHASE_PTX,        /* -ptx */
    PHASE_FATBIN,     /* -fatbin: the container is the PTX text */
    PHASE_CUBIN,      /* -cubin: so is this */
    PHASE_CUDA,       /* -cuda: a C++ file for the host's compiler */
    PHASE_PREPROCESS, /* -E */
    PHASE_DEPEND,     /* -M, -MM */
    PHASE_ARCHIVE,    /* -lib */
    PHASE_DLINK,      /* -dlink */
};

struct options {
    enum phase phase;
    struct list inputs;   /* files and -lNAME, -Wl words in their order */
    struct list include;  /* -I, -isystem, -D, -U, -include words as clang and gcc take them */
    struct list host;     /* -Xcompiler */
    struct list linker;   /* -L, -Xlinker words as gcc takes them */
    struct list archiver; /* -Xarchive */
    struct list archs;    /* of -arch, -code and -gencode: "35", "70" */
    struct list code;     /* -code, with -arch */
    struct list device;   /* clang options for device code alone */
    struct list depend;   /* -MF FILE, -MT NAME, -MP as clang takes them */
    struct list run_args;

    const char *home; /* the folder above bin/nvcc */
    const char *output, *folder, *keep_folder, *standard, *optimise, *language, *arch;
    const char *host_compiler, *runtime_library, *stream, *pointer_size;
    const char *dependency_file;
    long max_registers; /* 0: no limit */
    int target;         /* 52 for sm_52 */
    int response_depth; /* options files that are being read, one inside the other */

    bool relocatable, depend_no_system, depend_with_compile, depend_with_compile_no_system;
    bool debug_host, debug_device, no_optimise_device, profile;
    bool fast_math, flush_denormals, rough_division, rough_root, no_contraction;
    bool shared, run, keep, verbose, dry_run, quiet, forward_unknown, forward_unknown_linker;
    bool warnings_are_errors, no_arch_warning, ptxas_verbose, cache_global;
};

/* Ends with nvcc's kind of message on what it does not understand. `home` is kept. */
void options_parse(struct options *options, const char *home, int argc, char **argv);

/* --- the table, option_table.c ---------------------------------------------------------------- */

enum form {
    FORM_FLAG,   /* -g */
    FORM_VALUE,  /* -o FILE, -o=FILE */
    FORM_SWITCH, /* -rdc=true, -rdc false */
    FORM_JOINED, /* -DNAME, -D NAME, -D=NAME */
};

enum action {
    ACT_IGNORE, /* accepted, of no meaning here */
    ACT_REFUSE, /* known to nvcc; `why` says what stands in its way */
    ACT_FLAG,   /* sets the bool at `offset` */
    ACT_TEXT,   /* sets the string at `offset` */
    ACT_PHASE,
    ACT_INCLUDE, /* adds to `include` under the short name, or `why` where that is set */
    ACT_LINKER,
    ACT_LIBRARY,
    ACT_HOST,
    ACT_XLINKER,
    ACT_ARCHIVE,
    ACT_PTXAS,
    ACT_ARCH,
    ACT_CODE,
    ACT_GENCODE,
    ACT_RELOCATABLE,
    ACT_DEVICE_OBJECT, /* -dc, -dw */
    ACT_REGISTERS,
    ACT_MATH, /* a switch that is on by default; clears the bool at `offset` */
    ACT_FLUSH,
    ACT_FAST_MATH,
    ACT_DEBUG_DEVICE,
    ACT_MACHINE,
    ACT_WERROR,
    ACT_DEPEND,
    ACT_DEPEND_VALUE,
    ACT_RUN_ARGS,
    ACT_RESPONSE,
    ACT_VERSION,
    ACT_HELP,
    ACT_LIST_ARCH,
    ACT_PROFILE,
};

struct option_row {
    const char *long_name, *short_name; /* without dashes; short_name may be NULL */
    enum form form;
    enum action action;
    size_t offset; /* in struct options, for the actions that need one */
    int value;     /* enum phase of ACT_PHASE, bool of ACT_DEVICE_OBJECT; of ACT_IGNORE: true for a
                    * value that must be a whole number */
    const char *why;
};

/* The row of an option as written, dashes included; *value is what is written behind it in the same
 * word, or NULL. NULL: no such option. */
const struct option_row *option_find(const char *word, const char **value);

void options_help(void);

#endif
