#!/usr/bin/env python3
"""Whether docs/rejected.md quotes the compiler's errors as they are, and all of them.

usage: quoted_errors.py REJECTED.md INCLUDE_FOLDER

What the first column of a table quotes must stand in the text of a static_assert of harrier, and something of each such text must be quoted.
"""
import pathlib
import re
import sys

page, include = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
IN_THE_COMPILERS_OWN_WORDS = {"... is private"}
# tests/native/mistakes has these.
THE_COMPILERS_OWN_SECTION = re.compile(r"^## In the compiler's own words.*?(?=^## )", re.M | re.S)

literal = r'"((?:[^"\\]|\\.)*)"'
errors = set()
for header in include.rglob("*.hpp"):
    for run in re.findall(rf"{literal}((?:\s*{literal})*)", header.read_text()):
        text = (run[0] + "".join(re.findall(literal, run[1]))).replace('\\"', '"')
        if text.startswith("harrier: "):
            errors.add(text)

quoted = {quote.removeprefix("... ")
          for row in re.findall(r"^\| ([^|]*`[^|]*) \|", THE_COMPILERS_OWN_SECTION.sub("", page.read_text()), re.M)
          for quote in re.findall(r"`([^`]+)`", row) if quote not in IN_THE_COMPILERS_OWN_WORDS}

plain = {error: error.replace("`", "") for error in errors}
unknown = sorted(quote for quote in quoted if not any(quote in text for text in plain.values()))
missing = sorted(error for error, text in plain.items() if not any(quote in text for quote in quoted))
for quote in unknown:
    print(f"{page}: no error says: {quote}")
for error in missing:
    print(f"{page}: not explained: {error}")
print(f"{len(errors)} errors, {len(missing)} not explained; {len(quoted)} quoted, {len(unknown)} of them nowhere said")
sys.exit(not errors or bool(unknown or missing))
