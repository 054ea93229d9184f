"""Runs the blocks of a Markdown page as a reader would.

Shell blocks are commands; Python blocks are files or programs; blocks in C++ are files.
`<!-- file: name.py -->` above a block appends it to that file. Other Python blocks run on their
own. Text blocks do not run.
"""

import re
import subprocess
from pathlib import Path

BLOCK = re.compile(
    r"(?:<!-- file: (?P<file>[\w./]+) -->\n)?```(?P<language>sh|python|toml|cpp)\n(?P<body>.*?)```",
    re.DOTALL,
)


def run_document(path, folder, environment, skip=("pip install",)):
    """Run all blocks in order; returns what each printed."""
    printed = []
    for match in BLOCK.finditer(Path(path).read_text(encoding="utf-8")):
        body = match["body"]
        if match["file"]:
            with (folder / match["file"]).open("a") as file:
                file.write(body + "\n\n")
            continue
        if match["language"] == "python":
            (folder / "block.py").write_text(body)
            body = "python -W error block.py"
        for line in filter(None, body.splitlines()):
            if not line.startswith(skip):
                done = subprocess.run(
                    line,
                    shell=True,
                    cwd=folder,
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
                printed.append(done.stdout)
    return printed
