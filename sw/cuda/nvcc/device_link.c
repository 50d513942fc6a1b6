#include "sw/cuda/nvcc/device_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/compile.h"
#include "sw/cuda/nvcc/ptx_link.h"

/* libNAME.a in the folders of -L; the system's own have no device code. */
static void read_library(struct device_objects *objects, const struct options *options,
                         const char *name)
{
    for (size_t i = 0; i < options->linker.count; i++) {
        if (!starts_with(options->linker.at[i], "-L"))
            continue;
        char *path = text("%s/lib%s.a", options->linker.at[i] + 2, name);
        if (!access(path, R_OK)) {
            object_read(objects, path);
            return;
        }
    }
}

/* A library of ours whose device code the linker joins with the program's, where that has some. */
static void read_own(struct device_objects *objects, const struct options *options,
                     const char *file)
{
    if (!strcmp(file, "-lcufft_static") || ends_with(file, "/libcufft_static.a"))
        object_read(objects, text("%s/lib64/libcufft_callbacks.a", options->home));
}

/* Each object hands its registrations to a function of its own name as the program starts. The
 * module is registered with the first; naming the wrappers pulls every object out of its archive,
 * so that all come. */
static const char stub_head[] =
    "#include <stdlib.h>\n"
    "extern void **__cudaRegisterFatBinary(void *);\n"
    "extern void __cudaRegisterFatBinaryEnd(void **);\n"
    "extern void __cudaUnregisterFatBinary(void **);\n"
    "extern const char module[] __asm__(\".Lnvcc_module\");\n"
    "static const struct { int magic, version; const void *data; void *rest; } wrapper\n"
    "    __attribute__((section(\".nvFatBinSegment\"), aligned(8))) = {0x466243b1, 1, module, 0};\n"
    "static void **handle;\n"
    "static unsigned seen;\n"
    "static void leave(void) { __cudaUnregisterFatBinary(handle); }\n"
    "static void enter(void (*globals)(void **))\n"
    "{\n"
    "    if (!handle)\n"
    "        handle = __cudaRegisterFatBinary((void *)&wrapper);\n"
    "    globals(handle);\n"
    "    if (++seen == COUNT) {\n"
    "        __cudaRegisterFatBinaryEnd(handle);\n"
    "        atexit(leave);\n"
    "    }\n"
    "}\n"
    "#define UNIT(id) extern const char __fatbinwrap##id[]; \\\n"
    "    void __cudaRegisterLinkedBinary##id(void (*globals)(void **), void *a, void *b, void *c) "
    "\\\n"
    "    { (void)a; (void)b; (void)c; enter(globals); }\n";

static char *stub_text(const struct device_objects *objects, const char *ptx)
{
    char *made;
    size_t size;
    FILE *to = open_memstream(&made, &size);
    if (!to)
        fatal("out of memory");
    fprintf(to,
            "__asm__(\".pushsection .nv_fatbin,\\\"a\\\"\\n.balign 8\\n.Lnvcc_module:\\n\"\n"
            "        \".incbin \\\"%s\\\"\\n.byte 0\\n.popsection\\n\");\n#define COUNT %zu\n%s",
            ptx, objects->count, stub_head);
    for (size_t i = 0; i < objects->count; i++)
        fprintf(to, "UNIT(%s)\n", objects->at[i].id);
    fprintf(to, "const void *const nvcc_units%s[] __attribute__((used)) = {\n", objects->at[0].id);
    for (size_t i = 0; i < objects->count; i++)
        fprintf(to, "    __fatbinwrap%s,\n", objects->at[i].id);
    fputs("};\n", to);
    if (fclose(to))
        fatal("out of memory");
    return made;
}

bool device_link(const struct options *options, const struct list *files, const char *output)
{
    struct device_objects objects = {0};
    for (size_t i = 0; i < files->count && !options->dry_run; i++) {
        const char *file = files->at[i];
        if (starts_with(file, "-l"))
            read_library(&objects, options, file + 2);
        else if (!access(file, R_OK))
            object_read(&objects, file);
    }
    if (!objects.count)
        return false;
    for (size_t i = 0; i < files->count; i++)
        read_own(&objects, options, files->at[i]);
    char *ptx = temporary(options, "a_dlink.ptx"), *stub = temporary(options, "a_dlink.c");
    char *module = ptx_link(&objects);
    file_write(ptx, module, strlen(module));
    char *source = stub_text(&objects, ptx);
    file_write(stub, source, strlen(source));
    struct list words = {0};
    list_add_these(&words, host_name(options, false), "-x", "c", "-O1", "-fPIC", "-w", "-c", "-o",
                   output, stub, NULL);
    command_run(options, &words);
    return true;
}
