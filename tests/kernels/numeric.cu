/* Dense and stencil arithmetic in several types; every operation rounds as on the host. */
// RUN convolution 5,4 16,16 : floats:16384 zero:16384 s32:64 s32:64
// RUN stencil3 4,4,4 4,4,4 : floats:16384 zero:16384 s32:16
// RUN kmeans 8 128 : floats:16384 floats:256 zero:4096 s32:1024 s32:4 s32:16
// RUN pathfinder 3 256 : data:40000 zero:4096 s32:700 s32:12
// RUN needleman_wunsch 1 32 : data:4096 zero:4356 s32:32 s32:10
// RUN nbody 4 64 : floats:4096 zero:4096 s32:256
// RUN mandelbrot 8,8 8,8 : zero:16384 s32:64 f64:-2 f64:-1.5 f64:0.046875 s32:100
// RUN lud 1 32 : floats:4096
// RUN divide_64 4 64 : data:4096 zero:16384

__constant__ float filt[5][5] = {
    {1, 4, 7, 4, 1}, {4, 16, 26, 16, 4}, {7, 26, 41, 26, 7}, {4, 16, 26, 16, 4}, {1, 4, 7, 4, 1}};

extern "C" __global__ void convolution(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float s = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), h - 1);
            s += in[yy * w + xx] * filt[j + 2][i + 2];
        }
    out[y * w + x] = s / 273.0f;
}

extern "C" __global__ void stencil3(const float *in, float *out, int n)
{
    int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y,
        z = blockIdx.z * 4 + threadIdx.z;
    auto at = [=](int i, int j, int k) {
        return i < 0 || j < 0 || k < 0 || i >= n || j >= n || k >= n ? 0.0f
                                                                     : in[(k * n + j) * n + i];
    };
    out[(z * n + y) * n + x] = -6.0f * at(x, y, z) + at(x - 1, y, z) + at(x + 1, y, z) +
                               at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) +
                               at(x, y, z + 1);
}

extern "C" __global__ void kmeans(const float *f, const float *cl, int *m, int n, int d, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = -1;
    float bd = 3.4e38f;
    for (int c = 0; c < k; c++) {
        float s = 0;
        for (int q = 0; q < d; q++) {
            float e = f[q * n + i] - cl[c * d + q];
            s += e * e;
        }
        if (s < bd) {
            bd = s;
            best = c;
        }
    }
    m[i] = best;
}

extern "C" __global__ void pathfinder(const int *w, int *o, int cols, int rows)
{
    __shared__ int p[256], q[256];
    int t = threadIdx.x, x = (int)blockIdx.x * 232 - 12 + t;
    bool in = x >= 0 && x < cols;
    p[t] = in ? w[x] & 255 : 1 << 20;
    __syncthreads();
    for (int r = 1; r < rows; r++) {
        int v = p[t];
        if (t >= r && t < 256 - r && in) {
            int l = p[t - 1], m = p[t + 1];
            v = min(min(l, m), v) + (w[r * cols + x] & 255);
        }
        q[t] = v;
        __syncthreads();
        p[t] = q[t];
        __syncthreads();
    }
    if (in && t >= 12 && t < 244)
        o[x] = p[t];
}

extern "C" __global__ void needleman_wunsch(const int *sim, int *m, int n, int pen)
{
    __shared__ int s[33][33];
    int t = threadIdx.x;
    s[0][t + 1] = -(t + 1) * pen;
    s[t + 1][0] = -(t + 1) * pen;
    if (!t)
        s[0][0] = 0;
    __syncthreads();
    for (int d = 0; d < 2 * n - 1; d++) {
        int i = d - t;
        if (i >= 0 && i < n) {
            int a = s[i][t] + (sim[i * n + t] % 20), b = s[i][t + 1] - pen, c = s[i + 1][t] - pen;
            s[i + 1][t + 1] = max(a, max(b, c));
        }
        __syncthreads();
    }
    for (int i = 0; i < 33; i++) {
        m[i * 33 + t] = s[i][t];
        if (t == 0)
            m[i * 33 + 32] = s[i][32];
    }
}

extern "C" __global__ void nbody(const float4 *p, float4 *o, int n)
{
    __shared__ float4 s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = p[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; j++) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z,
                  r = dx * dx + dy * dy + dz * dz + 0.01f, inv = 1.0f / sqrtf(r),
                  f = s[j].w * inv * inv * inv;
            ax = fmaf(dx, f, ax);
            ay = fmaf(dy, f, ay);
            az = fmaf(dz, f, az);
        }
        __syncthreads();
    }
    o[i] = make_float4(ax, ay, az, me.w);
}

extern "C" __global__ void mandelbrot(int *o, int n, double x0, double y0, double st, int lim)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    double cr = x0 + x * st, ci = y0 + y * st, r = 0, i = 0;
    int k = 0;
    while (k < lim && r * r + i * i < 4.0) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        k++;
    }
    o[y * n + x] = k;
}

extern "C" __global__ void lud(float *a)
{
    __shared__ float s[32][33];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++)
        s[i][t] = a[i * 32 + t] + (i == t ? 40.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 31; k++) {
        if (t > k) {
            s[t][k] /= s[k][k];
            for (int j = k + 1; j < 32; j++)
                s[t][j] -= s[t][k] * s[k][j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        a[i * 32 + t] = s[i][t];
}

extern "C" __global__ void divide_64(const long long *in, long long *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    long long a = in[i], b = in[i + 256] >> (i & 63);
    if (!b)
        b = 3;
    if (b == -1)
        b = 5;
    unsigned long long ua = a, ub = b;
    long long *o = out + i * 8;
    o[0] = a / b;
    o[1] = a % b;
    o[2] = ua / ub;
    o[3] = ua % ub;
    o[4] = a / 7;
    o[5] = a % 1000000007;
    o[6] = ua / 641;
    o[7] = a * b + (a >> (b & 63)) + (ua >> (a & 63)) + (a << (i & 63));
}
