#ifndef NETWORK_H
#define NETWORK_H

#define WIDTH  16
#define HEIGHT 16
#define ETA    0.3f
#define IN     256

#ifdef __cplusplus
extern "C" {
#endif
float squash(float x);
void forward_on_host(const float *input, const float *weights, float *hidden);
void forward_on_gpu(const float *input, float *weights, float *hidden);
#ifdef __cplusplus
}
#endif

#endif
