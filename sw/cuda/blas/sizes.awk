# Reads the declarations of cuBLAS behind the C preprocessor and writes the calls that end in _64: each
# narrows its sizes and calls the one with 32 bits. Those with lists of sizes are in groups.c.
BEGIN { RS = ";"; print "/* Written by sizes.awk. */" }
{ gsub(/[ \t\n]+/, " ") }
!/ cublas[A-Za-z0-9_]*_64 ?\(/ || /int64_t [a-z_]+\[\]/ { next }
{
    match($0, /cublas[A-Za-z0-9_]*_64 ?\(/)
    narrow = substr($0, RSTART, RLENGTH)
    sub(/_64 ?\($/, "", narrow)
    parameters = substr($0, RSTART + RLENGTH)
    sub(/\) *$/, "", parameters)
    shown = narrow
    sub(/_v2$/, "", shown)
    count = split(parameters, each, / *, */)
    sizes = arguments = ""
    for (i = 1; i <= count; i++) {
        name = each[i]
        sub(/ *\[\]$/, "", name)
        sub(/.*[ *]/, "", name)
        value = name
        if (each[i] ~ /^ *int64_t \*/)
            value = "low_half(handle, " name ")"
        else if (each[i] ~ /^ *int64_t /) {
            sizes = sizes "{\"" name "\", " name "}, "
            value = "(int)" name
        }
        arguments = arguments (i > 1 ? ", " : "") value
    }
    printf "cublasStatus_t %s_64(%s)\n{\n", narrow, parameters
    printf "    static const char call[] = \"%s_64\";\n", shown
    printf "    const struct blas_size sizes[] = {%s};\n", sizes
    printf "    BLAS_CHECK(blas_narrow(call, sizes, sizeof sizes / sizeof *sizes), CUBLAS_STATUS_NOT_SUPPORTED);\n"
    printf "    return %s(%s);\n}\n", narrow, arguments
}
