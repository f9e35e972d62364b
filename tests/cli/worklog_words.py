"""Words of a worklog without its code, each section and all: worklog_words.py FILE prints "WORDS SECTION" lines, "all" last."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    text = re.sub(r"```.*?```", "", f.read(), flags=re.S)
for section in re.split(r"^## ", text, flags=re.M)[1:]:
    print(len(section.split()), section.splitlines()[0])
print(len(text.split()), "all")
