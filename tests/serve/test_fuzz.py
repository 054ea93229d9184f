"""No request, however made, gets an error of the server, and none crashes a worker."""

import pytest

from plyglass.serve.protocol import STATUS
from tests.serve.fuzz_run import Plan, run
from tests.serve.fuzzing import FULL, Asked, flaw_of
from tests.sizes import sized

PLAN = Plan(
    schema=sized(100, 13_000), grammar=sized(200, 20_000), views=sized(200, 20_000),
    bytes_and_values=sized(500, 50_000),
)  # fmt: skip


@pytest.mark.timeout(7200)
def test_no_request_gets_an_error_of_the_server(tmp_path):
    found = run(PLAN, tmp_path)
    print(found)
    assert sum(each["requests"] for each in found.values()) >= sized(900, 99_000)
    for each in found.values():
        assert each["flaws"] == []
        assert each["answers"]["200"] > 0
        assert each["growth"] <= 0.05


def test_the_judge_accepts_only_codes_of_a_full_server():
    asked = Asked.of("/v1/decide", {})
    for code, status in STATUS.items():
        body = b'{"code": "%b", "message": "m"}' % code.encode()
        assert bool(flaw_of(asked, status, body)) == (status >= 500 and code not in FULL)
    assert flaw_of(asked, 404, b"Not found")
    assert flaw_of(asked, 0, b"") == "no answer"
    assert not flaw_of(Asked.of("/v1/matches/wait", {}), 0, b"")
