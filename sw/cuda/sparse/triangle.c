/* Solutions of triangles, level by level. */
#include "sw/cuda/sparse/sparse.h"

static bool is_lower(const struct sparse_solution *s)
{
    return (s->a->fill == CUSPARSE_FILL_MODE_LOWER) == (s->op == CUSPARSE_OPERATION_NON_TRANSPOSE);
}

cusparseStatus_t sparse_triangle_check(const struct sparse_solution *s)
{
    SPARSE_VALID(sparse_is_op(s->op) && s->alpha && s->a->rows == s->a->columns);
    SPARSE_VALID(s->b.rows == s->a->rows && s->x.rows == s->a->rows);
    SPARSE_VALID(s->b.columns == s->x.columns);
    SPARSE_SUPPORTED(!sparse_is_blocked(s->a) || (s->a->format == CUSPARSE_FORMAT_SLICED_ELLPACK &&
                                                  s->op == CUSPARSE_OPERATION_NON_TRANSPOSE));
    SPARSE_SUPPORTED(!sparse_is_wide(s->a) && sparse_is_type(s->compute) &&
                     s->a->type == s->compute && s->b.type == s->compute &&
                     s->x.type == s->compute);
    return CUSPARSE_STATUS_SUCCESS;
}

size_t sparse_triangle_bytes(cusparseOperation_t op, cusparseSpMatDescr_t a)
{
    return sparse_turned_bytes(op, a) + sparse_levels_bytes(a->rows);
}

cusparseStatus_t sparse_triangle_analyse(cusparseHandle_t handle, const struct sparse_solution *s,
                                         void *buffer, struct sparse_triangle *t)
{
    cusparseStatus_t status = sparse_triangle_check(s);
    t->analysed = false;
    if (status)
        return status;
    SPARSE_VALID(buffer && s->a->offsets && (!s->a->nnz || s->a->indices));
    status = sparse_turned(handle, s->op, s->a, buffer, &t->rows);
    if (status)
        return status;
    t->lanes = sparse_lanes(s->a->rows, s->a->nnz);
    status = sparse_levels_find(handle, &t->rows, s->a->nnz, is_lower(s), t->lanes,
                                (char *)buffer + sparse_turned_bytes(s->op, s->a), &t->levels);
    t->op = s->op;
    t->lower = is_lower(s);
    t->analysed = !status;
    return status;
}

static cusparseStatus_t step(cusparseHandle_t handle, const struct sparse_solution *s,
                             const struct sparse_triangle *t, const struct sparse_rows *rows,
                             const struct sparse_step *of)
{
    struct library_call call = sparse_call(handle, s->compute);
    struct sparse_order order = {t->levels.list, t->levels.starts, of->first, of->last};
    int lower = t->lower, unit = s->a->diag == CUSPARSE_DIAG_TYPE_UNIT;
    int columns = (int)s->x.columns;
    library_add(&call, rows);
    library_add(&call, &s->a->values);
    library_add(&call, &lower);
    library_add(&call, &unit);
    library_add_scalar(&call, s->alpha);
    library_add(&call, &s->b.lines);
    library_add(&call, &s->x.lines);
    library_add(&call, &columns);
    library_add(&call, &order);
    library_add(&call, &t->lanes);
    library_add(&call, &s->pivot);
    dim3 grid = sparse_step_grid(of, t->lanes);
    grid.y = library_blocks(columns, 1, SPARSE_COLUMNS_MOST);
    return sparse_launch(&call, "solve", grid);
}

cusparseStatus_t sparse_triangle_solve(cusparseHandle_t handle, const struct sparse_solution *s,
                                       const struct sparse_triangle *t)
{
    cusparseStatus_t status = sparse_triangle_check(s);
    if (status)
        return status;
    SPARSE_VALID(t->analysed && t->rows.count == s->a->rows);
    SPARSE_VALID(t->op == s->op && t->lower == is_lower(s));
    if (!s->a->rows || !s->x.columns)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(s->b.lines.data && s->x.lines.data && (!s->a->nnz || s->a->values));
    struct sparse_rows rows = t->rows;
    if (sparse_has_rows(s->op, s->a)) /* as the matrix has them now */
        status = sparse_turned(handle, s->op, s->a, NULL, &rows);
    for (size_t i = 0; i < t->levels.n_steps && !status; i++)
        status = step(handle, s, t, &rows, &t->levels.steps[i]);
    return status;
}
