#include "sim/cli/results/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cli/run/gpu_fields.h"

#define PATH_ROOM 256
#define BOTH      "run kernel"
#define CORES     "gpu.{cores,per_core[]}."

#define GPU_ROW(key, value, unit, meaning) {BOTH, "gpu." #key, unit, meaning, false},
#define PATH_ROW(key, value, unit, meaning)                                                        \
    {BOTH, "gpu.events_by_path." #key, unit, meaning, false},
#define ROOM_ROW(key, value, unit, meaning) {BOTH, "gpu.event_room." #key, unit, meaning, false},
#define REJECTED_ROW(key, value, unit, meaning)                                                    \
    {BOTH, "gpu.doorbells_rejected." #key, unit, meaning, false},
#define PROCESSOR_ROW(key, value, unit, meaning)                                                   \
    {"run", "gpu.packet_processor." #key, unit, meaning, false},
#define CORE_ROW(key, value, unit, meaning) {BOTH, CORES #key, unit, meaning, false},
#define LSU_ROW(key, value, unit, meaning)                                                         \
    {BOTH, CORES "load_store_held." #key, unit, meaning, false},
#define FLUSH_ROW(key, value, unit, meaning)                                                       \
    {BOTH, CORES "flush_cycles." #key, unit, meaning, false},
#define LOST_ROW(key, value, unit, meaning)                                                        \
    {BOTH, "gpu.completion_flags_lost." #key, unit, meaning, false},
#define MEMORY_ROW(key, value, unit, meaning) {BOTH, "gpu.memory." #key, unit, meaning, false},
#define REFUSAL_ROW(key, value, unit, meaning)                                                     \
    {BOTH, "gpu.memory.refusals." #key, unit, meaning, false},
#define QUEUE_ROWS(queue, value, text)                                                             \
    QUEUE_FIELDS(QUEUE_ROW, "gpu.memory.queues." #queue ".", text)
#define QUEUE_ROW(path, text, key, value, unit, meaning)                                           \
    {BOTH, path #key, unit, text ": " meaning, false},
#define CLASS                                          "gpu.memory.classes.{gpu,cpu,host,device,event}."
#define CLASS_ROW(key, value, unit, meaning)           {BOTH, CLASS #key, unit, meaning, false},
#define CLASS_MEAN_ROW(key, sum, count, unit, meaning) {BOTH, CLASS #key, unit, meaning, false},
#define REGION_ROW(key, value, unit, meaning)                                                      \
    {"run", "gpu.memory.region." #key, unit, meaning, false},
#define REGION_QUEUE_ROW(key, number, meaning)                                                     \
    {"run", "gpu.memory.region.requests." #key, "requests", meaning, false},                       \
        {"run", "gpu.memory.region.cycles_until_memory." #key, "L2 cycles",                        \
         meaning ": their waits, summed", false},

const struct field_row field_rows[] = {
#define FIELD(files, path, unit, meaning)      {files, path, unit, meaning, false},
#define HOST_FIELD(files, path, unit, meaning) {files, path, unit, meaning, true},
#include "sim/cli/results/fields.def"
    GPU_FIELDS(GPU_ROW) PATH_FIELDS(PATH_ROW) ROOM_FIELDS(ROOM_ROW) REJECTED_FIELDS(REJECTED_ROW)
        LOST_FIELDS(LOST_ROW) PROCESSOR_FIELDS(PROCESSOR_ROW){
            "run", "gpu.packet_processor.refused.{type,fence,size,kernel,address,too_large}",
            "packets", "refused for the reason", false},
    CORE_FIELDS(CORE_ROW) LSU_FIELDS(LSU_ROW) FLUSH_FIELDS(FLUSH_ROW) MEMORY_FIELDS(MEMORY_ROW)
        REFUSAL_FIELDS(REFUSAL_ROW) QUEUES(QUEUE_ROWS) CLASS_FIELDS(CLASS_ROW)
            CLASS_MEANS(CLASS_MEAN_ROW) REGION_FIELDS(REGION_ROW) REGION_QUEUES(REGION_QUEUE_ROW)};
const size_t n_field_rows = sizeof field_rows / sizeof field_rows[0];

/* --- rows without braces ---------------------------------------------------------------------- */

static void add(struct field_list *list, const struct field_row *row, const char *path)
{
    const char *open = strchr(path, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close) {
        ARRAY_RESERVE(list->fields, list->count, list->capacity);
        list->fields[list->count++] = (struct field){.row = row, .path = alloc_string(path)};
        return;
    }
    for (const char *choice = open + 1; choice <= close;) {
        char one[PATH_ROOM];
        size_t n = strcspn(choice, ",}");
        snprintf(one, sizeof one, "%.*s%.*s%s", (int)(open - path), path, (int)n, choice,
                 close + 1);
        add(list, row, one);
        choice += n + 1;
    }
}

void field_list_create(struct field_list *list)
{
    *list = (struct field_list){.fields = NULL};
    for (size_t i = 0; i < n_field_rows; i++)
        add(list, &field_rows[i], field_rows[i].path);
}

void field_list_free(struct field_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->fields[i].path);
    free(list->fields);
    *list = (struct field_list){.fields = NULL};
}

/* --- looking up ------------------------------------------------------------------------------- */

/* The word is among those of the list, or that is empty. */
static bool among(const char *list, const char *word)
{
    size_t length = strlen(word);
    bool found = !*list;
    for (const char *at = list; *at && !found; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        found = n == length && !strncmp(at, word, n);
        at += n;
    }
    return found;
}

static bool matches(const char *path, const char *const *keys, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        size_t part = strcspn(path, "."), length = strlen(keys[i]);
        bool list = part > 2 && !strncmp(path + part - 2, "[]", 2);
        bool element = length > 2 && !strcmp(keys[i] + length - 2, "[]");
        bool any = *path == '*' && list == element;
        if (!part || (!any && (part != length || strncmp(path, keys[i], part) != 0)))
            return false;
        path += part;
        if ((*path == '.') != (i + 1 < n))
            return false;
        path += *path == '.';
    }
    return true;
}

struct field *field_find(const struct field_list *list, const char *file, const char *const *keys,
                         uint32_t n)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct field *f = &list->fields[i];
        if ((!file || among(f->row->files, file)) && matches(f->path, keys, n))
            return f;
    }
    return NULL;
}
