# The generator of constants and ports: errors name file and line, unchanged output is not rewritten.
. tests/e2e/lib.sh.inc
defgen=$build/defgen

rejects() { # LINE-OF-ERROR TEXT CONTENTS...
    line=$1
    text=$2
    shift 2
    printf '%s\n' "$@" >"$work/x.def"
    fails_with 1 "$work/x.def:$line: $text" "$defgen" "$work/x.def" "$work"
}

rejects_file() { # TEXT CONTENTS...: an error of the whole file
    text=$1
    shift
    printf '%s\n' "$@" >"$work/x.def"
    fails_with 1 "$work/x.def: $text" "$defgen" "$work/x.def" "$work"
}

check "unknown keyword" rejects 2 "expected const, enum, flags, record, field, tile, device, block, in, out, small, variant, regs, reg or bits, found 'constant'" \
    "# first" "constant A 1"
check "constant without value" rejects 1 "number missing after 'A'" "const A"
check "constant that is no number" rejects 1 "expected a number in 0..2147483647, found '12x'" "const A 12x"
check "constant out of range" rejects 1 "expected a number in 0..2147483647, found '4294967296'" "const A 4294967296"
check "negative constant" rejects 1 "expected a number in 0..2147483647, found '-1'" "const A -1"
check "text after a constant" rejects 1 "unexpected text 'B'" "const A 1 B"
check "constant twice" rejects 3 "second definition of constant 'A'" "const A 1" "" "const A 2"
check "bad name" rejects 1 "const: not a name" "const 1A 1"
check "enum without states" rejects 1 "enum without states: 'e'" "enum e # A B"
check "state twice" rejects 1 "second state 'A'" "enum e A B A"
check "field outside a record" rejects 1 "field outside a record" "field a 1"
check "field without a width" rejects 2 "width missing after 'a'" "record r" "field a"
check "field of width 0" rejects 2 "expected a number in 1..4096, found '0'" "record r" "field a 0"
check "field twice" rejects 3 "second definition of field 'a'" "record r" "field a 1" "field a 2"
check "field named width" rejects 2 "field with the name of the record's own size: 'width'" "record r" "field width 1"
check "field of an unknown record" rejects 2 "field: no such record above it: 's'" "record r" "field a s"
check "field of its own record" rejects 3 "field: no such record above it: 'r'" "record r" "field a 1" "field b r"
check "text after a field" rejects 2 "unexpected text '2'" "record r" "field a 1 2"
check "record twice" rejects 3 "second definition of record 'r'" "record r" "field a 1" "record r"
check "record like an enum" rejects 2 "record with the name of an enum: 'e'" "enum e A" "record e"
check "record without fields" rejects_file "record r needs at least one field" "record r"
check "port outside a tile" rejects 1 "port outside a tile" "in a 1"
check "port of width 0" rejects 2 "expected a number in 1..4096, found '0'" "tile t" "in a 0"
check "port twice" rejects 3 "second definition of port 'a'" "tile t" "in a 1" "in a 2"
check "when without a port" rejects 3 "when without a name" "tile t" "out a 1" "out b 1 when"
check "when of a port below it" rejects 2 "when: no such output of one bit above it: 'b'" "tile t" "out a 1 when b" "out b 1"
check "when of a port of two bits" rejects 3 "when: no such output of one bit above it: 'a'" "tile t" "out a 2" "out b 1 when a"
check "or without a port" rejects 3 "or without a name" "tile t" "out a 1" "out b 1 when a or"
check "or of a port below it" rejects 3 "when: no such output of one bit above it: 'c'" "tile t" "out a 1" "out b 1 when a or c" "out c 1"
check "text after or" rejects 3 "unexpected text 'or'" "tile t" "out a 1" "out b 1 when a or a or a"
check "when of an input" rejects 2 "unexpected text 'when'" "tile t" "in a 1 when b"
check "small outside a tile" rejects 1 "small outside a tile" "small a 0x1"
check "small of an unknown port" rejects 3 "small: no such input above it: 'b'" "tile t" "in a 1" "small b 0x1"
check "small without a mask" rejects 3 "expected a mask 0x... that fits port 'a'" "tile t" "in a 1" "small a"
check "small with a mask too wide" rejects 3 "expected a mask 0x... that fits port 'a'" "tile t" "in a 3" "small a 0x8"
check "small with a mask that is none" rejects 3 "expected a mask 0x... that fits port 'a'" "tile t" "in a 9" "small a 0x1g"
check "small twice" rejects 4 "second mask of port 'a'" "tile t" "in a 1" "small a 0x1" "small a 0x1"
check "small parameter without value" rejects 3 "number missing after 'N'" "tile t" "in a 1" "small N"
check "variant of no tile" rejects 1 "variant: no such tile above it: 't'" "variant v t N 1"
check "variant without parameters" rejects 3 "variant without parameters: 'v'" "tile t" "in a 1" "variant v t"
check "variant of a port" rejects 3 "variant: not a Verilog parameter: 'a'" "tile t" "in a 1" "variant v t a 1"
check "variant twice" rejects 3 "second definition of variant 'v'" "tile t" "variant v t N 1" "variant v t N 2"
check "variant like a tile" rejects 2 "variant with the name of a tile: 't'" "tile t" "variant t t N 1"
check "block like a tile" rejects 2 "second definition of tile 't'" "tile t" "block t"
check "map twice" rejects 2 "second definition of regs 'm'" "regs m" "regs m"
check "register outside a map" rejects 1 "reg outside a map" "reg R 0"
check "register without an offset" rejects 2 "number missing after 'R'" "regs m" "reg R"
check "register between words" rejects 2 "reg: its offset must be a multiple of 4 above the last one: 'R'" "regs m" "reg R 2"
check "register at the offset of another" rejects 4 "reg: its offset must be a multiple of 4 above the last one: 'S'" \
    "regs m" "reg R 4" "bits a 1 rw" "reg S 4"
check "register twice" rejects 4 "second definition of reg 'R'" "regs m" "reg R 0" "bits a 1 rw" "reg R 4"
check "bits outside a register" rejects 2 "bits outside a reg" "regs m" "bits a 1 rw"
check "bits without an access" rejects 3 "bits: expected rw, ro, const, w1c or w1p, found" "regs m" "reg R 0" "bits a 1"
check "33 bits" rejects 4 "bits: more than 32 bits with 'b'" "regs m" "reg R 0" "bits a 31 rw" "bits b 2 ro"
check "bits of a value too large" rejects 3 "bits: the value does not fit 'a'" "regs m" "reg R 0" "bits a 2 const 4"
check "bits of an unknown constant" rejects 3 "bits: no such constant above it: 'N'" "regs m" "reg R 0" "bits a 2 const N"
check "bits that hardware writes, with a value" rejects 3 "bits: only rw and const have a value, not 'a'" "regs m" "reg R 0" "bits a 2 ro 1"
check "bits twice" rejects 4 "second definition of bits 'a'" "regs m" "reg R 0" "bits a 2 ro" "bits a 1 ro"
check "map without registers" rejects_file "map m needs at least one reg" "regs m"
check "register without bits" rejects_file "reg R needs at least one line of bits" "regs m" "reg R 0"
check "missing file" fails_with 1 "none.def: cannot be opened" "$defgen" none.def "$work"
check "missing directory" fails_with 1 "/nonexistent/evgpu_defs.vh" "$defgen" rtl/evgpu.def /nonexistent
check "usage" fails_with 2 "usage: defgen DEF OUTDIR [VIEWS]" "$defgen"

# The first field of a record is its highest bits; a field may be a record.
# 65 bits take three words in C, 64 take one field; padding is declared; names are in upper case.
printf '%s\n' "const N 7 # seven" "enum colour red GREEN blue" "record point" "field x 12" "field y 4" \
    "record line" "field from point # its start" "field drawn 1" "field to point" "tile t" "in a 1" "in w 65" "in q 64" \
    "out o 9" "out p 1" "out d 7 when p" "out r 1" "out e 7 when p or r" "small w 0x10000000200000003" "small N 5" "variant v t BigN 9 K 0" \
    "block k" "in a 1" "out b 1" "regs m" "reg R 0 # first" "bits low 3 rw 5" "bits unused 1" "bits set 2 w1c" "bits on 1 w1p" \
    "reg S 8" "bits n 4 const N" "bits all 9 ro" >"$work/y.def"
check "generates" "$defgen" "$work/y.def" "$work"
check "words" grep -q 'uint32_t w\[3\]' "$work/t.h"
check "scalar" grep -q 'uint64_t q;' "$work/t.h"
check "padding" grep -q 'uint8_t pad0_\[3\];' "$work/t.h"
check "constant in C" grep -q 'EVG_N = 7,' "$work/evgpu_defs.h"
check "constant in Verilog" grep -q '`define EVG_N 7' "$work/evgpu_defs.vh"
check "state in C" grep -q 'COLOUR_GREEN = 1,' "$work/evgpu_defs.h"
check "state in Verilog" grep -q "\`define EVG_COLOUR_BLUE 2'd2" "$work/evgpu_defs.vh"
check "width of a record" grep -qx '`define EVG_LINE_WIDTH 33' "$work/evgpu_defs.vh"
check "first field" grep -qx '`define EVG_LINE_FROM 32:17' "$work/evgpu_defs.vh"
check "field of one bit" grep -qx '`define EVG_LINE_DRAWN 16' "$work/evgpu_defs.vh"
check "last field" grep -qx '`define EVG_LINE_TO 15:0' "$work/evgpu_defs.vh"
check "lowest bit of a field" grep -qx '`define EVG_LINE_FROM_LSB 17' "$work/evgpu_defs.vh"
check "width of a field" grep -qx '`define EVG_POINT_X_WIDTH 12' "$work/evgpu_defs.vh"
check "state names for waveforms" grep -qx '2 BLUE' "$work/colour.filter"
check "reduced input" grep -q '^static const uint8_t t_w_small\[\] = {0x03, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01};' "$work/t_kind.h"
check "reduced parameter" grep -q 't #(\.N(5)) tile' "$work/packed_tile.v"
check "output with a value at times" grep -q '{"d", 7, .*, NULL, {2, 0}},' "$work/t_kind.h"
check "output with a value in two cases" grep -q '{"e", 7, .*, NULL, {2, 4}},' "$work/t_kind.h"
check "flags of a variant" sh -c "printf -- '-GBigN=9\\n-GK=0\\n' | cmp - $work/v.flags"
check "model of a variant" grep -q 'p.big_n = 9;' "$work/v_kind.h"
check "ports of a variant" grep -q 'in_ports = t_in_ports' "$work/v_kind.h"
check "shim of a variant" grep -q 'using Top = Vv;' "$work/v_shim.cpp"
check "shim of a block, which has no model" sh -c "grep -q 'using Top = Vk;' $work/k_shim.cpp && ! grep -q model $work/k.h"
check "a block is on no board" sh -c "! grep -qw k $work/packed_tile.v"
check "bits of a register" grep -qx '`define EVG_M_R_SET 5:4' "$work/m_regs.vh"
check "... of a later one" grep -qx '`define EVG_M_S_ALL 76:68' "$work/m_regs.vh"
check "what software writes" grep -qx "\`define EVG_M_REGS_STORED 128'h00000000_00000000_00000000_00000007" "$work/m_regs.vh"
check "reset values" grep -qx "\`define EVG_M_REGS_RESET 128'h00000000_00000007_00000000_00000005" "$work/m_regs.vh"
check "words that are there" grep -qx "\`define EVG_M_REGS_MAPPED 4'b0101" "$work/m_regs.vh"
check "offset in C" grep -qx '    EVG_M_S = 0x008,' "$work/m_regs.h"
check "masks in C" grep -qF 'X(R, 0x000u, 0x00000007u, 0x00000030u, 0x00000040u, 0x00000000u, 0x00000005u)' "$work/m_regs.h"
check "row of the table" grep -qxF '| 0x000 | `R` | 2..0 | `low` | rw | 5 | first |' "$work/m_regs.md"
check "field in SystemRDL" grep -qF '} \set[5:4] = 0x0;' "$work/m_regs.rdl"

# GTKWave views of that definition
rejects_view() { # LINE-OF-ERROR TEXT LINES...
    line=$1
    text=$2
    shift 2
    printf '%s\n' "$@" >"$work/x.views"
    fails_with 1 "$work/x.views:$line: $text" "$defgen" "$work/y.def" "$work" "$work/x.views"
}
check "view without a zoom" rejects_view 2 "expected view NAME ZOOM" "# first" "view v" "  at s t"
check "view twice" rejects_view 3 "second view 'v'" "view v 0" " at s t" "view v 0" " at s t"
check "view within a view" rejects_view 2 "a view within a view: 'w'" "view v 0" " view w 0" "  at s t"
check "view with nothing in it" rejects_view 1 "nothing is indented below 'view v 0'" "view v 0" "at s t"
check "lines below what is no block" rejects_view 3 "unexpected indentation" "view v 0" " at s t" "  bin a_i"
check "lines of a block at two indentations" rejects_view 3 "unexpected indentation" "view v 0" "  at s t" " bin a_i"
check "signal outside a view" rejects_view 1 "signals outside a view" "bin a_i"
check "group outside a view" rejects_view 1 "a group outside a view: 'g'" "group g" " at s t"
check "group without a name" rejects_view 2 "a name is missing after 'group'" "view v 0" " group" "  at s t"
check "signal without a place" rejects_view 2 "signals outside a view, or without" "view v 0" " bin a_i"
check "unknown format" rejects_view 3 "neither a keyword nor a format: 'octal'" "view v 0" " at s t" " octal a_i"
check "colour without a format" rejects_view 3 "neither a keyword nor a format: 'a_i'" "view v 0" " at s t" " red a_i"
check "format without a signal" rejects_view 3 "a format without a signal" "view v 0" " at s t" " bin"
check "unknown port" rejects_view 3 "the tile has no such port: 'b_i'" "view v 0" " at s t" " bin b_i"
check "port with the other direction" rejects_view 3 "the tile has no such port: 'a_o'" "view v 0" " at s t" " bin a_o"
check "port of what is no tile" rejects_view 3 "not a tile with ports: 's'" "view v 0" " at s" " bin a_i"
check "enumeration of other width" rejects_view 3 "the enumeration differs in width from port 'a_i'" "view v 0" " at s t" " colour a_i"
check "signal of no bits" rejects_view 3 "a signal has at least one bit, not '0'" "view v 0" " at s t" " bin .x 0"
check "width that is no number" rejects_view 3 "neither a number up to 4096 nor a constant: 'M'" "view v 0" " at s t" " bin .x M"
check "label of two signals" rejects_view 3 "one label for several signals: 'l'" "view v 0" " at s t" " bin a_i w_i = l"
check "unknown part" rejects_view 2 "no such part: 'p'" "view v 0" " use p"
check "part twice" rejects_view 3 "not a new part: 'p'" "part p" " at s t" "part p" " at s t"
check "part within a part" rejects_view 3 "not a new part: 'q'" "view v 0" " at s t" " part q" "  at s t"
check "part that uses itself" rejects_view 2 "blocks and parts are nested too deep" "part p" " use p" "view v 0" " use p"
check "loop without an end" rejects_view 2 "expected for NAME [FROM] END" "view v 0" " for i" "  at s t"
check "unknown variable" rejects_view 3 "no such variable: 'j'" "view v 0" " for i 2" "  at s\$j"
check "missing views" fails_with 1 "none.views: " "$defgen" "$work/y.def" "$work" "$work/none.views"

printf '%s\n' "part p # of two loops" "  closed g \$i" "    at m" "    red hex .x[\$i] N = l \$i" "view v -14" "  about first" \
    "  at s t" "  for i 1 3" "    use p" "  bin clk_i a_i w_i" "  at m" "  colour .c" "  at s t" "  bin .d.e" >"$work/y.views"
check "generates views" "$defgen" "$work/y.def" "$work" "$work/y.views"
cat >"$work/wanted" <<END
@c00200
-g 1
@22
[color] 1
+{l 1} m.m.x[1][6:0]
@1401200
-g 1
@c00200
-g 2
@22
[color] 1
+{l 2} m.m.x[2][6:0]
@1401200
-g 2
@28
s.clk_i
@28
s.a_i
@28
s.w_i[64:0]
@2022
^1 $work/colour.filter
m.m.c[1:0]
@28
s.t.d.e
END
check "signals of a view" sh -c "sed '1,/sst_expanded/d' $work/v.gtkw | diff $work/wanted -"
check "comment of a view" sh -c "head -n 1 $work/v.gtkw | grep -qx '\[\*\] first'"
check "zoom of a view" grep -q '^\*-14.000000 -1 ' "$work/v.gtkw"
touch -d 2001-01-01 "$work/t.h" "$work/v.gtkw"
check "generates again" "$defgen" "$work/y.def" "$work" "$work/y.views"
check "unchanged files keep their time" sh -c "test \$(find $work/t.h $work/v.gtkw ! -newermt 2002-01-01 | wc -l) -eq 2"
finish
