#include "base/html.h"

/* Tables and pictures lie in div.wide; figure.small fit beside each other as often as there is
 * room.
 */
static const char style[] =
    "<style>\n"
    ":root{color-scheme:light}\n"
    "body{font:16px/1.5 sans-serif;max-width:1080px;margin:0 auto;padding:12px;color:#222222;"
    "background:#ffffff}\n"
    "h1{font-size:28px;line-height:1.2}h2{font-size:22px;margin-top:2em;border-bottom:1px solid "
    "#cccccc}h3{font-size:18px}\n"
    "a{color:#0b57a4;background:#ffffff}\n"
    "code,pre{font:14px/1.5 monospace;color:#222222;background:#f2f2f2}"
    "pre{padding:8px;overflow-x:auto}\n"
    "div.wide{overflow-x:auto;margin:1em 0}\n"
    "table{border-collapse:collapse;font-size:14px}"
    "caption{text-align:left;font-weight:bold;padding:4px 0}\n"
    "td,th{border:1px solid #cccccc;padding:3px 8px;text-align:right;vertical-align:top}"
    "td.text,th.text{text-align:left}\n"
    "thead th{color:#222222;background:#eeeeee}\n"
    "figure{margin:0}figcaption{font-size:14px}\n"
    "svg{width:100%;height:auto;display:block}img{max-width:100%;height:auto}\n"
    "div.wide>figure{min-width:720px;max-width:1000px}\n"
    "div.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(350px,100%),1fr));"
    "gap:16px;margin:1em 0}\n"
    "div.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:8px;"
    "margin:1em 0}\n"
    "p.note,footer,i{font-size:14px;color:#555555;background:#ffffff}"
    "footer{margin-top:3em;border-top:1px solid #cccccc}\n"
    "b.good{color:#00663d;background:#ffffff}b.bad{color:#b00020;background:#ffffff}\n"
    "@media (max-width:600px){h1{font-size:24px}h2{font-size:20px}}\n"
    "@media print{body{max-width:none;padding:0}div.wide{overflow:visible}"
    "div.wide>figure{min-width:0!important}h2,h3{break-after:avoid}figure,tr{break-inside:avoid}"
    "table{font-size:12px}pre{white-space:pre-wrap}}\n"
    "</style>\n";

void html_style(FILE *out)
{
    fputs(style, out);
}

void html_begin(FILE *out, const char *title)
{
    fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>");
    html_text(out, title);
    fprintf(out, "</title>\n%s</head><body>\n", style);
}

void html_end(FILE *out)
{
    fprintf(out, "</body></html>\n");
}

void html_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
}

void html_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_text(out, text);
    fprintf(out, "</%s>", tag);
}
