/* Shapes of cuSPARSE's blocks and what its kernels take, for host and device. */
#ifndef EVGPU_CUDA_SPARSE_SHAPE_H
#define EVGPU_CUDA_SPARSE_SHAPE_H

#define SPARSE_THREADS 256 /* of every block */

/* The pattern of a matrix, row by row. Indices of the three arrays begin at 0, what offsets and
 * columns hold at `base`. */
struct sparse_rows {
    const int *offsets, *columns;
    const int *order; /* where each entry's value is; null: in place */
    int count, base;
};

/* The entries of a matrix in any order, for which rows are to be found. */
struct sparse_entries {
    const int *keys;    /* the row of each */
    const int *columns; /* its column; null: the part of `offsets` that it is in */
    const int *offsets; /* of `count` parts */
    int count, base;
};

/* A vector, or the columns of a matrix: elements of a column, and columns, so far apart. */
struct sparse_lines {
    void *data;
    long long element, next;
};

/* Rows in the order of their levels; level l has rows list[starts[l]] to list[starts[l + 1] - 1].
 * A block takes levels from `first` to before `last`; several blocks have one level. */
struct sparse_order {
    const int *list, *starts;
    int first, last;
};

/* A matrix whose rows are in groups of `height`: rows of blocks of a width, or slices, whose
 * elements lie column after column. */
enum sparse_form { SPARSE_BSR, SPARSE_SLICES, SPARSE_ELL };
struct sparse_blocks {
    const int *offsets; /* of groups; null: each row has `stored` elements */
    const int *columns; /* of blocks, or of the elements of slices; below the base: padding */
    int form, rows, base;
    int height, width, by_columns; /* by_columns: elements of a block */
    int stored;                    /* ELL: of each row; slices: of all */
};

/* `count` systems of `size` rows: elements of a diagonal, and systems, so far apart. */
struct sparse_systems {
    int size, count;
    long long element, next;
};

/* Five diagonals, the second one below the main one first. */
struct sparse_diagonals {
    const void *of[5];
};

/* No row: more than each, and of equal bytes. */
#define SPARSE_NO_ROW_BYTE 0x7f
#define SPARSE_NO_ROW      0x7f7f7f7f

#endif
