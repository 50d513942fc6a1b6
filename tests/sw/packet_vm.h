/* Batches of packets through a service's kernel on the warp VM: every byte of every slot and every
 * result word is compared, those of slots that the kernel was not given included. */
#ifndef EVGPU_TESTS_SW_PACKET_VM_H
#define EVGPU_TESTS_SW_PACKET_VM_H

#include "base/error.h"
#include "base/rng.h"
#include "tests/sw/warp_vm.h"

#define PACKET_VM_SLOTS 32u
#define PACKET_VM_ARGS  16u
#define UNTOUCHED       0xDEADBEEFu

struct packet_vm {
    struct vm vm;
    struct module *module;
    const struct kernel *kernel;
    uint32_t slot_bytes, result_words, threads_per_packet;
    uint64_t slots_at, results_at;
    uint64_t arguments[PACKET_VM_ARGS]; /* of the kernel; the test's own are filled in by it */
    uint32_t slots_arg, count_arg, results_arg;
    struct rng rng;
    /* Before the run; the test turns the first `count` into what is expected. */
    uint8_t *slots;   /* [PACKET_VM_SLOTS][slot_bytes] */
    uint32_t *result; /* [PACKET_VM_SLOTS][result_words] */
};

/* A copy of host data in device memory. */
static inline uint64_t packet_vm_table(struct packet_vm *p, const void *data, uint64_t bytes)
{
    uint64_t at = vm_alloc(&p->vm, bytes ? bytes : 1, 256);
    assert_true(at);
    if (bytes)
        memcpy(p->vm.memory + at, data, bytes);
    return at;
}

static inline void packet_vm_create(struct packet_vm *p, uint64_t memory, const char *ptx,
                                    const char *kernel, uint32_t slot_bytes)
{
    p->vm = vm_create(memory);
    p->module = vm_load(&p->vm, ptx);
    p->kernel = module_kernel(p->module, kernel);
    assert_non_null(p->kernel);
    p->slot_bytes = slot_bytes;
    p->slots = alloc_array(PACKET_VM_SLOTS, slot_bytes);
    p->result = ALLOC_ARRAY(uint32_t, PACKET_VM_SLOTS * p->result_words);
    p->slots_at = packet_vm_table(p, p->slots, (uint64_t)PACKET_VM_SLOTS * slot_bytes);
    p->results_at = packet_vm_table(p, p->result, PACKET_VM_SLOTS * p->result_words * 4);
    p->arguments[p->slots_arg] = p->slots_at;
    p->arguments[p->slots_arg + 1] = slot_bytes;
    p->arguments[p->results_arg] = p->results_at;
}

static inline void packet_vm_destroy(struct packet_vm *p)
{
    module_free(p->module);
    free(p->vm.memory);
    free(p->slots);
    free(p->result);
}

/* Noise in every slot; then `make` puts a packet's length and frame into slot i. */
static inline void packet_vm_fill(struct packet_vm *p, uint32_t (*make)(void *user, uint8_t *frame),
                                  void *user)
{
    for (uint32_t i = 0; i < PACKET_VM_SLOTS; i++) {
        uint8_t *slot = p->slots + (size_t)i * p->slot_bytes;
        memset(slot, (int)rng_u64(&p->rng), p->slot_bytes);
        uint32_t length = make(user, slot + 2);
        memcpy(slot, &(uint16_t){(uint16_t)length}, 2);
    }
    for (uint32_t i = 0; i < PACKET_VM_SLOTS * p->result_words; i++)
        p->result[i] = UNTOUCHED;
    memcpy(p->vm.memory + p->slots_at, p->slots, (size_t)PACKET_VM_SLOTS * p->slot_bytes);
    memcpy(p->vm.memory + p->results_at, p->result, PACKET_VM_SLOTS * p->result_words * 4);
}

static inline void packet_vm_run(struct packet_vm *p, uint32_t count)
{
    struct vm_params params = {.kernel = p->kernel};
    p->arguments[p->count_arg] = count;
    for (uint32_t i = 0; i < p->kernel->n_params; i++)
        vm_set(&params, i, p->arguments[i]);
    uint32_t blocks = p->threads_per_packet == 1 ? 1 : count;
    struct vm_launch launch = {p->kernel, {blocks, 1, 1}, {WARP_SIZE, 1, 1}, 0, params.bytes};
    vm_run(&p->vm, &launch);
}

static inline void packet_vm_compare(const struct packet_vm *p)
{
    assert_memory_equal(p->vm.memory + p->results_at, p->result,
                        PACKET_VM_SLOTS * p->result_words * 4);
    assert_memory_equal(p->vm.memory + p->slots_at, p->slots,
                        (size_t)PACKET_VM_SLOTS * p->slot_bytes);
}

#endif
