#!/usr/bin/env python3
"""The recipes of packaging/ agree with CMakeLists.txt: the version, the switches, the folders, and which of these need which.

usage: packaging.py HARRIER_SOURCES
"""
import ast
import fnmatch
import itertools
import json
import pathlib
import re
import sys

harrier = pathlib.Path(sys.argv[1])
cmake = (harrier / "CMakeLists.txt").read_text()
version = re.search(r"project\(harrier VERSION ([\d.]+)", cmake).group(1)
switches = set(re.findall(r"^option\((HARRIER_\w+)", cmake, re.M))
# Of each folder those that are to be built before it.
needed = {pathlib.PurePath(floor).name: {"src" if other == "harrier" else other for other in after.split()}
          for floor, after in re.findall(r"harrier_add_floor\((\S+?)(?: AFTER ([\w ]*?))?(?: PACKAGES [^)]*)?\)", cmake)}
folders = {path.parent.name for path in harrier.glob("src/**/CMakeLists.txt")} | {"src", "subjects"}
wrong = []


def check(holds, text):
    if not holds:
        wrong.append(text)


def check_closed(recipe, always, added, implied):
    """Whatever is chosen, what a folder needs is there. `added`: the folders of each choice; `implied`: choices that one needs."""
    for count in range(len(added) + 1):
        for chosen in itertools.combinations(sorted(added), count):
            if any(implied.get(choice, set()) - set(chosen) for choice in chosen):
                continue
            named = set(always).union(*(added[choice] for choice in chosen))
            for folder in sorted(named):
                missing = needed.get(folder, set()) - named
                check(not missing, f"{recipe} with {', '.join(chosen) or 'nothing'}: {folder} cannot be built without {missing}")


check(len(needed) > 15 and needed["cli"] >= {"native"}, f"harrier_add_floor of CMakeLists.txt is not understood: {needed}")
port = json.loads((harrier / "packaging/vcpkg/harrier/vcpkg.json").read_text())
check(port["version-semver"] == version, f"vcpkg.json is of {port['version-semver']}, not {version}")
portfile = (harrier / "packaging/vcpkg/harrier/portfile.cmake").read_text()
features = set(re.findall(r"^ +([a-z-]+) HARRIER_BUILD", portfile, re.M))
check(features == set(port["features"]), f"portfile.cmake has {features}, vcpkg.json {set(port['features'])}")
check(set(re.findall(r"HARRIER_BUILD_\w+", portfile)) <= switches, "portfile.cmake has a switch that is none")
of_port = {f for words in re.findall(r"\((?:APPEND FOLDERS|FOLDERS) ([^)]*)\)", portfile) for f in words.split()}
check(of_port and of_port <= folders, f"portfile.cmake names {of_port - folders}")

always = re.search(r"^set\(FOLDERS ([^)]*)\)", portfile, re.M).group(1).split()
added = {feature: set() for feature in port["features"]}
added |= {feature: set(words.split())
          for feature, words in re.findall(r'^if\("([\w-]+)" IN_LIST FEATURES\)\n  list\(APPEND FOLDERS ([^)]*)\)', portfile, re.M)}
check(set(always).union(*added.values()) == of_port, "which folders portfile.cmake appends is not understood")
check_closed("portfile.cmake", always, added,
             {feature: {f for needs in said["dependencies"] if isinstance(needs, dict) and needs["name"] == "harrier" for f in needs["features"]}
              for feature, said in port["features"].items()})

recipe = (harrier / "packaging/conan/conanfile.py").read_text()
values = {target.id: statement.value
          for node in ast.parse(recipe).body if isinstance(node, ast.ClassDef)
          for statement in node.body if isinstance(statement, ast.Assign)
          for target in statement.targets}
check(ast.literal_eval(values["version"]) == version, "conanfile.py is of another version")
named = {s for list_ in ast.literal_eval(values["_switches"]).values() for s in list_}
named |= {f"HARRIER_BUILD_{part}" for part in ast.literal_eval(values["_left_out"])}
check(named <= switches, f"conanfile.py names {named - switches}")
of_recipe = {f for list_ in ast.literal_eval(values["_folders"]).values() for f in list_}
check(of_recipe <= folders, f"conanfile.py names {of_recipe - folders}")
of_options = {option: set(list_) for option, list_ in ast.literal_eval(values["_folders"]).items()}
always = ast.literal_eval(values["_always"])
check(set(always) <= folders, f"conanfile.py names {set(always) - folders}")
implied = {}
for option, other in re.findall(r'"harrier:(\w+) needs harrier:(\w+)"', recipe):
    implied.setdefault(option, set()).add(other)
check_closed("conanfile.py", always, of_options, implied)
# What is installed and included from the sources is copied into Conan's own folder.
exported = ast.literal_eval(values["_exported"])
scripts = [harrier / "CMakeLists.txt", harrier / "cmake/harrier.cmake", harrier / "cmake/harrier_packages.cmake",
           *(path for top in ("src", "subjects") for path in (harrier / top).rglob("CMakeLists.txt") if path.parent.name != "web")]
text = "".join(path.read_text() for path in scripts)
used = {path for path in re.findall(r"(?:harrier|PROJECT)_SOURCE_DIR\}/([\w./-]+)", text)}
used |= {path for words in re.findall(r"foreach\(file IN ITEMS ([^)]*)\)", text) for path in words.split() if (harrier / path).exists()}
for path in sorted(used):
    inside = path if (harrier / path).is_file() else f"{path.rstrip('/')}/any"
    check(any(fnmatch.fnmatch(inside, pattern) for pattern in exported), f"conanfile.py does not copy {path}, which the build names")

check(re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$|^## Unreleased, to be {re.escape(version)}$", (harrier / "CHANGELOG.md").read_text(), re.M),
      f"CHANGELOG.md says nothing of {version}")

print("\n".join(wrong) or f"the recipes are of {version}")
sys.exit(bool(wrong))
