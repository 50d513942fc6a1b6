/* Managed variables: scalars, arrays, templates, pointers to structs, in namespaces, behind macros, with first values;
 * the host reads and writes them before and after kernels do, and their addresses are one. A constant that a kernel
 * writes by its address. */
#include <string.h>

#include "check.h"
#include "shared.h"

#define MANAGED __managed__

namespace grid
{
__device__ __managed__ int cells[4] = {5, 6}; // more; later
MANAGED __device__ bool flag;
} // namespace grid

__managed__ Row<double, 3> row /* of a, b; */ = {{1, 2, 3}};
__managed__ int steps = 40;
static __managed__ struct Node *head;
static __managed__ int own = 7;
__managed__ __align__(16) unsigned char text[] = "a;b";
__device__ int plain = 3;
__constant__ int fixed[2] = {1, 2};

struct Node {
    int value;
    Node *next;
};

__host__ __device__ int second()
{
    return grid::cells[1];
}

/* Through the address that the host has of it. */
__global__ void write_constant(int *constant)
{
    constant[1] += fixed[0];
}

__global__ void read_constant(int *sum)
{
    *sum = fixed[0] + 10 * fixed[1];
}

static bool constants(void)
{
    void *address;
    int sum = 0;
    CHECK(cudaGetSymbolAddress(&address, fixed));
    write_constant<<<1, 1>>>((int *)address);
    read_constant<<<1, 1>>>(&grid::cells[3]);
    CHECK(cudaDeviceSynchronize());
    sum = grid::cells[3];
    printf("constants: %d\n", sum);
    return sum == 31;
}

__global__ void change(int *cells)
{
    grid::cells[0] += plain;
    cells[1] += 10;
    grid::cells[2] = second();
    grid::flag = !grid::flag;
    row.at[1] *= head->value;
    head->next->value = own;
    text[0] = 'z';
}

int main()
{
    bool ok = own == 7 && row.at[2] == 3 && !grid::flag && second() == 6 && text[2] == 'b';
    Node *nodes;
    CHECK(cudaMallocManaged(&nodes, 2 * sizeof *nodes));
    nodes[0].value = 4;
    nodes[0].next = nodes + 1;
    head = nodes;
    grid::cells[3] = 77;
    own *= 3;
    change<<<1, 1>>>(grid::cells);
    CHECK(cudaDeviceSynchronize());
    ok = ok && grid::cells[0] == 8 && second() == 16 && grid::cells[2] == 16 && grid::cells[3] == 77;
    ok = ok && grid::flag && row.at[1] == 8 && head->next->value == 21;
    ok = ok && !strcmp((const char *)text, "z;b");
    printf("%d %d %d %d, %d, %g, %d, %s\n", grid::cells[0], grid::cells[1], grid::cells[2], grid::cells[3], grid::flag,
           row.at[1], head->next->value, (const char *)text);

    int got[4];
    void *symbol;
    size_t bytes;
    cudaPointerAttributes attributes;
    CHECK(cudaMemcpyFromSymbol(got, grid::cells, sizeof got));
    CHECK(cudaGetSymbolAddress(&symbol, grid::cells));
    CHECK(cudaGetSymbolSize(&bytes, grid::cells));
    CHECK(cudaPointerGetAttributes(&attributes, grid::cells));
    ok = ok && !memcmp(got, grid::cells, sizeof got) && symbol == grid::cells && bytes == sizeof got;
    ok = ok && attributes.devicePointer == symbol;
    ok = constants() && ok;
#ifdef TWO
    advance();
    printf("%d, %g\n", steps, row.at[2]);
    ok = ok && steps == 40 + 1 + 1001 && row.at[2] == 3.5 && own == 21;
#endif
    return verdict("variables", ok);
}
