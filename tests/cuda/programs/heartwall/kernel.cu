__global__ void kernel()
{
    int bx = blockIdx.x, tx = threadIdx.x, ei_new;
    params_unique *d_unique_p = &d_unique[bx];
    int top = d_common.d_endoRow[d_unique_p->point_no], left = d_common.d_endoCol[d_unique_p->point_no];
    fp sum = 0;
    __shared__ fp partial[NUMBER_THREADS];
    ei_new = tx;
    while (ei_new < d_common.in_elem) {
        int row = (ei_new + 1) % d_common.in_rows - 1, col = (ei_new + 1) / d_common.in_rows + 1 - 1;
        if ((ei_new + 1) % d_common.in_rows == 0) {
            row = d_common.in_rows - 1;
            col = col - 1;
        }
        d_unique[bx].d_in[ei_new] =
            d_common_change.d_frame[(top + row) * 64 + left + col] * (d_common_change.frame_no + 1);
        sum += d_unique[bx].d_in[ei_new];
        ei_new = ei_new + NUMBER_THREADS;
    }
    partial[tx] = sum;
    __syncthreads();
    if (tx == 0) {
        for (int i = 1; i < NUMBER_THREADS; i++)
            sum += partial[i];
        *d_unique_p->d_sum = sum;
    }
}
