"""The background processes of Scripts/jobs.sh: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import os
import signal
import subprocess
import tempfile
import unittest

from loading import HERE

SCRIPTS = os.path.join(HERE, "..", "..", "..", "Scripts")

# Each job starts a process of its own, and writes both pids.
SCRIPT = """
set -eu
. "$0/jobs.sh"
for job in 1 2; do start_job /bin/sh -c 'sleep 600 & echo $! $$; wait'; done
wait_for_jobs
"""


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def with_default_signals():
    """Bash cannot trap a signal that it was started with as ignored, as under nohup or in the background of a script."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


class Jobs(unittest.TestCase):
    def run_script(self, body):
        return subprocess.run(["bash", "-c", f'set -eu; . "$0/jobs.sh"; {body}', SCRIPTS], capture_output=True, text=True)

    def test_failures_are_counted(self):
        result = self.run_script('for status in 0 3 0 4; do start_job /bin/sh -c "exit $status"; done; wait_for_jobs; echo $job_failures')
        self.assertEqual((result.returncode, result.stdout), (0, "2\n"), result.stderr)

    def test_no_job_is_no_failure(self):
        self.assertEqual(self.run_script("wait_for_jobs; echo $job_failures").stdout, "0\n")

    def test_jobs_and_what_they_start_end_with_the_script(self):
        for number in SIGNALS:
            # Output ends when nobody can write it any more: that is the end of all processes.
            script = subprocess.Popen(["bash", "-c", SCRIPT, SCRIPTS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                      text=True, preexec_fn=with_default_signals)
            for _ in range(2):
                self.assertEqual(len(script.stdout.readline().split()), 2)
            script.send_signal(number)
            self.assertEqual(script.communicate(timeout=300)[0], "")
            self.assertEqual(script.returncode, 128 + number)


if __name__ == "__main__":
    unittest.main()
