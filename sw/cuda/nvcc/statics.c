#include "sw/cuda/nvcc/statics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/ptx_module.h"

static char *must_read(const char *path, size_t *size)
{
    char *bytes = file_read(path, size);
    if (!bytes)
        fatal("cannot read %s: %s", path, strerror(errno));
    return bytes;
}

/* Of a constant the name in its uses is no declaration, but a second variable. */
static void drop_second(char *bytes, const struct ptx_module *module, const struct list *from)
{
    for (size_t i = 0; i < module->count; i++) {
        const struct ptx_item *item = &module->items[i];
        if (item->kind == PTX_VARIABLE && item->linkage != PTX_EXTERN && list_has(from, item->name))
            memset(bytes + (item->text - bytes), ' ', item->length);
    }
}

void statics_mend_ptx(const char *path, struct list *from, struct list *to)
{
    size_t size;
    char *bytes = must_read(path, &size);
    struct ptx_module module = ptx_parse(bytes, path);
    for (size_t i = 0; i < module.count; i++) {
        const char *name = module.items[i].name, *tail = strstr(name, "__static__");
        if (!tail)
            tail = strstr(name, "__intern__");
        if (!tail)
            continue;
        list_add(from, text_part(name, (size_t)(tail - name)));
        list_add(to, name);
    }
    if (from->count) {
        drop_second(bytes, &module, from);
        char *mended = ptx_rename(bytes, size, from, to, NULL, 0);
        file_write(path, mended, strlen(mended));
    }
}

void statics_mend_host(const char *path, const struct list *from, const struct list *to)
{
    size_t size;
    char *bytes = must_read(path, &size), *behind = bytes + size, *made;
    FILE *out = open_memstream(&made, &size);
    if (!out)
        fatal("out of memory");
    static const char directive[] = "\t.asciz\t\"";
    /* clang writes zeros into comments on debug information. */
    for (char *line = bytes, *end; line < behind; line = end) {
        end = memchr(line, '\n', (size_t)(behind - line));
        end = end ? end + 1 : behind;
        const char *name = starts_with(line, directive) ? line + strlen(directive) : NULL;
        size_t found = from->count, length = name ? strcspn(name, "\"") : 0;
        for (size_t i = 0; name && i < from->count; i++) {
            if (strlen(from->at[i]) == length && !memcmp(from->at[i], name, length))
                found = i;
        }
        if (found < from->count)
            fprintf(out, "%s%s\"\n", directive, to->at[found]);
        else
            fwrite(line, 1, (size_t)(end - line), out);
    }
    if (fclose(out))
        fatal("out of memory");
    file_write(path, made, size);
}
