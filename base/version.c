#include "base/version.h"

#include <stdio.h>
#include <string.h>

#include "version_text.h"

const struct version version = {VERSION_RELEASE, VERSION_COMMIT, VERSION_STATE};

bool version_dirty(void)
{
    return strcmp(version.state, "dirty") == 0;
}

const char *version_text(char text[VERSION_TEXT])
{
    snprintf(text, VERSION_TEXT, "%s (%.12s%s)", version.release, version.commit,
             version_dirty() ? ", dirty" : "");
    return text;
}
