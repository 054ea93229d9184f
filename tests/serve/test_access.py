"""Who may ask: tokens and scopes, hosts and origins, and the size of a request."""

import asyncio
import hashlib
import json

import pytest

from plyglass.serve import access
from plyglass.serve.access import Doorkeeper, Gate
from plyglass.serve.protocol import MOST_BODY, Refused
from plyglass.serve.run import refuse_open_door
from plyglass.serve.settings import Settings, Token

SECRET = "correct horse"
TOKEN = Token("studio", hashlib.sha256(SECRET.encode()).hexdigest(), ("decide",))


async def echo(scope, receive, send):
    """An app that reads its whole body, and answers 400 if that is cut off."""
    more, status = True, 200
    while more:
        message = await receive()
        more = message.get("more_body", False)
        status = 400 if message["type"] == "http.disconnect" else status
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def asked(headers, chunks=(b"",), method="POST", **options):
    """The status and the code with which a gate answers."""
    sent, left = [], [*chunks]

    async def receive():
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "headers": named}
    asyncio.run(Gate(echo, ("play.example",), **options)(scope, receive, send))
    body = b"".join(each.get("body", b"") for each in sent)
    return sent[0]["status"], json.loads(body)["code"] if body != b"ok" else ""


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({"host": "127.0.0.1:8008"}, (200, "")),
        ({"host": "localhost"}, (200, "")),
        ({"host": "[::1]:8008"}, (200, "")),
        ({"host": "play.example"}, (200, "")),
        ({"host": "evil.example"}, (403, "host")),
        ({}, (403, "host")),
        ({"host": "[::1"}, (403, "host")),
        ({"host": "localhost:8008", "origin": "http://localhost:8008"}, (200, "")),
        ({"host": "localhost:8008", "origin": "http://evil.example"}, (403, "host")),
        ({"host": "localhost:8008", "origin": "null"}, (403, "host")),
        ({"host": "localhost", "content-length": str(MOST_BODY + 1)}, (413, "too-large")),
        ({"host": "localhost", "content-length": "-5"}, (413, "too-large")),
        ({"host": "localhost", "content-length": "9" * 5000}, (413, "too-large")),
    ],
)
def test_foreign_hosts_pages_and_long_bodies_are_refused(headers, answer):
    assert asked(headers) == answer


def test_a_body_is_counted_while_it_comes():
    chunk = bytes(MOST_BODY // 4)
    assert asked({"host": "localhost"}, [chunk] * 4) == (200, "")
    assert asked({"host": "localhost"}, [*[chunk] * 4, b"x"]) == (413, "too-large")


def test_a_request_that_comes_too_late_is_refused_unparsed_by_its_latest_deadline():
    def refuse_late(seconds):
        if seconds < 0.5:
            raise Refused("busy", "Too much to do.", retry_after_ms=1500)

    def told(*chunks, method="POST"):
        return asked({"host": "localhost"}, chunks, method, refuse_late=refuse_late)

    assert told(b'{"deadline_ms": 200, "no JSON') == (503, "busy")
    assert told(b'{"deadline_ms":200,"id":"\\"deadline_ms\\": 900"}') == (503, "busy")
    assert told(b'{"deadline_ms": 200, "deadline_ms": 900}') == (200, "")
    assert told(b'{"deadline_ms": 900}') == (200, "")
    assert told(b'{"deadline": 200}') == (200, "")
    # only POST asks for decisions; a reply to HEAD could not even say why it refuses
    assert told(b'{"deadline_ms": 200}', method="HEAD") == (200, "")
    # a body that comes in parts is left to the desk
    assert told(b'{"deadline_ms": 200, ', b'"x": 1}') == (200, "")


def test_a_token_is_told_by_its_digest():
    door = Doorkeeper(Settings(tokens=(TOKEN,)))
    caller = door.caller(f"Bearer {SECRET}")
    assert caller.name == "studio"
    caller.refuse_without("decide")
    with pytest.raises(Refused) as refused:
        caller.refuse_without("play")
    assert refused.value.status == 403
    for header in (None, "", "Bearer", "Bearer wrong", SECRET, f"Basic {SECRET}"):
        with pytest.raises(Refused) as refused:
            door.caller(header)
        assert refused.value.status == 401


def test_without_tokens_everybody_on_this_machine_may_ask():
    assert "expert" in Doorkeeper(Settings()).caller(None).scopes


def test_a_token_that_keeps_ending_workers_is_locked_out(monkeypatch):
    door, now = Doorkeeper(Settings(tokens=(TOKEN,))), [1000.0]
    monkeypatch.setattr(access.time, "monotonic", lambda: now[0])
    header = f"Bearer {SECRET}"
    for _ in range(2):
        door.note_kill(door.caller(header))
    now[0] += 700  # long ago
    door.note_kill(door.caller(header))
    door.note_kill(door.caller(header))
    door.note_kill(door.caller(header))
    with pytest.raises(Refused) as refused:
        door.caller(header)
    assert refused.value.code == "locked-out"
    now[0] += 3601
    door.caller(header)


def test_a_server_is_open_to_others_only_with_tokens():
    refuse_open_door(Settings(), "127.0.0.1")
    refuse_open_door(Settings(tokens=(TOKEN,)), "0.0.0.0")
    with pytest.raises(ValueError, match="needs tokens"):
        refuse_open_door(Settings(), "0.0.0.0")


def test_settings_are_read_from_a_file(tmp_path):
    file = tmp_path / "serve.toml"
    file.write_text(
        '[games]\nkuhn = "kuhn-poker"\n[levels.kuhn]\neasy = "uct:iterations=9"\n'
        f'[[tokens]]\nname = "studio"\nsha256 = "{TOKEN.sha256}"\nscopes = ["decide"]\n'
    )
    settings = Settings.read(file)
    assert settings.games == {"kuhn": "kuhn-poker"}
    assert settings.tokens == (TOKEN,)
    assert TOKEN.sha256 not in settings.for_workers()
    assert Settings.of_front(settings.for_workers()).levels == settings.levels


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gmaes = 1", "gmaes"),
        ("[games", "is not a settings file"),
        ('[games]\na = "bear"\n[levels.b]\neasy = "uct"', "game with levels"),
        ('[[tokens]]\nname = "a"\nsha256 = "abc"', "64 hexadecimal digits"),
        (f'[[tokens]]\nname = "a"\nsha256 = "{"0" * 64}"\nscopes = ["all"]', "scope"),
        (f'[[tokens]]\nname = "a"\nsha256 = "{"0" * 64}"\nsecret = 1', "secret"),
    ],
)
def test_wrong_settings_are_refused_in_words(text, sentence, tmp_path):
    file = tmp_path / "serve.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        Settings.read(file)
