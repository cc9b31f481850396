"""Run as a program: a command that lives no longer than who started it.

Its first argument is a descriptor whose other end the starter holds; when that closes, however the
starter ended, the whole process group is killed. It imports nothing of goalspec, so that it starts
at once.
"""

import os
import signal
import subprocess
import sys
import threading

NOT_STARTED = 127  # as a shell exits


def main() -> None:
    held, command = int(sys.argv[1]), sys.argv[2:]
    threading.Thread(target=_watch, args=(held,), daemon=True).start()
    try:
        process = subprocess.Popen(command)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        print(f"{command[0]}: {said}", file=sys.stderr)
        sys.exit(NOT_STARTED)
    code = process.wait()
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)  # Python itself passes over a broken pipe
        os.kill(os.getpid(), -code)  # it ends as the command did
    sys.exit(code)


def _watch(held: int) -> None:
    os.read(held, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
