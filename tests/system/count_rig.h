/* A GPU whose kernels and events count their threads, and what came of each. */
#ifndef EVGPU_TESTS_COUNT_RIG_H
#define EVGPU_TESTS_COUNT_RIG_H

#include "tests/system/gpu_rig.h"

struct done_grid {
    uint64_t cookie, start, end;
};

struct count_rig {
    struct gpu_rig host;
    struct module *module;
    struct edge_kernel count;
    struct edge_parameter *parameters;
    struct done_grid grids[64];
    uint32_t n_grids;
    uint64_t flags, events;
    uint32_t last_tag;
    uint64_t flag_sum; /* of the flags' addresses */
    uint64_t refused, refused_sum, lost[4];
    bool stuck;         /* no flag write is taken */
    uint32_t flag_busy; /* refuse every n-th flag write */
};

/* `overrides` as of gpu_rig_machine, `mode` a SCHED_MODE, `policy` as of --concurrency. */
struct count_rig *count_rig_create_with(const char *const *overrides, enum tile_backend backend,
                                        uint32_t mode, const char *policy);
struct count_rig *count_rig_create(const char *const *overrides, enum tile_backend backend,
                                   uint32_t mode);
void count_rig_destroy(struct count_rig *r);

uint64_t zero_word(struct count_rig *r);
uint32_t word_at(struct count_rig *r, uint64_t address);
/* Two blocks of 40 threads, each of which adds 1 to `total` after `spin` turns. */
bool launch(struct count_rig *r, uint64_t total, uint32_t spin, int32_t priority, uint64_t cookie,
            struct error *err);

#endif
