"""Imports adnpy 0.3.8, which is Python 2, into Python 3: its sources are adapted in memory, on disk they stay as they came."""

import importlib.abc
import importlib.util
import os
import re
import sys
import tarfile

# What of Python 2 the sources use.
_CHANGES = [
    (re.compile(r"\bunicode\("), "str("),
    (re.compile(r"\bbasestring\b"), "str"),
    (re.compile(r"\.iteritems\(\)"), ".items()"),
    (re.compile(r"\bcollections\.Mapping\b"), "collections.abc.Mapping"),
    (re.compile(r"^import collections$", re.M), "import collections\nimport collections.abc"),
    # Python 2's items() is a list, so that what it goes over may be changed meanwhile.
    (re.compile(r"in kwargs\.items\(\)"), "in list(kwargs.items())"),
    (re.compile(r"= map\((.*)\)$", re.M), r"= list(map(\1))"),
    (re.compile(r"\bexcept Exception, exception:"), "except Exception as caught:\n                exception = caught"),
    (re.compile(r"\basync\b"), "in_thread"),
    (re.compile(r"^(\s+)raise$", re.M), r"\1raise exception if 'exception' in dir() else AssertionError"),
    (re.compile(r"\bfile\("), "open("),
    (re.compile(r"re\.compile\('"), "re.compile(r'"),
]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, sources):
        self._sources = sources

    def find_spec(self, name, path=None, target=None):
        package, module = name.replace(".", "/") + "/__init__.py", name.replace(".", "/") + ".py"
        if package in self._sources:
            return importlib.util.spec_from_loader(name, self, origin=package, is_package=True)
        if module in self._sources:
            return importlib.util.spec_from_loader(name, self, origin=module)
        return None

    def exec_module(self, module):
        origin = module.__spec__.origin
        text = self._sources[origin]
        for pattern, replacement in _CHANGES:
            text = pattern.sub(replacement, text)
        exec(compile(text, origin, "exec"), module.__dict__)


def install(folder):
    """Makes `import adnpy` find the source archive in `folder`."""
    archives = [name for name in os.listdir(folder) if re.fullmatch(r"adnpy-0\.3\.8\.tar\.gz", name)]
    if not archives:
        raise SystemExit(f"adnpy-0.3.8.tar.gz is not in {folder}")
    sources = {}
    with tarfile.open(os.path.join(folder, archives[0])) as archive:
        for member in archive.getmembers():
            _, _, name = member.name.partition("/")
            if name.startswith("adnpy/") and name.endswith(".py"):
                sources[name] = archive.extractfile(member).read().decode()
    sys.meta_path.insert(0, _Finder(sources))
