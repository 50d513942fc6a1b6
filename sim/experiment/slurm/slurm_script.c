#include "sim/experiment/slurm/slurm_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/alloc.h"
#include "base/file.h"

#define MORE_WORDS 16 /* of sbatch, besides the person's */

struct script {
    char *text;
    size_t length;
    FILE *out;
};

static void begin(struct script *b)
{
    b->out = open_memstream(&b->text, &b->length);
    fputs("#!/bin/sh\n", b->out);
}

/* As one word of a shell. */
static void quote(FILE *out, const char *word)
{
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

/* Into the folder of the command, as the command itself. */
static bool enter(struct script *b, const struct result_store *k, struct error *err)
{
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder))
        return error_set(err, "the working directory cannot be determined");
    fputs("cd ", b->out);
    quote(b->out, folder);
    fputs(" && test -x ", b->out);
    quote(b->out, k->evgpu);
    fputs(" || {\n    echo \"$(hostname) has no \"", b->out);
    quote(b->out, folder);
    fputs("' or '", b->out);
    quote(b->out, k->evgpu);
    fputs("': the nodes must share them' >&2\n    exit 1\n}\nexec ", b->out);
    quote(b->out, k->evgpu);
    return true;
}

static bool end(struct script *b, bool ok, const char *path, struct error *err)
{
    fputc('\n', b->out);
    fclose(b->out);
    ok = ok && write_file(path, b->text, b->length, err);
    free(b->text);
    return ok;
}

static bool split(const char *options, wordexp_t *words, struct error *err)
{
    switch (wordexp(options ? options : "", words, WRDE_NOCMD | WRDE_UNDEF)) {
    case 0:
        return true;
    case WRDE_BADCHAR:
        return error_set(
            err, "--slurm-options '%s': contains one of | & ; < > ( ) { } outside quotes", options);
    case WRDE_BADVAL:
        return error_set(err, "--slurm-options '%s': uses an undefined variable", options);
    case WRDE_CMDSUB:
        return error_set(err, "--slurm-options '%s': contains a command substitution", options);
    default:
        return error_set(err, "--slurm-options '%s': contains an unmatched quote", options);
    }
}

bool slurm_check_options(const char *options, struct error *err)
{
    wordexp_t words;
    if (!split(options, &words, err))
        return false;
    bool ok = true;
    for (size_t i = 0; i < words.we_wordc && ok; i++) {
        if (*words.we_wordv[i] == '-')
            continue;
        ok = i > 0 && words.we_wordv[i - 1][0] == '-'; /* the value of an option before it */
        if (!ok)
            error_set(err, "--slurm-options '%s': '%s' is not an option of sbatch", options,
                      words.we_wordv[i]);
    }
    wordfree(&words);
    return ok;
}

/* The person's words come behind what they may change, and before what they may not. */
static bool submit(const char *options, const char *const *fixed, uint32_t *job, struct error *err)
{
    wordexp_t more;
    if (!split(options, &more, err))
        return false;
    const char **words = ALLOC_ARRAY(const char *, more.we_wordc + MORE_WORDS);
    uint32_t n = 0;
    words[n++] = "sbatch";
    words[n++] = "--ntasks=1";
    words[n++] = "--cpus-per-task=1";
    for (size_t i = 0; i < more.we_wordc; i++)
        words[n++] = more.we_wordv[i];
    words[n++] = "--parsable";
    while (*fixed)
        words[n++] = *fixed++;
    bool ok = slurm_submit(words, job, err);
    free(words);
    wordfree(&more);
    return ok;
}

/* --output=FOLDER/FILE, where a % of the folder's name is one. */
static char *output(const struct store *s, const struct submission *u, const char *file)
{
    char folder[PATH_MAX], *text = NULL;
    size_t length;
    store_path(s, u, NULL, folder);
    FILE *out = open_memstream(&text, &length);
    fputs("--output=", out);
    for (const char *c = folder; *c; c++)
        fprintf(out, *c == '%' ? "%%%%" : "%c", *c);
    fprintf(out, "/%s", file);
    fclose(out);
    return text;
}

bool script_submit_array(const struct store *s, const struct submission *u,
                         const struct result_store *k, const struct slurm_settings *settings,
                         uint32_t *job, struct error *err)
{
    char folder[PATH_MAX], path[PATH_MAX], range[64], name[128];
    struct script b;
    store_path(s, u, NULL, folder);
    store_path(s, u, "array.sh", path);
    begin(&b);
    bool ok = enter(&b, k, err);
    fputs(" experiment --slurm-task ", b.out);
    quote(b.out, folder);
    if (!end(&b, ok, path, err))
        return false;
    snprintf(range, sizeof range, settings->at_a_time ? "--array=0-%u%%%u" : "--array=0-%u",
             u->n_tasks - 1, settings->at_a_time);
    snprintf(name, sizeof name, "--job-name=evgpu-%.60s-%s", settings->name, u->id);
    char *out = output(s, u, "%a.out");
    const char *const fixed[] = {range, name, out, path, NULL};
    ok = submit(settings->options, fixed, job, err);
    free(out);
    return ok;
}

bool script_submit_collector(const struct store *s, const struct submission *u,
                             const struct result_store *k, const struct slurm_settings *settings,
                             const uint32_t *after, uint32_t *job, struct error *err)
{
    char path[PATH_MAX], name[128], *dependency = NULL;
    size_t length;
    struct script b;
    store_path(s, u, "collect.sh", path);
    begin(&b);
    bool ok = enter(&b, k, err);
    for (char *const *word = settings->collector; *word; word++) {
        fputc(' ', b.out);
        quote(b.out, *word);
    }
    if (!end(&b, ok, path, err))
        return false;
    FILE *text = open_memstream(&dependency, &length);
    fputs("--dependency=afterany", text);
    for (; *after; after++)
        fprintf(text, ":%u", *after);
    fclose(text);
    snprintf(name, sizeof name, "--job-name=evgpu-%.60s-collect", settings->name);
    char *out = output(s, u, "collect.out");
    const char *const fixed[] = {dependency, name, out, path, NULL};
    ok = submit(settings->options, fixed, job, err);
    free(out);
    free(dependency);
    return ok;
}
