"""What stands for a function of CAF's or of the C library is seen by a program only if the library that is loaded before it exports it.

exported_symbols.py NM ARCHIVE LIBRARY   exit 1 if the archive defines some that the library does not export
"""
import subprocess
import sys

nm, archive, library = sys.argv[1:]


def symbols(*how):
    lines = subprocess.run([nm, "--defined-only", *how], check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.split()[1:] for line in lines if len(line.split()) == 3]


defined = {name for kind, name in symbols("--extern-only", archive) if kind == "T" and "7harrier" not in name}
missing = defined - {name for _, name in symbols("--dynamic", library)}
print(f"{len(defined)} stand for others, of which these are not exported: {sorted(missing)}")
sys.exit(1 if missing or not defined else 0)
