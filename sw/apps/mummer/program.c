/* mummer: the longest matches of queries in a reference; lengths are exactly the host's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sw/apps/common/app.h"
#include "sw/apps/mummer/mummer.h"

#define WIDTH 4096u /* of the textures, as in mummer.cu */

enum { REFERENCE, QUERIES, LENGTH, MATCH, BLOCK, REFERENCE_FILE, QUERY_FILE, OPTIONS };

/* Host memory of `count` texels that a texture of the module shows, in rows of WIDTH. */
static CUarray show(struct app *app, const char *name, const void *texels, uint32_t count,
                    uint32_t channels)
{
    CUarray_format format =
        channels == 1 ? CU_AD_FORMAT_UNSIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT32;
    uint32_t bytes = channels == 1 ? 1 : channels * (uint32_t)sizeof(uint32_t);
    uint32_t rows = (count + WIDTH - 1) / WIDTH;
    uint8_t *padded = app_memory(app, (size_t)rows * WIDTH, bytes);
    CUDA_ARRAY_DESCRIPTOR shape = {WIDTH, rows, format, channels};
    CUarray array;
    CUtexref texture;
    memcpy(padded, texels, (size_t)count * bytes);
    APP_CALL(cuArrayCreate(&array, &shape));
    APP_CALL(cuMemcpy2D(&(CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                                         .srcHost = padded,
                                         .srcPitch = (size_t)WIDTH * bytes,
                                         .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                         .dstArray = array,
                                         .WidthInBytes = (size_t)WIDTH * bytes,
                                         .Height = rows}));
    APP_CALL(cuModuleGetTexRef(&texture, app->module, name));
    APP_CALL(cuTexRefSetFormat(texture, format, (int)channels));
    APP_CALL(cuTexRefSetFlags(texture, CU_TRSF_READ_AS_INTEGER));
    APP_CALL(cuTexRefSetArray(texture, array, CU_TRSA_OVERRIDE_FORMAT));
    return array;
}

/* The tree's last edges go one further than the reference's letters. */
static CUarray show_reference(struct app *app, const struct sequences *reference)
{
    uint32_t letters = reference->starts[1];
    uint8_t *codes = app_memory(app, (size_t)letters + 1, 1);
    memcpy(codes, reference->codes, letters);
    codes[letters] = MUMMER_END;
    return show(app, "reference", codes, letters + 1, 1);
}

static void read_file(struct app *app, const char *path, uint8_t other, struct sequences *sequences)
{
    size_t bytes;
    struct error err = {0};
    const char *text = app_file(app, path, &bytes);
    if (strlen(text) != bytes)
        app_fail(app, APP_BAD_INPUT, "%s is not a text: byte %zu is zero", path, strlen(text));
    if (!sequences_parse(path, text, other, sequences, &err))
        app_fail(app, APP_BAD_INPUT, "%s", err.text);
}

static void make_input(struct app *app, struct sequences *reference, struct sequences *queries)
{
    const struct app_option *o = app->options;
    if (o[REFERENCE_FILE].text) {
        read_file(app, o[REFERENCE_FILE].text, MUMMER_GAP, reference);
        sequences_join(reference);
    } else {
        sequences_random(app->seed, o[REFERENCE].number, reference);
    }
    if (reference->starts[1] > MUMMER_MAX_TEXT)
        app_fail(app, APP_BAD_INPUT, "the reference has %u letters; the most is %u",
                 reference->starts[1], MUMMER_MAX_TEXT);
    if (o[QUERY_FILE].text)
        read_file(app, o[QUERY_FILE].text, MUMMER_UNKNOWN, queries);
    else
        sequences_reads((uint64_t)app->seed + 1, reference, o[QUERIES].number, o[LENGTH].number,
                        queries);
}

static bool match_and_check(struct app *app, const struct sequences *reference,
                            const struct sequences *queries)
{
    uint32_t count = queries->count, least = app->options[MATCH].number;
    uint32_t block = app->options[BLOCK].number;
    uint32_t *result_at = APP_ARRAY(app, uint32_t, (size_t)count + 1);
    mummer_places(queries, least, result_at);
    uint32_t results = result_at[count] ? result_at[count] : 1;
    struct match *got = APP_ARRAY(app, struct match, results);
    struct suffix_tree tree;
    suffix_tree_build(reference, &tree);

    struct app_launch launch = {.kernel = app_kernel(app, "mummer", "mummer"),
                                .grid = {(count + block - 1) / block},
                                .block = {block}};
    CUarray arrays[] = {show(app, "nodes", tree.nodes, tree.count, 4),
                        show(app, "children", tree.children, tree.count, 4),
                        show_reference(app, reference)};
    CUdeviceptr letters = app_buffer(app, queries->codes, queries->starts[count]);
    CUdeviceptr query_at = app_buffer(app, queries->starts, ((size_t)count + 1) * sizeof(uint32_t));
    CUdeviceptr places = app_buffer(app, result_at, ((size_t)count + 1) * sizeof(uint32_t));
    CUdeviceptr device = app_buffer(app, NULL, results * sizeof *got);
    app_launch(&launch, APP_ARGS(&letters, &query_at, &places, &device, &count, &least));
    if (result_at[count])
        APP_CALL(cuMemcpyDtoH(got, device, results * sizeof *got));
    else
        APP_CALL(cuCtxSynchronize());
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        APP_CALL(cuArrayDestroy(arrays[i]));

    uint32_t found = 0;
    for (uint32_t i = 0; i < result_at[count]; i++)
        found += got[i].length > 0;
    printf("%u letters in a tree of %u nodes; %u queries, %u matches from %u starts\n",
           reference->starts[1], tree.count, count, found, result_at[count]);
    suffix_tree_free(&tree);
    struct error err = {0};
    bool right = mummer_check(reference, queries, least, got, &err);
    if (!right)
        printf("mummer: %s\n", err.text);
    return right;
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [REFERENCE] = {"reference", "letters of the reference (GPGPU-Sim's MUM: 20000 of anthrax)",
                       .number = 20000, .min = 1, .max = MUMMER_MAX_TEXT},
        [QUERIES] = {"queries", "queries, reads of it with mistakes (MUM: 50000)", .number = 8192,
                     .min = 1, .max = 1u << 22},
        [LENGTH] = {"length", "letters of a query (MUM: 25)", .number = 25, .min = 1, .max = 1000},
        [MATCH] = {"match", "letters of the shortest match that counts (MUMmerGPU: 20)",
                   .number = 20, .min = 1, .max = 1u << 20},
        [BLOCK] = {"block", "threads of a block (MUM: 64, MUMmerGPU: 256)", .number = 64, .min = 1,
                   .max = 1024},
        [REFERENCE_FILE] = {"reference-file",
                            "FASTA file to read the reference from; its sequences are joined",
                            APP_TEXT},
        [QUERY_FILE] = {"query-file", "FASTA file to read the queries from", APP_TEXT}};
    struct app app = {
        .name = "mummer",
        .doc = "Finds the longest match from every start of every query in a reference, a thread "
               "per query, by suffix links of a suffix tree in textures (MUMmerGPU 1).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    struct sequences reference, queries;
    make_input(&app, &reference, &queries);
    bool right = match_and_check(&app, &reference, &queries);
    sequences_free(&reference);
    sequences_free(&queries);
    return app_end(&app, right);
}
