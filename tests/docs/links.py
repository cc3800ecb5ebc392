#!/usr/bin/env python3
"""Each link of a Markdown file to another file, and to a heading of it, leads somewhere.

usage: links.py [--within] FOLDER_OR_FILE...

With --within a link must not lead out of the folder either: what is installed refers to what is installed.
"""
import pathlib
import re
import sys

within = "--within" in sys.argv
roots = [pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--within"]


def anchors(page):
    """The names that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    seen = {}
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        seen[name] = seen.get(name, -1) + 1
        yield name if seen[name] == 0 else f"{name}-{seen[name]}"


def objection(page, link, root):
    file, _, anchor = link.partition("#")
    target = (page.parent / file).resolve() if file else page
    if not target.exists():
        return "leads nowhere"
    if within and not target.is_relative_to(root):
        return "leads out of what is installed"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return "names no heading"
    return None


count = wrong = 0
for root in roots:
    for page in sorted(root.rglob("*.md")) if root.is_dir() else [root]:
        if "node_modules" in page.parts:
            continue
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            why = objection(page, link, root)
            if why:
                wrong += 1
                print(f"{page}: {link} {why}")
print(f"{count} links, {wrong} wrong")
if count == 0:
    sys.exit("no link was found")
sys.exit(wrong != 0)
