/* Hashes and ciphers with tables in constant and shared memory. */
// RUN sha256 2 32 : data:8192 zero:2048
// RUN crc32 2 64 : data:8192 zero:512
// RUN aes 1 64 : data:1024 data:16 zero:1024
// RUN number_transform 1 128 : data:1024

__constant__ unsigned K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))

extern "C" __global__ void sha256(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, w[64],
             h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int k = 0; k < 2; k++) {
        for (int t = 0; t < 16; t++)
            w[t] = __byte_perm(in[i * 32 + k * 16 + t], 0, 0x0123);
        for (int t = 16; t < 64; t++)
            w[t] = (ROR(w[t - 2], 17) ^ ROR(w[t - 2], 19) ^ (w[t - 2] >> 10)) + w[t - 7] +
                   (ROR(w[t - 15], 7) ^ ROR(w[t - 15], 18) ^ (w[t - 15] >> 3)) + w[t - 16];
        unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], H = h[7];
        for (int t = 0; t < 64; t++) {
            unsigned t1 = H + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + ((e & f) ^ (~e & g)) + K[t] +
                          w[t],
                     t2 = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            H = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
        }
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
        h[4] += e;
        h[5] += f;
        h[6] += g;
        h[7] += H;
    }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = h[k];
}

extern "C" __global__ void crc32(const unsigned char *in, unsigned *out)
{
    __shared__ unsigned T[256];
    for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) {
        unsigned c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        T[n] = c;
    }
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, c = ~0u;
    for (unsigned k = 0; k < 20 + i % 40; k++)
        c = T[(c ^ in[i * 64 + k]) & 255] ^ (c >> 8);
    out[i] = ~c;
}

extern "C" __global__ void aes(const unsigned char *in, const unsigned char *key,
                               unsigned char *out)
{
    __shared__ unsigned char S[256];
    __shared__ unsigned char rk[176];
    if (threadIdx.x == 0) {
        unsigned char p = 1, q = 1;
        do {
            p = p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0);
            q ^= q << 1;
            q ^= q << 2;
            q ^= q << 4;
            if (q & 0x80)
                q ^= 0x09;
            unsigned char x = q ^ (unsigned char)(q << 1 | q >> 7) ^
                              (unsigned char)(q << 2 | q >> 6) ^ (unsigned char)(q << 3 | q >> 5) ^
                              (unsigned char)(q << 4 | q >> 4);
            S[p] = x ^ 0x63;
        } while (p != 1);
        S[0] = 0x63;
        for (int i = 0; i < 16; i++)
            rk[i] = key[i];
        unsigned char rc = 1;
        for (int i = 16; i < 176; i += 4) {
            unsigned char t[4];
            for (int k = 0; k < 4; k++)
                t[k] = rk[i - 4 + k];
            if (i % 16 == 0) {
                unsigned char u = t[0];
                t[0] = S[t[1]] ^ rc;
                t[1] = S[t[2]];
                t[2] = S[t[3]];
                t[3] = S[u];
                rc = rc << 1 ^ (rc & 0x80 ? 0x1b : 0);
            }
            for (int k = 0; k < 4; k++)
                rk[i + k] = rk[i - 16 + k] ^ t[k];
        }
    }
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char s[16], t[16];
    for (int k = 0; k < 16; k++)
        s[k] = in[i * 16 + k] ^ rk[k];
    for (int r = 1; r <= 10; r++) {
        for (int k = 0; k < 16; k++)
            t[k] = S[s[(k + 4 * (k & 3)) & 15]];
        if (r < 10)
            for (int c = 0; c < 16; c += 4) {
                unsigned char a = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3], u = t[c];
                for (int k = 0; k < 4; k++) {
                    unsigned char v = t[c + k] ^ (k == 3 ? u : t[c + k + 1]);
                    v = v << 1 ^ (v & 0x80 ? 0x1b : 0);
                    s[c + k] = t[c + k] ^ v ^ a;
                }
            }
        else
            for (int k = 0; k < 16; k++)
                s[k] = t[k];
        for (int k = 0; k < 16; k++)
            s[k] ^= rk[r * 16 + k];
    }
    for (int k = 0; k < 16; k++)
        out[i * 16 + k] = s[k];
}

extern "C" __global__ void number_transform(unsigned *a)
{
    __shared__ unsigned long long s[256];
    unsigned t = threadIdx.x;
    const unsigned long long P = 998244353;
    for (unsigned i = t; i < 256; i += 128)
        s[__brev(i) >> 24] = a[i] % P;
    __syncthreads();
    for (unsigned l = 2; l <= 256; l *= 2) {
        unsigned long long w = 1, b = 3, e = (P - 1) / l * (t % (l / 2));
        while (e) {
            if (e & 1)
                w = w * b % P;
            b = b * b % P;
            e >>= 1;
        }
        unsigned j = t / (l / 2) * l + t % (l / 2);
        unsigned long long u = s[j], v = s[j + l / 2] * w % P;
        s[j] = (u + v) % P;
        s[j + l / 2] = (u + P - v) % P;
        __syncthreads();
    }
    for (unsigned i = t; i < 256; i += 128)
        a[i] = s[i];
}
