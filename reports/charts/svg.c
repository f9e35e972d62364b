#include "reports/charts/chart.h"

#include "base/html.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct page {
  struct text *out;
  const char *name, *title, *description;
};

/* The first of several texts that a tag holds names an id or refers to one. */
static size_t id_starts(const char *s) {
  static const char *const ways[] = {"id='", "id=\"", "href='#", "href=\"#", "url(#"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    size_t n = strlen(ways[i]);
    if (strncmp(s, ways[i], n) == 0)
      return n;
  }
  return 0;
}

/* The colour of a point that is there for its hover text alone: nobody sees it. */
static size_t unseen_colour(const char *s) {
  static const char colour[] = " color", unseen[] = " opacity='0.00'";
  if (strncmp(s, colour, sizeof colour - 1) != 0)
    return 0;
  size_t n = strcspn(s, "'");
  n += s[n] ? 1 + strcspn(s + n + 1, "'") : 0;
  return s[n] && strncmp(s + n + 1, unseen, sizeof unseen - 1) == 0 ? n + 1 : 0;
}

/* The bytes of an attribute that says what holds anyway: SVG's own default, or the root's font. */
static size_t needless(const char *s) {
  static const char *const attributes[] = {" font-family=\"DejaVu Sans\"", " stroke-linecap=\"butt\"",
                                           " stroke-linejoin=\"miter\"", " stroke-width=\"1.00\""};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    size_t n = strlen(attributes[i]);
    if (strncmp(s, attributes[i], n) == 0)
      return n;
  }
  return unseen_colour(s);
}

/* A blank that parts nothing: gnuplot writes "fill = 'rgb(  0, 158, 115)'". */
static bool blank_is_needless(const char *s) {
  return *s == ' ' && (s[1] == '=' || strchr(" ,(=", s[-1]));
}

/* The tag at s, which begins with '<', with its ids renamed; returns what follows it. */
static const char *tag_add(const struct page *p, const char *s) {
  for (; *s && *s != '>'; s++) {
    size_t n = isalpha((unsigned char)s[-1]) ? 0 : id_starts(s), skip = needless(s);
    if (skip) {
      s += skip - 1;
      continue;
    }
    if (blank_is_needless(s))
      continue;
    if (n == 0) {
      text_add_n(p->out, s, 1);
      continue;
    }
    text_add_n(p->out, s, n);
    html_id(p->out, p->name);
    text_add(p->out, "-");
    s += n - 1;
  }
  text_add(p->out, ">");
  return *s ? s + 1 : s;
}

static const char *behind(const char *s, const char *text) {
  const char *at = strstr(s, text);
  return at ? at + strlen(text) : s + strlen(s);
}

/* <svg ...> and the title and description that follow. */
static const char *head_add(const struct page *p, const char *s) {
  text_add(p->out, "<svg font-family=\"DejaVu Sans\" role=\"img\" aria-labelledby=\"");
  html_id(p->out, p->name);
  text_add(p->out, "-title\" aria-describedby=\"");
  html_id(p->out, p->name);
  text_add(p->out, "-desc\"");
  s = tag_add(p, s + strlen("<svg"));
  text_add(p->out, "\n<title id=\"");
  html_id(p->out, p->name);
  text_add(p->out, "-title\">");
  html_text(p->out, p->title);
  text_add(p->out, "</title>\n<desc id=\"");
  html_id(p->out, p->name);
  text_add(p->out, "-desc\">");
  html_text(p->out, p->description);
  text_add(p->out, "</desc>\n");
  return behind(s, "</desc>");
}

static bool group_is_empty(const char *s, const char **end) {
  const char *inside = behind(s, ">");
  inside += strspn(inside, " \t\n");
  if (strncmp(s, "<g", 2) != 0 || !isspace((unsigned char)s[2]) || strncmp(inside, "</g>", 4) != 0)
    return false;
  *end = inside + 4;
  *end += strspn(*end, " \t\n");
  return true;
}

static const char *hover_add(const struct page *p, const char *s) {
  const char *text = behind(s, "showHypertext(evt,'"), *end = strstr(text, "')\" onmouseout=");
  if (!end)
    end = text + strlen(text);
  text_add(p->out, "<g><title>");
  for (; text < end; text++)
    if (*text == '>')
      text_add(p->out, "&gt;");
    else
      text_add_n(p->out, text, 1); /* < and & are escaped there */
  text_add(p->out, "</title>");
  return behind(end, "</title>");
}

void svg_clean(struct text *out, const char *svg, const char *name, const char *title, const char *description) {
  static const char hover[] = "<g onmousemove=\"gnuplot_svg.showHypertext(", plot[] = "<g id=\"gnuplot_plot_";
  const struct page page = {out, name, title, description};
  const char *s = strstr(svg, "<svg"), *end;
  if (!s)
    return;
  s = head_add(&page, s);
  while (*s) {
    if (strncmp(s, hover, sizeof hover - 1) == 0) {
      s = hover_add(&page, s);
    } else if (strncmp(s, plot, sizeof plot - 1) == 0) {
      text_add(out, "<g>"); /* its title is the script's own text, or a number */
      s = behind(s, "</title>");
    } else if (group_is_empty(s, &end)) {
      s = end;
    } else if (*s == '<') {
      text_add(out, "<");
      s = tag_add(&page, s + 1);
    } else if (*s == '\t' || (*s == '\n' && (s[1] == '\n' || s[1] == '\t'))) {
      s++; /* the indent of its own lines */
    } else {
      text_add_n(out, s, 1);
      s++;
    }
  }
}
