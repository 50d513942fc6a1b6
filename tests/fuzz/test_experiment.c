/* Experiment files, and what is kept of their simulations: the file, the statistics, the log, as
 * parts between lines "--"; the tasks of a submission to Slurm are a fourth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/experiment/command.h"
#include "sim/experiment/experiment.h"
#include "sim/experiment/result.h"
#include "sim/experiment/slurm/slurm_store.h"
#include "tests/fuzz/fuzz.h"

#define MOST_ROWS 64u

static void row(struct experiment *x, const struct result_store *k, uint32_t number)
{
    char name[256], *words[MAX_WORDS] = {NULL};
    struct error err = {0}, missing = {0};
    experiment_row_name(x, number, name, sizeof name);
    bool ok = row_words(x, number, words, &err);
    fuzz_check(ok, &err);
    if (ok)
        free_words(words);
    result_load(x, k, number, "key", &missing);
}

static void values(struct experiment *x)
{
    struct binding at;
    for (uint32_t i = 0; i < MAX_VARIABLES; i++)
        at.label[i] = i < x->n_variables ? 0 : UNBOUND;
    for (uint32_t i = 0; i < x->n_summary; i++)
        expression_value(x->summary[i].expression, &at);
    for (uint32_t t = 0; t < x->n_tables; t++)
        for (uint32_t c = 0; c < x->tables[t].n_columns; c++)
            if (x->tables[t].columns[c].expression)
                expression_value(x->tables[t].columns[c].expression, &at);
}

static void read_submission(const struct result_store *k, const struct fuzz_part *tasks)
{
    char path[512];
    struct store s;
    struct error err = {0};
    snprintf(path, sizeof path, "%s/slurm", fuzz_folder());
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/slurm/1", fuzz_folder());
    mkdir(path, 0777);
    fuzz_file("slurm/1/tasks.json", tasks->data, tasks->size);
    bool ok = store_open(&s, fuzz_folder(), &err);
    fuzz_check(ok, &err);
    for (uint32_t i = 0; ok && i < s.count; i++)
        for (uint32_t t = 0; t < s.submissions[i].n_tasks; t++) {
            struct error why = {0};
            store_outcome(&s, k, &s.submissions[i], t, &why);
        }
    if (ok)
        store_close(&s);
}

static void one(const uint8_t *data, size_t size)
{
    struct fuzz_part part[4] = {0};
    struct result_store k = {0};
    struct error err = {0}, lost = {0};
    char message[256];
    fuzz_parts(data, size, part, 4);
    const char *path = fuzz_file("experiment.ini", part[0].data, part[0].size);
    fuzz_file("key.statistics", part[1].data, part[1].size);
    fuzz_file("key.log", part[2].data, part[2].size);
    snprintf(k.folder, sizeof k.folder, "%s", fuzz_folder());
    snprintf(k.evgpu, sizeof k.evgpu, "/bin/true");
    bool kept = result_keep(&k, "key", "row", 1.5, &lost);
    fuzz_check(kept, &lost);
    result_message(&k, "key", message, sizeof message);
    read_submission(&k, &part[3]);
    struct experiment *x = experiment_load(path, "experiment", NULL, &err);
    fuzz_check(x != NULL, &err);
    if (!x)
        return;
    for (uint32_t i = 0; i < x->rows && i < MOST_ROWS; i++)
        row(x, &k, i);
    values(x);
    experiment_destroy(x);
}

static void seeds(void)
{
    fuzz_seed_file("experiments/cm/cm-fig1.ini");
    fuzz_seed_file("experiments/fe/fe-fig10.ini");
}

const struct fuzz_target fuzz_target = {
    .name = "experiment", .one = one, .seeds = seeds, .mutants = 2000};
