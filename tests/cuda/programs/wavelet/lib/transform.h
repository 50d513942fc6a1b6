#pragma once
namespace dwt
{
/* Two levels are `transform<int>` of the low half again. */
template <class T> void transform(T *dst, const T *src, int n);
bool same(const int *a, const int *b, int n);
} // namespace dwt
