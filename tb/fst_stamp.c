#include "tb/fst_stamp.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The header block of GTKWave's format: a tag, its length, eight fields of 8 bytes and one of 1,
 * then the two texts. */
enum {
    HEADER_TAG = 0,
    HEADER_BYTES = 329,
    VERSION_AT = 1 + 8 + 8 * 8 + 1,
    VERSION_BYTES = 128,
    DATE_AT = VERSION_AT + VERSION_BYTES,
    DATE_BYTES = 119
};

static bool put_text(FILE *file, long at, const char *text, size_t room)
{
    char field[VERSION_BYTES] = "";
    snprintf(field, room, "%s", text);
    return fseek(file, at, SEEK_SET) == 0 && fwrite(field, 1, room, file) == room;
}

static bool is_header(FILE *file)
{
    unsigned char head[9];
    uint64_t length = 0;
    if (fread(head, 1, sizeof head, file) != sizeof head || head[0] != HEADER_TAG)
        return false;
    for (int i = 1; i < 9; i++)
        length = length << 8 | head[i];
    return length == HEADER_BYTES;
}

bool fst_stamp(const char *path, const char *version, const char *date, struct error *err)
{
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode))
        return true;
    FILE *file = fopen(path, "r+b");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    bool known = is_header(file);
    bool ok = known && put_text(file, VERSION_AT, version, VERSION_BYTES) &&
              put_text(file, DATE_AT, date, DATE_BYTES);
    ok = fclose(file) == 0 && ok;
    return ok || error_set(err, "%s: %s", path, known ? strerror(errno) : "is no FST file");
}
