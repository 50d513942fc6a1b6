/* defgen DEF OUTDIR [VIEWS]: writes the generated sources of rtl/evgpu.def into OUTDIR, and the
 * GTKWave views of tb/wave/views.def. A file whose text has not changed is left alone, so that only
 * what depends on a change is built again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/gen/definition.h"
#include "tb/gen/emit.h"
#include "tb/gen/views.h"

struct text {
    char *data;
    size_t size;
};

static bool same_as_file(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    char *old = malloc(text->size + 1);
    bool same = old && fread(old, 1, text->size + 1, file) == text->size &&
                !memcmp(old, text->data, text->size);
    free(old);
    fclose(file);
    return same;
}

static bool write_file(const char *dir, const char *name, const char *suffix,
                       const struct text *text, struct error *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix);
    if (n < 0 || (size_t)n >= sizeof path)
        return error_set(err, "%s: the path of the output directory is too long", dir);
    if (same_as_file(path, text))
        return true;
    FILE *file = fopen(path, "w");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    bool ok = fwrite(text->data, 1, text->size, file) == text->size;
    if (fclose(file))
        ok = false;
    return ok ? true : error_set(err, "%s: write error", path);
}

/* GENERATE(name, suffix, emit_x, argument): one file from one emitter. */
#define GENERATE(name, suffix, emitter, argument)                                                  \
    do {                                                                                           \
        struct text text = {0};                                                                    \
        FILE *stream = open_memstream(&text.data, &text.size);                                     \
        if (!stream)                                                                               \
            return error_set(err, "out of memory");                                                \
        emitter(stream, argument);                                                                 \
        bool ok = !fclose(stream) && write_file(dir, name, suffix, &text, err);                    \
        free(text.data);                                                                           \
        if (!ok)                                                                                   \
            return error_set(err, "%s/%s%s: could not be generated", dir, name, suffix);           \
    } while (0)

static bool write_all(const struct definition *def, const char *dir, struct error *err)
{
    GENERATE("evgpu_defs", ".vh", emit_defs_vh, def);
    GENERATE("evgpu_defs", ".h", emit_defs_h, def);
    for (size_t i = 0; i < def->n_tiles; i++)
        if (!def_link_fits(&def->tiles[i]))
            return error_set(err, "tile %s: more than %d bytes of inputs or of outputs",
                             def->tiles[i].name, DEF_LINK_BYTES);
    GENERATE("evgpu_link", ".vh", emit_link_vh, def);
    GENERATE("packed_tile", ".v", emit_packed_tile, def);
    for (size_t i = 0; i < def->n_enums; i++)
        GENERATE(def->enums[i].name, ".filter", emit_filter, &def->enums[i]);
    for (size_t i = 0; i < def->n_flags; i++) {
        const struct emit_flags f = {def, &def->flags[i]};
        GENERATE(f.flags->name, ".filter", emit_flags_filter, &f);
    }
    for (size_t i = 0; i < def->n_tiles; i++) {
        const struct def_tile *tile = &def->tiles[i];
        GENERATE(tile->name, ".h", emit_tile_header, tile);
        GENERATE(tile->name, "_kind.h", emit_tile_kind, tile);
        GENERATE(tile->name, "_shim.cpp", emit_tile_shim, tile);
    }
    for (size_t i = 0; i < def->n_blocks; i++) {
        const struct def_tile *block = &def->blocks[i];
        GENERATE(block->name, ".h", emit_block_header, block);
        GENERATE(block->name, "_shim.cpp", emit_tile_shim, block);
    }
    for (size_t i = 0; i < def->n_regs; i++) {
        const struct def_regs *map = &def->regs[i];
        GENERATE(map->name, "_regs.vh", emit_regs_vh, map);
        GENERATE(map->name, "_regs.h", emit_regs_h, map);
        GENERATE(map->name, "_regs.md", emit_regs_md, map);
        GENERATE(map->name, "_regs.rdl", emit_regs_rdl, map);
    }
    for (size_t i = 0; i < def->n_variants; i++) {
        const struct emit_variant v = {&def->tiles[def->variants[i].tile], &def->variants[i]};
        GENERATE(v.variant->name, ".h", emit_variant_header, &v);
        GENERATE(v.variant->name, "_kind.h", emit_variant_kind, &v);
        GENERATE(v.variant->name, "_shim.cpp", emit_variant_shim, &v);
        GENERATE(v.variant->name, ".flags", emit_variant_flags, &v);
    }
    return true;
}

static bool write_views(const struct definition *def, const char *path, const char *dir,
                        struct error *err)
{
    struct views views;
    bool ok = views_read(&views, path, def, dir, err);
    for (size_t i = 0; ok && i < views.count; i++) {
        const struct view *view = &views.items[i];
        ok = write_file(dir, view->name, ".gtkw", &(struct text){view->text, view->size}, err);
    }
    views_free(&views);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: defgen DEF OUTDIR [VIEWS]\n");
        return 2;
    }
    struct error err = {0};
    struct definition def;
    bool ok = definition_read(&def, argv[1], &err) && write_all(&def, argv[2], &err) &&
              (argc == 3 || write_views(&def, argv[3], argv[2], &err));
    definition_free(&def);
    if (!ok)
        fprintf(stderr, "defgen: %s\n", err.text);
    return ok ? 0 : 1;
}
