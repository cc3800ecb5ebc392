#!/usr/bin/env python3
"""Each command `harrier ...` of the documentation names a command, a program and options that there are, and each line of a program
that it quotes is where it says.

usage: commands.py HARRIER HARRIER_SOURCES FILE.md...

A program of an example may be named by a page that links to the example.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

harrier, sources, *pages = sys.argv[1:]
sources = pathlib.Path(sources)


def said(*words):
    return subprocess.run([harrier, *words], check=True, capture_output=True, text=True).stdout


programs = {p["name"] for p in json.loads(said("list", "--json"))}
commands = set(re.findall(r"^  ([a-z]+) ", said("--help").split("Subcommands:")[1], re.M))
options = {}


def options_of(command):
    if command not in options:
        options[command] = set(re.findall(r"--[a-z][a-z-]*", said(command, "--help"))) | {"--help"}
    return options[command]


def programs_of_examples(text):
    """Those of the examples that a page links to."""
    for name in re.findall(r"\.\./examples/([a-z]+)", text):
        main = sources / "examples" / name / "main.cpp"
        yield from re.findall(r'\{\s*"([a-z][a-z-]*)"', main.read_text()) if main.exists() else []


def objections(words, known):
    command, rest = words[0], words[1:]
    if command.startswith("-") or command.isupper():
        return
    if command not in commands:
        yield f"there is no command {command}"
        return
    if command == "explore" and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]) and rest[0] not in known:
        yield f"there is no program {rest[0]}"
    if command in ("protocol", "caf"):
        return
    for word in rest:
        if word == "--":
            return
        name = word.split("=")[0].rstrip(",;:)")
        if re.fullmatch(r"--[a-z][a-z-]*", name) and name not in options_of(command):
            yield f"{command} has no option {name}"


def commands_in(text):
    """Lines of blocks, and what stands between backquotes."""
    fenced = re.findall(r"^```(.*)\n(.*?)^```", text, re.M | re.S)
    for block in [b for language, b in fenced if language in ("", "bash", "console", "sh", "yaml")] + re.findall(r"(?<=\n\n)(?:    \S.*\n)+", text):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"^\s*(?:\$ |- run: )?harrier ([^#|>]+)", line)
    for line in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        yield from re.findall(r"^harrier ([^#|>]+)", line.replace("\n", " "))


def split(line):
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


count = wrong = 0
for page in map(pathlib.Path, pages):
    text = page.read_text()
    known = programs | set(programs_of_examples(text))
    for line in commands_in(text):
        count += 1
        for what in objections(split(line), known):
            wrong += 1
            print(f"{page}: harrier {line.strip()}: {what}")
    for message, file, number in re.findall(r"^Found assertion: (.*?) \((subjects/[a-z_]+\.cpp):(\d+)\)", text, re.M):
        count += 1
        if message not in (sources / file).read_text().splitlines()[int(number) - 1]:
            wrong += 1
            print(f"{page}: '{message}' is not in line {number} of {file}")
print(f"{count} commands and lines, {wrong} wrong")
sys.exit(count == 0 or wrong != 0)
