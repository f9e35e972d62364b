#include "run/device.h"

#include "base/array.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/text.h"
#include "run/record.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern const struct embedded run_embedded_devices[];

enum { DEVICE_FILE_MAX = 1 << 20 };

static const char remedy[] = "correct it, or restore it";

const char *ceiling_kind_name(enum ceiling_kind k) {
  return k >= CEILING_DATASHEET && k <= CEILING_PUBLISHED ? record_ceiling_names[k] : "unknown";
}

bool device_id(size_t i, char id[DEVICE_ID_MAX]) {
  static const char folder[] = "devices/";
  for (const struct embedded *f = run_embedded_devices; f->name; f++)
    if (i-- == 0) {
      const char *stem = f->name + sizeof folder - 1;
      snprintf(id, DEVICE_ID_MAX, "%.*s", (int)strcspn(stem, "."), stem);
      return true;
    }
  return false;
}

void device_release(struct device *d) {
  record_release(&record_device, d);
}

int device_save(const struct device *d, const char *path, struct err *e) {
  return record_save(&record_device, d, path, e);
}

/* A curve's points are pairs. */
static int curves_verify(const struct device *d, const char *name, struct err *e) {
  for (size_t i = 0; i < d->n_curves; i++)
    if (d->curves[i].n_x != d->curves[i].n_y)
      return err_set(e, ERR_DATA, "%s: curves[%zu]: %zu values of x and %zu of y; %s", name, i, d->curves[i].n_x,
                     d->curves[i].n_y, remedy);
  return 0;
}

static int embedded_load(struct device *d, const char *id, struct err *e) {
  char name[64];
  snprintf(name, sizeof name, "devices/%s.json", id);
  for (const struct embedded *f = run_embedded_devices; f->name; f++)
    if (strcmp(f->name, name) == 0)
      return record_parse(&record_device, d, &(struct record_text){name, f->data, f->n, remedy, false}, e);
  return err_set(e, ERR_DATA, "%s is not in this build", name);
}

static int unknown_device(const char *id, struct err *e) {
  struct text known = {0};
  char each[DEVICE_ID_MAX];
  for (size_t i = 0; device_id(i, each); i++)
    text_printf(&known, "%s%s", i > 0 ? ", " : "", each);
  err_set(e, ERR_USAGE, "unknown device '%s'; known: %s; or give the path of a device .json", id, text_str(&known));
  text_release(&known);
  return ERR_USAGE;
}

int device_load(struct device *d, const char *id_or_path, struct err *e) {
  memset(d, 0, sizeof *d);
  char id[DEVICE_ID_MAX];
  for (size_t i = 0; device_id(i, id); i++)
    if (strcasecmp(id, id_or_path) == 0)
      return embedded_load(d, id, e);
  if (!strchr(id_or_path, '/') && !str_ends(id_or_path, ".json"))
    return unknown_device(id_or_path, e);
  char *json = NULL;
  size_t n = 0;
  int rc = file_read(id_or_path, DEVICE_FILE_MAX, &json, &n, e);
  if (rc == 0)
    rc = record_parse(&record_device, d, &(struct record_text){id_or_path, json, n, remedy, false}, e);
  if (rc == 0 && (rc = curves_verify(d, id_or_path, e)) != 0)
    device_release(d);
  free(json);
  return rc;
}

/* The id as a word of its own: a GH200 is not an H200, nor a GB200 a B200. */
static bool name_holds(const char *name, const char *id) {
  for (const char *at = name; (at = strcasestr(at, id)) != NULL; at++) {
    bool starts = at == name || !isalnum((unsigned char)at[-1]);
    if (starts && !isalnum((unsigned char)at[strlen(id)]))
      return true;
  }
  return false;
}

/* "NVIDIA H100 80GB HBM3" -> "nvidia-h100-80gb-hbm3" */
static char *id_of_name(const char *name) {
  char *id = str_copy(name);
  for (char *c = id; *c; c++)
    *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
  return id;
}

static void string_replace(char **at, char *s) {
  free(*at);
  *at = s;
}

/* Cards of one name differ by less where only the clock's last digits do. */
static const double SAME_MEMORY = 0.005;

static double driver_bandwidth(const struct run_device *r) {
  return r->memory_clock_hz > 0 && r->memory_bus_bits > 0 ? r->memory_clock_hz * 2 * r->memory_bus_bits / 8 : 0;
}

/* What others reached with the description's memory, by what the card's has of it. */
static void bandwidths_scale(struct device *d, const struct run_device *r, double ratio) {
  for (size_t i = 0; i < d->n_ceilings; i++) {
    struct ceiling *c = &d->ceilings[i];
    bool reached = c->kind == CEILING_MEASURED || c->kind == CEILING_PUBLISHED;
    if (!reached || strncmp(c->name, "dram_", 5) != 0 || strcmp(c->unit, "B/s") != 0)
      continue;
    c->value *= ratio;
    string_replace(&c->source, str_printf("times %.3f, as this card's memory has %.0f MHz and %d bit; %s", ratio,
                                          r->memory_clock_hz / 1e6, r->memory_bus_bits, c->source ? c->source : ""));
  }
}

/* Both edges of the clock move data; a card that tells no bus or no clock gets no ceiling. */
static void driver_bandwidth_add(struct device *d, const struct run_device *r) {
  if (driver_bandwidth(r) <= 0)
    return;
  struct ceiling *old = (struct ceiling *)device_ceiling(d, "dram_bw", CEILING_DRIVER);
  if (!old) {
    old = array_add(&d->ceilings, &d->n_ceilings, sizeof *old);
    *old = (struct ceiling){.name = str_copy("dram_bw"), .unit = str_copy("B/s"), .kind = CEILING_DRIVER};
  }
  double ratio = old->value > 0 ? driver_bandwidth(r) / old->value : 1;
  if (fabs(ratio - 1) > SAME_MEMORY)
    bandwidths_scale(d, r, ratio);
  old->value = driver_bandwidth(r);
  string_replace(&old->source, str_printf("driver of this card: %.0f MHz x 2 x %d bit / 8", r->memory_clock_hz / 1e6,
                                          r->memory_bus_bits));
}

/* What the card says of itself goes before what is known of its kind; 0 is what a card did not say. */
static void card_over(struct device *d, const struct run_device *r) {
  if (!d->id)
    d->id = id_of_name(r->name);
  string_replace(&d->name, str_copy(r->name));
  if (r->chip)
    string_replace(&d->chip, str_copy(r->chip));
  if (!d->arch)
    d->arch = str_printf("sm_%d", r->sm);
  d->sm = r->sm > 0 ? r->sm : d->sm;
  d->sms = r->sms > 0 ? r->sms : d->sms;
  d->warps_per_sm = r->warps_per_sm > 0 ? r->warps_per_sm : d->warps_per_sm;
  d->regs_per_sm = r->regs_per_sm > 0 ? r->regs_per_sm : d->regs_per_sm;
  d->smem_per_sm = r->smem_per_sm > 0 ? r->smem_per_sm : d->smem_per_sm;
  d->smem_optin = r->smem_optin > 0 ? r->smem_optin : d->smem_optin;
  d->clock_max_hz = r->clock_max_hz > 0 ? r->clock_max_hz : d->clock_max_hz;
  d->l2_bytes = r->l2_bytes > 0 ? r->l2_bytes : d->l2_bytes;
  driver_bandwidth_add(d, r);
}

/* How well the description is of a card of that name: the letters of its longest glob that fits; 0: not at all. */
static size_t names_card(const struct device *d, const char *name) {
  size_t best = d->n_cards == 0 && name_holds(name, d->id) ? strlen(d->id) : 0;
  for (size_t i = 0; i < d->n_cards; i++)
    if (str_glob(d->cards[i], name) && strlen(d->cards[i]) > best)
      best = strlen(d->cards[i]);
  return best;
}

bool device_names(const struct device *d, const char *card) {
  return (d->name && strcmp(d->name, card) == 0) || names_card(d, card) > 0;
}

/* The embedded description of a card's name; all zero where there is none. */
static int description_of(struct device *d, const char *name, struct err *e) {
  char id[DEVICE_ID_MAX];
  size_t best = 0;
  int rc = 0;
  memset(d, 0, sizeof *d);
  for (size_t i = 0; rc == 0 && device_id(i, id); i++) {
    struct device one = {0};
    rc = embedded_load(&one, id, e);
    size_t fits = rc ? 0 : names_card(&one, name);
    if (fits > best) {
      device_release(d);
      *d = one;
      best = fits;
    } else {
      device_release(&one);
    }
  }
  if (rc)
    device_release(d);
  return rc;
}

int device_from_run(struct device *d, const struct run_device *r, struct err *e) {
  memset(d, 0, sizeof *d);
  if (!r->name)
    return err_set(e, ERR_DATA, "the run names no device");
  int rc = description_of(d, r->name, e);
  if (rc == 0)
    card_over(d, r);
  return rc;
}

bool device_differs(const struct run_device *r, struct text *how) {
  struct device d;
  size_t before = how->n;
  if (!r->name || description_of(&d, r->name, NULL) != 0 || !d.id)
    return false;
  const struct ceiling *memory = device_ceiling(&d, "dram_bw", CEILING_DRIVER);
  double bandwidth = driver_bandwidth(r);
  if (r->sms > 0 && d.sms > 0 && r->sms != d.sms)
    text_printf(how, "%d SMs, but %d in the description %s", r->sms, d.sms, d.id);
  if (r->sm > 0 && d.sm > 0 && r->sm != d.sm)
    text_printf(how, "%scompute capability %d.%d, but %d.%d in the description %s", how->n > before ? "; " : "",
                r->sm / 10, r->sm % 10, d.sm / 10, d.sm % 10, d.id);
  if (bandwidth > 0 && memory && fabs(bandwidth / memory->value - 1) > SAME_MEMORY)
    text_printf(how, "%smemory of %.0f MHz and %d bit (%.3f TB/s), but %.3f TB/s in the description %s",
                how->n > before ? "; " : "", r->memory_clock_hz / 1e6, r->memory_bus_bits, bandwidth / 1e12,
                memory->value / 1e12, d.id);
  device_release(&d);
  return how->n > before;
}

const struct ceiling *device_ceiling(const struct device *d, const char *name, enum ceiling_kind kind) {
  for (size_t i = 0; i < d->n_ceilings; i++)
    if (d->ceilings[i].kind == kind && strcmp(d->ceilings[i].name, name) == 0)
      return &d->ceilings[i];
  return NULL;
}

const struct ceiling *device_best(const struct device *d, const char *name) {
  static const enum ceiling_kind order[] = {CEILING_MEASURED, CEILING_PUBLISHED, CEILING_DRIVER, CEILING_DATASHEET};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    const struct ceiling *c = device_ceiling(d, name, order[i]);
    if (c)
      return c;
  }
  return NULL;
}
