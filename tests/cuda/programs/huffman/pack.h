#ifndef PACK_H
#define PACK_H
typedef unsigned int uint;
void histogram(const uint *d_data, uint *d_bins, int n);
void pack(const uint *d_data, const uint *d_codes, const uint *d_lengths, uint *d_out, uint *d_bits, int blocks);
#endif
