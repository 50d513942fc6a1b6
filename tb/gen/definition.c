#include "tb/gen/definition.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tb/gen/reader.h"
#include "tb/gen/registers.h"

uint32_t def_enum_width(const struct def_enum *e)
{
    uint32_t width = 1;
    while (((size_t)1 << width) < e->n_states)
        width++;
    return width;
}

uint32_t def_record_width(const struct def_record *record)
{
    uint32_t width = 0;
    for (size_t i = 0; i < record->n_fields; i++)
        width += record->fields[i].width;
    return width;
}

static bool read_constant(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    uint32_t value;
    if (!reader_name(r, "const", &name) || !reader_number(r, name, 0, INT32_MAX, &value) ||
        !reader_end(r))
        return false;
    for (size_t i = 0; i < def->n_constants; i++)
        if (!strcmp(def->constants[i].name, name))
            return reader_fail(r, "second definition of constant", name);
    ARRAY_RESERVE(def->constants, def->n_constants, def->cap_constants);
    def->constants[def->n_constants++] = (struct def_constant){
        .name = alloc_string(name), .comment = reader_comment(r), .value = value};
    return true;
}

static bool read_enum(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    if (!reader_name(r, "enum", &name))
        return false;
    for (size_t i = 0; i < def->n_enums; i++)
        if (!strcmp(def->enums[i].name, name))
            return reader_fail(r, "second definition of enum", name);
    ARRAY_RESERVE(def->enums, def->n_enums, def->cap_enums);
    struct def_enum *e = &def->enums[def->n_enums++];
    *e = (struct def_enum){.name = alloc_string(name)};
    for (char *state; (state = strtok(NULL, " \t"));) {
        if (!reader_is_name(state))
            return reader_fail(r, "enum: not a state name:", state);
        for (size_t i = 0; i < e->n_states; i++)
            if (!strcmp(e->states[i], state))
                return reader_fail(r, "second state", state);
        ARRAY_RESERVE(e->states, e->n_states, e->cap_states);
        e->states[e->n_states++] = alloc_string(state);
    }
    return e->n_states ? true : reader_fail(r, "enum without states:", name);
}

/* flags NAME CONSTANT ...: each a bit of its own */
static bool read_flags(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    uint32_t used = 0;
    if (!reader_name(r, "flags", &name))
        return false;
    for (size_t i = 0; i < def->n_flags; i++)
        if (!strcmp(def->flags[i].name, name))
            return reader_fail(r, "second definition of flags", name);
    for (size_t i = 0; i < def->n_enums; i++)
        if (!strcmp(def->enums[i].name, name))
            return reader_fail(r, "flags with the name of an enum:", name);
    ARRAY_RESERVE(def->flags, def->n_flags, def->cap_flags);
    struct def_flags *f = &def->flags[def->n_flags++];
    *f = (struct def_flags){.name = alloc_string(name)};
    for (char *bit; (bit = strtok(NULL, " \t"));) {
        size_t i = 0;
        while (i < def->n_constants && strcmp(def->constants[i].name, bit) != 0)
            i++;
        if (i == def->n_constants)
            return reader_fail(r, "flags: no such constant above it:", bit);
        uint32_t value = def->constants[i].value;
        if (!value || value & (value - 1) || value & used || value > DEF_MAX_FLAG)
            return reader_fail(r, "flags: not a bit of its own:", bit);
        used |= value;
        ARRAY_RESERVE(f->bits, f->n_bits, f->cap_bits);
        f->bits[f->n_bits++] = i;
    }
    return f->n_bits ? true : reader_fail(r, "flags without bits:", name);
}

/* record NAME: the fields below it, up to the next record */
static bool read_record(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    if (!reader_name(r, "record", &name) || !reader_end(r))
        return false;
    for (size_t i = 0; i < def->n_records; i++)
        if (!strcmp(def->records[i].name, name))
            return reader_fail(r, "second definition of record", name);
    for (size_t i = 0; i < def->n_enums; i++)
        if (!strcmp(def->enums[i].name, name))
            return reader_fail(r, "record with the name of an enum:", name);
    ARRAY_RESERVE(def->records, def->n_records, def->cap_records);
    def->records[def->n_records++] = (struct def_record){.name = alloc_string(name)};
    return true;
}

/* The width of the record of that name above the last one; 0: there is none. */
static uint32_t width_of_record(const struct definition *def, const char *name)
{
    for (size_t i = 0; i + 1 < def->n_records; i++)
        if (!strcmp(def->records[i].name, name))
            return def_record_width(&def->records[i]);
    return 0;
}

/* field NAME WIDTH or field NAME RECORD, of the record above it */
static bool read_field(struct reader *r)
{
    struct definition *def = r->def;
    char *name;
    uint32_t width = 0;
    if (!def->n_records)
        return reader_fail(r, "field outside a record", NULL);
    if (!reader_name(r, "field", &name))
        return false;
    if (!strcmp(name, "width"))
        return reader_fail(r, "field with the name of the record's own size:", name);
    struct def_record *record = &def->records[def->n_records - 1];
    for (size_t i = 0; i < record->n_fields; i++)
        if (!strcmp(record->fields[i].name, name))
            return reader_fail(r, "second definition of field", name);
    const char *token = strtok(NULL, " \t");
    if (!token)
        return reader_fail(r, "width missing after", name);
    if (isalpha((unsigned char)token[0])) {
        width = width_of_record(def, token);
        if (!width)
            return reader_fail(r, "field: no such record above it:", token);
    } else if (!reader_number_of(r, token, 1, DEF_MAX_WIDTH, &width)) {
        return false;
    }
    if (!reader_end(r))
        return false;
    ARRAY_RESERVE(record->fields, record->n_fields, record->cap_fields);
    record->fields[record->n_fields++] =
        (struct def_field){.name = alloc_string(name), .width = width};
    return true;
}

/* tile NAME, device NAME, which is a tile of boards alone, or block NAME; a block has no model and
 * is on no board, so it is in a list of its own. */
static bool read_tile(struct reader *r, const char *keyword)
{
    struct definition *def = r->def;
    char *name;
    if (!reader_name(r, keyword, &name) || !reader_end(r))
        return false;
    for (size_t i = 0; i < def->n_tiles + def->n_blocks; i++) {
        const struct def_tile *t =
            i < def->n_tiles ? &def->tiles[i] : &def->blocks[i - def->n_tiles];
        if (!strcmp(t->name, name))
            return reader_fail(r, "second definition of tile", name);
    }
    r->in_block = !strcmp(keyword, "block");
    if (r->in_block) {
        ARRAY_RESERVE(def->blocks, def->n_blocks, def->cap_blocks);
        def->blocks[def->n_blocks++] = (struct def_tile){.name = alloc_string(name)};
    } else {
        ARRAY_RESERVE(def->tiles, def->n_tiles, def->cap_tiles);
        def->tiles[def->n_tiles++] = (struct def_tile){.name = alloc_string(name)};
    }
    return true;
}

/* The tile, or block, whose lines these are; NULL: none yet. */
static struct def_tile *current_tile(const struct reader *r)
{
    if (r->in_block)
        return &r->def->blocks[r->def->n_blocks - 1];
    return r->def->n_tiles ? &r->def->tiles[r->def->n_tiles - 1] : NULL;
}

/* The tile of that name above this line; its index, or n_tiles. */
static size_t find_tile(const struct definition *def, const char *name)
{
    size_t i = 0;
    while (i < def->n_tiles && strcmp(def->tiles[i].name, name) != 0)
        i++;
    return i;
}

/* variant NAME TILE Parameter VALUE ... */
static bool read_variant(struct reader *r)
{
    struct definition *def = r->def;
    char *name, *tile;
    if (!reader_name(r, "variant", &name) || !reader_name(r, "variant", &tile))
        return false;
    size_t of = find_tile(def, tile);
    if (of == def->n_tiles)
        return reader_fail(r, "variant: no such tile above it:", tile);
    for (size_t i = 0; i < def->n_variants; i++)
        if (!strcmp(def->variants[i].name, name))
            return reader_fail(r, "second definition of variant", name);
    if (find_tile(def, name) != def->n_tiles)
        return reader_fail(r, "variant with the name of a tile:", name);
    ARRAY_RESERVE(def->variants, def->n_variants, def->cap_variants);
    struct def_variant *v = &def->variants[def->n_variants++];
    *v = (struct def_variant){.name = alloc_string(name), .tile = of};
    for (char *parameter; (parameter = strtok(NULL, " \t"));) {
        uint32_t value;
        if (!reader_is_name(parameter) || !isupper((unsigned char)parameter[0]))
            return reader_fail(r, "variant: not a Verilog parameter:", parameter);
        if (!reader_number(r, parameter, 0, INT32_MAX, &value))
            return false;
        ARRAY_RESERVE(v->set, v->n_set, v->cap_set);
        v->set[v->n_set++] = (struct def_small){.name = alloc_string(parameter), .value = value};
    }
    return v->n_set ? true : reader_fail(r, "variant without parameters:", name);
}

/* [when PORT [or PORT]]: outputs of one bit above it */
static bool read_when(struct reader *r, const struct def_ports *ports, size_t when[2])
{
    static const char *const words[] = {"when", "or"};
    for (size_t n = 0; n < 2; n++) {
        char *name;
        const char *token = strtok(NULL, " \t");
        if (!token)
            return true;
        if (strcmp(token, words[n]) != 0)
            return reader_fail(r, "unexpected text", token);
        if (!reader_name(r, words[n], &name))
            return false;
        for (size_t i = 0; i < ports->count && !when[n]; i++)
            if (!strcmp(ports->items[i].name, name) && ports->items[i].width == 1)
                when[n] = i + 1;
        if (!when[n])
            return reader_fail(r, "when: no such output of one bit above it:", name);
    }
    return reader_end(r);
}

static bool read_port(struct reader *r, bool is_out)
{
    struct def_tile *tile = current_tile(r);
    if (!tile)
        return reader_fail(r, "port outside a tile", NULL);
    struct def_ports *ports = is_out ? &tile->out : &tile->in;
    char *name;
    uint32_t width;
    size_t when[2] = {0};
    if (!reader_name(r, "port", &name) || !reader_number(r, name, 1, DEF_MAX_WIDTH, &width) ||
        !(is_out ? read_when(r, ports, when) : reader_end(r)))
        return false;
    for (size_t i = 0; i < ports->count; i++)
        if (!strcmp(ports->items[i].name, name))
            return reader_fail(r, "second definition of port", name);
    ARRAY_RESERVE(ports->items, ports->count, ports->capacity);
    ports->items[ports->count++] = (struct def_port){.name = alloc_string(name),
                                                     .comment = reader_comment(r),
                                                     .width = width,
                                                     .when = {when[0], when[1]}};
    return true;
}

/* Hexadecimal digits into bytes, lowest first; false unless they are digits that fit the port. */
static bool read_mask(const char *text, struct def_port *port)
{
    if (strncmp(text, "0x", 2) != 0 || !text[2])
        return false;
    size_t digits = strlen(text + 2);
    port->small = ALLOC_ARRAY(uint8_t, (port->width + 7) / 8);
    for (size_t i = 0; i < digits; i++) {
        char c = (char)tolower((unsigned char)text[1 + digits - i]);
        uint32_t value = (uint32_t)(c >= 'a' ? c - 'a' + 10 : c - '0');
        if (!isxdigit((unsigned char)c))
            return false;
        for (uint32_t bit = 0; bit < 4; bit++) {
            if (!(value >> bit & 1))
                continue;
            if (4 * i + bit >= port->width)
                return false;
            port->small[i / 2] |= (uint8_t)(1u << (4 * (i % 2) + bit));
        }
    }
    return true;
}

/* small Parameter VALUE, or small input_port MASK */
static bool read_small(struct reader *r)
{
    struct def_tile *tile = current_tile(r);
    if (!tile)
        return reader_fail(r, "small outside a tile", NULL);
    char *name;
    if (!reader_name(r, "small", &name))
        return false;
    if (isupper((unsigned char)name[0])) {
        uint32_t value;
        if (!reader_number(r, name, 0, INT32_MAX, &value) || !reader_end(r))
            return false;
        ARRAY_RESERVE(tile->small, tile->n_small, tile->cap_small);
        tile->small[tile->n_small++] =
            (struct def_small){.name = alloc_string(name), .value = value};
        return true;
    }
    const char *mask = strtok(NULL, " \t");
    for (size_t i = 0; i < tile->in.count; i++) {
        struct def_port *port = &tile->in.items[i];
        if (strcmp(port->name, name) != 0)
            continue;
        if (port->small)
            return reader_fail(r, "second mask of port", name);
        if (!mask || !read_mask(mask, port))
            return reader_fail(r, "expected a mask 0x... that fits port", name);
        return reader_end(r);
    }
    return reader_fail(r, "small: no such input above it:", name);
}

static bool read_line(struct reader *r, char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    r->comment = strchr(line, '#');
    if (r->comment) {
        *r->comment++ = '\0';
        r->comment += strspn(r->comment, " \t");
    }
    const char *keyword = strtok(line, " \t");
    if (!keyword)
        return true;
    if (!strcmp(keyword, "const"))
        return read_constant(r);
    if (!strcmp(keyword, "enum"))
        return read_enum(r);
    if (!strcmp(keyword, "flags"))
        return read_flags(r);
    if (!strcmp(keyword, "record"))
        return read_record(r);
    if (!strcmp(keyword, "field"))
        return read_field(r);
    if (!strcmp(keyword, "tile") || !strcmp(keyword, "device") || !strcmp(keyword, "block"))
        return read_tile(r, keyword);
    if (!strcmp(keyword, "in"))
        return read_port(r, false);
    if (!strcmp(keyword, "out"))
        return read_port(r, true);
    if (!strcmp(keyword, "small"))
        return read_small(r);
    if (!strcmp(keyword, "variant"))
        return read_variant(r);
    if (!strcmp(keyword, "regs"))
        return read_regs(r);
    if (!strcmp(keyword, "reg"))
        return read_reg(r);
    if (!strcmp(keyword, "bits"))
        return read_bits(r);
    return reader_fail(r,
                       "expected const, enum, flags, record, field, tile, device, block, in, "
                       "out, small, variant, regs, reg or bits, found",
                       keyword);
}

static bool check_records(const struct definition *def, const char *path, struct error *err)
{
    for (size_t i = 0; i < def->n_records; i++)
        if (!def->records[i].n_fields)
            return error_set(err, "%s: record %s needs at least one field", path,
                             def->records[i].name);
    return true;
}

static bool check_tiles(const struct def_tile *tiles, size_t count, const char *path,
                        struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!tiles[i].in.count || !tiles[i].out.count)
            return error_set(err, "%s: tile %s needs at least one input and one output", path,
                             tiles[i].name);
    return true;
}

bool definition_read(struct definition *def, const char *path, struct error *err)
{
    *def = (struct definition){0};
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(err, "%s: cannot be opened for reading", path);
    struct reader r = {.def = def, .path = path, .err = err};
    char *line = NULL;
    size_t size = 0;
    bool ok = true;
    while (ok && getline(&line, &size, file) >= 0) {
        r.line++;
        ok = read_line(&r, line);
    }
    if (ok && ferror(file))
        ok = error_set(err, "%s: read error after line %u", path, r.line);
    free(line);
    fclose(file);
    return ok && check_records(def, path, err) &&
           check_tiles(def->tiles, def->n_tiles, path, err) &&
           check_tiles(def->blocks, def->n_blocks, path, err) && check_regs(def, path, err);
}

static void free_parameters(struct def_small *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(set[i].name);
    free(set);
}

static void free_ports(struct def_ports *ports)
{
    for (size_t i = 0; i < ports->count; i++) {
        free(ports->items[i].name);
        free(ports->items[i].comment);
        free(ports->items[i].small);
    }
    free(ports->items);
}

static void free_tiles(struct def_tile *tiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free_ports(&tiles[i].in);
        free_ports(&tiles[i].out);
        free_parameters(tiles[i].small, tiles[i].n_small);
        free(tiles[i].name);
    }
    free(tiles);
}

void definition_free(struct definition *def)
{
    for (size_t i = 0; i < def->n_constants; i++) {
        free(def->constants[i].name);
        free(def->constants[i].comment);
    }
    for (size_t i = 0; i < def->n_enums; i++) {
        for (size_t s = 0; s < def->enums[i].n_states; s++)
            free(def->enums[i].states[s]);
        free(def->enums[i].states);
        free(def->enums[i].name);
    }
    for (size_t i = 0; i < def->n_records; i++) {
        for (size_t f = 0; f < def->records[i].n_fields; f++)
            free(def->records[i].fields[f].name);
        free(def->records[i].fields);
        free(def->records[i].name);
    }
    free(def->records);
    free_tiles(def->tiles, def->n_tiles);
    free_tiles(def->blocks, def->n_blocks);
    regs_free(def);
    for (size_t i = 0; i < def->n_variants; i++) {
        free_parameters(def->variants[i].set, def->variants[i].n_set);
        free(def->variants[i].name);
    }
    free(def->variants);
    free(def->constants);
    free(def->enums);
    for (size_t i = 0; i < def->n_flags; i++) {
        free(def->flags[i].bits);
        free(def->flags[i].name);
    }
    free(def->flags);
    *def = (struct definition){0};
}
