#!/usr/bin/env python3
"""Writes each library's public interface to Docs/API/LIBRARY.txt, or checks that it is what these files say.

  Scripts/api.py           writes the files
  Scripts/api.py --check   exit status 1 and the differences if an interface is not as its file says

It reads the modules that `swift build` left. A change of a file is a decision: it shows in the review of the change.
"""

import difflib
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = "Docs/API"
# What the compiler adds, or the standard library's protocols: no decision of ours.
DERIVED = ("::SYNTHESIZED::",)


def declaration(symbol):
    """The declaration on one line, without attributes that only the compiler reads."""
    text = "".join(fragment["spelling"] for fragment in symbol.get("declarationFragments", []))
    return " ".join(text.split())


def interface(folder):
    """The lines of one library: the path of each public symbol, and its declaration."""
    lines = set()
    for path in glob.glob(os.path.join(folder, "*.symbols.json")):
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        for symbol in graph["symbols"]:
            if any(mark in symbol["identifier"]["precise"] for mark in DERIVED):
                continue
            lines.add(f"{'.'.join(symbol['pathComponents'])}: {declaration(symbol)}")
    return sorted(lines)


def main():
    os.chdir(ROOT)
    is_check = "--check" in sys.argv[1:]
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["Scripts/symbols.sh", folder], check=True)
        libraries = sorted(os.listdir(folder))
        if not is_check:
            os.makedirs(FOLDER, exist_ok=True)
        for library in libraries:
            path = os.path.join(FOLDER, library + ".txt")
            now = [line + "\n" for line in interface(os.path.join(folder, library))]
            if not is_check:
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(now)
                print(f"api: {path}: {len(now)} public declarations")
                continue
            before = open(path, encoding="utf-8").readlines() if os.path.exists(path) else []
            changed = [line for line in difflib.unified_diff(before, now, path, "now", n=0)]
            differences += bool(changed)
            sys.stderr.writelines(changed)
    for path in glob.glob(FOLDER + "/*.txt"):
        if os.path.splitext(os.path.basename(path))[0] not in libraries:
            print(f"api: {path} is of no library", file=sys.stderr)
            differences += 1
    if differences:
        print("api: the public interface differs from Docs/API; if that is meant, run: make api", file=sys.stderr)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
