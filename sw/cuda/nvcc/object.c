#include "sw/cuda/nvcc/object.h"

#include <ar.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char announce[] = "__cudaRegisterLinkedBinary";

/* An object in memory; every access is checked against `size`. */
struct image {
    const char *file, *bytes;
    size_t size;
};

static const void *part(const struct image *image, uint64_t offset, uint64_t size)
{
    if (offset > image->size || size > image->size - offset)
        fatal("%s: damaged object file", image->file);
    return image->bytes + offset;
}

static Elf64_Shdr section(const struct image *image, const Elf64_Ehdr *head, size_t index)
{
    Elf64_Shdr copy;
    memcpy(&copy, part(image, head->e_shoff + index * sizeof copy, sizeof copy), sizeof copy);
    return copy;
}

/* A string in a table that must end with a NUL. */
static const char *string(const struct image *image, const Elf64_Shdr *table, size_t offset)
{
    const char *strings = part(image, table->sh_offset, table->sh_size);
    if (!table->sh_size || strings[table->sh_size - 1] || offset >= table->sh_size)
        fatal("%s: damaged object file", image->file);
    return strings + offset;
}

/* The suffix of the announcing function; NULL where the object has none. */
static const char *find_id(const struct image *image, const Elf64_Ehdr *head,
                           const Elf64_Shdr *symbols)
{
    Elf64_Shdr names = section(image, head, symbols->sh_link);
    for (size_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, part(image, symbols->sh_offset + i * sizeof symbol, sizeof symbol),
               sizeof symbol);
        const char *name = string(image, &names, symbol.st_name);
        if (symbol.st_shndx == SHN_UNDEF && starts_with(name, announce))
            return text("%s", name + strlen(announce));
    }
    return NULL;
}

static void add(struct device_objects *objects, struct device_object object)
{
    for (size_t i = 0; i < objects->count; i++) {
        if (!strcmp(objects->at[i].id, object.id))
            return;
    }
    objects->at = reallocate(objects->at, (objects->count + 1) * sizeof *objects->at);
    objects->at[objects->count++] = object;
}

static void read_object(struct device_objects *objects, const struct image *image)
{
    Elf64_Ehdr head;
    if (image->size < sizeof head)
        return;
    memcpy(&head, image->bytes, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_type != ET_REL)
        return;
    struct device_object object = {.file = image->file};
    Elf64_Shdr names = section(image, &head, head.e_shstrndx);
    for (size_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr s = section(image, &head, i);
        if (s.sh_type == SHT_SYMTAB)
            object.id = find_id(image, &head, &s);
        else if (!strcmp(string(image, &names, s.sh_name), "__nv_relfatbin"))
            object.ptx = text_part(part(image, s.sh_offset, s.sh_size), s.sh_size);
    }
    if (object.id && object.ptx)
        add(objects, object);
}

/* GNU's archives keep names of more than 15 characters in a member called "//". */
static const char *member_name(const char *raw, const char *long_names, size_t long_size)
{
    if (raw[0] != '/')
        return text_part(raw, strcspn(raw, "/ "));
    size_t at = strtoul(raw + 1, NULL, 10);
    if (at >= long_size)
        return "?";
    return text_part(long_names + at, strcspn(long_names + at, "/\n"));
}

static void read_archive(struct device_objects *objects, const struct image *archive)
{
    const char *long_names = "";
    size_t long_size = 0;
    for (size_t at = SARMAG; at + sizeof(struct ar_hdr) <= archive->size;) {
        struct ar_hdr head;
        memcpy(&head, archive->bytes + at, sizeof head);
        at += sizeof head;
        size_t size = strtoul(text_part(head.ar_size, sizeof head.ar_size), NULL, 10);
        const char *bytes = part(archive, at, size);
        const char *raw = text_part(head.ar_name, sizeof head.ar_name);
        if (starts_with(raw, "// ")) {
            long_names = text_part(bytes, size);
            long_size = size;
        } else if (!starts_with(raw, "/ ")) {
            const char *name = member_name(raw, long_names, long_size);
            struct image member = {text("%s(%s)", archive->file, name), bytes, size};
            read_object(objects, &member);
        }
        at += size + size % 2;
    }
}

void object_rename(char *bytes, size_t size, const char *digits)
{
    static const char prefix[] = "__nv_";
    const char *found = memmem(bytes, size, announce, strlen(announce));
    found = found ? found + strlen(announce) : NULL;
    if (!found || !starts_with(found, prefix))
        return;
    size_t start = strlen(prefix), n = strspn(found + start, "0123456789abcdef");
    n = n < strlen(digits) ? n : strlen(digits);
    const char *id = text_part(found, start + n);
    for (char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), id, start + n)); at += n)
        memcpy(at + start, digits, n);
}

void object_read(struct device_objects *objects, const char *path)
{
    struct image image = {.file = path};
    image.bytes = file_read(path, &image.size);
    if (!image.bytes)
        fatal("cannot read %s: %s", path, strerror(errno));
    if (image.size >= SARMAG && !memcmp(image.bytes, ARMAG, SARMAG))
        read_archive(objects, &image);
    else
        read_object(objects, &image);
}
