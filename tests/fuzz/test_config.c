/* A machine's INI file, with a file that it includes and a second one, and overrides: parts between
 * lines "--", the last one overrides, one to a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/system/config.h"
#include "sim/system/config_include.h"
#include "tests/fuzz/fuzz.h"

static void count(void *user, const char *text)
{
    *(size_t *)user += strlen(text);
}

static void override(struct machine_config *config, const struct fuzz_part *part)
{
    char *copy = malloc(part->size + 1), *rest = copy;
    memcpy(copy, part->data, part->size);
    copy[part->size] = '\0';
    for (char *line; (line = strsep(&rest, "\n"));) {
        struct error err = {0};
        struct machine_config old = *config;
        bool ok = config_override(config, line, &err);
        fuzz_check(ok, &err);
        if (!ok)
            *config = old;
    }
    free(copy);
}

static void one(const uint8_t *data, size_t size)
{
    static struct machine_config config;
    struct error err = {0}, wrong = {0};
    struct fuzz_part part[4] = {0};
    char included[PATH_MAX];
    size_t printed = 0;
    uint32_t n = fuzz_parts(data, size, part, 4);
    fuzz_file("first.ini", part[1].data, part[1].size);
    fuzz_file("second.ini", part[2].data, part[2].size);
    const char *path = fuzz_file("machine.ini", part[0].data, part[0].size);
    config_included(path, included);
    bool ok = config_load(&config, path, &err);
    fuzz_check(ok, &err);
    if (!ok)
        return;
    if (n > 3)
        override(&config, &part[3]);
    fuzz_check(config_check(&config, &wrong), &wrong);
    config_print(&config, count, &printed);
    fuzz_expect(printed > 0, "a configuration can be printed");
}

static void seeds(void)
{
    fuzz_seed_file("config/base.ini");
    fuzz_seed_file("config/edge.ini");
}

const struct fuzz_target fuzz_target = {
    .name = "config", .one = one, .seeds = seeds, .mutants = 2000};
