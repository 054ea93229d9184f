"""A ticket can be opened only with its key, and only unchanged."""

import random
import stat

import pytest

from plyglass.arena.specs import game_from
from plyglass.serve import tickets
from plyglass.serve.protocol import Refused
from plyglass.serve.tickets import BLOCK, MOST, Seal, room_for
from tests.sizes import sized

MATCH = {"id": "a", "game": "duel", "moves": [[0, 7, 0, None]] * 20}


def flipped(ticket, bit):
    data = bytearray(ticket.encode())
    data[bit // 8] ^= 1 << bit % 8
    return data.decode("latin-1")


def test_a_ticket_with_any_bit_flipped_is_refused():
    seal = Seal.of_file(None)
    ticket = seal.ticket(MATCH, BLOCK)
    bits, all_bits = sized(500, 10_000), range(8 * len(ticket))
    for bit in [*all_bits[:200], *all_bits[-200:], *random.Random(1).sample(all_bits, bits)]:
        with pytest.raises(Refused, match="no ticket of this server"):
            seal.open(flipped(ticket, bit))
    assert seal.open(ticket) == MATCH


@pytest.mark.parametrize("form", ["{}=", "{}\n", " {}", "{}é", "", "A" * 5000])
def test_a_ticket_has_one_form(form):
    seal = Seal.of_file(None)
    with pytest.raises(Refused):
        seal.open(form.format(seal.ticket(MATCH, BLOCK)))


def test_keys_are_shared_by_a_file_that_only_its_owner_reads(tmp_path):
    file = tmp_path / "keys"
    one, other = Seal.of_file(file), Seal.of_file(file)
    assert other.open(one.ticket(MATCH, BLOCK)) == MATCH
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(Refused):
        Seal.of_file(None).open(one.ticket(MATCH, BLOCK))


def test_old_keys_open_tickets_until_they_are_removed(tmp_path):
    file, newer = tmp_path / "keys", tmp_path / "newer"
    ticket = Seal.of_file(file).ticket(MATCH, BLOCK)
    Seal.of_file(newer)
    rotated = newer.read_text() + file.read_text()
    file.write_text(rotated)
    assert Seal.of_file(file).open(ticket) == MATCH
    with pytest.raises(Refused):
        Seal.of_file(newer).open(ticket)


def test_a_file_that_holds_no_keys_is_refused(tmp_path):
    for text, sentence in (("", "at least one key"), ("abc", "not a Fernet key")):
        (tmp_path / "keys").write_text(text)
        with pytest.raises(ValueError, match=sentence):
            Seal.of_file(tmp_path / "keys")


def test_a_ticket_of_another_version_is_refused_in_words(monkeypatch):
    seal = Seal.of_file(None)
    ticket = seal.ticket(MATCH, BLOCK)
    monkeypatch.setattr(tickets, "VERSION", 2)
    with pytest.raises(Refused, match="another version"):
        seal.open(ticket)


def test_old_tickets_are_refused(monkeypatch):
    seal = Seal.of_file(None)
    monkeypatch.setattr(tickets, "DAYS", -1)
    with pytest.raises(Refused):
        seal.open(seal.ticket(MATCH, BLOCK))


def test_the_room_of_a_ticket_depends_on_the_game_alone():
    assert room_for(game_from("tic-tac-toe")) == 0
    assert room_for(game_from("leduc-poker")) == BLOCK
    assert room_for(game_from("duel")) == 2 * BLOCK
    noise = random.Random(1)
    moves = [[0, noise.randrange(2**31), 10**6, [noise.randrange(2**40)] * 2] for _ in range(5000)]
    with pytest.raises(Refused, match="--store"):
        Seal.of_file(None).ticket({**MATCH, "moves": moves}, MOST)
