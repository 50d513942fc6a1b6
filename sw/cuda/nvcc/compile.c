#include "sw/cuda/nvcc/compile.h"

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/nvcc/brackets.h"
#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/diagnose.h"
#include "sw/cuda/nvcc/object.h"
#include "sw/cuda/nvcc/openmp.h"
#include "sw/cuda/nvcc/padding.h"
#include "sw/cuda/nvcc/ptx_edit.h"
#include "sw/cuda/nvcc/refused.h"
#include "sw/cuda/nvcc/statics.h"
#include "sw/cuda/nvcc/version.h"

#define DEFAULT_CLANG "clang++-14"
#define BEFORE_15     "-disable-noundef-analysis"
#define FROM_15       "-no-enable-noundef-analysis"

const char *clang_name(void)
{
    const char *named = getenv("EVGPU_CLANG");
    return named && *named ? named : DEFAULT_CLANG;
}

/* Programs shuffle variables that only one lane has set; nvcc lets them, and clang would take it
 * that the others never come there. The option has another name from version 15 on. */
static const char *undefined_values(void)
{
    int version = 0;
    if (!strcmp(clang_name(), DEFAULT_CLANG))
        return BEFORE_15;
    FILE *of = popen(text("'%s' -dumpversion 2>/dev/null", clang_name()), "r");
    if (of && fscanf(of, "%d", &version) != 1)
        version = 0;
    if (of)
        pclose(of);
    return version && version < 15 ? BEFORE_15 : FROM_15;
}

char *host_name(const struct options *options, bool cpp)
{
    const char *named = options->host_compiler;
    if (!named)
        return text("%s", cpp ? "g++" : "gcc");
    if (!access(text("%s/g++", named), X_OK))
        return text("%s/%s", named, cpp ? "g++" : "gcc");
    /* What -ccbin names compiles C as well; objects in C++ need their library linked. */
    if (cpp && (ends_with(named, "gcc") || ends_with(named, "/cc") || !strcmp(named, "cc")))
        return text("%.*s%s", (int)(strlen(named) - (ends_with(named, "gcc") ? 3 : 2)), named,
                    ends_with(named, "gcc") ? "g++" : "c++");
    return text("%s", named);
}

static enum source kind_of_language(const char *language)
{
    if (!strcmp(language, "cu"))
        return SOURCE_CUDA;
    if (!strcmp(language, "c"))
        return SOURCE_C;
    if (!strcmp(language, "c++"))
        return SOURCE_CPP;
    fatal("'%s': expected 'c', 'c++' or 'cu' for option 'x'", language);
}

enum source source_kind(const struct options *options, size_t index)
{
    static const struct {
        const char *end;
        enum source kind;
    } ends[] = {{".cu", SOURCE_CUDA},     {".c", SOURCE_C},         {".cc", SOURCE_CPP},
                {".cpp", SOURCE_CPP},     {".cxx", SOURCE_CPP},     {".C", SOURCE_CPP},
                {".c++", SOURCE_CPP},     {".i", SOURCE_C},         {".ii", SOURCE_CPP},
                {".s", SOURCE_ASSEMBLER}, {".S", SOURCE_ASSEMBLER}, {".o", SOURCE_LINK},
                {".obj", SOURCE_LINK},    {".a", SOURCE_LINK},      {".lib", SOURCE_LINK},
                {".so", SOURCE_LINK},     {".lo", SOURCE_LINK}};
    const char *name = options->inputs.at[index], *language = options->language;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (ends_with(name, ends[i].end) && (!language || ends[i].kind == SOURCE_LINK))
            return ends[i].kind;
    }
    if (name[0] == '-' || strstr(name, ".so."))
        return SOURCE_LINK;
    if (language)
        return kind_of_language(language);
    fatal("Don't know what to do with '%s'", name);
}

static void add_versions(struct list *words)
{
    list_add_these(words, "-D__NVCC__", text("-D__CUDACC_VER_MAJOR__=%d", NVCC_MAJOR),
                   text("-D__CUDACC_VER_MINOR__=%d", NVCC_MINOR),
                   text("-D__CUDACC_VER_BUILD__=%d", NVCC_BUILD), NULL);
}

/* Our headers come behind the user's, as system headers; and CCCL's, where pip has put them into
 * the toolkit's folder. */
static void add_includes(struct list *words, const struct options *options)
{
    const char *cccl = text("%s/cccl/nvidia/cuda_cccl/include", options->home);
    list_add_all(words, &options->include);
    if (!access(cccl, F_OK))
        list_add_these(words, "-isystem", cccl, NULL);
    list_add_these(words, "-isystem", text("%s/include", options->home), NULL);
}

static const char *standard_of(const struct options *options)
{
    const char *standard = options->standard;
    for (size_t i = 0; i < options->host.count && !standard; i++) {
        if (starts_with(options->host.at[i], "-std=") && strstr(options->host.at[i], "++"))
            standard = options->host.at[i] + strlen("-std=");
    }
    /* The interfaces need C++11, as nvcc's own do. */
    if (standard && (!strcmp(standard, "c++03") || !strcmp(standard, "c++98")))
        return "gnu++11";
    return standard ? standard : "gnu++14";
}

/* 64 bits that tell one source file and its macros from another: of what two files have under the
 * same name, each has its own. */
static char *unit_id(const struct options *options, const char *source)
{
    uint64_t hash = 0xcbf29ce484222325u;
    char *path = realpath(source, NULL);
    struct list parts = {0};
    list_add(&parts, path ? path : source);
    list_add_all(&parts, &options->include);
    list_add_all(&parts, &options->host);
    for (size_t i = 0; i < parts.count; i++) {
        for (const char *s = parts.at[i]; *s; s++)
            hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
    }
    free(path);
    return text("%016llx", (unsigned long long)hash);
}

/* Ours that mend others' for clang, and gcc's own, for what clang lacks: omp.h. */
static void add_compiler_headers(struct list *words, const struct options *options)
{
    list_add_these(words, "-isystem", text("%s/include/clang", options->home), NULL);
    glob_t found;
    if (!glob("/usr/lib/gcc/*/*/include/omp.h", 0, NULL, &found)) {
        const char *last = found.gl_pathv[found.gl_pathc - 1];
        list_add_these(words, "-idirafter", text_part(last, (size_t)(strrchr(last, '/') - last)),
                       NULL);
    }
    globfree(&found);
}

/* What CUDA's front end defines and takes. CCCL_IGNORE_DEPRECATED_API: clang 14 does not read the
 * attribute where CCCL writes it. A function that ends without its return value returns: by itself
 * clang would take its loops for endless. */
static void add_cuda(struct list *words, const struct options *options, const char *source)
{
    list_add_these(words, clang_name(), "-x", "cuda", "-nocudainc", "-nocudalib",
                   "--cuda-path=/nonexistent", text("-std=%s", standard_of(options)), "-Xclang",
                   text("-target-sdk-version=%d.%d", NVCC_MAJOR, NVCC_MINOR), "-D__CUDACC__",
                   "-Xclang", "-fcuda-allow-variadic-functions", "-Xclang", undefined_values(),
                   "-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_RELAXED_CONSTEXPR__",
                   "-DCCCL_IGNORE_DEPRECATED_API", "-Wno-invalid-constexpr", "-Wno-register",
                   "-Wno-c++11-narrowing", "-fno-strict-return",
                   text("-D__CUDA_ARCH_LIST__=%d0", options->target), NULL);
    add_versions(words);
    if (options->fast_math)
        list_add_these(words, "-D__USE_FAST_MATH__=1", "-fcuda-approx-transcendentals", NULL);
    if (options->debug_device)
        list_add(words, "-D__CUDACC_DEBUG__");
    if (options->relocatable)
        list_add_these(words, "-fgpu-rdc", "-D__CUDACC_RDC__",
                       text("-cuid=%s", unit_id(options, source)), NULL);
    if (options->stream && !strcmp(options->stream, "per-thread"))
        list_add(words, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
    else if (options->stream && strcmp(options->stream, "legacy") &&
             strcmp(options->stream, "null"))
        fatal("'%s': expected 'legacy', 'null' or 'per-thread' for option 'default-stream'",
              options->stream);
    /* What mends a header has to come before it, wherever the user has that. */
    list_add_these(words, "-I", text("%s/include/clang/first", options->home), NULL);
    list_add_these(words, "-include", "cuda_runtime.h", NULL); /* the user's -include needs it */
    add_includes(words, options);
    add_compiler_headers(words, options);
}

/* What nvcc's own front end lets pass, clang need not refuse or remark. */
static void add_leniency(struct list *words)
{
    list_add_these(
        words, "-Wno-error=reserved-user-defined-literal", "-Wno-unknown-pragmas",
        "-Wno-writable-strings", "-Wno-unused-value", "-Wno-unused-command-line-argument",
        "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", "-Wno-return-type",
        "-Wno-format", "-Wno-pass-failed", "-Wno-enum-compare", "-Wno-empty-body",
        "-Wno-deprecated-register", "-Wno-absolute-value", "-Wno-parentheses", "-Wno-dangling-else",
        "-Wno-tautological-compare", "-Wno-deprecated-declarations", NULL);
}

/* Of -Xcompiler, device code needs what changes the text of the program. */
static void add_text_options(struct list *words, const struct list *host)
{
    static const char *const options[] = {"-D",       "-U",      "-I",        "-include",
                                          "-isystem", "-iquote", "-idirafter"};
    for (size_t i = 0; i < host->count; i++) {
        const char *word = host->at[i];
        bool joined = word[0] == '-' && word[1] && strchr("DUI", word[1]) && word[2];
        if (joined)
            list_add(words, word);
        for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
            if (!strcmp(word, options[o]) && i + 1 < host->count) {
                list_add_these(words, word, host->at[++i], NULL);
                break;
            }
        }
    }
}

/* What the machine's code depends on beside the text of the program. */
static void add_machine(struct list *words, const struct options *options)
{
    if (options->rough_division)
        list_add_these(words, "-mllvm", "-nvptx-prec-divf32=1", NULL);
    if (options->rough_root)
        list_add_these(words, "-mllvm", "-nvptx-prec-sqrtf32=0", NULL);
}

static const char *device_level(const struct options *options)
{
    return options->debug_device || options->no_optimise_device ? "-O1" : "-O3";
}

static void add_device(struct list *words, const struct options *options)
{
    list_add_these(words, "--cuda-device-only", text("--cuda-gpu-arch=sm_%d", options->target),
                   "-Xclang", "-target-feature", "-Xclang", "+ptx72", "-gline-directives-only",
                   "-w", "-Wno-error", "-Wno-reserved-user-defined-literal", NULL);
    list_add(words, device_level(options));
    if (options->flush_denormals)
        list_add_these(words, "-fcuda-flush-denormals-to-zero", "-D__CUDA_FTZ=1", NULL);
    list_add(words, options->rough_division ? "-D__CUDA_PREC_DIV=0" : "-D__CUDA_PREC_DIV=1");
    list_add(words, options->rough_root ? "-D__CUDA_PREC_SQRT=0" : "-D__CUDA_PREC_SQRT=1");
    add_machine(words, options);
    if (options->no_contraction)
        list_add(words, "-ffp-contract=off");
    add_text_options(words, &options->host);
}

static void add_host_common(struct list *words, const struct options *options)
{
    if (options->optimise)
        list_add(words, text("-O%s", options->optimise));
    if (options->debug_host)
        list_add(words, "-g");
    if (options->profile)
        list_add(words, "-pg");
    if (options->quiet)
        list_add(words, "-w");
    if (options->warnings_are_errors)
        list_add(words, "-Werror");
}

/* -MD beside a compilation. */
static void add_depend(struct list *words, const struct options *options, const char *output)
{
    if (!options->depend_with_compile && !options->depend_with_compile_no_system)
        return;
    list_add(words, options->depend_with_compile ? "-MD" : "-MMD");
    const char *file = options->dependency_file;
    if (!file)
        file = text("%.*s.d", (int)(ends_with(output, ".o") ? strlen(output) - 2 : strlen(output)),
                    output);
    list_add_these(words, "-MF", file, NULL);
    list_add_all(words, &options->depend);
    if (!list_has(&options->depend, "-MT"))
        list_add_these(words, "-MT", output, NULL);
}

/* Of -Xcompiler, what clang's host compilation takes. The rest is gcc's alone and changes no
 * result.
 */
static bool is_for_clang(const char *word)
{
    static const char *const not [] = {"-fopenmp",
                                       "-Wl,",
                                       "-Wa,",
                                       "-std=",
                                       "-ansi",
                                       "-fgnu89-inline",
                                       "-ftree-vectorizer-verbose",
                                       "-fopt-info",
                                       "-floop-",
                                       "-fabi-version",
                                       "-combine"};
    for (size_t i = 0; i < sizeof not / sizeof not [0]; i++) {
        if (starts_with(word, not [i]))
            return false;
    }
    return true;
}

static void add_cuda_host(struct list *words, const struct options *options, const char *source,
                          const struct overlay *overlay)
{
    add_cuda(words, options, source);
    overlay_add(words, options, overlay);
    list_add(words, "--cuda-host-only");
    add_leniency(words);
    add_host_common(words, options);
    for (size_t i = 0; i < options->host.count; i++) {
        if (is_for_clang(options->host.at[i]))
            list_add(words, options->host.at[i]);
    }
    /* clang's interface; no library is linked here. What -cuda writes has no object to join. */
    if (openmp_asked(options) && options->phase != PHASE_CUDA)
        list_add(words, "-fopenmp=libomp");
}

/* From LLVM's text on, clang makes the same PTX of a program as from its source, with what its
 * driver gives the compiler for that. */
static void compile_ir(const struct options *options, const char *ir, const char *output)
{
    struct list words = {0};
    list_add_these(&words, clang_name(), "-cc1", "-triple", "nvptx64-nvidia-cuda", "-S",
                   device_level(options), "-mrelocation-model", "static", "-mframe-pointer=all",
                   "-no-integrated-as", "-fno-verbose-asm", "-fno-dwarf-directory-asm",
                   "-discard-value-names", "-mllvm", "-enable-memcpyopt-without-libcalls", "-mllvm",
                   options->no_contraction ? "-nvptx-fma-level=0" : "-nvptx-fma-level=2",
                   "-target-cpu", text("sm_%d", options->target), "-target-feature", "+ptx72",
                   NULL);
    if (!strcmp(device_level(options), "-O3"))
        list_add_these(&words, "-vectorize-loops", "-vectorize-slp", NULL);
    add_machine(&words, options);
    list_add_these(&words, "-o", output, "-x", "ir", ir, NULL);
    command_run(options, &words);
}

/* Once more, where padding is at stake (padding.h). */
static void compile_padded(const struct options *options, const struct list *words,
                           const char *source, const char *output, const struct overlay *overlay)
{
    char *ir = temporary(options, text("%s.ll", stem(source)));
    struct list front = {0};
    list_add_all(&front, words);
    overlay_add(&front, options, overlay);
    list_add_these(&front, "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", ir, source,
                   NULL);
    command_run(options, &front);
    padding_mend(ir);
    compile_ir(options, ir, output);
}

/* What clang must be shown of the source is added to the overlay. */
static void compile_ptx_of(const struct options *options, const char *source, const char *output,
                           struct overlay *overlay)
{
    struct list words = {0}, first = {0};
    char *layouts = temporary(options, text("%s.layouts", stem(source)));
    add_cuda(&words, options, source);
    brackets_mend(overlay, options, source);
    add_device(&words, options);
    list_add_all(&first, &words);
    list_add_these(&first, "-Xclang", "-fdump-record-layouts", "-S", "-o", output, source, NULL);
    refused_compile(options, &first, layouts, overlay);
    if (!options->dry_run && !strcmp(undefined_values(), BEFORE_15) && padding_in_layouts(layouts))
        compile_padded(options, &words, source, output, overlay);
    if (!options->dry_run)
        ptx_edit_file(output, options->max_registers, options->cache_global);
}

void compile_ptx(const struct options *options, size_t index, const char *output)
{
    struct overlay overlay = {0};
    compile_ptx_of(options, options->inputs.at[index], output, &overlay);
}

/* By way of assembler text, where names must be mended in it. */
static void compile_mended(const struct options *options, struct list *words, const char *source,
                           const char *output, const struct list *from, const struct list *to,
                           struct overlay *overlay)
{
    char *assembler = temporary(options, text("%s.s", stem(source)));
    list_add_these(words, "-S", "-o", assembler, source, NULL);
    refused_compile_host(options, words, overlay);
    statics_mend_host(assembler, from, to);
    struct list again = {0};
    list_add_these(&again, clang_name(), "-c", "-Wa,--no-warn", "-o", output, assembler, NULL);
    command_run(options, &again);
}

/* clang from version 19 on puts the text into the object without a zero behind it. */
static void terminate(const char *ptx)
{
    size_t size;
    char *bytes = file_read(ptx, &size);
    if (!bytes)
        fatal("cannot read %s", ptx);
    file_write(ptx, bytes, size + 1);
}

/* The command for host code with the PTX in it, but for input and output; the names that must then
 * be mended. */
static struct list host_command(const struct options *options, const char *source,
                                const char *output, struct list *from, struct list *to,
                                struct overlay *overlay)
{
    char *ptx = temporary(options, text("%s.ptx", stem(source)));
    struct list words = {0};
    compile_ptx_of(options, source, ptx, overlay);
    if (options->relocatable && !options->dry_run)
        statics_mend_ptx(ptx, from, to);
    if (!options->dry_run)
        terminate(ptx);
    add_cuda_host(&words, options, source, overlay);
    add_depend(&words, options, output);
    list_add_these(&words, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx, NULL);
    return words;
}

static void rename_object(const struct options *options, const char *source, const char *output)
{
    size_t size;
    char *bytes = file_read(output, &size);
    if (!bytes)
        fatal("cannot read %s", output);
    object_rename(bytes, size, unit_id(options, source));
    file_write(output, bytes, size);
}

static void compile_cuda(const struct options *options, size_t index, const char *output)
{
    const char *source = options->inputs.at[index];
    struct list from = {0}, to = {0};
    struct overlay overlay = {0};
    struct list words = host_command(options, source, output, &from, &to, &overlay);
    if (from.count) {
        compile_mended(options, &words, source, output, &from, &to, &overlay);
    } else {
        list_add_these(&words, "-c", "-o", output, source, NULL);
        refused_compile_host(options, &words, &overlay);
    }
    if (options->relocatable && !options->dry_run)
        rename_object(options, source, output);
    openmp_join(options, output);
}

/* clang has no C++ between its stages: the assembler text in a C++ file's clothes. */
void compile_source(const struct options *options, size_t index, const char *output)
{
    const char *source = options->inputs.at[index];
    char *assembler = temporary(options, text("%s.s", stem(source)));
    struct list from = {0}, to = {0};
    struct overlay overlay = {0};
    struct list words = host_command(options, source, output, &from, &to, &overlay);
    list_add_these(&words, "-g0", "-fno-addrsig", "-S", "-o", assembler, source, NULL);
    refused_compile_host(options, &words, &overlay);
    if (options->dry_run)
        return;
    statics_mend_host(assembler, &from, &to);
    char *bytes = file_read(assembler, NULL);
    if (!bytes)
        fatal("cannot read %s", assembler);
    if (options->relocatable)
        object_rename(bytes, strlen(bytes), unit_id(options, source));
    char *made = text("__asm__(R\"evgpu_host(\n%s\n.text\n)evgpu_host\");\n", bytes);
    file_write(output, made, strlen(made));
}

static void add_host_language(struct list *words, const struct options *options, size_t index)
{
    enum source kind = source_kind(options, index);
    list_add(words, host_name(options, kind == SOURCE_CPP));
    if (options->language)
        list_add_these(words, "-x", options->language, NULL);
    else if (kind == SOURCE_C) /* also for a g++ that -ccbin names */
        list_add_these(words, "-x", "c", NULL);
    add_versions(words);
    if (options->standard && kind == SOURCE_CPP)
        list_add(words, text("-std=%s", options->standard));
    add_includes(words, options);
    add_host_common(words, options);
    list_add_all(words, &options->host);
}

void compile_object(const struct options *options, size_t index, const char *output)
{
    if (source_kind(options, index) == SOURCE_CUDA) {
        compile_cuda(options, index, output);
        return;
    }
    struct list words = {0};
    add_host_language(&words, options, index);
    add_depend(&words, options, output);
    list_add_these(&words, "-c", "-o", output, options->inputs.at[index], NULL);
    diagnose_run(options, &words, NULL);
}

static void compile_text(const struct options *options, size_t index, const char *output,
                         const char *mode)
{
    struct list words = {0};
    struct overlay overlay = {0};
    if (source_kind(options, index) == SOURCE_CUDA) {
        brackets_mend(&overlay, options, options->inputs.at[index]);
        add_cuda_host(&words, options, options->inputs.at[index], &overlay);
        list_add(&words, "-D__managed__=__managed__"); /* text keeps it */
    } else
        add_host_language(&words, options, index);
    list_add(&words, mode);
    if (options->phase == PHASE_DEPEND)
        list_add_all(&words, &options->depend);
    list_add(&words, options->inputs.at[index]);
    if (output)
        list_add_these(&words, "-o", output, NULL);
    command_run(options, &words);
}

void compile_preprocess(const struct options *options, size_t index, const char *output)
{
    compile_text(options, index, output, "-E");
}

void compile_depend(const struct options *options, size_t index, const char *output)
{
    compile_text(options, index, output ? output : options->dependency_file,
                 options->depend_no_system ? "-MM" : "-M");
}
