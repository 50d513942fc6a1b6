/* Numbers in network order and the Internet checksum (RFC 1071), for kernels. */
#ifndef EVGPU_SW_NETWORK_DEVICE_H
#define EVGPU_SW_NETWORK_DEVICE_H

static __device__ __forceinline__ unsigned swap16(unsigned x)
{
    return __byte_perm(x, 0, 0x4401);
}
static __device__ __forceinline__ unsigned swap32(unsigned x)
{
    return __byte_perm(x, 0, 0x0123);
}
static __device__ __forceinline__ unsigned fold(unsigned sum)
{
    sum = (sum & 0xFFFF) + (sum >> 16);
    return (sum & 0xFFFF) + (sum >> 16);
}
/* One's complement sums do not depend on the byte order, so words are added as they lie in
 * memory. */
static __device__ __forceinline__ unsigned add_word(unsigned sum, unsigned word)
{
    return sum + (word & 0xFFFF) + (word >> 16);
}

#endif
