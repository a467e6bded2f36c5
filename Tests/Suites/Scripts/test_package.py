"""What Package.swift declares: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

CLIENT_PACKAGES = {"swift-distributed-tracing", "swift-http-types", "swift-log", "swift-metrics"}
PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


class Modules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A folder of its own: builds of the package hold the lock of theirs.
        with tempfile.TemporaryDirectory() as scratch:
            result = subprocess.run(
                ["swift", "package", "--package-path", PACKAGE, "--scratch-path", scratch, "dump-package"],
                capture_output=True, check=True,
            )
        package = json.loads(result.stdout)
        cls.products = {product["name"]: set(product["targets"]) for product in package["products"]}
        cls.targets = {target["name"]: target for target in package["targets"]}

    def named(self, target):
        """The regular targets that a target names."""
        names = {value[0] for dependency in self.targets[target]["dependencies"]
                 for kind, value in dependency.items() if kind in ("byName", "target")}
        return {name for name in names if name in self.targets and self.is_swift_module(name)}

    def is_swift_module(self, target):
        """Whether it is no program, no macro, and no shim of a C library, whose module has no layout of Swift."""
        folder = os.path.join(PACKAGE, self.targets[target].get("path") or f"Sources/{target}")
        has_c = os.path.isdir(os.path.join(folder, "include"))
        return self.targets[target]["type"] == "regular" and not has_c

    # SwiftPM compiles a module again when one that its target or its product names has changed. A module that only passes
    # another on is the same afterwards: HeliumServer, if a struct of HeliumServerKit grows.
    def test_targets_and_products_name_all_swift_modules_that_they_are_built_on(self):
        for target in self.targets:
            for name in self.named(target):
                with self.subTest(target=target, name=name):
                    self.assertLessEqual(self.named(name), self.named(target))
        for product, targets in self.products.items():
            if product == "helium":
                continue
            for name in targets:
                with self.subTest(product=product, name=name):
                    self.assertLessEqual(self.named(name), targets)

    def packages(self, targets, *, conditional):
        """The packages whose products these targets use, always or only with a trait."""
        return {dependency["product"][1] for target in targets for dependency in self.targets[target]["dependencies"]
                if "product" in dependency and (dependency["product"][3] is None or conditional)}

    # SwiftPM fetches a package if one target outside of tests uses it without a condition. These four, and the
    # swift-service-context of one of them, are what a user of the client fetches.
    def test_without_traits_four_packages_are_used(self):
        targets = [name for name, target in self.targets.items() if target["type"] != "test"]
        self.assertEqual(self.packages(targets, conditional=False), CLIENT_PACKAGES)

    # Whatever the traits are: SwiftNIO and its BoringSSL are in no client's binary.
    def test_clients_link_neither_swiftnio_nor_boringssl(self):
        for product in ("HeliumKit", "HeliumFoundation", "HeliumWebSocket", "Cosm", "AppNet", "ConAir", "JetstreamCore",
                        "HeliumTesting"):
            with self.subTest(product=product):
                self.assertLessEqual(self.packages(self.products[product], conditional=True), CLIENT_PACKAGES)

    def traits(self, target):
        """For each package that a target uses with a condition, the traits of which one enables it."""
        return [set(dependency["product"][3]["traits"]) for dependency in self.targets[target]["dependencies"]
                if "product" in dependency and dependency["product"][3]]

    def required_traits(self, target):
        """The traits of which a target, or one that it uses, says by an error that it needs one."""
        files = [file for name in {target} | self.named(target)
                 for file in pathlib.Path(PACKAGE, "Sources", name).rglob("RequiredTrait.swift")]
        return [set(re.findall(r"!(\w+)", file.read_text(encoding="utf-8"))) for file in files]

    # A user who forgets the trait would read only that there is no such module.
    def test_a_target_that_does_not_compile_without_a_trait_names_it(self):
        for target in self.targets:
            if not os.path.isdir(os.path.join(PACKAGE, "Sources", target)):
                continue
            for traits in self.traits(target):
                with self.subTest(target=target, traits=traits):
                    self.assertTrue(any(required <= traits for required in self.required_traits(target)))


if __name__ == "__main__":
    unittest.main()
