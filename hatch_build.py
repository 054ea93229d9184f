"""The build hook: a wheel holds the machine code of all games and kernels for its platform.

With `PLYGLASS_PURE=1`, or where no C compiler is found, the wheel is pure Python and fits every
platform; its code is compiled when it is first used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = [
    "src/plyglass/native/manifest.json",
    "src/plyglass/native/*/*.so",
    "src/plyglass/core/_call.abi3.so",
]
# pip removes folders of editable packages from the path that PYTHONPATH gives
BUILD = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
runpy.run_module("plyglass.native", run_name="__main__")
"""


class NativeHook(BuildHookInterface[Any]):
    """Builds the native libraries, unless they are up to date, and adds them to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
        if version == "editable" or os.environ.get("PLYGLASS_PURE") == "1" or not compiler:
            return
        source = str(Path(self.root) / "src")
        subprocess.run([sys.executable, "-c", BUILD, source], check=True)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["artifacts"] += BUILT
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"  # the stable ABI: one wheel for all Pythons
