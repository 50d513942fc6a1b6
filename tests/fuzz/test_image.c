/* Modules that programs load, as files and as images in memory, and the objects and archives with
 * device code that nvcc links. */
#include <elf.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"
#include "sw/cuda/nvcc/object.h"
#include "tests/fuzz/fuzz.h"
#include "tests/leaks.h"

/* Neither is in an archive; a message of nvcc's ends the input instead of the program. */
static jmp_buf refused;

static _Noreturn void refuse(const char *format, ...)
{
    (void)format;
    longjmp(refused, 1);
}

void leave_clean(void)
{
}

#include "sw/cuda/client/image.c"
#include "sw/cuda/nvcc/list.c"
#define fatal refuse
#include "sw/cuda/nvcc/object.c"

static void one(const uint8_t *data, size_t size)
{
    static struct device_objects objects;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    const char *found = evc_file_text(text);
    fuzz_expect(!found || found == text, "a file is a text or nothing");
    if (size < 4 || memcmp(data, WRAPPER, 4) != 0) /* a program's own pointer */
        fuzz_expect(evc_image_text(text) == found, "an image in memory is as one in a file");
    free(text);
    const char *path = fuzz_file("object.o", data, size);
    KEEP_BEGIN();
    objects = (struct device_objects){0};
    if (!setjmp(refused)) {
        object_read(&objects, path);
        for (size_t i = 0; i < objects.count; i++)
            fuzz_expect(strlen(objects.at[i].id) + strlen(objects.at[i].ptx) < SIZE_MAX,
                        "an object has a name and a text");
    }
    KEEP_END();
}

/* An object with device code: a symbol that announces it, and its PTX. */
static size_t make_object(uint8_t *to)
{
    static const char strings[] =
        "\0.shstrtab\0.symtab\0__nv_relfatbin\0__cudaRegisterLinkedBinary__nv_12\0";
    static const char ptx[] = ".version 7.0\n";
    Elf64_Ehdr head = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64},
                       .e_type = ET_REL,
                       .e_shoff = 512,
                       .e_shnum = 4,
                       .e_shstrndx = 1};
    Elf64_Sym symbols[2] = {{0}, {.st_name = 34, .st_shndx = SHN_UNDEF}};
    Elf64_Shdr sections[4] = {
        {0},
        {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = 64, .sh_size = sizeof strings},
        {.sh_name = 11,
         .sh_type = SHT_SYMTAB,
         .sh_offset = 256,
         .sh_size = sizeof symbols,
         .sh_link = 1},
        {.sh_name = 19, .sh_type = SHT_PROGBITS, .sh_offset = 400, .sh_size = sizeof ptx}};
    memset(to, 0, 1024);
    memcpy(to, &head, sizeof head);
    memcpy(to + 64, strings, sizeof strings);
    memcpy(to + 256, symbols, sizeof symbols);
    memcpy(to + 400, ptx, sizeof ptx);
    memcpy(to + 512, sections, sizeof sections);
    return 512 + sizeof sections;
}

static void seeds(void)
{
    uint8_t archive[2048];
    size_t size = make_object(archive);
    fuzz_seed(archive, size);
    memmove(archive + 68, archive, size);
    memcpy(archive, "!<arch>\na.o/            0           0     0     644     768       `\n", 68);
    fuzz_seed(archive, 68 + size);
}

const struct fuzz_target fuzz_target = {
    .name = "image", .one = one, .seeds = seeds, .mutants = 5000};
