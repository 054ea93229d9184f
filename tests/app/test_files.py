"""Files of the app: those made from Python are up to date, and the built page is small."""

import gzip

import pytest

from tests.app.generated import APP, FILES

BUILT = APP.parent / "src/plyglass/serve/app"
MOST = 150_000  # bytes of JavaScript, compressed


@pytest.mark.parametrize("name", FILES)
def test_a_file_made_from_python_is_up_to_date(name):
    written = (APP / name).read_text(encoding="utf-8")
    assert written == FILES[name](), "run: python -m tests.app.generated"


@pytest.mark.skipif(not BUILT.is_dir(), reason="the app is not built: cd app && npm run build")
def test_a_browser_loads_little_code_and_nothing_from_elsewhere():
    scripts = list(BUILT.glob("assets/*.js"))
    assert scripts
    assert sum(len(gzip.compress(each.read_bytes())) for each in scripts) <= MOST
    page = (BUILT / "index.html").read_text(encoding="utf-8")
    assert "http" not in page
    assert "<script>" not in page  # which a content security policy would refuse


@pytest.mark.skipif(not BUILT.is_dir(), reason="the app is not built: cd app && npm run build")
def test_a_wheel_carries_the_built_app_with_its_licences():
    wheel = pytest.importorskip("hatchling.builders.wheel")
    files = wheel.WheelBuilder(str(APP.parent)).recurse_included_files()
    names = {each.distribution_path for each in files}
    built = {f"plyglass/serve/app/{each.relative_to(BUILT)}" for each in BUILT.rglob("*.*")}
    assert {f"plyglass/serve/app/{each}" for each in ("index.html", "licences.txt")} <= built
    assert built <= names
