/* A timeline file, as `evgpu timeline` reads it. */
#include <string.h>

#include "base/timeline.h"
#include "sim/cli/timeline_rows.h"
#include "tests/fuzz/fuzz.h"

static void one(const uint8_t *data, size_t size)
{
    static const struct timeline_view views[] = {{NULL, 0, 1e12, 0}, {"matrixMul", 5, 10, 1}};
    const char *path = fuzz_file("timeline.json", data, size);
    for (uint32_t i = 0; i < 2; i++) {
        struct timeline_rows rows;
        struct error err = {0};
        memset(&rows, 0, sizeof rows);
        bool ok = timeline_rows_read(&rows, path, &views[i], &err);
        fuzz_check(ok, &err);
        for (uint32_t r = 0; ok && r < TIMELINE_ROWS; r++) {
            for (uint32_t b = 0; b < rows.row[r].count; b++) {
                const struct timeline_box *box = &rows.row[r].boxes[b];
                fuzz_expect(box->lane < rows.row[r].lanes, "a box is in a lane of its row");
                fuzz_expect(box->begin <= box->end && box->begin >= views[i].from &&
                                box->end <= views[i].to,
                            "a box lies in the view");
            }
        }
        timeline_rows_free(&rows);
    }
}

const struct fuzz_target fuzz_target = {.name = "timeline", .one = one, .mutants = 5000};
