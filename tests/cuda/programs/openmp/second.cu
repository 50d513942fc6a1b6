// A second object with OpenMP: what both bring of it is there once.
int parallel_sum(int n)
{
    int sum = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum)
    for (int i = 1; i <= n; i++)
        sum += i;
    return sum;
}
