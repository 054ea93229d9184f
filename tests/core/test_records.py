"""Records, packed actions, worlds and views."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyglass as pg
from plyglass.bench.rules import _copy_often
from plyglass.core.compile import interpreted
from plyglass.core.state import HEADER_BYTES, Fields, filled
from plyglass.core.table import SIZE, TABLE_WORDS

kinds, sources, targets = st.integers(0, 127), st.integers(0, 4095), st.integers(0, 4095)


@given(kinds, sources, targets)
def test_a_packed_action_unpacks_to_what_was_packed(kind, source, target):
    action = int(pg.pack(kind, source, target))
    assert 0 <= action < 2**31
    assert pg.unpack(action) == (kind, source, target)
    assert (pg.kind_of(action), pg.source_of(action), pg.target_of(action)) == (
        kind,
        source,
        target,
    )


def test_a_plain_move_is_its_own_action():
    assert pg.pack(0, 0, 3) == 3


def test_header_names_are_refused_as_fields():
    with pytest.raises(ValueError, match="'rng' has a name of the header"):
        pg.state_dtype(("rng", np.int8))


def test_constants_must_be_complete():
    with pytest.raises(ValueError, match=r"missing are \['b'\], unknown are \['c'\]"):
        filled(np.dtype([("a", np.int8), ("b", np.int8)]), {"a": 1, "c": 2})


def test_an_interpreted_record_hands_out_python_numbers_and_cuts_what_it_stores():
    dtype = np.dtype(
        [("small", np.int8, (2, 2)), ("real", np.float64), ("word", np.uint64)], align=True
    )
    memory = np.zeros(1, dtype)
    record = Fields(memory.ctypes.data, dtype)
    record.small[1, 1] = 100
    assert record.small[1, 1] * 16 + 5 == 1605  # an int8 would wrap
    record.small[1, 1] = 200
    assert record.small[1, 1] == -56  # a store is cut to the field, as in machine code
    record.word = np.uint64(2**64 - 1)
    assert isinstance(record.word, np.uint64)
    assert memory["small"][0, 1, 1] == -56


@pytest.mark.parametrize("index", [(2, 0), (0, -1), (-1, 0)])
def test_an_interpreted_record_refuses_an_index_outside(index):
    dtype = np.dtype([("cell", np.int8, (2, 2))])
    memory = np.zeros(1, dtype)
    with pytest.raises(IndexError, match="outside of the field"):
        Fields(memory.ctypes.data, dtype).cell[index] = 1


def test_a_view_is_made_by_hiding_a_world_and_by_nothing_else():
    with pytest.raises(TypeError, match=r"call World\.hide\(viewer\)"):
        pg.View()
    world = pg.games.KuhnPoker().start(3)
    view = world.hide(0)
    assert not isinstance(view, pg.World) and not isinstance(world, pg.View)
    assert not any(view.record[name] for name in ("luck", "rng", "tape", "ply", "drawn"))
    with pytest.raises(AttributeError):
        view.apply(0)


def test_a_view_cannot_be_written_through():
    view = pg.games.KuhnPoker().start(3).hide(0)
    view.row()[:] = 0
    assert view == pg.games.KuhnPoker().start(3).hide(0)
    with pytest.raises(ValueError, match="read-only"):
        view.record["card"][0] = 2


def test_an_illegal_action_is_refused_with_a_sentence():
    world = pg.games.ConnectFour().start(0)
    with pytest.raises(pg.IllegalAction, match="connect-four: cannot play '8'"):
        world.apply(7)


def test_equality_and_hashes_skip_the_header():
    one, other = pg.games.ConnectFour().start(1), pg.games.ConnectFour().start(2)
    assert one == other
    assert hash(one) == hash(other)
    other.apply(3)
    assert one != other


@pytest.mark.parametrize("copy", [_copy_often, interpreted(_copy_often)])
def test_a_state_of_any_size_is_copied_in_full_and_no_further(copy):
    for size in range(HEADER_BYTES, 280, 8):
        table = np.zeros(TABLE_WORDS, np.int64)
        table[SIZE] = size
        source = np.random.default_rng(size).integers(1, 256, 300).astype(np.uint8)
        target = np.zeros(300, np.uint8)
        copy(table, source, target, 1)
        np.testing.assert_array_equal(target[:size], source[:size])
        assert not target[size:].any()
