/* An early return: answers are taken by words of memory with full/empty bits, each packet leaves
 * when its words are there (NIC_RETURN_WORDS). Owner: answers.c. */
#ifndef EVGPU_HOST_NIC_ANSWERS_H
#define EVGPU_HOST_NIC_ANSWERS_H

#include "sim/host/nic.h"

struct answers {
    uint32_t asked;  /* next entry whose results are to be asked for, or are on their way */
    uint32_t oldest; /* entry whose packets are next to leave */
    uint32_t next;   /* ... and the first of them that has not */
    uint8_t *slots;  /* [config.entries][layout.batch][layout.slot_stride], as taken */
    uint32_t *left;  /* [config.entries][layout.batch]: bytes of the slot still to come */
};

void answers_init(struct nic *n);
void answers_free(struct nic *n);
void answers_run(struct nic *n, uint64_t cycle);

#endif
