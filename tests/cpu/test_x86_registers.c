#include "sim/cpu/trace/x86_registers.h"
#include "tests/unit.h"

enum {
    SI = 3,
    DI = 4,
    BP = 5,
    SP = 6,
    BX = 7,
    DX = 8,
    CX = 9,
    AX = 10,
    R8 = 11,
    FLAGS = 25,
    IP = 26
};

static bool has(const uint8_t *list, uint32_t room, const uint8_t *want)
{
    uint32_t n = 0, wanted = 0;
    for (uint32_t i = 0; i < room; i++)
        n += list[i] != 0;
    for (; want[wanted]; wanted++) {
        if (!memchr(list, want[wanted], room))
            return false;
    }
    return n == wanted;
}

static void what_instructions_read_and_write(void **state)
{
    (void)state;
    static const struct {
        const char *text, *bytes;
        uint32_t size;
        bool branch;
        uint8_t source[5], target[3];
    } cases[] = {
        {"mov rax, [rbx + 4 * r8]", "\x4A\x8B\x04\x83", 4, false, {BX, R8}, {AX}},
        {"mov eax, [rip + 1]", "\x8B\x05\x01\x00\x00\x00", 6, false, {0}, {AX}},
        {"add rax, rdx", "\x48\x01\xD0", 3, false, {AX, DX}, {AX, FLAGS}},
        {"xor eax, eax", "\x31\xC0", 2, false, {0}, {AX, FLAGS}},
        {"xor eax, ecx", "\x31\xC8", 2, false, {AX, CX}, {AX, FLAGS}},
        {"cmp [rsi], rdi", "\x48\x39\x3E", 3, false, {SI, DI}, {FLAGS}},
        {"div rcx", "\x48\xF7\xF1", 3, false, {AX, DX, CX}, {AX, DX}},
        {"push rbp", "\x55", 1, false, {BP, SP}, {SP}},
        {"pop rbp", "\x5D", 1, false, {SP}, {BP, SP}},
        {"lea rcx, [rax + rax]", "\x48\x8D\x0C\x00", 4, false, {AX}, {CX}},
        {"addsd xmm1, xmm9", "\xF2\x41\x0F\x58\xC9", 5, false, {65, 73}, {65}},
        {"pxor xmm3, xmm3", "\x66\x0F\xEF\xDB", 4, false, {0}, {67}},
        {"jne", "\x75\x10", 2, true, {IP, FLAGS}, {IP}},
        {"jmp", "\xEB\x10", 2, true, {0}, {IP}},
        {"jmp rax", "\xFF\xE0", 2, true, {AX}, {IP}},
        {"jmp [rip + 1]", "\xFF\x25\x01\x00\x00\x00", 6, true, {0}, {IP}},
        {"call", "\xE8\x10\x00\x00\x00", 5, true, {IP, SP}, {IP, SP}},
        {"call rdx", "\xFF\xD2", 2, true, {IP, SP, DX}, {IP, SP}},
        {"ret", "\xC3", 1, true, {SP}, {IP, SP}},
        {"syscall", "\x0F\x05", 2, false, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cpu_instruction x = {.ip = 1};
        if (!x86_registers((const uint8_t *)cases[i].bytes, cases[i].size, &x))
            fail_msg("%s is not decoded", cases[i].text);
        bool same = x.branch == cases[i].branch && (!strcmp(cases[i].text, "syscall") ||
                                                    (has(x.source, CPU_SOURCES, cases[i].source) &&
                                                     has(x.target, CPU_TARGETS, cases[i].target)));
        if (!same)
            fail_msg("%s: branch %u, reads %u %u %u %u, writes %u %u", cases[i].text, x.branch,
                     x.source[0], x.source[1], x.source[2], x.source[3], x.target[0], x.target[1]);
    }
}

static void other_lengths_are_no_instruction(void **state)
{
    (void)state;
    struct cpu_instruction x = {0};
    assert_false(x86_registers((const uint8_t *)"\x48\x01\xD0", 2, &x));
    assert_false(x86_registers((const uint8_t *)"\x90\x90", 2, &x));
    assert_false(x86_registers((const uint8_t *)"\x06", 1, &x)); /* not in 64-bit code */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_instructions_read_and_write),
        cmocka_unit_test(other_lengths_are_no_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
