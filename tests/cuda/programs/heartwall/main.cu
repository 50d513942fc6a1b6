/* Parameters in __constant__ structs, one per block, with device pointers in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "define.h"

params_common_change common_change;
__constant__ params_common_change d_common_change;

params_common common;
__constant__ params_common d_common;

params_unique unique[ALL_POINTS];
__constant__ params_unique d_unique[ALL_POINTS];

#include "kernel.cu"

int main(int argc, char *argv[])
{
    const int rows = 64, cols = 64;
    int endo_row[ALL_POINTS], endo_col[ALL_POINTS];
    common.in_rows = 9;
    common.in_cols = 7;
    common.in_elem = common.in_rows * common.in_cols;
    for (int i = 0; i < ALL_POINTS; i++) {
        endo_row[i] = 3 * i;
        endo_col[i] = 50 - 4 * i;
    }
    CHECK(cudaMalloc((void **)&common.d_endoRow, sizeof endo_row));
    CHECK(cudaMalloc((void **)&common.d_endoCol, sizeof endo_col));
    CHECK(cudaMemcpy(common.d_endoRow, endo_row, sizeof endo_row, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(common.d_endoCol, endo_col, sizeof endo_col, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(d_common, &common, sizeof(params_common)));
    fp *sums;
    CHECK(cudaMalloc((void **)&sums, ALL_POINTS * sizeof(fp)));
    for (int i = 0; i < ALL_POINTS; i++) {
        unique[i].point_no = i;
        unique[i].d_sum = sums + i;
        CHECK(cudaMalloc((void **)&unique[i].d_in, common.in_elem * sizeof(fp)));
    }
    CHECK(cudaMemcpyToSymbol(d_unique, &unique, sizeof(params_unique) * ALL_POINTS));
    CHECK(cudaMalloc((void **)&common_change.d_frame, sizeof(fp) * rows * cols));
    bool ok = true;
    for (common_change.frame_no = 0; common_change.frame_no < 3; common_change.frame_no++) {
        fp *frame = make_frame(rows, cols, common_change.frame_no);
        CHECK(cudaMemcpy(common_change.d_frame, frame, sizeof(fp) * rows * cols, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpyToSymbol(d_common_change, &common_change, sizeof(params_common_change)));
        kernel<<<ALL_POINTS, NUMBER_THREADS>>>();
        fp got[ALL_POINTS];
        CHECK(cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < ALL_POINTS; i++) {
            fp want = 0;
            for (int r = 0; r < common.in_rows; r++)
                for (int c = 0; c < common.in_cols; c++)
                    want += frame[(endo_row[i] + r) * 64 + endo_col[i] + c] * (common_change.frame_no + 1);
            ok = ok && got[i] == want;
        }
        free(frame);
        printf("%d ", common_change.frame_no);
    }
    printf("\n");
    return verdict("heartwall", ok);
}
