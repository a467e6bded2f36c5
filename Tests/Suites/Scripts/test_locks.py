"""The calls that Scripts/locks.py finds: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import os
import sys
import unittest

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Scripts"))

import locks


class CallsUnderALock(unittest.TestCase):
    def test_calls_in_a_closure_are_found(self):
        for call in ("waiter.resume()", "state.waiter?.resume(returning: 1)", "take()!.yield(1)", "all[0].finish()", "task?.cancel()",
                     "if isLast { end.settle() }"):
            for closure in (f"state.withLock {{ state in\n{call}\n}}", f"let a = state.withLock({{ state in\n{call} }})"):
                with self.subTest(closure=closure):
                    self.assertEqual(locks.calls_under_lock(closure), [2])

    def test_other_calls_are_not(self):
        for text in (
            "let a = state.withLock { $0.take() }\na?.resume()",
            "state.withLock { $0.take() }?.resume()",
            "state.withLock { state in\nstate.task = Task { end.settle() } }",
            "state.withLock { state in\nreturn .finish(1) }",
            "state.withLock { $0.deliver(1) }",
            "state.withLock { state in\n// waiter.resume()\n}",
            "state.withLock { state in\n// Under the lock: it has no handler.\ntask.cancel()\n}",
            "func withLock() { a.resume() }",
        ):
            with self.subTest(text=text):
                self.assertEqual(locks.calls_under_lock(text), [])


if __name__ == "__main__":
    unittest.main()
