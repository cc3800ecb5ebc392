#!/usr/bin/env python3
"""What compilers say of the public headers.

usage: compilers.py quiet INCLUDE_FOLDER COMPILER PROGRAM...     nothing, of all headers and of each program, under our warnings
       compilers.py one-line INCLUDE_FOLDER COMPILER [FLAG...]   one line, of a compiler that is too old or told to be
"""
import pathlib
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

what, include, compiler, *rest = sys.argv[1:]


def compiled(source, *flags):
    return subprocess.run([compiler, f"-I{include}", "-fsyntax-only", *flags, source], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "all_headers.cpp"
    if what == "quiet":
        headers = sorted(path.relative_to(include) for path in pathlib.Path(include).rglob("*.hpp"))
        source.write_text("".join(f"#include <{header}>\n" for header in headers))
        said = "".join(compiled(file, "-std=c++20", *WARNINGS).stderr for file in [source, *rest])
        print(f"{len(headers)} headers, {len(rest)} programs\n{said[:6000]}")
        sys.exit(said != "" or not headers)
    source.write_text("#include <harrier/harrier.hpp>\n")
    done = compiled(source, *(rest or ["-std=c++20"]))
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    print(done.stderr[:6000])
    sys.exit(done.returncode == 0 or len(errors) != 1 or "harrier needs" not in errors[0])
