#!/usr/bin/env python3
"""The recipes of packaging/ agree with CMakeLists.txt: the version, the switches, the folders.

usage: packaging.py HARRIER_SOURCES
"""
import ast
import json
import pathlib
import re
import sys

harrier = pathlib.Path(sys.argv[1])
cmake = (harrier / "CMakeLists.txt").read_text()
version = re.search(r"project\(harrier VERSION ([\d.]+)", cmake).group(1)
switches = set(re.findall(r"^option\((HARRIER_\w+)", cmake, re.M))
folders = {path.parent.name for path in harrier.glob("src/**/CMakeLists.txt")} | {"src", "subjects"}
wrong = []


def check(holds, text):
    if not holds:
        wrong.append(text)


port = json.loads((harrier / "packaging/vcpkg/harrier/vcpkg.json").read_text())
check(port["version-semver"] == version, f"vcpkg.json is of {port['version-semver']}, not {version}")
portfile = (harrier / "packaging/vcpkg/harrier/portfile.cmake").read_text()
features = set(re.findall(r"^ +([a-z-]+) HARRIER_BUILD", portfile, re.M))
check(features == set(port["features"]), f"portfile.cmake has {features}, vcpkg.json {set(port['features'])}")
check(set(re.findall(r"HARRIER_BUILD_\w+", portfile)) <= switches, "portfile.cmake has a switch that is none")
of_port = {f for words in re.findall(r"\((?:APPEND FOLDERS|FOLDERS) ([^)]*)\)", portfile) for f in words.split()}
check(of_port and of_port <= folders, f"portfile.cmake names {of_port - folders}")

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

check(re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$|^## Unreleased, to be {re.escape(version)}$", (harrier / "CHANGELOG.md").read_text(), re.M),
      f"CHANGELOG.md says nothing of {version}")

print("\n".join(wrong) or f"the recipes are of {version}")
sys.exit(bool(wrong))
