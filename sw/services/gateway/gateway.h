/* The layout shared by the kernels of the service gateway and the host: what the first one, which
 * opens ESP packets (esp.h), hands on to the second one, which forwards what was inside
 * (ipv4_forward.h).
 *
 * A packet's record has eight words: its result word and the frame's length as esp_open gives them,
 * then of the inner packet's header the destination and the first four words, and 0: what
 * forwarding looks at, but options. The packet itself stays in its slot, in which the second kernel
 * finds options and writes the new header. */
#ifndef EVGPU_SW_GATEWAY_H
#define EVGPU_SW_GATEWAY_H

#include "../ipsec/esp.h"
#include "../ipv4/ipv4_forward.h"

#define GATEWAY_RECORD_WORDS 8u
#define GATEWAY_RECORD_BYTES (4u * GATEWAY_RECORD_WORDS)

/* The result of a packet: a verdict of esp_verdict, or behind them one of fwd_verdict from
 * FWD_NO_ROUTE on. ESP_FORWARD and FWD_FORWARD are one: decrypted and forwarded. */
#define GATEWAY_VERDICT(forward) (ESP_VERDICTS - FWD_NO_ROUTE + (forward))
#define GATEWAY_VERDICTS         GATEWAY_VERDICT(FWD_VERDICTS)

#endif
