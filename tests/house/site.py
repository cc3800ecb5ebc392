#!/usr/bin/env python3
"""The documentation as a site.

usage: site.py places SOURCES     each page of docs/ has its place in the navigation
       site.py builds SOURCES     scripts/site builds all of them, with a search; ends with 77 where there is no mkdocs
"""
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
mode, sources = sys.argv[1], pathlib.Path(sys.argv[2])
script = sources / "scripts/site"


def loaded():
    loader = importlib.machinery.SourceFileLoader("site_script", str(script))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("site_script", loader))
    loader.exec_module(module)
    return module


def expect(holds, what):
    if not holds:
        sys.exit(what)


if mode == "places":
    site = loaded()
    missing = site.without_place()
    expect(not missing, f"docs/README.md, or docs/algorithms/README.md, does not list {', '.join(missing)}")
    sections = dict(site.navigation())
    expect(sections["First steps"][0] == "docs/quickstart.md", "the first steps do not begin with the quickstart")
    expect("docs/algorithms/optimal.md" in sections["Engines"], "the engines have no section")
    expect("examples/bank/README.md" in sections["Examples"], "the examples have no section")
else:
    if shutil.which("mkdocs") is None:
        print("skipped: there is no mkdocs; `scripts/setup site` installs it")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([script, folder], capture_output=True, text=True)
        expect(run.returncode == 0, run.stdout + run.stderr)
        out = pathlib.Path(folder)
        page = (out / "docs/two-minutes.html").read_text()
        expect("harrier in two minutes" in page and 'src="pictures/schedule.svg"' in page, "a page lacks its heading or its picture")
        expect((out / "docs/pictures/schedule.svg").exists(), "pictures are not there")
        expect('id="maincpp"' in (out / "examples/bank/index.html").read_text(), "the page of an example does not show its source")
        index = json.loads((out / "search/search_index.json").read_text())["docs"]
        found = [entry["location"] for entry in index if "linearizable" in entry["text"]]
        expect(any(place.startswith("docs/histories.html") for place in found), "the search does not find a page")
