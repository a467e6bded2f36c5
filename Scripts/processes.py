"""Signals, process groups and locks for scripts that run processes for a long time."""

import fcntl
import os
import signal
import subprocess
import sys
import time

END_LIMIT = 10  # seconds between SIGTERM and SIGKILL


class LockedError(Exception):
    """A folder that another run uses."""


def exit_at_signals():
    """Makes SIGTERM and SIGHUP raise SystemExit, as SIGINT raises KeyboardInterrupt, so that `finally` ends what runs.

    A signal that is ignored stays so: `nohup` ignores SIGHUP."""
    names = [name for name in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(name) != signal.SIG_IGN]

    def exit_once(number, _):
        for name in names:
            signal.signal(name, signal.SIG_IGN)
        sys.exit(128 + number)

    for name in names:
        signal.signal(name, exit_once)


def end_group(process):
    """Ends a process that leads a group, and the group. They get SIGTERM first, to end the groups that they started."""
    if process.poll() is None:
        send(process, signal.SIGTERM)
        deadline = time.monotonic() + END_LIMIT
        try:
            process.wait(timeout=END_LIMIT)
            # What the leader started may still be ending something.
            while send(process, 0) and time.monotonic() < deadline:
                time.sleep(0.05)
        except subprocess.TimeoutExpired:
            pass
    send(process, signal.SIGKILL)
    return process.wait()


def send(process, number):
    """Sends a signal to the group of a process, and returns whether there is one."""
    try:
        os.killpg(process.pid, number)
        return True
    except (ProcessLookupError, PermissionError):
        return False


def lock(folder):
    """Locks a folder for this process with a file beside it, and returns the file, which must stay open.

    The file remains: a process that opened it before its removal would lock what no other process can see."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    file = open(folder + ".lock", "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise LockedError(f"another run uses {folder}: wait until it has ended") from None
    return file
