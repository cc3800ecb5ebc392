#!/usr/bin/env python3
"""The first program of the README, and what it says that the program prints.

usage: first_program.py extract README.md SOURCE             writes the program to SOURCE, if that is something else
       first_program.py compare README.md PROGRAM [HARRIER]  PROGRAM prints the README's schedule, HARRIER its picture
"""
import pathlib
import re
import subprocess
import sys
import tempfile

mode, readme, *files = sys.argv[1:]
text = pathlib.Path(readme).read_text()


def block(language, what):
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    if not found:
        sys.exit(f"{readme} has no {what}")
    return found.group(1)


def compare(what, said, shown):
    if said != shown:
        sys.exit(f"{what} is not what {readme} shows; it is:\n{said}")


if mode == "extract":
    source = pathlib.Path(files[0])
    program = '#line 1 "main.cpp"\n' + block("cpp", "program")
    if not source.exists() or source.read_text() != program:
        source.write_text(program)
else:
    run = subprocess.run(files[0], capture_output=True, text=True)
    compare("the schedule", run.stdout, block("text", "schedule"))
    if run.returncode != 1:
        sys.exit(f"the program ends with {run.returncode}")
    if len(files) > 1:
        with tempfile.TemporaryDirectory() as here:
            trace = f"{here}/bug.json"
            subprocess.run([files[1], "explore", "server", "--save-trace", trace], capture_output=True)
            picture = subprocess.run([files[1], "replay", trace, "--format", "mermaid"], capture_output=True, text=True, check=True)
        # The same program with the same finding, in another file.
        line = re.search(r"main\.cpp:(\d+)", run.stdout).group(1)
        drawn = re.sub(r"\([^()\n]*subjects#47;server\.cpp#58;\d+", f"(main.cpp#58;{line}", picture.stdout)
        compare("the picture", drawn, block("mermaid", "picture"))
