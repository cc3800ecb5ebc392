"""Compiles programs with one mistake each, and looks at what the compiler says.

Usage: mistakes_test.py FILE -- COMPILER [FLAG ...]

FILE holds the programs: each begins with `=== name`, then one or more lines `expect: regex`, then the code. Among the
first ten lines of what the compiler says must be everything that is expected, and a line of the program that is marked
`// <-`; and it must not go on for long: for 25 lines, or for those of `lines: 40` before the code, where a compiler lists all
functions of one name. Clang, and GCC from 14 on, show the code of each place that they name, in two lines more: what is
expected is among the first 18 lines of Clang's and 22 of GCC's, and they go on for 35 at most.
`compiler: GCC 12` or `compiler: GCC` before the code: others need not know this mistake.
<harrier/harrier.hpp> is included before each, compiled once for all of them. GCC forgets then what that header asks for by
`#pragma GCC diagnostic`, so a program that is not refused as it should be is tried with the header itself.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

LINES_TO_SAY_IT = {"short": 10, "Clang": 18, "GCC with code": 22}
LINES_AT_MOST = {"short": 25, "Clang": 35, "GCC with code": 35}


def programs_in(path):
    with open(path, encoding="utf-8") as file:
        blocks = re.split(r"^=== ", file.read(), flags=re.MULTILINE)[1:]
    for block in blocks:
        name, _, body = block.partition("\n")
        lines = body.split("\n")
        expected, compiler, at_most = [], "", 0
        while lines and re.match(r"(expect|compiler|lines): ", lines[0]):
            key, _, value = lines.pop(0).partition(": ")
            if key == "expect":
                expected.append(value)
            elif key == "lines":
                at_most = int(value)
            else:
                compiler = value
        yield name, expected, compiler, at_most, "\n".join(lines)


def is_field_of_clang(name, said):
    """Names of fields are arguments of templates, of which Clang writes some letter by letter, as numbers; Clang 16 only knows
    which field it is."""
    letters = ", ".join(str(ord(letter)) for letter in name)
    return letters in said or (name.isidentifier() and re.search(r"\bfield_\d+\b", said) is not None)


def objection(name, expected, at_most, code, here, command):
    """What is wrong with what the compiler says; None if nothing is."""
    marked = [i for i, line in enumerate(code.split("\n"), 1) if "// <-" in line]
    if not expected or not marked:
        return "the test expects nothing, or marks no line"
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, name + ".cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        done = subprocess.run(command + ["-fsyntax-only", source], capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C"}, check=False)
    said = done.stderr.splitlines()
    if done.returncode == 0:
        return "it compiles"
    family, number = here.split()
    style = "Clang" if family == "Clang" else "GCC with code" if int(number) >= 14 else "short"
    lines = LINES_TO_SAY_IT[style]
    beginning = "\n".join(said[:lines])
    missing = [e for e in expected if not re.search(e, beginning) and not (family == "Clang" and is_field_of_clang(e, beginning))]
    if missing:
        return f"the first {lines} lines do not say {missing}"
    if not any(f"{name}.cpp:{line}:" in beginning for line in marked):
        return f"the first {lines} lines do not name line {marked}"
    if len(said) > max(at_most, LINES_AT_MOST[style]):
        return f"it takes {len(said)} lines"
    return None


def version_of(compiler):
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    major = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0]
    return ("Clang " if "clang" in said else "GCC ") + major.strip()


def main():
    path, separator, *command = sys.argv[1:]
    if separator != "--" or not command:
        sys.exit(__doc__)
    here = version_of(command[0])
    family = here.split()[0]
    tried = [p for p in programs_in(path) if p[2] in ("", family, here)]
    if not tried:
        sys.exit(f"{path}: no program in it")
    failures = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        prelude = os.path.join(folder, "prelude.hpp")
        with open(prelude, "w", encoding="utf-8") as file:
            file.write("#include <harrier/harrier.hpp>\n")
        command += ["-std=c++20"]
        subprocess.run(command + ["-x", "c++-header", prelude, "-o", prelude + ".gch"], check=True)

        def wrong_in(program):
            name, expected, _, at_most, code = program
            return (objection(name, expected, at_most, code, here, command + ["-include", prelude]) and
                    objection(name, expected, at_most, code, here, command + ["-include", "harrier/harrier.hpp"]))

        for (name, *_), wrong in zip(tried, pool.map(wrong_in, tried)):
            if wrong:
                failures += 1
                print(f"{name}: {wrong}", file=sys.stderr)
    print(f"{len(tried)} mistakes, {failures} of them not told as they should be")
    sys.exit(1 if failures else 0)


main()
