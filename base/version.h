/* What this evgpu was built from. The record is an object of its own: a commit builds and links no
 * more than it (mk/build.mk). */
#ifndef EVGPU_BASE_VERSION_H
#define EVGPU_BASE_VERSION_H

#include <stdbool.h>

/* Text of a fixed size, so that a program is the same but for these bytes at every commit that
 * changes none of its sources. */
struct version {
    char release[16];
    char commit[48]; /* "unknown": the tree was neither git's nor an archive of it */
    char state[8];   /* "clean"; "dirty": files differed from the commit */
};

extern const struct version version;

/* "1.0 (797b8334fc4e)", "1.0 (797b8334fc4e, dirty)". */
#define VERSION_TEXT 96
const char *version_text(char text[VERSION_TEXT]);
bool version_dirty(void);

#endif
