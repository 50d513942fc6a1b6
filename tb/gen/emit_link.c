/* The serial link to a board: the order of a tile's bytes on the line, for Verilog. Each port takes
 * whole bytes, the lowest first, in the order of the definition file. */
#include "tb/gen/emit.h"

#include <ctype.h>

#include "tb/replay.h"

enum { LINK_SIZE_BITS = 9 };

static uint32_t bytes_of(const struct def_ports *ports)
{
    uint32_t bytes = 0;
    for (size_t i = 0; i < ports->count; i++)
        bytes += (ports->items[i].width + 7) / 8;
    return bytes;
}

bool def_link_fits(const struct def_tile *tile)
{
    return bytes_of(&tile->in) <= DEF_LINK_BYTES && bytes_of(&tile->out) <= DEF_LINK_BYTES;
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
    do
        hash = (hash ^ (uint8_t)*text) * 16777619u; /* FNV-1a */
    while (*text++);
    return hash;
}

static uint32_t hash_ports(uint32_t hash, const struct def_ports *ports)
{
    for (size_t i = 0; i < ports->count; i++) {
        char width[16];
        snprintf(width, sizeof width, "%u", ports->items[i].width);
        hash = hash_text(hash_text(hash, ports->items[i].name), width);
    }
    return hash_text(hash, "");
}

uint32_t def_signature(const struct def_tile *tile)
{
    uint32_t hash = hash_text(2166136261u, tile->name);
    return hash_ports(hash_ports(hash, &tile->in), &tile->out);
}

uint32_t def_small_signature(const struct def_tile *tile)
{
    uint32_t hash = def_signature(tile);
    for (size_t i = 0; i < tile->in.count; i++) {
        const struct def_port *port = &tile->in.items[i];
        if (!port->small)
            continue;
        hash = hash_text(hash, port->name);
        for (uint32_t b = 0; b < (port->width + 7) / 8; b++)
            hash = (hash ^ port->small[b]) * 16777619u;
    }
    for (size_t i = 0; i < tile->n_small; i++) {
        char value[16];
        snprintf(value, sizeof value, "%u", tile->small[i].value);
        hash = hash_text(hash_text(hash, tile->small[i].name), value);
    }
    return hash;
}

static void put_upper(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(toupper((unsigned char)*text), out);
}

/* One value per kind, the last kind in the highest bits. */
static void put_vector(FILE *out, const char *name, const struct definition *def,
                       uint32_t (*value)(const struct def_tile *), uint32_t bits)
{
    fprintf(out, "`define EVG_LINK_%s {", name);
    for (size_t i = def->n_tiles; i-- > 0;)
        fprintf(out, "%u'd%u%s", bits, value(&def->tiles[i]), i ? ", " : "}\n");
}

static uint32_t in_bytes(const struct def_tile *tile)
{
    return bytes_of(&tile->in);
}

static uint32_t out_bytes(const struct def_tile *tile)
{
    return bytes_of(&tile->out);
}

static void put_replay_numbers(FILE *out)
{
    static const struct {
        const char *name;
        int value;
    } numbers[] = {{"IN_HASH_LOW", REPLAY_IN_HASH_LOW},     {"IN_HASH_HIGH", REPLAY_IN_HASH_HIGH},
                   {"IN_CHECK", REPLAY_IN_CHECK},           {"IN_STORE", REPLAY_IN_STORE},
                   {"IN_RESTART", REPLAY_IN_RESTART},       {"IN_EDGES_LOW", REPLAY_IN_EDGES_LOW},
                   {"IN_EDGES_HIGH", REPLAY_IN_EDGES_HIGH}, {"IN_MASK", REPLAY_IN_MASK},
                   {"OUT_STATUS", REPLAY_OUT_STATUS},       {"OUT_BYTES", REPLAY_OUT_BYTES}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(out, "`define EVG_REPLAY_%s 8'd%d\n", numbers[i].name, numbers[i].value);
    fprintf(out, "`define EVG_REPLAY_SIGNATURE 32'd%u\n", REPLAY_SIGNATURE);
}

void emit_link_vh(FILE *out, const struct definition *def)
{
    fputs("// Generated from rtl/evgpu.def.\n`ifndef EVGPU_LINK_VH\n`define EVGPU_LINK_VH\n"
          "`include \"evgpu_defs.vh\"\n",
          out);
    fprintf(out, "`define EVG_LINK_KINDS %zu\n", def->n_tiles);
    for (size_t i = 0; i < def->n_tiles; i++) {
        fputs("`define EVG_LINK_", out);
        put_upper(out, def->tiles[i].name);
        fprintf(out, " %zu\n", i);
    }
    put_vector(out, "IN_BYTES", def, in_bytes, LINK_SIZE_BITS);
    put_vector(out, "OUT_BYTES", def, out_bytes, LINK_SIZE_BITS);
    put_vector(out, "SIGNATURES", def, def_signature, 32);
    put_vector(out, "SMALL_SIGNATURES", def, def_small_signature, 32);
    put_replay_numbers(out);
    fputs("`endif\n", out);
}

/* The input bits that the reduced tile has. */
static void put_kept(FILE *out, const struct def_tile *tile)
{
    fprintf(out, "            localparam [InBits-1:0] Kept = Small == 0 ? {InBits{1'b1}} : %u'h",
            8 * bytes_of(&tile->in));
    for (size_t i = tile->in.count; i-- > 0;) {
        const struct def_port *port = &tile->in.items[i];
        for (uint32_t b = (port->width + 7) / 8; b-- > 0;)
            fprintf(out, "%02x", port->small ? port->small[b] : 0xffu);
    }
    fputs(";\n            wire [InBits-1:0] in;\n"
          "            for (i = 0; i < InBits; i = i + 1) begin : g_in\n"
          "                if (Kept[i]) begin : g_kept\n"
          "                    assign in[i] = in_i[i];\n"
          "                end else begin : g_lacking\n"
          "                    assign in[i] = 1'b0;\n"
          "                end\n            end\n"
          "            // The bits that fill the last byte of a port\n"
          "            wire unused = &{1'b0, in, in_i};\n",
          out);
}

static void put_instance(FILE *out, const struct def_tile *tile, bool small)
{
    fprintf(out, "            %s", tile->name);
    for (size_t i = 0; small && i < tile->n_small; i++)
        fprintf(out, "%s.%s(%u)%s", i ? ", " : " #(", tile->small[i].name, tile->small[i].value,
                i + 1 == tile->n_small ? ")" : "");
    fputs(" tile (\n                .clk_i(clk_i), .rst_i(rst_i)", out);
    uint32_t byte = 0;
    for (size_t i = 0; i < tile->in.count; i++) {
        const struct def_port *port = &tile->in.items[i];
        fprintf(out, ",\n                .%s_i(in[%u +: %u])", port->name, 8 * byte, port->width);
        byte += (port->width + 7) / 8;
    }
    byte = 0;
    for (size_t i = 0; i < tile->out.count; i++) {
        const struct def_port *port = &tile->out.items[i];
        fprintf(out, ",\n                .%s_o(out_o[%u +: %u])", port->name, 8 * byte,
                port->width);
        byte += (port->width + 7) / 8;
    }
    fputs("\n            );\n", out);
}

/* The first bit of an output. */
static uint32_t bit_of(const struct def_tile *tile, size_t port)
{
    uint32_t bytes = 0;
    for (size_t i = 0; i < port; i++)
        bytes += (tile->out.items[i].width + 7) / 8;
    return 8 * bytes;
}

/* An output has a value always, or while one of those in its `when` is 1. */
static void put_valid(FILE *out, const struct def_tile *tile)
{
    for (size_t i = 0; i < tile->out.count; i++) {
        const struct def_port *port = &tile->out.items[i];
        uint32_t bytes = (port->width + 7) / 8;
        fprintf(out, "            assign valid_o[%u +: %u] = ", bit_of(tile, i) / 8, bytes);
        if (!port->when[0])
            fprintf(out, "{%u{1'b1}};\n", bytes);
        else if (!port->when[1])
            fprintf(out, "{%u{out_o[%u]}};\n", bytes, bit_of(tile, port->when[0] - 1));
        else
            fprintf(out, "{%u{out_o[%u] || out_o[%u]}};\n", bytes, bit_of(tile, port->when[0] - 1),
                    bit_of(tile, port->when[1] - 1));
    }
}

static void put_tile(FILE *out, const struct def_tile *tile)
{
    put_kept(out, tile);
    if (tile->n_small) {
        fputs("            if (Small != 0) begin : g_small\n", out);
        put_instance(out, tile, true);
        fputs("            end else begin : g_full\n", out);
        put_instance(out, tile, false);
        fputs("            end\n", out);
    } else {
        put_instance(out, tile, false);
    }
    uint32_t byte = 0;
    for (size_t i = 0; i < tile->out.count; i++) {
        uint32_t width = tile->out.items[i].width, bytes = (width + 7) / 8;
        if (width % 8)
            fprintf(out, "            assign out_o[%u +: %u] = 0;\n", 8 * byte + width,
                    8 * bytes - width);
        byte += bytes;
    }
    put_valid(out, tile);
}

void emit_packed_tile(FILE *out, const struct definition *def)
{
    fputs("// Generated from rtl/evgpu.def: a tile with its ports in two vectors of bytes.\n"
          "`default_nettype none\n`include \"evgpu_link.vh\"\n\nmodule packed_tile #(\n"
          "    parameter Kind    = 0, // `EVG_LINK_...\n"
          "    parameter InBits  = 8, // of that kind\n"
          "    parameter OutBits = 8,\n"
          "    parameter Small   = 0  // 1: reduced, docs/design/fpga.md\n) (\n    input  wire "
          "clk_i,\n   "
          " input  wire rst_i,\n"
          "    input  wire [InBits-1:0]  in_i,\n    output wire [OutBits-1:0] out_o,\n"
          "    output wire [OutBits/8-1:0] valid_o // bytes of ports that have a value\n);\n\n"
          "    genvar i;\n    generate\n",
          out);
    for (size_t i = 0; i < def->n_tiles; i++) {
        fprintf(out, "        if (Kind == %zu) begin : g_%s\n", i, def->tiles[i].name);
        put_tile(out, &def->tiles[i]);
        fputs("        end\n", out);
    }
    fputs("    endgenerate\n\nendmodule\n`default_nettype wire\n", out);
}
