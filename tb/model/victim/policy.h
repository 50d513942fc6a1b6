/* Victim policies of the event unit's golden model: which warp an event borrows.
 *
 * A policy is a file that defines `const struct victim_rule victim_policy_NAME`, and a line in
 * the list of policies.c. The configuration key event.policy and `evgpu run --policy` know it then.
 * The Verilog has those that evgpu.def names (enum victim_policy); they come first, in that order.
 * The others are the model's only: their values do not fit the tile's port. */
#ifndef EVGPU_TB_MODEL_VICTIM_POLICY_H
#define EVGPU_TB_MODEL_VICTIM_POLICY_H

#include <stdbool.h>
#include <stdint.h>

struct sm_event_unit_in;

struct victim_rule {
    const char *name; /* in the configuration */
    bool in_rtl;
    /* A warp that can be flushed at once goes before all others (rtl/edge/ready_select.v). */
    bool takes_ready;
    /* Of the candidate in this lane of the answer: the smaller, the better; the lowest warp number
     * wins a tie. Candidates hold enough registers for the event, unless it brings its own. */
    uint32_t (*key)(const struct sm_event_unit_in *in, uint32_t lane);
};

/* Policy number `index`, NULL from their number on. */
const struct victim_rule *victim_policy_at(uint32_t index);
const char *victim_policy_name(uint32_t index); /* NULL likewise */

/* The policy's cfg_policy value, and back; an undefined value acts as the first policy. */
uint8_t victim_policy_port(uint32_t index);
const struct victim_rule *victim_policy_of(uint8_t cfg_policy);

/* --- for policies ----------------------------------------------------------------------------- */

enum { VICTIM_MOST_AGE = UINT16_MAX };

/* Cycles since the candidate was launched, modulo 2^16. */
uint32_t victim_age(const struct sm_event_unit_in *in, uint32_t lane);
/* Its registers, in units of the event unit's ports. */
uint32_t victim_registers(const struct sm_event_unit_in *in, uint32_t lane);
/* Bits lsb .. lsb + width - 1 of a wide port. */
uint32_t victim_bits(const uint32_t *words, uint32_t lsb, uint32_t width);

#endif
