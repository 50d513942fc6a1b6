/* MapReduce in the manner of Mars: host side of sw/apps/common/mars.cuh. An application puts its
 * records into a mars_list and calls the stages that it needs:
 *
 *     mars_upload -> mars_map -> mars_group -> mars_reduce -> mars_download */
#ifndef EVGPU_SW_MARS_H
#define EVGPU_SW_MARS_H

#include <stdint.h>

#include "sw/apps/common/app.h"

/* Bytes of text that a key refers to, as in mars.cuh. */
struct mars_string {
    uint32_t offset, bytes, hash;
};

struct mars_record {
    uint32_t key, key_bytes, value, value_bytes;
};

/* Records on the host. Keys have one size and values have one. */
struct mars_list {
    uint8_t *keys, *values;
    uint32_t key_bytes, value_bytes; /* of one */
    uint32_t count;
};

/* Records on the device. */
struct mars_set {
    CUdeviceptr keys, values, directory;
    uint32_t count;
};

/* Group g has the records starts[g] .. starts[g + 1] - 1 of the sorted set. */
struct mars_groups {
    CUdeviceptr starts;
    uint32_t count;
};

enum mars_sort {
    MARS_SORT_AUTO,  /* as Mars chooses: steps up to 262144 records */
    MARS_SORT_STEPS, /* a launch for every step of the network */
    MARS_SORT_CHUNKS /* the steps within a block in one launch, in shared memory */
};
extern const char *const mars_sorts[]; /* their names; ends with NULL */

struct mars {
    struct app *app; /* its kernels are those of sw/apps/NAME/NAME.ptx */
    enum mars_sort sort;
    struct mars_context {
        CUdeviceptr text;
        uint64_t phase;
    } context;
    uint32_t launches;
};

/* Text on the device, and the kernels for it. */
struct mars mars_create(struct app *app, const char *text, size_t bytes, enum mars_sort sort);

struct mars_set mars_upload(struct mars *mars, const struct mars_list *list);
struct mars_set mars_map(struct mars *mars, const struct mars_set *in);

/* Sorts the set, and finds where its keys change. */
struct mars_groups mars_group(struct mars *mars, struct mars_set *set);

struct mars_set mars_reduce(struct mars *mars, const struct mars_set *in,
                            const struct mars_groups *groups);

/* A set whose keys and values have these sizes, behind each other, as map and reduce leave it;
 * until app_end. */
struct mars_list mars_download(struct mars *mars, const struct mars_set *set, uint32_t key_bytes,
                               uint32_t value_bytes);

/* groups->count + 1 words, until app_end. */
uint32_t *mars_download_starts(struct mars *mars, const struct mars_groups *groups);

#endif
