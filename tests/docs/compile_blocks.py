#!/usr/bin/env python3
"""Compiles every C++ block of the given Markdown files, each alone, with <harrier/harrier.hpp> included first.

usage: compile_blocks.py COMPILER INCLUDE_FOLDER FILE.md...
"""
import pathlib
import re
import subprocess
import sys
import tempfile

compiler, include, *files = sys.argv[1:]
failed = checked = 0
for name in files:
    text = pathlib.Path(name).read_text()
    for block in re.finditer(r"^```cpp\n(.*?)^```", text, re.M | re.S):
        line = text.count("\n", 0, block.start()) + 2
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "block.cpp"
            source.write_text(f'#include <harrier/harrier.hpp>\n#line {line} "{name}"\n{block.group(1)}')
            run = subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", f"-I{include}", "-fsyntax-only", source],
                                 capture_output=True, text=True)
        checked += 1
        if run.returncode != 0:
            failed += 1
            print(f"{name}:{line}: this block does not compile:\n{run.stderr[:2000]}")
print(f"{checked} blocks, {failed} do not compile")
if checked == 0:
    sys.exit("no C++ block was found")
sys.exit(failed != 0)
