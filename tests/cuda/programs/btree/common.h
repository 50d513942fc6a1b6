#ifndef COMMON_H
#define COMMON_H
#define DEFAULT_ORDER 16
typedef struct record {
    int value;
} record;
typedef struct knode {
    int location;
    int indices[DEFAULT_ORDER + 1];
    int keys[DEFAULT_ORDER + 1];
    char is_leaf; /* 1 or 0 */
    int num_keys;
} knode;
#endif
