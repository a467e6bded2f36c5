"""What Scripts/consumer-packages.sh accepts: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from loading import HERE

ROOT = os.path.join(HERE, "..", "..", "..")
SCRIPT = os.path.join(ROOT, "Scripts", "consumer-packages.sh")
CLIENT = ["swift-distributed-tracing", "swift-http-types", "swift-log", "swift-metrics"]
PROGRAMS = ["Consumer", "CosmProgram", "AppNetProgram", "ConAirProgram", "JetstreamCoreProgram"]
SYMBOLS = "0000 T $s10HeliumCurl13CurlTransportC\n"


def state(names):
    def dependency(name, kind):
        return {"basedOn": None, "packageRef": {"identity": name, "kind": kind, "location": "x", "name": name}}
    dependencies = [dependency("helium", "fileSystem")] + [dependency(name, "remoteSourceControl") for name in names]
    return json.dumps({"object": {"dependencies": dependencies}}, indent=2).replace('": ', '" : ')


class ConsumerPackages(unittest.TestCase):
    def run_script(self, fetched=CLIENT, symbols={}, missing=None):
        """Runs the script on a folder as SwiftPM leaves it, with an `nm` that prints the file of a program."""
        with tempfile.TemporaryDirectory() as folder:
            products = os.path.join(folder, "x86_64-unknown-linux-gnu", "debug")
            os.makedirs(products)
            with open(os.path.join(folder, "workspace-state.json"), "w") as file:
                file.write(state(fetched))
            for name in PROGRAMS:
                if name != missing:
                    with open(os.path.join(products, name), "w") as file:
                        file.write(symbols.get(name, SYMBOLS))
            tools = os.path.join(folder, "tools")
            os.mkdir(tools)
            with open(os.path.join(tools, "nm"), "w") as file:
                file.write("#!/bin/sh\ncat \"$1\"\n")
            os.chmod(os.path.join(tools, "nm"), 0o755)
            environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
            return subprocess.run([SCRIPT, folder], capture_output=True, text=True, env=environment)

    def test_exactly_the_packages_of_the_client_may_be_fetched(self):
        for fetched, status in ((CLIENT, 0), (CLIENT + ["swift-service-context"], 0), (CLIENT[1:], 1), (CLIENT[:-1], 1),
                                (CLIENT + ["swift-nio"], 1), (CLIENT[1:] + ["swift-nio"], 1)):
            with self.subTest(fetched=fetched):
                result = self.run_script(fetched)
                self.assertEqual(result.returncode, status, result.stderr)
                for name in set(CLIENT) ^ (set(fetched) - {"swift-service-context"}):
                    self.assertIn(name, result.stderr)

    def test_no_program_has_swiftnio_or_boringssl_inside(self):
        for name in PROGRAMS:
            for symbol in ("0000 T $s7NIOCore10ByteBufferV", "0000 T CNIOBoringSSL_SSL_new", "0000 T $s6NIOSSL10NIOSSLErrorO"):
                with self.subTest(name=name, symbol=symbol):
                    result = self.run_script(symbols={name: SYMBOLS + symbol + "\n"})
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(f"/{name} has SwiftNIO or BoringSSL inside", result.stderr)

    def test_a_program_that_is_missing_or_has_no_symbols_is_an_error(self):
        for name in PROGRAMS:
            with self.subTest(name=name):
                self.assertEqual(self.run_script(missing=name).returncode, 1)
                self.assertEqual(self.run_script(symbols={name: ""}).returncode, 1)

    def test_the_programs_are_targets_of_the_consumer(self):
        with open(os.path.join(ROOT, "Tests", "Suites", "Consumer", "Package.swift"), encoding="utf-8") as file:
            manifest = file.read()
        self.assertEqual(re.findall(r'\.program\("(\w+)"', manifest), PROGRAMS)


if __name__ == "__main__":
    unittest.main()
