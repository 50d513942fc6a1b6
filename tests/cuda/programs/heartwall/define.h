#ifndef DEFINE_H
#define DEFINE_H
#define fp        float
#define ALL_POINTS 12
#define NUMBER_THREADS 64

typedef struct params_common_change {
    fp *d_frame;
    int frame_no;
} params_common_change;

typedef struct params_common {
    int sSize, tSize, in_rows, in_cols, in_elem;
    int *d_endoRow, *d_endoCol;
    char padding[40];
} params_common;

typedef struct params_unique {
    int *d_Row, *d_Col;
    fp *d_in, *d_sum;
    int point_no;
} params_unique;

#ifdef __cplusplus
extern "C" {
#endif
fp *make_frame(int rows, int cols, int number);
#ifdef __cplusplus
}
#endif
#endif
