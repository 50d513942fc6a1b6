#include "base/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/file.h"

enum { TAIL = 64 }; /* bytes in which the end is */
enum { SIZE_DPI = 96, PNG_DPI = 150 };

static const struct {
    const char *suffix, *end;
} formats[] = {{".svg", "</svg>"}, {".png", "IEND"}, {".pdf", "%%EOF"}};

static const char *end_of_format(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (n > 4 && !strcmp(path + n - 4, formats[i].suffix))
            return formats[i].end;
    }
    return "";
}

bool picture_suffix(const char *path)
{
    return *end_of_format(path) != 0;
}

void picture_quote(FILE *script, const char *text)
{
    fputc('"', script);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || strchr("\"\\`", c)) /* a line would end, a command begin */
            fprintf(script, "\\%03o", c);
        else
            fputc(c, script);
    }
    fputc('"', script);
}

void picture_begin(FILE *script, const char *path, uint32_t width, uint32_t height)
{
    const double more = (double)PNG_DPI / SIZE_DPI;
    const char *end = end_of_format(path);
    if (!strcmp(end, "IEND"))
        fprintf(script,
                "set terminal pngcairo size %.0f,%.0f font \"Sans,11\" fontscale %.4f linewidth "
                "%.4f pointscale %.4f",
                width * more, height * more, more, more, more);
    else if (!strcmp(end, "%%EOF"))
        fprintf(script, "set terminal pdfcairo size %.3fin,%.3fin font \"Sans,8\"",
                (double)width / SIZE_DPI, (double)height / SIZE_DPI);
    else
        fprintf(script, "set terminal svg dynamic size %u,%u font \"Helvetica,15\"", width, height);
    fprintf(script, " background \"white\" noenhanced\nset output ");
    picture_quote(script, path);
    fputc('\n', script);
}

bool picture_draw(const char *folder, const char *script)
{
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool picture_whole(const char *path, const char *name, struct error *err)
{
    const char *end = end_of_format(path);
    char tail[TAIL];
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, "%s: cannot be read: %s", name, strerror(errno));
    if (fseek(file, -(long)sizeof tail, SEEK_END))
        rewind(file);
    size_t n = fread(tail, 1, sizeof tail, file);
    fclose(file);
    return memmem(tail, n, end, strlen(end)) != NULL ||
           error_set(err, "%s: cannot be written whole; is there space left on its device?", name);
}

/* PNG: the header's chunk is the first, and has this length; the density's stands behind it. */
enum { SIGNATURE = 8, FIRST_CHUNK = 25, HEADER = SIGNATURE + FIRST_CHUNK, DENSITY_BODY = 13 };

static void put_big(uint8_t *to, uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Type, pixels in a metre along both axes, and that it is metres; between length and checksum. */
static void density_chunk(uint8_t chunk[8 + DENSITY_BODY])
{
    uint32_t in_metre = PNG_DPI * 10000u / 254;
    put_big(chunk, DENSITY_BODY - 4);
    memcpy(chunk + 4, "pHYs", 4);
    put_big(chunk + 8, in_metre);
    put_big(chunk + 12, in_metre);
    chunk[16] = 1;
    put_big(chunk + 17, (uint32_t)crc32(0, chunk + 4, DENSITY_BODY));
}

bool picture_set_density(const char *path, struct error *err)
{
    uint8_t chunk[8 + DENSITY_BODY], *picture;
    size_t bytes;
    if (strcmp(end_of_format(path), "IEND") != 0)
        return true;
    if (!(picture = read_file(path, &bytes, err)))
        return false;
    bool ok = bytes > HEADER + 8 && memcmp(picture + SIGNATURE + 4, "IHDR", 4) == 0;
    if (!ok)
        error_set(err, "%s: is no PNG picture", path);
    if (ok && memcmp(picture + HEADER + 4, "pHYs", 4) != 0) {
        uint8_t *more = alloc_array(bytes + sizeof chunk, 1);
        density_chunk(chunk);
        memcpy(more, picture, HEADER);
        memcpy(more + HEADER, chunk, sizeof chunk);
        memcpy(more + HEADER + sizeof chunk, picture + HEADER, bytes - HEADER);
        ok = write_file(path, more, bytes + sizeof chunk, err);
        free(more);
    }
    free(picture);
    return ok;
}
