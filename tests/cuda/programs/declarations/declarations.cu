/* Managed variables as they may be declared: several in a statement, of types without a name, pointers to arrays,
 * with every kind of first value, of one name in several namespaces. */
#include <utility>

#include "check.h"

struct Base {
    int first;
};
struct Node {
    int value;
};

__managed__ int one = 1, two[3] = {1, 2, 3}, *three;
__managed__ struct { // of no name; of two
    int a;
    float b;
} unnamed = {3, 4.5f}, second;
__managed__ struct Named final : Base {
    int c;
} named;
__managed__ union {
    int i;
    float f;
} bits;
__managed__ enum class Color : int { red, green = 5 } color = Color::green;
static __managed__ enum { apple, pear } fruit = pear;
__managed__ std::pair<int, float> both(7, 2.5f), other{8, 3.5f};
__managed__ int (*rows)[4], plain = 9;
__managed__ unsigned long long wide = sizeof(std::pair<int, float>), more = 2;
__managed__ struct Node node{5}, *link;

namespace A
{
__managed__ int x = 10;
namespace
{
__managed__ int hidden = 70;
}
namespace C
{
__managed__ int x = 30;
} // namespace C
} // namespace A
namespace B
{
static __managed__ int x = 20; /* namespace Z { */
}
namespace D = B;
namespace A::C
{
__managed__ int y = 31;
}
extern "C" {
__managed__ int x = 40;
}

__global__ void change(int *p)
{
    one++;
    two[1] += 5;
    three = p;
    rows = (int(*)[4])p;
    link = &node;
    unnamed.a++;
    unnamed.b *= 2;
    second.a = 12;
    named.c = named.first = 6;
    bits.f = 1.0f;
    fruit = apple;
    color = Color::red;
    both.first++;
    other.second++;
    plain++;
    wide++;
    more++;
    node.value++;
    A::x++;
    A::C::x++;
    D::x++;
    x++;
    A::hidden++;
    A::C::y++;
}

int main()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 64));
    bool ok = one == 1 && unnamed.b == 4.5f && fruit == pear && both.second == 2.5f && node.value == 5;
    second.b = 8;
    change<<<1, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    ok = ok && one == 2 && two[1] == 7 && two[2] == 3 && three == p && (void *)rows == p && link == &node;
    ok = ok && unnamed.a == 4 && unnamed.b == 9 && second.a == 12 && second.b == 8;
    ok = ok && named.c == 6 && named.first == 6 && bits.i == 0x3f800000 && fruit == apple && color == Color::red;
    ok = ok && both.first == 8 && other.second == 4.5f && plain == 10 && wide == 9 && more == 3 && node.value == 6;
    printf("%d %d %d %d %d %d\n", A::x, A::C::x, B::x, x, A::hidden, A::C::y);
    ok = ok && A::x == 11 && A::C::x == 31 && B::x == 21 && x == 41 && A::hidden == 71 && A::C::y == 32;
    return verdict("declarations", ok);
}
