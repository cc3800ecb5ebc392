#!/usr/bin/env python3
"""Each installed header is named in docs/headers.md, once as something that one may include, and no other is.

usage: public_headers.py SOURCES
"""
import pathlib
import re
import sys

sources = pathlib.Path(sys.argv[1])
include = sources / "include/harrier"
text = (sources / "docs/headers.md").read_text(encoding="utf-8")

named = re.findall(r"`<harrier/([\w/]+\.hpp)>`", text) + re.findall(r"`([\w]+/[\w/]+\.hpp)`", text)
runtime = re.search(r"belongs to it \(([^)]*)\)", text)
named += [f"protocol/{name}.hpp" for name in re.findall(r"`(\w+)`", runtime[1])]

there = {path.relative_to(include).as_posix() for path in include.rglob("*.hpp")}
missing = sorted(there.difference(named))
unknown = sorted(set(named).difference(there))
twice = sorted({name for name in named if named.count(name) > 1})
for what, names in [("not in docs/headers.md", missing), ("not installed", unknown), ("named more than once", twice)]:
    for name in names:
        print(f"{name}: {what}")
print(f"{len(there)} headers")
sys.exit(bool(missing or unknown or twice or not there))
