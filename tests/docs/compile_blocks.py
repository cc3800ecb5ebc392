#!/usr/bin/env python3
"""Compiles every C++ block of the given Markdown files, each alone, with <harrier/harrier.hpp> included first, which is compiled
once for all of them.

usage: compile_blocks.py [--harrier PROGRAM DEFINITIONS] COMPILER INCLUDE_FOLDER FILE.md...

A page's calls of harrier_protocol are done by PROGRAM, with the files of the folder DEFINITIONS; its blocks can include the headers.
Without PROGRAM, blocks that include such a header are skipped.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

words = sys.argv[1:]
harrier = definitions = None
if words[0] == "--harrier":
    _, harrier, definitions, *words = words
compiler, include, *files = words


def generate(call, folder):
    """The header that `harrier_protocol(call)` makes; its file."""
    target, definition, *rest = shlex.split(call)
    lists = {}
    for word in rest:
        if word.isupper():
            values = lists[word] = []
        else:
            values.append(word)
    command = [harrier, "protocol", "generate", str(pathlib.Path(definitions) / definition), "--session", *lists.pop("SESSION")]
    header = folder / (command[command.index("--session") + 1].replace("-", "_") + ".hpp")
    for option, values in lists.items():
        name = {"MODE": "--mode", "TYPES": "--type", "INCLUDES": "--include"}[option]
        for value in values:
            command += [name, value]
    subprocess.run([*command, "-o", str(header)], check=True)


# The last one is what the header asks for by `#pragma GCC diagnostic`; GCC forgets that of a compiled header.
options = ["-std=c++20", "-Wall", "-Wextra", f"-I{include}", "-Werror=return-type"]
shared = tempfile.TemporaryDirectory()
prelude = pathlib.Path(shared.name) / "prelude.hpp"
prelude.write_text("#include <harrier/harrier.hpp>\n")
subprocess.run([compiler, *options, "-x", "c++-header", prelude, "-o", f"{prelude}.gch"], check=True)

failed = checked = skipped = 0
for name in files:
    text = pathlib.Path(name).read_text()
    calls = re.findall(r"^harrier_protocol\((.*?)\)", text, re.M)
    generated = tempfile.TemporaryDirectory()
    for call in calls if harrier else []:
        generate(call, pathlib.Path(generated.name))
    for block in re.finditer(r"^```cpp\n(.*?)^```", text, re.M | re.S):
        line = text.count("\n", 0, block.start()) + 2
        if calls and not harrier and '#include "' in block.group(1):
            skipped += 1
            continue
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "block.cpp"
            source.write_text(f'#line {line} "{name}"\n{block.group(1)}')
            run = subprocess.run([compiler, *options, f"-I{generated.name}", "-include", prelude, "-fsyntax-only", source],
                                 capture_output=True, text=True)
        checked += 1
        if run.returncode != 0:
            failed += 1
            print(f"{name}:{line}: this block does not compile:\n{run.stderr[:2000]}")
print(f"{checked} blocks, {failed} do not compile")
if skipped:
    print(f"{skipped} more were skipped: they include generated headers, and this build has no `harrier protocol`")
if checked == 0:
    sys.exit("no C++ block was found")
sys.exit(failed != 0)
