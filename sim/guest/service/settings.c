#include "sim/guest/service/settings.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "base/suggest.h"

#define KEY_COLUMNS  18
#define LINE_COLUMNS 100

uint32_t settings_count(const struct setting_row *rows)
{
    uint32_t n = 0;
    while (rows[n].key)
        n++;
    return n;
}

void settings_default(const struct settings *s)
{
    for (uint32_t i = 0; s->rows[i].key; i++)
        s->values[i] = (struct setting_value){.number = s->rows[i].usual};
}

/* --- reading ------------------------------------------------------------------------------------
 */

char *settings_next(char **rest)
{
    char *item = *rest, *to = item;
    if (!item)
        return NULL;
    for (char *c = item;; c++) {
        if (*c == '\\' && (c[1] == ',' || c[1] == '\\')) {
            *to++ = *++c;
            continue;
        }
        if (*c && *c != ',') {
            *to++ = *c;
            continue;
        }
        *rest = *c ? c + 1 : NULL;
        *to = '\0';
        return item;
    }
}

struct setting setting_of(char *item)
{
    char *value = strchr(item, '=');
    if (value)
        *value++ = '\0';
    return (struct setting){item, value};
}

/* --- taking -------------------------------------------------------------------------------------
 */

/* "a, b or c" */
static const char *choice_names(const struct setting_row *row, char *text, size_t room)
{
    text[0] = '\0';
    for (uint32_t i = 0; row->choices[i]; i++) {
        size_t at = strlen(text);
        const char *between = !i ? "" : row->choices[i + 1] ? ", " : " or ";
        snprintf(text + at, room - at, "%s%s", between, row->choices[i]);
    }
    return text;
}

static bool take_choice(const struct setting_row *row, const char *text, uint64_t *number,
                        struct error *err)
{
    char names[200];
    for (uint32_t i = 0; text && row->choices[i]; i++) {
        if (!strcmp(text, row->choices[i])) {
            *number = i;
            return true;
        }
    }
    return error_set(err, "%s %s: must be %s", row->key, text ? text : "",
                     choice_names(row, names, sizeof names));
}

static bool take_number(const struct setting_row *row, const char *text, uint64_t *number,
                        struct error *err)
{
    if (!text)
        return error_set(err, "%s: needs a number, as %s=%" PRIu64, row->key, row->key,
                         row->least ? row->least : 1);
    if (!parse_whole(row->key, text, row->most, number, err))
        return false;
    if (*number < row->least)
        return error_set(err, "%s=%" PRIu64 ": must be %" PRIu64 " to %" PRIu64, row->key, *number,
                         row->least, row->most);
    if (row->multiple && *number % row->multiple)
        return error_set(err, "%s=%" PRIu64 ": must be a multiple of %" PRIu64, row->key, *number,
                         row->multiple);
    return !row->power_of_two || !(*number & (*number - 1)) ||
           error_set(err, "%s=%" PRIu64 ": must be a power of two", row->key, *number);
}

static bool take_value(const struct setting_row *row, const char *text, struct setting_value *value,
                       struct error *err)
{
    *value = (struct setting_value){.given = true, .number = 1, .text = text};
    switch (row->type) {
    case SETTING_NUMBER:
        return take_number(row, text, &value->number, err);
    case SETTING_CHOICE:
        return take_choice(row, text, &value->number, err);
    case SETTING_TEXT:
        return (text && *text) ||
               error_set(err, "%s: needs a value, as %s=%s", row->key, row->key, row->unit);
    case SETTING_FLAG:
        break;
    }
    return !text || error_set(err, "%s: takes no value", row->key);
}

static bool unknown(const struct settings *tables, uint32_t n_tables, const char *key,
                    struct error *err)
{
    char names[600] = "", hint[SUGGEST_MOST + 24];
    struct suggestion near = suggest(key);
    for (uint32_t t = 0; t < n_tables; t++) {
        for (const struct setting_row *row = tables[t].rows; row->key; row++) {
            size_t at = strlen(names);
            snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", row->key);
            suggest_offer(&near, row->key);
        }
    }
    return error_set(err, "no setting %s; there are %s%s", key, names,
                     suggest_text(&near, hint, sizeof hint));
}

bool settings_take(const struct settings *tables, uint32_t n_tables, const struct setting *setting,
                   struct error *err)
{
    for (uint32_t t = 0; t < n_tables; t++) {
        for (uint32_t i = 0; tables[t].rows[i].key; i++) {
            if (!strcmp(setting->key, tables[t].rows[i].key))
                return take_value(&tables[t].rows[i], setting->value, &tables[t].values[i], err);
        }
    }
    return unknown(tables, n_tables, setting->key, err);
}

static bool is_given(const struct settings *tables, uint32_t n_tables, const char *key)
{
    for (uint32_t t = 0; t < n_tables; t++) {
        for (uint32_t i = 0; tables[t].rows[i].key; i++) {
            if (tables[t].values[i].given && !strcmp(tables[t].rows[i].key, key))
                return true;
        }
    }
    return false;
}

bool settings_apply(const struct settings *tables, uint32_t n_tables, struct error *err)
{
    for (uint32_t t = 0; t < n_tables; t++) {
        for (uint32_t i = 0; tables[t].rows[i].key; i++) {
            const struct setting_row *row = &tables[t].rows[i];
            if (tables[t].values[i].given && row->replaced_by &&
                is_given(tables, n_tables, row->replaced_by))
                return error_set(err, "%s: does nothing with %s; leave one of them out", row->key,
                                 row->replaced_by);
        }
    }
    return true;
}

/* --- help ---------------------------------------------------------------------------------------
 */

/* Help, then in parentheses the range and the default. */
static void describe(const struct setting_row *row, char *text, size_t room)
{
    char range[200] = "", usual[40] = "";
    const char *said = row->usual_text;
    if (row->type == SETTING_FLAG) {
        snprintf(text, room, "%s", row->help);
        return;
    }
    if (row->type == SETTING_CHOICE) {
        choice_names(row, range, sizeof range);
        said = row->choices[row->usual];
    } else if (row->type == SETTING_NUMBER) {
        snprintf(usual, sizeof usual, "%" PRIu64, row->usual);
        said = said ? said : usual;
        if (row->most < UINT64_MAX)
            snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, row->least, row->most);
    }
    snprintf(text, room, "%s (%s%sdefault: %s)", row->help, range, *range ? "; " : "", said);
}

/* Words behind column KEY_COLUMNS, in lines of LINE_COLUMNS. */
static void print_wrapped(char *text, int column, FILE *to)
{
    for (char *word = strsep(&text, " "); word; word = strsep(&text, " ")) {
        if (column > KEY_COLUMNS && column + (int)strlen(word) >= LINE_COLUMNS)
            column = fprintf(to, "\n%*s", KEY_COLUMNS, "") - 1;
        else if (column > KEY_COLUMNS)
            column += fprintf(to, " ");
        column += fprintf(to, "%s", word);
    }
    fprintf(to, "\n");
}

void settings_print(const struct setting_row *rows, FILE *to)
{
    char text[400];
    for (const struct setting_row *row = rows; row->key; row++) {
        int n = fprintf(to, "%s%s%s", row->key, row->unit ? "=" : "", row->unit ? row->unit : "");
        describe(row, text, sizeof text);
        int column = n + fprintf(to, "%*s", n < KEY_COLUMNS - 1 ? KEY_COLUMNS - n : 2, "");
        print_wrapped(text, column > KEY_COLUMNS ? KEY_COLUMNS : column, to);
    }
}
