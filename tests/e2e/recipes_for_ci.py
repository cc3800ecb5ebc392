#!/usr/bin/env python3
"""harrier-ci, and the lines of action.yml and packaging/ci/gitlab.yml that call it, on small programs.

usage: recipes_for_ci.py E2E_PROGRAMS HARRIER_SOURCES        77: there is no module yaml
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

programs, sources = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
called_so_far = 0


def expect(what, holds, shown=""):
    if not holds:
        sys.exit(f"{what} is expected; shown is:\n{shown}")


class folder(tempfile.TemporaryDirectory):
    """A place to work in, with results and what a shell of CI has."""

    def __enter__(self):
        self.here = pathlib.Path(super().__enter__())
        self.results = self.here / "harrier-results"
        return self

    def shell(self, lines, **environment):
        global called_so_far
        called_so_far += 1
        search = f"{sources}/packaging/ci:{os.environ['PATH']}"
        clean = {key: value for key, value in os.environ.items() if not key.startswith("HARRIER_")}
        self.run = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", lines], cwd=self.here, capture_output=True, text=True,
                                  env={**clean, "PATH": search, **environment})
        self.said = self.run.stdout + self.run.stderr
        return self.run.returncode

    def ci(self, *words):
        return self.shell('harrier-ci "$@"'.replace('"$@"', " ".join(map(shell_word, words))))

    def tests(self, *commands):
        """A build of CMake with these tests."""
        build = self.here / "build"
        build.mkdir(exist_ok=True)
        (build / "CTestTestfile.cmake").write_text(
            "".join(f'add_test(t{i} "/bin/sh" "-c" "{command}")\n' for i, command in enumerate(commands)))
        return "build"


def shell_word(word):
    return "'" + str(word).replace("'", "'\\''") + "'"


def results_of(log):
    return json.loads(log.read_text())["runs"][0]["results"]


with folder() as at:
    expect("a finding: status 1", at.ci(programs, "failing-check") == 1, at.said)
    expect("an annotation", len(results_of(at.results / "harrier.sarif")) == 1)
    expect("a trace", (at.results / "bug.trace.json").exists())
    expect("a report of JUnit", "<failure" in (at.results / "report.xml").read_text())
    expect("a diagram in the summary", "```mermaid\nsequenceDiagram" in (at.results / "summary.md").read_text())

    expect("nothing found: status 0", at.ci(programs, "ping-pong") == 0, at.said)
    expect("nothing of the run before", not (at.results / "bug.trace.json").exists() and not results_of(at.results / "harrier.sarif"))

with folder() as at:
    expect("a limit is no failure", at.ci("--seconds", "1", "--night", programs, "long-search", "--engine", "optimal") == 0, at.said)
    first = int(re.search(r"([\d,]+) executions", at.said).group(1).replace(",", ""))
    expect("a limit is one if so asked: status 3",
           at.ci("--seconds", "1", "--night", "--require-complete", programs, "long-search", "--engine", "optimal") == 3, at.said)
    second = int(re.search(r"([\d,]+) executions", at.said).group(1).replace(",", ""))
    expect(f"the second night goes on after {first} executions", second > first, at.said)
    expect("another program begins anew", at.ci("--seconds", "1", "--night", programs, "ping-pong") == 0, at.said)

with folder() as at:
    build = at.tests("true", "test -n $HARRIER_TRACES -a $HARRIER_BUDGET = 60")
    expect("tests that pass: status 0", at.ci("--tests", build) == 0, at.said)
    expect("a report of JUnit", "<testcase" in (at.results / "tests.xml").read_text())
    build = at.tests("test $HARRIER_TIME_LIMIT = 7 -a -d $HARRIER_RESUME -a $HARRIER_CHECKPOINT = $HARRIER_RESUME")
    expect("tests of a night go on", at.ci("--night", "--seconds", "7", "--tests", build) == 0, at.said)
    build = at.tests("false")
    expect("a test that fails: status 1", at.ci("--tests", build, programs, "ping-pong") == 1, at.said)
    build = at.tests()
    expect("no test at all is no pass", at.ci("--tests", build) == 1, at.said)

with folder() as at:
    for words, complaint in [([], "neither tests nor a program"), (["--hlep"], "there is no option --hlep"),
                             (["--seconds", "x", "a", "b"], "a whole number"), (["--tests", "nowhere"], "no tests of CMake"),
                             ([programs], "and which program?"), (["--seconds"], "a value is expected")]:
        expect(f"{words}: status 2", at.ci(*words) == 2, at.said)
        expect(complaint, complaint in at.said and at.said.count("\n") == 1, at.said)
    expect("a program that is none: status 2", at.ci(programs, "no-such-program") == 2, at.said)
    expect("a hostile name is text", at.ci(programs, "$(touch x)`touch x`") == 2 and not (at.here / "x").exists(), at.said)

action = yaml.safe_load((sources / "action.yml").read_text())
steps = {step["name"]: step for step in action["runs"]["steps"]}
explore = steps["Explore"]
defaults = {name: value["default"] for name, value in action["inputs"].items()}
for step in steps.values():
    expect("no input is pasted into a script", "${{" not in step.get("run", ""))
    for name in re.findall(r"inputs\.([\w-]+)", str(step)):
        expect(f"an input {name}", name in defaults)


def environment(event, **given):
    """What a run of the action has: its inputs, by the names that the step gives them."""
    inputs = {**defaults, **given}
    known = {f"${{{{ inputs.{name} }}}}": value for name, value in inputs.items()} | {"${{ github.event_name }}": event}
    return {name: known[value] for name, value in explore["env"].items()}


with folder() as at:
    # What installs is another program here, which says what it was asked.
    for name in ["apt-get", "sudo"]:
        (at.here / name).write_text(f'#!/bin/sh\n[ {name} = sudo ] && exec "$@"\necho asked: "$@"\n')
        (at.here / name).chmod(0o755)
    (at.here / "debs").mkdir()
    (at.here / "debs/harrier_0.2.0_amd64.deb").touch()
    install = steps["Install harrier"]["run"]
    hidden = f'PATH={at.here}:/usr/bin:/bin; '
    expect("installing", at.shell(hidden + install, PACKAGES="debs", ACTION="nowhere") == 0, at.said)
    if not pathlib.Path("/usr/bin/harrier-ci").exists():
        expect("the packages", re.search(r"asked: install .*/debs/harrier_0\.2\.0_amd64\.deb$", at.said, re.M), at.said)
    expect("where it is installed, nothing is", at.shell(install, PACKAGES="", ACTION="nowhere") == 0 and "asked" not in at.said, at.said)

with folder() as at:
    outputs = {"GITHUB_STEP_SUMMARY": str(at.here / "summary"), "GITHUB_OUTPUT": str(at.here / "output")}
    asked = environment("pull_request", program=f"{programs} failing-check")
    expect("the action fails by a finding", at.shell(explore["run"], **asked, **outputs) == 1, at.said)
    expect("its output", (at.here / "output").read_text() == "sarif=harrier-results/harrier.sarif\n")
    expect("its summary", "There is a finding" in (at.here / "summary").read_text())
    asked = environment("schedule", program=f"{programs} long-search --engine optimal", **{"night-seconds": "1"})
    expect("a night passes", at.shell(explore["run"], **asked, **outputs) == 0, at.said)
    expect("a night leaves what the next goes on from", (at.results / "resume/program.checkpoint").exists())
    asked = environment("push", tests=at.tests("true"))
    expect("tests alone", at.shell(explore["run"], **asked, **outputs) == 0, at.said)

jobs = yaml.safe_load((sources / "packaging/ci/gitlab.yml").read_text())
for name in ["harrier", "harrier night"]:
    expect(f"{name} has what all have", jobs[name]["extends"] == ".harrier")
    for line in jobs[name]["script"]:
        with folder() as at:
            line = re.sub(r"--seconds \d+", "--seconds 2", line)
            at.tests("true")
            expect("GitLab passes", at.shell(line, HARRIER_TESTS="build", HARRIER_PROGRAM=f"{programs} ping-pong") == 0, at.said)
            expect("GitLab fails", at.shell(line, HARRIER_TESTS="build", HARRIER_PROGRAM=f"{programs} failing-check") == 1, at.said)
            for file in jobs[".harrier"]["artifacts"]["reports"]["junit"]:
                expect(f"the artifact {file}", (at.here / file).exists())
print(f"{called_so_far} calls")
