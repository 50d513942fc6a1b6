#include <string.h>
#include <vector>

#include "check.h"
#include "pack.h"

int main()
{
    const int blocks = 6, n = blocks * 64;
    std::vector<uint> data(n), codes(256), lengths(256), bins(256), out(2 * n), bits(blocks);
    unsigned seed = 12;
    for (int i = 0; i < n; i++)
        data[i] = next_random(&seed) & 0x0F1F3F1Fu;
    for (int s = 0; s < 256; s++) {
        lengths[s] = 3 + s % 7;
        codes[s] = (s * 5u + 1) & ((1u << lengths[s]) - 1);
    }
    uint *d_data, *d_codes, *d_lengths, *d_bins, *d_out, *d_bits, *pinned;
    CHECK(cudaHostAlloc(&pinned, n * sizeof(uint), cudaHostAllocDefault));
    memcpy(pinned, data.data(), n * sizeof(uint));
    CHECK(cudaMalloc(&d_data, n * sizeof(uint)));
    CHECK(cudaMalloc(&d_codes, 256 * sizeof(uint)));
    CHECK(cudaMalloc(&d_lengths, 256 * sizeof(uint)));
    CHECK(cudaMalloc(&d_bins, 256 * sizeof(uint)));
    CHECK(cudaMalloc(&d_out, 2 * n * sizeof(uint)));
    CHECK(cudaMalloc(&d_bits, blocks * sizeof(uint)));
    CHECK(cudaMemcpy(d_data, pinned, n * sizeof(uint), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_codes, codes.data(), 256 * sizeof(uint), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_lengths, lengths.data(), 256 * sizeof(uint), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, 256 * sizeof(uint)));
    histogram(d_data, d_bins, n);
    pack(d_data, d_codes, d_lengths, d_out, d_bits, blocks);
    CHECK(cudaMemcpy(bins.data(), d_bins, 256 * sizeof(uint), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out.data(), d_out, 2 * n * sizeof(uint), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(bits.data(), d_bits, blocks * sizeof(uint), cudaMemcpyDeviceToHost));

    std::vector<uint> want(256, 0);
    bool ok = true;
    for (int b = 0; b < blocks; b++) {
        uint at = 0;
        std::vector<uint> packed(128, 0);
        for (int i = 0; i < 64; i++) {
            for (int k = 0; k < 4; k++) {
                uint s = (data[b * 64 + i] >> (8 * k)) & 0xFF;
                want[s]++;
                for (uint bit = 0; bit < lengths[s]; bit++, at++)
                    packed[at / 32] |= ((codes[s] >> bit) & 1) << (at % 32);
            }
        }
        ok = ok && bits[b] == at && !memcmp(&packed[0], &out[b * 128], 128 * sizeof(uint));
    }
    ok = ok && want == bins;
    CHECK(cudaFreeHost(pinned));
    return verdict("huffman", ok);
}
