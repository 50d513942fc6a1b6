#include "sim/system/config.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/ini_line.h"
#include "base/number.h"
#include "base/suggest.h"
#include "sim/system/config_include.h"
#include "sim/system/config_keys.h"

static const struct config_key *find_key(const char *section, const char *name, size_t *index)
{
    for (size_t i = 0; i < config_key_count; i++) {
        if (!strcmp(config_keys[i].section, section) && !strcmp(config_keys[i].name, name)) {
            *index = i;
            return &config_keys[i];
        }
    }
    return NULL;
}

/* "; did you mean ...", or "". */
static const char *near_key(const char *section, const char *name, char *text, size_t room)
{
    char wanted[72], full[72], best[72] = "";
    snprintf(wanted, sizeof wanted, "%s.%s", section, name);
    struct suggestion near = suggest(wanted);
    for (size_t i = 0; i < config_key_count; i++) {
        snprintf(full, sizeof full, "%s.%s", config_keys[i].section, config_keys[i].name);
        suggest_offer(&near, full);
        if (near.best != full)
            continue;
        strcpy(best, full);
        near.best = best;
    }
    return suggest_text(&near, text, room);
}

static bool has_words(const struct config_key *key)
{
    return key->words || key->policy;
}

/* Numbers as well as words? */
static bool has_numbers(const struct config_key *key)
{
    return !has_words(key) || key->max;
}

/* The value that the first word stands for. */
static uint32_t first_word(const struct config_key *key)
{
    return key->max ? key->max + 1 : 0;
}

/* The n-th word; NULL after the last one. */
static const char *word(const struct config_key *key, uint32_t n)
{
    return key->policy ? key->policy(n) : key->words[n];
}

/* "a|b|c" into `text`. */
static void list_words(const struct config_key *key, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; word(key, i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "|" : "", word(key, i));
}

static bool set_word(const struct config_key *key, const char *text, uint32_t *value,
                     struct error *err)
{
    for (uint32_t i = 0; word(key, i); i++) {
        if (!strcmp(word(key, i), text)) {
            *value = first_word(key) + i;
            return true;
        }
    }
    char words[128];
    list_words(key, words, sizeof words);
    if (has_numbers(key))
        return error_set(err, "%s.%s: '%s' is neither a number of %u to %u nor %s", key->section,
                         key->name, text, key->min, key->max, words);
    return error_set(err, "%s.%s: '%s' is not one of %s", key->section, key->name, text, words);
}

static bool set_number(const struct config_key *key, const char *text, uint32_t *value,
                       struct error *err)
{
    uint64_t n = 0;
    if (!parse_whole(key->name, text, UINT64_MAX, &n, NULL))
        return error_set(err, "%s.%s: '%s' is not a whole number", key->section, key->name, text);
    if (n < key->min || n > key->max)
        return error_set(err, "%s.%s: %s is out of range, must be %u to %u%s%s", key->section,
                         key->name, text, key->min, key->max, *key->unit ? " " : "", key->unit);
    *value = (uint32_t)n;
    return true;
}

/* Rows of the map, which the file may give in several lines. */
static bool add_rows(struct machine_config *config, const char *text, struct error *err)
{
    if (!strcmp(text, "none") && !config->mem.placement.height)
        return true;
    if (placement_add(&config->mem.placement, text, err))
        return true;
    error_prefix(err, "network.placement");
    return false;
}

static bool set_value(struct machine_config *config, const struct config_key *key, const char *text,
                      struct error *err)
{
    if (key->map)
        return add_rows(config, text, err);
    uint32_t *field = (uint32_t *)(void *)((char *)config + key->offset);
    bool number = has_numbers(key) && (!has_words(key) || (*text >= '0' && *text <= '9'));
    return number ? set_number(key, text, field, err) : set_word(key, text, field, err);
}

struct loading {
    struct machine_config *config;
    struct error *err;
    uint8_t *given; /* for each key the depth of the file that gave it last, 0: none has */
    bool failed;
};

struct config_file {
    struct loading *loading;
    const struct config_file *includer;
    const char *path;
    struct ini_stream stream;
    uint32_t line, fault_line; /* 0: no pair has been wrong */
    uint8_t depth;             /* 1: the machine's own file */
    bool includes;             /* another one */
    bool placed;               /* the error names a line of the included file */
};

static char *next_line(char *text, int size, void *user)
{
    struct config_file *file = user;
    file->line++;
    return ini_line(text, size, &file->stream);
}

static bool same_file(FILE *a, FILE *b)
{
    struct stat one, other;
    return fstat(fileno(a), &one) == 0 && fstat(fileno(b), &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool read_stream(struct config_file *file);

static bool include_stream(struct config_file *file, FILE *stream, const char *path,
                           const char *name)
{
    struct loading *l = file->loading;
    for (const struct config_file *f = file; f; f = f->includer) {
        if (same_file(f->stream.file, stream))
            return error_set(l->err, "include = %s: the file includes itself", name);
    }
    if (file->depth == INCLUDE_DEPTH)
        return error_set(l->err, "include = %s: the chain has more than %u files", name,
                         INCLUDE_DEPTH);
    struct config_file included = {.loading = l,
                                   .includer = file,
                                   .path = path,
                                   .stream = ini_stream_of(stream),
                                   .depth = (uint8_t)(file->depth + 1)};
    file->placed = !read_stream(&included);
    return !file->placed;
}

static bool on_include(struct config_file *file, const char *name)
{
    struct error *err = file->loading->err;
    char path[PATH_MAX];
    if (file->includes)
        return error_set(err, "include: given twice");
    file->includes = true;
    if (!*name)
        return error_set(err, "include: the file's name is empty");
    if (!include_path(file->path, name, path))
        return error_set(err, "include = %s: the path is too long", name);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return error_set(err, "include = %s: %s; the path starts in the folder of this file", name,
                         strerror(errno));
    bool ok = include_stream(file, stream, path, name);
    fclose(stream);
    return ok;
}

/* A map that a file gives takes the place of the included file's. */
static void begin_map(struct machine_config *config, const struct config_file *file)
{
    config->mem.placement.height = 0;
    if (file->includer)
        snprintf(config->placement_at, sizeof config->placement_at, "%s, line %u", file->path,
                 file->line);
    else
        snprintf(config->placement_at, sizeof config->placement_at, "line %u", file->line);
}

static bool take_pair(struct config_file *file, const char *section, const char *name,
                      const char *value)
{
    struct loading *l = file->loading;
    if (!strcmp(name, "include"))
        return *section ? error_set(l->err, "include: must stand before the first section")
                        : on_include(file, value);
    size_t index = 0;
    char hint[SUGGEST_MOST + 24];
    const struct config_key *key = find_key(section, name, &index);
    if (!key)
        return error_set(l->err, "[%s] %s: no such key; `evgpu config` lists the keys%s", section,
                         name, near_key(section, name, hint, sizeof hint));
    bool again = l->given[index] == file->depth;
    if (again && !key->map)
        return error_set(l->err, "%s.%s: given twice", section, name);
    if (key->map && !again)
        begin_map(l->config, file);
    l->given[index] = file->depth;
    return set_value(l->config, key, value, l->err);
}

static int on_pair(void *user, const char *section, const char *name, const char *value)
{
    struct config_file *file = user;
    if (!file->loading->failed)
        file->loading->failed = !take_pair(file, section, name, value);
    if (file->loading->failed && !file->fault_line)
        file->fault_line = file->line;
    return !file->loading->failed;
}

/* False with an error that names file and line. */
static bool read_stream(struct config_file *file)
{
    struct error *err = file->loading->err;
    int line = ini_parse_stream(next_line, file, on_pair, file);
    if (line < 0 || ferror(file->stream.file))
        return error_set(err, "%s: cannot be read: %s", file->path, strerror(errno));
    bool no_pair = line > 0 && (uint32_t)line != file->fault_line;
    if (no_pair)
        *err = (struct error){0}; /* of a pair behind this line */
    if (no_pair || (line > 0 && !file->placed)) {
        error_set(err, "neither `key = value` nor `[section]`");
        error_prefix(err, "%s:%d", file->path, line);
    }
    return line == 0 && ini_stream_ended(&file->stream, file->path, err);
}

static void take_name(struct machine_config *config, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t n = strcspn(base, ".");
    if (n >= sizeof config->name)
        n = sizeof config->name - 1;
    memcpy(config->name, base, n);
    config->name[n] = '\0';
}

static bool all_given(const uint8_t *given, const char *path, struct error *err)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *k = &config_keys[i];
        if (!given[i])
            return error_set(err,
                             "%s: [%s] %s is missing (%s%s%s); give it, or begin with include = "
                             "a file that does",
                             path, k->section, k->name, k->meaning, *k->unit ? ", " : "", k->unit);
    }
    return true;
}

bool config_load(struct machine_config *config, const char *path, struct error *err)
{
    memset(config, 0, sizeof *config);
    take_name(config, path);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return error_set(err, "%s: %s", path, strerror(errno));
    struct loading loading = {
        .config = config, .err = err, .given = alloc_array(config_key_count, 1)};
    struct config_file file = {
        .loading = &loading, .path = path, .stream = ini_stream_of(stream), .depth = 1};
    bool ok = read_stream(&file) && all_given(loading.given, path, err);
    fclose(stream);
    free(loading.given);
    return ok;
}

bool config_override_by(struct machine_config *config, const char *option, const char *text,
                        struct error *err)
{
    const char *dot = strchr(text, '.');
    const char *equals = strchr(text, '=');
    char section[32], name[32], hint[SUGGEST_MOST + 24];
    if (!dot || !equals || dot > equals || (size_t)(dot - text) >= sizeof section ||
        (size_t)(equals - dot - 1) >= sizeof name)
        return error_set(err, "%s %s: must be section.key=value", option, text);
    snprintf(section, sizeof section, "%.*s", (int)(dot - text), text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - dot - 1), dot + 1);
    size_t index = 0;
    const struct config_key *key = find_key(section, name, &index);
    if (!key)
        return error_set(err, "%s %s: no such key; `evgpu config` lists the keys%s", option, text,
                         near_key(section, name, hint, sizeof hint));
    if (key->map) {
        config->mem.placement.height = 0;
        config->placement_at[0] = '\0';
    }
    if (!set_value(config, key, equals + 1, err)) {
        error_prefix(err, "%s", option);
        return false;
    }
    return true;
}

bool config_override(struct machine_config *config, const char *text, struct error *err)
{
    return config_override_by(config, "--set", text, err);
}

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

static bool check_network(const struct machine_config *config, struct error *err)
{
    const struct memsys_config *mem = &config->mem;
    const struct placement *map = &mem->placement;
    if (mem->gpu_partitions >= mem->partitions)
        return error_set(
            err, "l2.gpu_partitions: %u of l2.partitions = %u leaves none for the CPU cores",
            mem->gpu_partitions, mem->partitions);
    if (mem->gpu_partitions && config->fe.kib)
        return error_set(err, "l2.gpu_partitions: must be 0 with fe.region_kib, whose synchronised "
                              "region all partitions share");
    if (mem->parts && mem->network != NETWORK_MESH)
        return error_set(err, "network.parts: must be shared with a crossbar");
    if (mem->input_order && mem->network == NETWORK_MESH)
        return error_set(err, "network.input_order: must be voq with a mesh");
    if (mem->parts && (mem->vcs % 4 || mem->flit_bytes % 4))
        return error_set(err,
                         "network.parts: network.vcs = %u and network.flit_bytes = %u are divided "
                         "into quarters and must be multiples of 4",
                         mem->vcs, mem->flit_bytes);
    if (mem->network != NETWORK_MESH)
        return true;
    bool ok = (map->height || error_set(err, "a mesh needs a map of its nodes")) &&
              placement_fits(map, ENDPOINT_CORE, config->cores, err) &&
              placement_fits(map, ENDPOINT_CPU, config->cpu_cores, err) &&
              placement_fits(map, ENDPOINT_PARTITION, mem->partitions, err) &&
              placement_fits(map, ENDPOINT_HOST, 1, err);
    if (!ok && *config->placement_at)
        error_prefix(err, "network.placement, %s", config->placement_at);
    else if (!ok)
        error_prefix(err, "network.placement");
    return ok;
}

bool config_check(const struct machine_config *config, struct error *err)
{
    const struct core_config *core = &config->core;
    if (core->threads > core->warps * WARP_SIZE)
        return error_set(err, "core.threads: %u threads need more warps than core.warps = %u",
                         core->threads, core->warps);
    if (!power_of_two(core->shared_banks))
        return error_set(err, "core.shared_banks: %u is not a power of two", core->shared_banks);
    if (core->schedulers == 3)
        return error_set(err, "core.schedulers: must be 1, 2 or 4");
    if (core->registers % (4 * WARP_SIZE))
        return error_set(err, "core.registers: %u is not a multiple of %d", core->registers,
                         4 * WARP_SIZE);
    if (core->register_reserve >= core->registers)
        return error_set(err,
                         "event.register_reserve: %u of core.registers = %u leaves none for others",
                         core->register_reserve, core->registers);
    if (config->cpu_cores && !cpu_core_check(&config->cpu_core, err)) {
        error_prefix(err, "[cpu_core]");
        return false;
    }
    if (!power_of_two(config->mem.interleave_bytes))
        return error_set(err, "l2.interleave_bytes: %u is not a power of two",
                         config->mem.interleave_bytes);
    if (config->mem.reserved_mshrs && config->mem.reserved_mshrs >= config->mem.l2_mshrs)
        return error_set(err, "l2.reserved_mshrs: %u of l2.mshrs = %u leaves none for the GPU",
                         config->mem.reserved_mshrs, config->mem.l2_mshrs);
    if (config->mem.dram.reserved >= config->mem.dram.queue)
        return error_set(err, "dram.reserved: %u of dram.queue = %u leaves none for the others",
                         config->mem.dram.reserved, config->mem.dram.queue);
    return check_network(config, err);
}

bool config_known(const char *name, struct error *err)
{
    char section[32], hint[SUGGEST_MOST + 24];
    const char *dot = strchr(name, '.');
    size_t index = 0;
    struct suggestion near = suggest(name);
    snprintf(section, sizeof section, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    if (dot && find_key(section, dot + 1, &index))
        return true;
    for (size_t i = 0; !dot && i < config_key_count; i++) {
        if (!strcmp(config_keys[i].section, name))
            return true;
        suggest_offer(&near, config_keys[i].section);
    }
    return error_set(err,
                     "'%s' is neither a machine's file (NAME.ini), nor a section or SECTION.KEY; "
                     "`evgpu config` lists these%s",
                     name,
                     dot ? near_key(section, dot + 1, hint, sizeof hint)
                         : suggest_text(&near, hint, sizeof hint));
}

void config_describe(void (*line)(void *user, const char *text), void *user)
{
    char text[256];
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *k = &config_keys[i];
        char words[128] = "";
        if (has_words(k))
            list_words(k, words, sizeof words);
        if (k->map)
            snprintf(text, sizeof text, "%s.%s: %s", k->section, k->name, k->meaning);
        else if (has_words(k) && has_numbers(k))
            snprintf(text, sizeof text, "%s.%s %u..%u|%s: %s", k->section, k->name, k->min, k->max,
                     words, k->meaning);
        else if (has_words(k))
            snprintf(text, sizeof text, "%s.%s %s: %s", k->section, k->name, words, k->meaning);
        else
            snprintf(text, sizeof text, "%s.%s %u..%u%s%s: %s", k->section, k->name, k->min, k->max,
                     *k->unit ? " " : "", k->unit, k->meaning);
        line(user, text);
    }
}

/* The value of a key as an override has it. */
static void value_text(const struct machine_config *config, const struct config_key *key,
                       char *text, size_t size)
{
    const struct placement *map = &config->mem.placement;
    uint32_t value = *(const uint32_t *)(const void *)((const char *)config + key->offset);
    size_t used = 0;
    if (!key->map && has_words(key) && (!has_numbers(key) || value > key->max)) {
        snprintf(text, size, "%s", word(key, value - first_word(key)));
    } else if (!key->map) {
        snprintf(text, size, "%u", value);
    } else if (!map->height) {
        snprintf(text, size, "none");
    } else {
        for (uint32_t y = 0; y < map->height && used < size; y++)
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", y ? "/" : "",
                                     (int)map->width, map->node + y * map->width);
    }
}

void config_print(const struct machine_config *config, void (*line)(void *user, const char *text),
                  void *user)
{
    char value[2 * PLACEMENT_NODES], text[2 * PLACEMENT_NODES + 128];
    for (size_t i = 0; i < config_key_count; i++) {
        value_text(config, &config_keys[i], value, sizeof value);
        snprintf(text, sizeof text, "%s.%s=%s", config_keys[i].section, config_keys[i].name, value);
        line(user, text);
    }
}
