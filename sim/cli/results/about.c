#include "sim/cli/results/about.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/version.h"

static json_t *json_of_version(void)
{
    return json_pack("{s:s, s:s, s:b}", "release", version.release, "commit", version.commit,
                     "dirty", (int)version_dirty());
}

/* A word as it was given; what is not UTF-8 has no place in JSON. */
static json_t *json_of_word(const char *word)
{
    json_t *text = json_string(word);
    return text ? text : json_string("(not UTF-8)");
}

/* The words that the process was started with. */
static json_t *json_of_command(void)
{
    json_t *words = json_array();
    size_t bytes = 0;
    uint8_t *text = read_file("/proc/self/cmdline", &bytes, NULL);
    for (size_t at = 0; text && at < bytes; at += strlen((const char *)text + at) + 1)
        json_array_append_new(words, json_of_word((const char *)text + at));
    free(text);
    return words;
}

const char *about_date(char text[ABOUT_DATE])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    struct tm utc;
    errno = 0;
    long long given = epoch ? strtoll(epoch, &end, 10) : 0;
    bool taken = epoch && end != epoch && !*end && !errno;
    time_t seconds = taken ? (time_t)given : time(NULL);
    if (!gmtime_r(&seconds, &utc) || !strftime(text, ABOUT_DATE, "%Y-%m-%dT%H:%M:%SZ", &utc))
        snprintf(text, ABOUT_DATE, "unknown");
    return text;
}

/* The processor's name, as the first of them gives it. */
static void processor_name(char *name, size_t room)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, room, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (!colon)
            continue;
        snprintf(name, room, "%.*s", (int)strcspn(colon + 1 + strspn(colon + 1, " "), "\n"),
                 colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file)
        fclose(file);
}

static json_t *json_of_host(void)
{
    struct utsname u = {.sysname = "unknown"};
    char processor[128], system[sizeof u.sysname + sizeof u.release + sizeof u.machine + 3];
    uname(&u);
    processor_name(processor, sizeof processor);
    snprintf(system, sizeof system, "%s %s %s", u.sysname, u.release, u.machine);
    return json_pack("{s:o, s:s, s:o, s:I}", "name", json_of_word(u.nodename), "system", system,
                     "processor", json_of_word(processor), "processors",
                     (json_int_t)sysconf(_SC_NPROCESSORS_ONLN));
}

/* "section.key=value" as a member of the section's object; whole numbers as numbers. */
static void add_value(void *user, const char *text)
{
    json_t *sections = user;
    char section[64], key[64], *end;
    const char *dot = strchr(text, '.'), *equals = strchr(text, '=');
    if (!dot || !equals || dot > equals)
        return;
    snprintf(section, sizeof section, "%.*s", (int)(dot - text), text);
    snprintf(key, sizeof key, "%.*s", (int)(equals - dot - 1), dot + 1);
    json_t *keys = json_object_get(sections, section);
    if (!keys) {
        keys = json_object();
        json_object_set_new(sections, section, keys);
    }
    errno = 0;
    long long number = strtoll(equals + 1, &end, 10);
    bool whole = end != equals + 1 && !*end && !errno;
    json_object_set_new(keys, key, whole ? json_integer(number) : json_of_word(equals + 1));
}

static json_t *json_of_config(const struct about *about)
{
    json_t *overrides = json_array(), *values = json_object();
    const struct machine_choice *choice = about->choice;
    for (uint32_t i = 0; choice && i < choice->n_overrides; i++)
        json_array_append_new(overrides, json_of_word(choice->overrides[i]));
    config_print(about->config, add_value, values);
    return json_pack("{s:o, s:o, s:o}", "file",
                     json_of_word(choice ? choice->config_name : about->config->name), "overrides",
                     overrides, "values", values);
}

/* As a text where a JSON integer is too small. */
static json_t *json_of_seed(uint64_t seed)
{
    return seed <= INT64_MAX ? json_integer((json_int_t)seed) : json_sprintf("%" PRIu64, seed);
}

json_t *about_json(const struct about *about)
{
    char date[ABOUT_DATE];
    json_t *j = json_pack("{s:i, s:s, s:o, s:o, s:s, s:o}", "schema", RESULT_SCHEMA, "kind",
                          about->kind, "evgpu", json_of_version(), "command", json_of_command(),
                          "date", about_date(date), "host", json_of_host());
    if (about->seed)
        json_object_set_new(j, "seed", json_of_seed(*about->seed));
    if (about->config)
        json_object_set_new(j, "config", json_of_config(about));
    if (about->settings)
        json_object_set_new(j, "settings", about->settings);
    return j;
}

json_t *about_before(json_t *about, json_t *figures)
{
    json_t *all = json_pack("{s:o}", "about", about);
    json_object_update(all, figures);
    json_decref(figures);
    return all;
}

bool about_beside(const char *path, const struct about *about, struct error *err)
{
    char name[PATH_MAX];
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode))
        return true;
    if ((size_t)snprintf(name, sizeof name, "%s.about.json", path) >= sizeof name)
        return error_set(err, "%s: the name is too long", path);
    json_t *json = json_pack("{s:o}", "about", about_json(about));
    bool ok = write_json(name, json, err);
    json_decref(json);
    return ok;
}
