/* Numbers in network order, for host code. */
#ifndef EVGPU_SW_BYTES_H
#define EVGPU_SW_BYTES_H

#include <stdint.h>

static inline uint32_t read_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}
static inline uint32_t read_be32(const uint8_t *p)
{
    return read_be16(p) << 16 | read_be16(p + 2);
}
static inline uint64_t read_be64(const uint8_t *p)
{
    return (uint64_t)read_be32(p) << 32 | read_be32(p + 4);
}
static inline void write_be16(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}
static inline void write_be32(uint8_t *p, uint32_t value)
{
    write_be16(p, value >> 16);
    write_be16(p + 2, value);
}
static inline void write_be64(uint8_t *p, uint64_t value)
{
    write_be32(p, (uint32_t)(value >> 32));
    write_be32(p + 4, (uint32_t)value);
}

#endif
