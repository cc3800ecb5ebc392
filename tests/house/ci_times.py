#!/usr/bin/env python3
"""What scripts/ci-times makes of what ninja and ctest wrote down.

usage: ci_times.py HARRIER_SOURCES
"""
import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(sys.argv[1]) / "scripts/ci-times"
NINJA = """# ninja log v5
0\t9000\t1\tsrc/core/CMakeFiles/harrier_core.dir/a.cpp.o\t1
0\t4000\t1\tsrc/core/CMakeFiles/harrier_core.dir/a.cpp.o\t1
4000\t6000\t1\tsrc/core/libharrier_core.a\t2
6000\t36000\t1\ttests/core/CMakeFiles/test_core.dir/b.cpp.o\t3
0\t2000\t1\tsrc/protocol/one.cpp\t4
0\t2000\t1\tsrc/protocol/two.cpp\t4
"""
CTEST = """Start testing
1/2 Testing: core.Names
1/2 Test: core.Names
Output: Test time = never
Test time =   5.25 sec
2/2 Test: consume.Install
Test time =   1.75 sec
"""


def expect(what, holds, said):
    if not holds:
        sys.exit(f"{what} is expected:\n{said}")


with tempfile.TemporaryDirectory() as name:
    build = pathlib.Path(name)
    nothing = subprocess.run([sys.executable, script, build], capture_output=True, text=True)
    expect("a line about a build that is none", nothing.returncode == 1 and nothing.stderr.count("\n") == 1, nothing.stderr)

    (build / ".ninja_log").write_text(NINJA)
    (build / "Testing/Temporary").mkdir(parents=True)
    (build / "Testing/Temporary/LastTest.log").write_text(CTEST)
    said = subprocess.run([sys.executable, script, build], capture_output=True, text=True, check=True).stdout
    for what, line in [("what was compiled last counts", "| src/core | 4 | 2 | 0 | 0 | 6 |"),
                       ("a floor's tests stand beside their compilation", "| tests/core | 30 | 0 | 0 | 5 | 35 |"),
                       ("a step with two outputs is one", "| src/protocol | 0 | 0 | 2 | 0 | 2 |"),
                       ("the whole", "| all | 34 | 2 | 2 | 7 | 45 |"),
                       ("the longest", "- 30 s: tests/core/CMakeFiles/test_core.dir/b.cpp.o")]:
        expect(what, line in said.splitlines(), said)
print("as it was written down")
