#ifndef CLUSTER_H
#define CLUSTER_H
typedef struct {
    float weight;
    float *coord;
    long assign;
    float cost;
} Point;
typedef struct {
    long num;
    int dim;
    Point *p;
} Points;
float pgain(long x, Points *points, float *lower, bool *is_center);
void free_device();
#endif
