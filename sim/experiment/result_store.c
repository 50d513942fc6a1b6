#include "sim/experiment/result_store.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/data_file.h"
#include "base/file.h"
#include "base/version.h"
#include "sim/system/config_include.h"

static void hash_file(XXH3_state_t *state, const char *path)
{
    size_t bytes = 0;
    uint8_t *data = read_file(path, &bytes, NULL);
    if (data)
        XXH3_128bits_update(state, data, bytes);
    free(data);
}

/* What a build computes does not depend on the name of its commit. */
static void hash_program(XXH3_state_t *state, const char *path)
{
    size_t bytes = 0;
    uint8_t *data = read_file(path, &bytes, NULL);
    for (uint8_t *at = data;
         at && (at = memmem(at, bytes - (size_t)(at - data), &version, sizeof version));)
        memset(at, 0, sizeof version);
    if (data)
        XXH3_128bits_update(state, data, bytes);
    free(data);
}

static void hash_files(XXH3_state_t *state, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            hash_file(state, found.gl_pathv[i]);
    }
    globfree(&found);
}

bool result_store_open(struct result_store *k, const char *folder, struct error *err)
{
    ssize_t n = readlink("/proc/self/exe", k->evgpu, sizeof k->evgpu - 1);
    if (n <= 0)
        return error_set(err, "the path of evgpu itself cannot be resolved");
    k->evgpu[n] = '\0';
    k->process = (long)getpid();
    if ((size_t)snprintf(k->folder, sizeof k->folder, "%s", folder) >= sizeof k->folder - 64)
        return error_set(err, "%s: the name is too long", folder);
    if (!make_folder(folder, err))
        return false;
    char path[PATH_MAX + 32];
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    hash_program(state, k->evgpu);
    if (find_beside("cuda/lib64/libcuda.so", path, PATH_MAX))
        hash_file(state, path);
    if (find_beside("sw", path, PATH_MAX)) {
        strcat(path, "/*/*/*.ptx");
        hash_files(state, path);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    k->simulator[0] = hash.high64;
    k->simulator[1] = hash.low64;
    XXH3_freeState(state);
    return true;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* With a configuration go the files that it includes. */
static void hash_with_included(XXH3_state_t *state, const char *path)
{
    char file[2][PATH_MAX];
    size_t length = strlen(path);
    hash_file(state, path);
    bool more = length > 4 && !strcmp(path + length - 4, ".ini") && config_included(path, file[0]);
    for (uint32_t i = 0; more && i < INCLUDE_DEPTH; i++) {
        hash_file(state, file[i % 2]);
        more = config_included(file[i % 2], file[(i + 1) % 2]);
    }
}

/* Up to a separator; `\\,` is a comma of a name. Its length in the word. */
static size_t part_of(const char *word, char *part, size_t room)
{
    size_t n = 0, used = 0;
    for (; word[n] && !strchr(" ,=\t", word[n]); n++) {
        n += word[n] == '\\' && word[n + 1];
        if (used + 1 < room)
            part[used++] = word[n];
    }
    part[used] = '\0';
    return n;
}

/* A word of a command may hold others: "bfs --graph FILE", "ipv4,capture=FILE". */
static void hash_named_files(XXH3_state_t *state, const char *word)
{
    char part[PATH_MAX], path[PATH_MAX], name[PATH_MAX + 8];
    while (*word) {
        size_t n = part_of(word, part, sizeof part);
        snprintf(name, sizeof name, "apps/%s", part);
        if (n > 0 && is_file(part))
            hash_with_included(state, part);
        else if (n > 0 &&
                 (find_data(part, "config", path, sizeof path) ||
                  find_beside(name, path, sizeof path)) &&
                 is_file(path))
            hash_with_included(state, path);
        word += n;
        word += strspn(word, " ,=\t");
    }
}

void result_store_key(const struct result_store *k, const char *const *words, char key[KEY_TEXT])
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, k->simulator, sizeof k->simulator);
    for (; *words; words++) {
        XXH3_128bits_update(state, *words, strlen(*words) + 1);
        hash_named_files(state, *words);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(key, KEY_TEXT, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    XXH3_freeState(state);
}

void result_store_path(const struct result_store *k, const char *key, const char *suffix,
                       char path[PATH_MAX])
{
    int n = snprintf(path, PATH_MAX, "%s/%s.%s", k->folder, key, suffix);
    if (n >= PATH_MAX) /* result_store_open has left room */
        path[0] = '\0';
}

void result_store_own_path(const struct result_store *k, const char *key, const char *suffix,
                           char path[PATH_MAX])
{
    char own[32];
    snprintf(own, sizeof own, "%ld.%.12s", k->process, suffix);
    result_store_path(k, key, own, path);
}
