/* The second kernel of the service gateway: forwards the packets that the first one has opened, one
 * per lane of one warp. */
#include "../ipv4/ipv4_device.h"
#include "gateway.h"

/* `opened`, `rest`: the record. */
static __device__ __forceinline__ unsigned route(const uint4 &opened, const uint4 &rest,
                                                 unsigned char *slot, const unsigned *level1,
                                                 const unsigned *level2, const uint4 *hops)
{
    Packet p;
    p.slot = (const uint4 *)slot;
    p.length = opened.y;
    p.ethernet =
        make_uint4(opened.y, 0, 0, 0x0008u << 16); /* as esp_open leaves it, but addresses */
    p.ip = make_uint4(opened.w, rest.x, rest.y, rest.z);
    p.address = swap32(opened.z);
    unsigned verdict = check_header(p, opened.z);
    if (verdict != FWD_NONE)
        return GATEWAY_VERDICT(verdict);
    if ((p.ip.z & 0xFF) <= 1)
        return GATEWAY_VERDICT(FWD_TTL_EXPIRED);
    unsigned hop = lookup(level1, level2, p.address);
    if (hop == 0)
        return GATEWAY_VERDICT(FWD_NO_ROUTE);
    return rewrite(p, hops[hop], InPlace{(uint4 *)slot});
}

/* Lane i forwards the packet in slot i, for i < *count, by its record, whose words it may have to
 * wait for. There is a lane for every record, so that none is on its way any more at the end.
 * results[2 i]: verdict and port, results[2 i + 1]: bytes to send. */
extern "C" __global__ void gateway_route(unsigned char *slots, unsigned slot_bytes,
                                         const unsigned *count, const unsigned *records,
                                         const unsigned *__restrict__ level1,
                                         const unsigned *__restrict__ level2,
                                         const uint4 *__restrict__ hops, uint2 *results)
{
    unsigned i = threadIdx.x;
    const uint4 *record = (const uint4 *)(records + i * GATEWAY_RECORD_WORDS);
    unsigned packets = __ldcg(count);
    uint4 opened = __ldcg(record), rest = __ldcg(record + 1);
    if (i >= packets)
        return;
    if ((opened.x & 0xFF) == ESP_FORWARD)
        opened.x = route(opened, rest, slots + (size_t)i * slot_bytes, level1, level2, hops);
    results[i] = make_uint2(opened.x, opened.y);
}
