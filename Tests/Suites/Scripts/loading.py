"""Loads the scripts, whose names are also those of Python's own modules."""

import importlib.util
import os
import sys

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
HERE = os.path.dirname(os.path.abspath(__file__))


def load(name):
    """A module of Scripts."""
    path = os.path.join(HERE, "..", "..", "..", "Scripts", name + ".py")
    spec = importlib.util.spec_from_file_location("helium_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
