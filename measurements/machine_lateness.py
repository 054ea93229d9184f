"""A process that only sleeps and wakes, to measure how late the machine itself is.

`Machine` runs `python measurements/machine_lateness.py` during a measurement. This process wakes
every 2 ms until its input ends. Then it prints how late each wake was, as [time, seconds] by the
monotonic clock.
"""

import json
import select
import subprocess
import sys
import time

BEAT = 0.002  # seconds between two wakes


class Machine:
    """The process that sleeps and wakes during a measurement.

    Attributes:
        late: how late each wake was, as [time, seconds]; known at the end.
    """

    def __enter__(self) -> "Machine":
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen([sys.executable, __file__], text=True, **pipes)
        self._process.stdout.readline()
        return self

    def __exit__(self, *_: object) -> None:
        self.late = json.loads(self._process.communicate()[0])

    def within(self, first: float, last: float) -> float:
        """The most seconds that a wake was late in an interval."""
        return max((late for at, late in self.late if first - BEAT <= at <= last), default=0.0)


def main() -> None:
    print("ready", flush=True)
    late, at = [], time.monotonic()
    while not select.select([sys.stdin], [], [], 0)[0]:
        at = max(at + BEAT, time.monotonic())
        time.sleep(max(0.0, at - time.monotonic()))
        late.append((at, time.monotonic() - at))
    print(json.dumps(late))


if __name__ == "__main__":
    main()
