#!/usr/bin/env python3
"""Prints what can be read in a picture, its texts and tool tips, and of what it is made, as JSON.

usage: svg.py FILE.svg
"""
import json
import sys
import xml.etree.ElementTree as tree

texts, elements, links = [], set(), []
for element in tree.parse(sys.argv[1]).iter():
    elements.add(element.tag.split("}")[-1])
    for name, value in element.attrib.items():
        name = name.split("}")[-1]
        if name == "title":
            texts.append(value)
        elif name == "href":
            links.append(value)
    if element.tag.endswith("}text"):
        texts.append("".join(element.itertext()))
print(json.dumps({"texts": [text.replace("\u00a0", " ") for text in texts], "elements": sorted(elements), "links": links}))
