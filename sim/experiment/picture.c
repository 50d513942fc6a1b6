/* Pictures by gnuplot: a script with its data in it, kept beside the picture so that it can be
 * changed and drawn again by hand. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/picture.h"
#include "sim/experiment/picture_script.h"
#include "sim/experiment/view.h"

void picture_file(const struct experiment *x, const struct picture *p, char *name, size_t room)
{
    snprintf(name, room, *p->name ? "%s-%s" : "%s", x->name, p->name);
}

/* What gnuplot has drawn of a script, or none of it. */
static bool whole(const char *folder, const char *name, struct error *err)
{
    static const char *const suffixes[] = {"svg", "png", "pdf"};
    bool ok = true;
    for (uint32_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffixes[i]);
        if (picture_whole(path, path, err) && picture_set_density(path, err))
            continue;
        unlink(path);
        ok = false;
    }
    return ok;
}

bool view_pictures(const struct experiment *x, const char *folder, struct error *err)
{
    for (uint32_t i = 0; i < x->n_pictures; i++) {
        char name[160], script[200], path[PATH_MAX];
        const struct picture *p = &x->pictures[i];
        picture_file(x, p, name, sizeof name);
        snprintf(script, sizeof script, "%s.gnuplot", name);
        snprintf(path, sizeof path, "%s/%s", folder, script);
        struct output *out = output_open(path, err);
        if (!out)
            return false;
        struct cells *g = cells_create(x, p->table);
        picture_script(x, g, p, name, output_stream(out));
        cells_destroy(g);
        if (!output_finish(out, err))
            return false;
        if (!picture_draw(folder, script))
            return error_set(
                err, "%s: gnuplot cannot draw it; is the Debian package gnuplot-nox installed?",
                path);
        if (!whole(folder, name, err))
            return false;
    }
    return true;
}
