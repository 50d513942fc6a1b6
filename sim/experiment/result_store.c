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

static void hash_file(XXH3_state_t *state, const char *path)
{
    size_t bytes = 0;
    uint8_t *data = read_file(path, &bytes, NULL);
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

bool keeper_open(struct keeper *k, const char *folder, struct error *err)
{
    ssize_t n = readlink("/proc/self/exe", k->evgpu, sizeof k->evgpu - 1);
    if (n <= 0)
        return error_set(err, "the command cannot be found by its own name");
    k->evgpu[n] = '\0';
    if ((size_t)snprintf(k->folder, sizeof k->folder, "%s", folder) >= sizeof k->folder - 64)
        return error_set(err, "%s: the name is too long", folder);
    if (!make_folder(folder, err))
        return false;
    char path[PATH_MAX + 32];
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    hash_file(state, k->evgpu);
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

/* A word of a command may hold others: "bfs --graph FILE", "ipv4,capture=FILE". */
static void hash_named_files(XXH3_state_t *state, const char *word)
{
    char part[PATH_MAX], path[PATH_MAX], name[PATH_MAX + 8];
    while (*word) {
        size_t n = strcspn(word, " ,=\t");
        snprintf(part, sizeof part, "%.*s", (int)n, word);
        snprintf(name, sizeof name, "apps/%s", part);
        if (n > 0 && is_file(part))
            hash_file(state, part);
        else if (n > 0 &&
                 (find_data(part, "config", path, sizeof path) ||
                  find_beside(name, path, sizeof path)) &&
                 is_file(path))
            hash_file(state, path);
        word += n;
        word += strspn(word, " ,=\t");
    }
}

void keeper_key(const struct keeper *k, const char *const *words, char key[KEY_TEXT])
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

void keeper_path(const struct keeper *k, const char *key, const char *suffix, char path[PATH_MAX])
{
    int n = snprintf(path, PATH_MAX, "%s/%s.%s", k->folder, key, suffix);
    if (n >= PATH_MAX) /* keeper_open has left room */
        path[0] = '\0';
}
