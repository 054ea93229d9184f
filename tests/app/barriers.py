"""What axe-core finds in a page."""

import pytest

from tests.app.generated import APP

AXE = APP / "node_modules/axe-core/axe.min.js"


def barriers(page):
    """The serious and critical findings: their rule, and the first element."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: cd app && npm ci")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return [
        (each["id"], each["nodes"][0]["html"][:200])
        for each in page.evaluate("axe.run()")["violations"]
        if each["impact"] in ("serious", "critical")
    ]
