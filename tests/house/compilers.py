#!/usr/bin/env python3
"""What compilers say of the public headers.

usage: compilers.py quiet INCLUDE_FOLDER COMPILER USES PROGRAM... nothing, of all headers with USES behind them and of each program, under
                                                                 our warnings
       compilers.py alone INCLUDE_FOLDER COMPILER               nothing, of each header by itself
       compilers.py one-line INCLUDE_FOLDER COMPILER [FLAG...]   one line, of a compiler that is too old or told to be
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# It includes the test library of CAF 1, which Debian does not have; its own tests compile it.
LEFT_OUT = {"adapter/caf_fixture/fixture.hpp"}

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

what, include, compiler, *rest = sys.argv[1:]


def compiled(source, *flags):
    return subprocess.run([compiler, f"-I{include}", "-fsyntax-only", *flags, source], capture_output=True, text=True)


def every_header():
    return {path.relative_to(include) for path in pathlib.Path(include).rglob("*.hpp")}


def all_headers():
    return sorted(path for path in every_header() if path.relative_to("harrier").as_posix() not in LEFT_OUT)


def structures_of_options():
    """Their names, and those of what is written like one."""
    text = "".join((pathlib.Path(include) / path).read_text() for path in every_header())
    return sorted(set(re.findall(r"^struct (\w*(?:options|limits)|analysis_request|parameter) \{", text, re.M)))


def what_is_included():
    """For each header of ours, all that are not ours which it and those of ours that it includes name."""
    named = {path.as_posix(): re.findall(r"^ *#include <([^>]+)>", (pathlib.Path(include) / path).read_text(), re.M)
             for path in every_header()}

    def reach(header, seen):
        for other in named[header]:
            if other not in seen:
                seen.add(other)
                if other in named:
                    reach(other, seen)
        return seen

    return {header: {other for other in reach(header, set()) if other not in named} for header in named}


# Half of the time goes into these: compiled once for all headers that include them anyway, so that nothing is lent to a
# header that it or what it includes does not name itself.
OFTEN_INCLUDED = [
    {"cstddef", "cstdint", "string", "string_view", "utility", "vector"},
    {"cstddef", "cstdint", "functional", "map", "memory", "optional", "span", "string", "string_view", "utility", "vector"},
]
# So is all that these include of others, which takes a second or more each time.
OF_OTHERS = ["harrier/transport/wire.hpp", "harrier/transport/link.hpp"]


def what_is_said_of_each_alone(folder):
    # A header is compiled as what a file includes: as a file of its own its `#pragma once` is warned of.
    flags = [f"-I{include}", "-fsyntax-only", "-std=c++20", "-x", "c++", "-"]
    included = what_is_included()
    lent = []
    for number, names in enumerate(OFTEN_INCLUDED + [included[header] for header in OF_OTHERS]):
        prelude = pathlib.Path(folder) / f"often_{number}.hpp"
        prelude.write_text("".join(f"#include <{name}>\n" for name in sorted(names)))
        subprocess.run([compiler, "-std=c++20", "-x", "c++-header", prelude, "-o", f"{prelude}.gch"], check=True)
        lent.append((names, ["-include", str(prelude)]))
    lent.sort(key=lambda one: len(one[0]), reverse=True)

    def said(header):
        often = next((words for names, words in lent if names <= included[header.as_posix()]), [])
        done = subprocess.run([compiler, *often, *flags], input=f"#include <{header}>\n", capture_output=True, text=True)
        return done.stderr or ("" if done.returncode == 0 else f"{header}: ended with {done.returncode}\n")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(said, all_headers()))


if what == "alone":
    with tempfile.TemporaryDirectory() as folder:
        said = what_is_said_of_each_alone(folder)
    print(f"{len(said)} headers, each alone\n{''.join(said)[:6000]}")
    sys.exit(any(said) or not said)

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "all_headers.cpp"
    if what == "quiet":
        headers = all_headers()
        uses, *programs = rest
        source.write_text("".join(f"#include <{header}>\n" for header in headers) + f'#include "{uses}"\n')
        said = "".join(compiled(file, "-std=c++20", *WARNINGS).stderr for file in [source, *programs])
        used = pathlib.Path(uses).read_text()
        said += "".join(f"{name} is not in {uses}\n" for name in structures_of_options() if not re.search(rf"are<[\w:]*\b{name}>", used))
        print(f"{len(headers)} headers, {len(programs)} programs\n{said[:6000]}")
        sys.exit(said != "" or not headers)
    source.write_text("#include <harrier/harrier.hpp>\n")
    done = compiled(source, *(rest or ["-std=c++20"]))
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    print(done.stderr[:6000])
    sys.exit(done.returncode == 0 or len(errors) != 1 or "harrier needs" not in errors[0])
