/* Pictures that gnuplot draws: SVG, PNG of 150 dots in an inch, PDF. */
#ifndef EVGPU_BASE_PICTURE_H
#define EVGPU_BASE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Whether the name ends in .svg, .png or .pdf. */
bool picture_suffix(const char *path);

/* The part of a script that begins a file: a terminal by the suffix of `path`; `width` and `height`
 * in pixels of 1/96 inch. */
void picture_begin(FILE *script, const char *path, uint32_t width, uint32_t height);

/* As text of gnuplot in double quotes, of which nothing is a command; the script says `noenhanced`.
 */
void picture_quote(FILE *script, const char *text);

/* gnuplot draws the script, both names in the folder. False: it cannot, or is not installed. */
bool picture_draw(const char *folder, const char *script);

/* Whether the file has its format's end (.svg, .png or .pdf), since gnuplot does not say when it
 * could not write all of it. `name` is what the error calls the file. */
bool picture_whole(const char *path, const char *name, struct error *err);

/* Says in a PNG how many of its pixels are an inch; other formats stay as they are. False with an
 * error that names the file. */
bool picture_set_density(const char *path, struct error *err);

#endif
