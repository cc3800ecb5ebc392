#!/usr/bin/env python3
"""Which commit cmake/write_commit.cmake says that sources are of.

usage: commit.py CMAKE HARRIER_SOURCES        77: there is no git
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

cmake, harrier = sys.argv[1], pathlib.Path(sys.argv[2])
if not shutil.which("git"):
    print("skipped: git is not installed")
    sys.exit(77)


def git(folder, *words):
    names = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", "-C", folder, *names, *words], check=True, capture_output=True, text=True).stdout.strip()


def sources(folder):
    (folder / "cmake").mkdir(parents=True)
    for file in [".gitattributes", "cmake/commit.txt"]:
        shutil.copy(harrier / file, folder / file)
    return folder


def written(folder):
    """What is said, and the file that says so."""
    output = folder.parent / f"{folder.name}.cpp"
    subprocess.run([cmake, f"-Dsources={folder}", f"-Doutput={output}", "-P", harrier / "cmake/write_commit.cmake"], check=True)
    return re.search(r'return "(.*)";', output.read_text()).group(1), output


def expect(what, said, expected):
    if said != expected:
        sys.exit(f"{what}: '{expected}' is expected, not '{said}'")


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)

    own = sources(here / "own")
    git(own, "init", "--quiet")
    git(own, "add", "-A")
    git(own, "commit", "--quiet", "-m", "one")
    commit = git(own, "rev-parse", "HEAD")[:12]
    said, output = written(own)
    expect("a work tree", said, commit)

    before = output.stat().st_mtime_ns
    expect("a work tree, again", written(own)[0], commit)
    expect("what says so already is not written", output.stat().st_mtime_ns, before)

    git(own, "archive", "--output", here / "all.tar", "HEAD")
    (here / "archived").mkdir()
    shutil.unpack_archive(here / "all.tar", here / "archived")
    expect("an archive", written(here / "archived")[0], commit)

    (own / "cmake/commit.txt").write_text((own / "cmake/commit.txt").read_text() + "more\n")
    expect("a changed work tree", written(own)[0], f"{commit}, and changes")

    expect("a folder in another project's work tree", written(sources(own / "harrier"))[0], "")
    expect("a folder without git", written(sources(here / "alone"))[0], "")
print("6 kinds of sources")
