"""check.py PRINT_SCHEMA ROOT [--update]: docs/run.schema.json has the structure of the rows of run/fields.c, with a description of each field, and every
run file of this tree goes by it.  --update writes the structure anew and keeps the descriptions."""
import copy
import glob
import gzip
import json
import subprocess
import sys

HEAD = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A run of nvfp4-prof"}
FILES = ["recorded/*.json.gz", "tests/corpus/*.json.gz", "tests/fixtures/*.json.gz", "tests/golden/small.json", "tests/golden/planted.json.gz",
         "tests/fuzz/seeds/run/small.json", "tests/fuzz/seeds/merge/*.json"]
KEPT = 12  # elements of an array: what comes after is alike


def parts(schema):
    """(where, schema) of each field within."""
    for name, field in schema.get("properties", {}).items():
        yield name, field
    for field in schema.get("prefixItems", []):
        yield field["title"], field
    if "items" in schema:
        yield "[]", schema["items"]


def described(schema, at=""):
    """{place: description}, None where a field has none."""
    out = {}
    for name, field in parts(schema):
        place = f"{at}.{name}" if at else name
        if name != "[]":
            out[place] = field.get("description")
        out.update(described(field, place))
    return out


def with_descriptions(schema, texts, at=""):
    """The schema, its fields described first, or not at all."""
    schema = dict(schema)
    for key in ("properties", "prefixItems", "items"):
        if key not in schema:
            continue
        fields = [(name, field) for name, field in parts({key: schema[key]})]
        new = []
        for name, field in fields:
            place = f"{at}.{name}" if at else name
            field = with_descriptions({k: v for k, v in field.items() if k != "description"}, texts, place)
            new.append((name, {**({"description": texts[place]} if texts.get(place) else {}), **field}))
        schema[key] = dict(new) if key == "properties" else [f for _, f in new] if key == "prefixItems" else new[0][1]
    return schema


def closed(schema):
    """The schema that takes no field which it does not have."""
    schema = {k: closed(v) if isinstance(v, dict) else [closed(x) if isinstance(x, dict) else x for x in v] if isinstance(v, list) else v
              for k, v in schema.items()}
    if "prefixItems" in schema:
        schema["items"] = False
    elif isinstance(schema.get("properties"), dict) and "type" in schema:
        schema["additionalProperties"] = False
    return schema


def cut(value):
    if isinstance(value, list):
        return [cut(v) for v in value[:KEPT]]
    return {k: cut(v) for k, v in value.items()} if isinstance(value, dict) else value


def breaks(run):
    """The run with one thing wrong each, and what."""
    for what, change in (("another schema", lambda r: r.update(schema="nvfp4-prof/run/2")), ("no tool", lambda r: r.pop("tool")),
                         ("an unknown origin", lambda r: r.update(origin="guessed")), ("text for a number", lambda r: r["device"].update(sms="132")),
                         ("an index below -1", lambda r: r["results"][0].update(module=-2)),
                         ("two dimensions", lambda r: r["results"][0]["launches"][0].update(grid=[1, 1])),
                         ("a negative time", lambda r: r["results"][0]["timing"].update(samples_ns=[-1.0]))):
        broken = copy.deepcopy(run)
        change(broken)
        yield what, broken


def validate(root, schema):
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("SKIPPED: run files against the schema: no jsonschema here (scripts/setup --dev fetches it)")
        return []
    Draft202012Validator.check_schema(schema)
    strict, wrong, n = Draft202012Validator(closed(schema)), [], 0
    for path in sorted(path for pattern in FILES for path in glob.glob(f"{root}/{pattern}")):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            run = cut(json.load(file))
        wrong += [f"{path}: {e.json_path}: {e.message[:200]}" for e in list(strict.iter_errors(run))[:5]]
        n += 1
    with open(f"{root}/tests/golden/small.json", encoding="utf-8") as file:
        small = json.load(file)
    wrong += [f"the schema takes {what}" for what, broken in breaks(small) if Draft202012Validator(schema).is_valid(broken)]
    extended = {**small, "of_a_later_edition": 1}
    wrong += [] if Draft202012Validator(schema).is_valid(extended) else ["the schema refuses a field of a later edition"]
    print(f"{n} run files go by docs/run.schema.json" if not wrong else "")
    return wrong if n >= 8 else [*wrong, f"only {n} run files were found"]


def main():
    program, root = sys.argv[1:3]
    path = f"{root}/docs/run.schema.json"
    structure = {**HEAD, **json.loads(subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout)}
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    texts = described(kept)
    wanted = with_descriptions(structure, texts)
    if sys.argv[3:] == ["--update"]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(wanted, indent=1, ensure_ascii=False) + "\n")
        kept = wanted
    wrong = [] if json.dumps(kept) == json.dumps(wanted) else [f"docs/run.schema.json is not as run/fields.c has it: {sys.argv[0]} {program} {root} --update"]
    wrong += [f"docs/run.schema.json: {place} has no description" for place, text in described(wanted).items() if not text]
    wrong += validate(root, kept)
    for line in wrong:
        print("FAILED:", line)
    sys.exit(bool(wrong))


main()
