#include <string>
#include <vector>

#include "check.h"
#include "lib/transform.h"

static std::vector<int> on_host(std::vector<int> s)
{
    int n = (int)s.size();
    auto mirror = [n](int i) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; };
    for (int i = 1; i < n; i += 2)
        s[i] -= (s[i - 1] + s[mirror(i + 1)]) / 2;
    for (int i = 0; i < n; i += 2)
        s[i] += (s[mirror(i - 1)] + s[i + 1] + 2) / 4;
    std::vector<int> out(n);
    for (int i = 0; i < n; i++)
        out[i / 2 + (i % 2 ? n / 2 : 0)] = s[i];
    return out;
}

int main()
{
    const int n = 512;
    std::vector<int> image(n), got(n);
    unsigned seed = 21;
    for (int &v : image)
        v = next_random(&seed) % 256;
    int *src, *dst;
    CHECK(cudaMalloc(&src, n * sizeof(int)));
    CHECK(cudaMalloc(&dst, n * sizeof(int)));
    CHECK(cudaMemcpy(src, image.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    dwt::transform(dst, src, n);
    dwt::transform(src, dst, n / 2);
    CHECK(cudaMemcpy(dst, src, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(got.data(), dst, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> want = on_host(image), low = on_host(std::vector<int>(want.begin(), want.begin() + n / 2));
    std::copy(low.begin(), low.end(), want.begin());
    std::string name = "wavelet";
    return verdict(name.c_str(), dwt::same(got.data(), want.data(), n));
}
