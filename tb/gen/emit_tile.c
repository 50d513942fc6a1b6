/* The C side of a tile: its structs, its port table and its Verilator shim. */
#include "tb/gen/emit.h"

#include <ctype.h>
#include <stdbool.h>

/* How a port is stored in C, which is also how Verilator stores it. */
struct field {
    const char *type;
    uint32_t words; /* array length, 0 for a scalar */
    uint32_t align, bytes;
};

static struct field field_of(const struct def_port *port)
{
    if (port->width <= 8)
        return (struct field){"uint8_t", 0, 1, 1};
    if (port->width <= 16)
        return (struct field){"uint16_t", 0, 2, 2};
    if (port->width <= DEF_WORD_BITS)
        return (struct field){"uint32_t", 0, 4, 4};
    if (port->width <= 2 * DEF_WORD_BITS)
        return (struct field){"uint64_t", 0, 8, 8};
    uint32_t words = (port->width + DEF_WORD_BITS - 1) / DEF_WORD_BITS;
    return (struct field){"uint32_t", words, 4, 4 * words};
}

static uint32_t put_padding(FILE *out, uint32_t offset, uint32_t align, unsigned *n_pads)
{
    uint32_t gap = (align - offset % align) % align;
    if (gap)
        fprintf(out, "    uint8_t pad%u_[%u];\n", (*n_pads)++, gap);
    return offset + gap;
}

/* Padding is declared, so that a zeroed struct can be compared with memcmp. */
static void put_struct(FILE *out, const char *tile, const char *side, const struct def_ports *ports)
{
    uint32_t offset = 0, align = 1;
    unsigned n_pads = 0;
    fprintf(out, "struct %s_%s {\n", tile, side);
    for (size_t i = 0; i < ports->count; i++) {
        const struct def_port *port = &ports->items[i];
        struct field f = field_of(port);
        offset = put_padding(out, offset, f.align, &n_pads) + f.bytes;
        align = f.align > align ? f.align : align;
        fprintf(out, "    %s %s", f.type, port->name);
        if (f.words)
            fprintf(out, "[%u]", f.words);
        fprintf(out, "; /* %u bit%s%s%s */\n", port->width, port->width == 1 ? "" : "s",
                port->comment ? ": " : "", port->comment ? port->comment : "");
    }
    put_padding(out, offset, align, &n_pads);
    fputs("};\n\n", out);
}

static void put_rtl_functions(FILE *out, const char *t)
{
    fputs("/* Verilator shim */\n", out);
    fprintf(out, "void *%s_rtl_create(const char *instance);\n", t);
    fprintf(out, "void %s_rtl_step(void *rtl, const void *in, void *out);\n", t);
    fprintf(out, "void %s_rtl_reset(void *rtl, const void *in, uint32_t edges, void *out);\n", t);
    fprintf(out, "void %s_rtl_destroy(void *rtl);\n", t);
    fprintf(out, "bool %s_rtl_trace(void *rtl, void *trace_file);\n", t);
    fprintf(out, "void %s_rtl_clock_low(void *rtl);\n\n", t);
    fputs("#ifdef __cplusplus\n}\n#endif\n\n#endif\n", out);
}

static void put_ports(FILE *out, const struct def_tile *tile)
{
    const char *t = tile->name;
    fprintf(out, "/* Generated from rtl/evgpu.def: the ports of tile %s.\n", t);
    fputs(" * Bits above a field's width must be 0 in inputs and are 0 in outputs. */\n", out);
    fprintf(out, "#ifndef EVGPU_GEN_%s_H\n#define EVGPU_GEN_%s_H\n\n", t, t);
    fputs("#include <stdint.h>\n\n#include \"tb/tile.h\"\n\n", out);
    put_struct(out, t, "in", &tile->in);
    put_struct(out, t, "out", &tile->out);
    fputs("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", out);
}

void emit_block_header(FILE *out, const struct def_tile *block)
{
    put_ports(out, block);
    put_rtl_functions(out, block->name);
}

void emit_tile_header(FILE *out, const struct def_tile *tile)
{
    const char *t = tile->name;
    put_ports(out, tile);
    fprintf(out, "extern const struct tile_kind %s_kind;\n\n", t);
    fputs("/* golden C model */\n", out);
    fprintf(out, "void *%s_model_create(void);\n", t);
    fprintf(out, "void %s_model_step(void *model, const void *in, void *out);\n", t);
    fprintf(out, "void %s_model_reset(void *model, void *out);\n", t);
    fprintf(out, "void %s_model_destroy(void *model);\n\n", t);
    put_rtl_functions(out, t);
}

static void put_port_table(FILE *out, const char *tile, const char *side,
                           const struct def_ports *ports)
{
    for (size_t i = 0; i < ports->count; i++) {
        const struct def_port *port = &ports->items[i];
        if (!port->small)
            continue;
        fprintf(out, "static const uint8_t %s_%s_small[] = {", tile, port->name);
        for (uint32_t b = 0; b < (port->width + 7) / 8; b++)
            fprintf(out, "%s0x%02x", b ? ", " : "", port->small[b]);
        fputs("};\n", out);
    }
    fprintf(out, "static const struct tile_port %s_%s_ports[] = {\n", tile, side);
    for (size_t i = 0; i < ports->count; i++) {
        const struct def_port *port = &ports->items[i];
        fprintf(out, "    {\"%s\", %u, offsetof(struct %s_%s, %s), %u, ", port->name, port->width,
                tile, side, port->name, field_of(port).bytes);
        if (port->small)
            fprintf(out, "%s_%s_small, ", tile, port->name);
        else
            fputs("NULL, ", out);
        fprintf(out, "{%zu, %zu}},\n", port->when[0], port->when[1]);
    }
    fputs("};\n\n", out);
}

/* `name`: of the tile, or of its variant, which has a Verilated model and a create of its own. */
static void put_kind(FILE *out, const struct def_tile *tile, const char *name)
{
    const char *t = tile->name;
    fprintf(out, "const struct tile_kind %s_kind = {\n    .name = \"%s\",\n", name, t);
    fprintf(out, "    .in_bytes = sizeof(struct %s_in),\n", t);
    fprintf(out, "    .out_bytes = sizeof(struct %s_out),\n", t);
    fprintf(out, "    .in_ports = %s_in_ports,\n    .out_ports = %s_out_ports,\n", t, t);
    fprintf(out, "    .signature = 0x%08xu,\n", def_signature(tile));
    fprintf(out, "    .small_signature = 0x%08xu,\n", def_small_signature(tile));
    fprintf(out, "    .n_in = %zu,\n    .n_out = %zu,\n", tile->in.count, tile->out.count);
    static const char *const rtl[] = {"create", "step", "reset", "destroy", "trace", "clock_low"};
    for (size_t i = 0; i < sizeof rtl / sizeof *rtl; i++)
        fprintf(out, "    .rtl_%s = %s_rtl_%s,\n", rtl[i], name, rtl[i]);
    fprintf(out, "    .model_create = %s_model_create,\n", name);
    static const char *const model[] = {"step", "reset", "destroy"};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++)
        fprintf(out, "    .model_%s = %s_model_%s,\n", model[i], t, model[i]);
    fputs("};\n", out);
}

void emit_tile_kind(FILE *out, const struct def_tile *tile)
{
    const char *t = tile->name;
    fprintf(out, "/* Generated from rtl/evgpu.def: port tables; included by one C file only. */\n");
    fprintf(out, "#include \"%s.h\"\n\n#include <stddef.h>\n\n", t);
    put_port_table(out, t, "in", &tile->in);
    put_port_table(out, t, "out", &tile->out);
    put_kind(out, tile, t);
}

static void put_copies(FILE *out, const struct def_ports *ports, bool is_out)
{
    for (size_t i = 0; i < ports->count; i++) {
        const char *name = ports->items[i].name;
        uint32_t words = field_of(&ports->items[i]).words;
        if (!words)
            fprintf(out, is_out ? "    out->%s = top.%s_o;\n" : "    top.%s_i = in->%s;\n", name,
                    name);
        for (uint32_t w = 0; w < words; w++)
            fprintf(out,
                    is_out ? "    out->%s[%u] = top.%s_o[%u];\n"
                           : "    top.%s_i[%u] = in->%s[%u];\n",
                    name, w, name, w);
    }
}

/* TILE_ONE_EDGE: the makefile has seen that clk_i's rising edge alone makes the tile do something.
 * TILE_CYCLES: ... that the model has cycles of combinational logic. */
static void put_rising_edge(FILE *out)
{
    fputs("inline void evaluate(Top &top)\n{\n"
          "#if TILE_CYCLES\n"
          "    // Verilator 5.006 cuts a cycle at a signal. When an input changes that, what no "
          "input\n"
          "    // reaches but through the cut is left behind: let all cycles settle anew.\n"
          "    top.rootp->__VactDidInit = 0;\n"
          "#endif\n"
          "    top.eval();\n}\n\n"
          "inline void rising_edge(Top &top)\n{\n"
          "#if TILE_ONE_EDGE\n"
          "    // As if the clock had fallen: an evaluation of that would change nothing.\n"
          "    top.rootp->__Vtrigrprev__TOP__clk_i = 0;\n"
          "#else\n"
          "    // The falling edge has to be evaluated for the next rising edge to be seen; it is "
          "put\n"
          "    // off to the next step, so that a dump in between shows the clock high.\n"
          "    if (top.clk_i) {\n        top.clk_i = 0;\n        evaluate(top);\n    }\n"
          "#endif\n"
          "    top.clk_i = 1;\n    evaluate(top);\n}\n\n",
          out);
}

/* `name`: of the tile, or of its variant. */
static void put_shim(FILE *out, const struct def_tile *tile, const char *name)
{
    const char *t = tile->name, *n = name;
    fputs("// Generated from rtl/evgpu.def: C access to the verilated tile.\n", out);
    fprintf(out,
            "#include \"V%s.h\"\n#if TILE_TRACE\n#include \"verilated_fst_c.h\"\n#endif\n\n"
            "#include \"%s.h\"\n"
            "#include \"tb/coverage_shim.h\"\n"
            "#if TILE_ONE_EDGE || TILE_CYCLES\n#include \"V%s___024root.h\"\n#endif\n\n",
            n, n, n);
    fprintf(out, "namespace {\n\nusing Top = V%s;\n\n", n);
    fprintf(out, "void read_outputs(Top &top, %s_out *out)\n{\n", t);
    put_copies(out, &tile->out, true);
    fputs("}\n\n", out);
    put_rising_edge(out);
    fprintf(out, "inline void write_inputs(Top &top, const %s_in *in)\n{\n", t);
    put_copies(out, &tile->in, false);
    fputs("}\n\n} // namespace\n\nextern \"C\" {\n\n", out);
    fprintf(out, "void *%s_rtl_create(const char *instance)\n{\n", n);
    fputs("    // One context for all tiles: models share a trace file only within one context.\n"
          "    VerilatedContext *context = Verilated::defaultContextp();\n"
          "    context->traceEverOn(true);\n"
          "    Top *top = new Top{context, instance};\n"
          "    top->clk_i = 0;\n    top->rst_i = 1;\n    evaluate(*top);\n    return top;\n}\n\n",
          out);
    fprintf(out, "void %s_rtl_step(void *rtl, const void *in, void *out)\n{\n", n);
    fprintf(out, "    Top &top = *static_cast<Top *>(rtl);\n");
    fprintf(out, "    write_inputs(top, static_cast<const %s_in *>(in));\n", t);
    fprintf(out, "    rising_edge(top);\n    read_outputs(top, static_cast<%s_out *>(out));\n}\n\n",
            t);
    fprintf(out, "void %s_rtl_reset(void *rtl, const void *in, uint32_t edges, void *out)\n{\n", n);
    fprintf(out, "    Top &top = *static_cast<Top *>(rtl);\n");
    fprintf(out, "    write_inputs(top, static_cast<const %s_in *>(in));\n", t);
    fputs("    top.rst_i = 1;\n    while (edges--)\n        rising_edge(top);\n"
          "    top.rst_i = 0;\n",
          out);
    fprintf(out, "    read_outputs(top, static_cast<%s_out *>(out));\n}\n\n", t);
    fprintf(
        out,
        "void %s_rtl_destroy(void *rtl)\n{\n    Top *top = static_cast<Top *>(rtl);\n"
        "    if (!top)\n        return;\n    top->final();\n"
        "#if VM_COVERAGE\n    // The counters live in the model: it stays until they are written.\n"
        "    coverage_write_at_exit();\n#else\n    delete top;\n#endif\n}\n\n",
        n);
    fprintf(out,
            "bool %s_rtl_trace(void *rtl, void *trace_file)\n{\n"
            "#if TILE_TRACE\n"
            "    static_cast<Top *>(rtl)->trace(static_cast<VerilatedFstC *>(trace_file), 99);\n"
            "    return true;\n"
            "#else\n    (void)rtl;\n    (void)trace_file;\n    return false;\n#endif\n"
            "}\n\n",
            n);
    fprintf(out,
            "void %s_rtl_clock_low(void *rtl)\n{\n    Top &top = *static_cast<Top *>(rtl);\n"
            "    top.clk_i = 0;\n    evaluate(top);\n}\n\n} // extern \"C\"\n",
            n);
}

void emit_tile_shim(FILE *out, const struct def_tile *tile)
{
    put_shim(out, tile, tile->name);
}

/* --- variants --------------------------------------------------------------------------------- */

void emit_variant_header(FILE *out, const struct emit_variant *v)
{
    const char *n = v->variant->name;
    fprintf(out, "/* Generated from rtl/evgpu.def: a variant of tile %s. */\n", v->tile->name);
    fprintf(out, "#ifndef EVGPU_GEN_%s_H\n#define EVGPU_GEN_%s_H\n\n", n, n);
    fprintf(out, "#include \"%s.h\"\n#include \"tb/model/%s_parameters.h\"\n\n", v->tile->name,
            v->tile->name);
    fputs("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", out);
    fprintf(out, "extern const struct tile_kind %s_kind;\n\n", n);
    fputs("/* tb/model */\n", out);
    fprintf(out, "struct %s_parameters %s_parameters(void);\n\n", v->tile->name, n);
    put_rtl_functions(out, n);
}

/* region_lines of RegionLines */
static void put_field(FILE *out, const char *parameter)
{
    for (const char *p = parameter; *p; p++)
        fprintf(out, "%s%c", isupper((unsigned char)*p) && p != parameter ? "_" : "",
                tolower((unsigned char)*p));
}

void emit_variant_kind(FILE *out, const struct emit_variant *v)
{
    const char *n = v->variant->name, *t = v->tile->name;
    fprintf(out, "/* Generated from rtl/evgpu.def: included after %s_kind.h. */\n", t);
    fprintf(out, "#include \"%s.h\"\n\n", n);
    fprintf(out, "struct %s_parameters %s_parameters(void)\n{\n", t, n);
    fprintf(out, "    struct %s_parameters p = %s_defaults();\n", t, t);
    for (size_t i = 0; i < v->variant->n_set; i++) {
        fputs("    p.", out);
        put_field(out, v->variant->set[i].name);
        fprintf(out, " = %u;\n", v->variant->set[i].value);
    }
    fputs("    return p;\n}\n\n", out);
    fprintf(out, "static void *%s_model_create(void)\n{\n", n);
    fprintf(out, "    const struct %s_parameters p = %s_parameters();\n", t, n);
    fprintf(out, "    return %s_model_create_with(&p);\n}\n\n", t);
    put_kind(out, v->tile, n);
}

void emit_variant_shim(FILE *out, const struct emit_variant *v)
{
    put_shim(out, v->tile, v->variant->name);
}

void emit_variant_flags(FILE *out, const struct emit_variant *v)
{
    for (size_t i = 0; i < v->variant->n_set; i++)
        fprintf(out, "-G%s=%u\n", v->variant->set[i].name, v->variant->set[i].value);
}
