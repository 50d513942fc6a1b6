/* Files made by a test: a directory of its own, removed at the end. */
#ifndef EVGPU_TESTS_SW_SCRATCH_H
#define EVGPU_TESTS_SW_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cmocka group set-up and tear-down; *state is the directory's name. */
static inline int scratch_create(void **state)
{
    const char *base = getenv("TMPDIR");
    char name[512];
    snprintf(name, sizeof name, "%s/evgpu-test-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(name))
        return -1;
    *state = strdup(name);
    return *state ? 0 : -1;
}

/* Path of a file in the directory; the caller's buffer. */
struct scratch_path {
    char text[800];
};
static inline struct scratch_path scratch_path(void *const *state, const char *name)
{
    struct scratch_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", (const char *)*state, name);
    return path;
}

static inline int scratch_remove(void **state)
{
    DIR *dir = opendir(*state);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            unlink(scratch_path(state, e->d_name).text);
    if (dir)
        closedir(dir);
    int result = rmdir(*state);
    free(*state);
    return result;
}

static inline void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

/* The whole file, zero-terminated; the caller frees it. */
static inline char *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long end = ftell(file);
    rewind(file);
    char *bytes = calloc(1, (size_t)end + 1);
    if (!bytes || fread(bytes, 1, (size_t)end, file) != (size_t)end)
        abort();
    fclose(file);
    *size = (size_t)end;
    return bytes;
}

#endif
