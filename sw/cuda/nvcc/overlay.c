#include "sw/cuda/nvcc/overlay.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/nvcc/command.h"

char *overlay_absolute(const char *path)
{
    char here[PATH_MAX], *whole = text("%s", path), *made = text("%s", "");
    if (*path != '/' && getcwd(here, sizeof here))
        whole = text("%s/%s", here, path);
    for (char *part = strtok(whole, "/"); part; part = strtok(NULL, "/")) {
        char *slash = strrchr(made, '/');
        if (!strcmp(part, ".."))
            made = slash ? text_part(made, (size_t)(slash - made)) : made;
        else if (strcmp(part, ".") != 0)
            made = text("%s/%s", made, part);
    }
    return made;
}

static size_t find(const struct overlay *overlay, const char *name)
{
    size_t i = 0;
    while (i < overlay->from.count && strcmp(overlay->from.at[i], name) != 0)
        i++;
    return i;
}

char *overlay_read(const struct overlay *overlay, const char *path, size_t *size)
{
    size_t i = find(overlay, overlay_absolute(path));
    char *bytes = file_read(i < overlay->from.count ? overlay->to.at[i] : path, size);
    return bytes && strlen(bytes) == *size ? bytes : NULL;
}

void overlay_write(struct overlay *overlay, const struct options *options, const char *path,
                   const char *bytes, size_t size)
{
    char *name = overlay_absolute(path);
    size_t i = find(overlay, name);
    if (i == overlay->from.count) {
        list_add(&overlay->from, name);
        list_add(&overlay->to, temporary(options, text("shown-%zu-%s", i, base_name(path))));
    }
    file_write(overlay->to.at[i], bytes, size);
}

/* A string of JSON. */
static char *quoted(const char *string)
{
    char *made = text("%s", "");
    for (; *string; string++)
        made = text(strchr("\"\\", *string) ? "%s\\%c" : "%s%c", made, *string);
    return text("\"%s\"", made);
}

static char *folder_of(const char *path)
{
    return text_part(path, (size_t)(strrchr(path, '/') - path));
}

void overlay_add(struct list *words, const struct options *options, const struct overlay *overlay)
{
    if (overlay->late)
        list_add(words, "-fdelayed-template-parsing");
    if (!overlay->from.count)
        return;
    char *map = text("%s", "");
    for (size_t i = 0; i < overlay->from.count; i++)
        map = text("%s%s{\"name\":%s,\"type\":\"directory\",\"contents\":[{\"name\":%s,"
                   "\"type\":\"file\",\"external-contents\":%s}]}",
                   map, i ? "," : "", quoted(folder_of(overlay->from.at[i])),
                   quoted(strrchr(overlay->from.at[i], '/') + 1), quoted(overlay->to.at[i]));
    map = text("{\"version\":0,\"use-external-names\":false,\"roots\":[%s]}", map);
    char *file = temporary(options, "files.json");
    file_write(file, map, strlen(map));
    list_add_these(words, "-ivfsoverlay", overlay_absolute(file), NULL);
}
