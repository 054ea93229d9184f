"""Nets: inputs as a naive encoder has them, values as NumPy does, and files that are refused."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.specs import agent_from, text_of_agent
from plyglass.core.compile import JIT
from plyglass.core.nets import inputs as code
from plyglass.core.nets.encoding import encoding_of
from plyglass.core.nets.file import Net, read_net, write_net
from plyglass.core.nets.record import encoded, evaluator, values
from plyglass.search.values import evaluator_of, judge
from plyglass.trust import NamesCode, as_data

GAMES = {
    "connect-four": (pg.games.ConnectFour, "world", False),  # marks of players
    "dark-hex": (pg.games.DarkHex, "view", True),  # sets, and sides with other goals
    "duel": (pg.games.Duel, "view", False),  # numbers with steps
    "trading-cards": (pg.games.TradingCards, "world", False),  # wide sets, and features
    "skirmish": (lambda: pg.games.Skirmish(fog=True), "world", True),
    "pandemic": (pg.games.Pandemic, "world", False),
}
compiled = pytest.mark.skipif(not JIT, reason="compares compiled with interpreted code")


def positions(game, count, seed=1):
    """Positions of random games in which somebody is to move."""
    choice, rows = np.random.default_rng(seed), []
    while len(rows) < count:
        world = game.start(int(choice.integers(1 << 40)))
        while not world.over and len(rows) < count:
            rows.append(world.row())
            actions = world.legal()
            world.apply(actions[choice.integers(len(actions))])
    return np.array(rows)


def random_net(encoding, units=8, seed=1):
    choice = np.random.default_rng(seed)
    weights = choice.normal(0, 0.2, (encoding.rows + 1, units)).astype(np.float32)
    return Net(encoding, weights, choice.normal(0, 0.5, units + 1).astype(np.float32))


def case(name, count=60):
    make, kind, apart = GAMES[name]
    game = make()
    rows = positions(game, count)
    encoding = encoding_of(game, rows, kind=kind, apart=apart)
    players = np.random.default_rng(2).integers(game.players, size=len(rows))
    return game, rows, encoding, players


def naive_inputs(game, encoding, row, player):
    """The inputs by field names and NumPy's own reading, with no bit of the kernel's arithmetic."""
    world, n = pg.World(game, row.copy()), game.players
    shown = world.hide(player) if encoding.kind == "view" else world
    record, out = shown.record, np.zeros(encoding.inputs)
    out[(world.to_move - player) % n] = out[n + player] = 1
    fields = sorted((offset, name) for name, (_, offset, *_) in game.state.fields.items())
    for op, offset, width, _, stride, part, first, low, count, at in encoding.program.tolist():
        start, name = max(each for each in fields if each[0] <= offset)
        flat = np.asarray(record[name]).ravel()
        step = stride // width * ((player + part) % n)
        value = flat[(offset - start) // width + step].item()
        if op == code.NUMBER:
            mean, scale, *steps = encoding.numbers[at : at + 2 + count]
            out[first] = np.clip((value - mean) * scale, -4, 4)
            out[first + 1 : first + 1 + count] = [value > each for each in steps]
        elif op == code.BITS:
            members = [bit for bit in range(63) if low >> bit & 1]
            out[first : first + len(members)] = [value >> bit & 1 for bit in members]
        elif op == code.RELATIVE:
            named = low <= value < low + n
            out[first + ((value - low - player) % n if named else n)] = 1
        elif low <= value < low + count and encoding.lookups[at + value - low] >= 0:
            out[first + encoding.lookups[at + value - low]] += 1  # places of a list share inputs
    if encoding.features:
        found = np.zeros(encoding.features)
        game.verbs.features(game.table, world.address, player, found.ctypes.data)
        mean, scale = encoding.numbers[-2 * encoding.features :].reshape(-1, 2).T
        out[-encoding.features :] = np.clip((found - mean) * scale, -4, 4)
    if not encoding.apart:
        return out
    return np.concatenate([out if seat == player else 0 * out for seat in range(n)])


@pytest.mark.parametrize("name", GAMES)
def test_inputs_are_those_of_a_naive_encoder(name):
    game, rows, encoding, players = case(name)
    found = encoded(game, encoding, rows, players)
    for row, player, inputs in zip(rows, players.tolist(), found, strict=True):
        wanted = naive_inputs(game, encoding, row, player)
        np.testing.assert_allclose(inputs, wanted, rtol=1e-6, atol=1e-6)
        assert np.count_nonzero(wanted) <= encoding.most_active


@pytest.mark.parametrize("name", GAMES)
def test_the_value_is_that_of_numpy_within_single_precision(name):
    game, rows, encoding, players = case(name)
    net = random_net(encoding)
    units = encoded(game, encoding, rows, players) @ net.weights[:-1] + net.weights[-1]
    units[:, :-1] = np.maximum(units[:, :-1], 0)
    success = 1 / (1 + np.exp(-(units @ net.out[:-1] + net.out[-1]).astype(float)))
    low, high = game.scores
    wanted = low + (high - low) * success
    found = values(game, net, rows, players)
    np.testing.assert_allclose(found, wanted, atol=3e-6 * (high - low))
    assert found.std() > 0.01 * (high - low)


@compiled
@pytest.mark.parametrize("name", ["connect-four", "dark-hex", "trading-cards"])
def test_interpreted_and_compiled_values_are_equal_to_the_last_bit(name):
    game, rows, encoding, players = case(name)
    net = random_net(encoding)
    twin = values(game.interpreted(), net, rows[:10], players[:10])
    assert twin.tobytes() == values(game, net, rows[:10], players[:10]).tobytes()


@pytest.mark.parametrize("column", [code.OFFSET, code.PART, code.FIRST, code.LOW])
def test_a_mutant_of_the_encoding_is_noticed(column):
    game, rows, encoding, players = case("duel")
    row = next(
        each for each in encoding.program if each[code.OP] == code.ONE_HOT and each[code.STRIDE]
    )
    row[column] = {code.PART: 1 - row[code.PART]}.get(column, row[column] + 1)
    mutant = encoded(game, encoding, rows, players)
    row[column] = {code.PART: 1 - row[code.PART]}.get(column, row[column] - 1)
    wanted = [naive_inputs(game, encoding, *each) for each in zip(rows, players, strict=True)]
    assert not np.allclose(mutant, wanted)


def test_the_own_side_comes_first():
    game = pg.games.ConnectFour()
    world = game.start(1)
    world.apply(3)
    rows = np.concatenate([positions(game, 80), [world.row()]])
    encoding = encoding_of(game, rows)
    both = encoded(game, encoding, np.array([world.row()] * 2), np.array([0, 1]))
    cell = (game.state.fields["cell"][1]) + 3
    row = next(each for each in encoding.program if each[code.OFFSET] == cell)
    own, other, nobody = row[code.FIRST] + np.arange(3)
    assert row[code.OP] == code.RELATIVE
    assert both[0, own] == both[1, other] == 1
    assert both[0, other] == both[1, own] == both[0, nobody] == 0


def test_places_of_a_list_share_their_inputs():
    game = pg.games.Duel()
    rows = positions(game, 400)
    boards = rows.view(game.state)["board"][:, 0]
    encoding = encoding_of(game, rows)
    start, place = game.state.fields["board"][1], boards.shape[2]
    shared = {}
    for row in encoding.program[encoding.program[:, code.OP] == code.ONE_HOT].tolist():
        if start <= row[code.OFFSET] < start + 2 * place:
            shared.setdefault((row[code.PART], row[code.FIRST]), []).append(row[code.OFFSET])
    lists = [key for key, offsets in shared.items() if len(offsets) == place]
    assert [part for part, _ in lists] == [0, 1]
    values = np.unique(boards)
    players = np.random.default_rng(1).integers(2, size=len(rows))
    found = encoded(game, encoding, rows, players)
    for part, first in lists:
        owned = boards[np.arange(len(rows)), (players + part) % 2]
        wanted = (owned[:, :, None] == values).sum(axis=1)
        assert np.array_equal(found[:, first : first + len(values)], wanted)
    assert (found > 1).any()


def test_a_view_net_knows_only_what_its_player_sees():
    game, rows, encoding, _ = case("dark-hex")
    net = random_net(encoding)
    world = pg.World(game, rows[9].copy())
    others = [game.imagine(world.hide(0), seed).row() for seed in range(20)]
    judged = values(game, net, np.array([rows[9], *others]), np.zeros(21, np.int64))
    assert len({row.tobytes()[32:] for row in others}) > 1
    assert np.ptp(judged) == 0
    seen_all = random_net(encoding_of(game, rows))
    assert np.ptp(values(game, seen_all, np.array(others), np.zeros(20, np.int64))) > 0


def test_a_finished_game_is_worth_its_score(tmp_path):
    game, _, encoding, _ = case("connect-four")
    write_net(random_net(encoding), tmp_path / "a.npz")
    net = evaluator_of(game, f"net({tmp_path / 'a.npz'})")
    world = game.start(1)
    for action in (0, 1, 0, 1, 0, 1, 0):
        assert net < 0
        assert abs(judge(game.table, world.address, 0, net)) < 1
        world.apply(action)
    assert [judge(game.table, world.address, seat, net) for seat in range(2)] == [1, -1]


def test_every_net_of_a_game_was_accepted_by_its_gate_and_names_its_command():
    files = sorted(Path(pg.games.__file__).parent.glob("*/net.npz"))
    assert [file.parent.name for file in files] == ["trading_cards"]
    for file in files:
        about = read_net(file).about
        assert about["gate"]["accepted"]
        assert about["command"].startswith(f"plyglass learn {about['game']} --net")
        assert evaluator_of(pg.game_from(about["game"]), "net") < 0


def test_two_nets_meet_in_one_match(tmp_path):
    game, _, encoding, _ = case("connect-four")
    texts = []
    for seed in (1, 2):
        write_net(random_net(encoding, seed=seed), tmp_path / f"{seed}.npz")
        playout = f"playout.turns=1,playout.evaluator=net({tmp_path}/{seed}.npz)"
        texts.append(f"uct:iterations=20,{playout}")
    agents = [agent_from(text) for text in texts]
    assert agent_from(text_of_agent(agents[0])) == agents[0]
    match = pg.play(game, agents, seed=1)
    assert match == pg.play(game, agents, seed=1)
    assert match.actions != pg.play(game, agents[::-1], seed=1).actions


def test_a_file_gives_back_its_net_and_equal_nets_equal_bytes(tmp_path):
    _, _, encoding, _ = case("duel")
    net = random_net(encoding).with_about(command="plyglass learn duel")
    for name in ("a.npz", "b.npz"):
        write_net(net, tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    found = read_net(tmp_path / "a.npz")
    assert found.about == {"command": "plyglass learn duel"}
    assert np.array_equal(found.weights, net.weights)
    assert np.array_equal(found.encoding.program, encoding.program)


def test_a_net_of_another_state_is_refused_in_a_sentence(tmp_path):
    _, _, encoding, _ = case("duel")
    write_net(random_net(encoding).with_about(game="duel"), tmp_path / "duel.npz")
    with pytest.raises(ValueError, match="learned for duel, whose state differs from that of conn"):
        evaluator(pg.games.ConnectFour(), f"net({tmp_path / 'duel.npz'})")
    with pytest.raises(ValueError, match=r"There is no file .*no\.npz with a net"):
        evaluator(pg.games.Duel(), f"net({tmp_path / 'no.npz'})")
    with pytest.raises(ValueError, match="tic-tac-toe comes without a net; learn one with"):
        evaluator(pg.games.TicTacToe(), "net")
    with pytest.raises(ValueError, match="not of the form net"):
        evaluator(pg.games.Duel(), "net(a.npz")


def test_records_and_stores_open_no_net(tmp_path):
    with as_data(), pytest.raises(NamesCode):
        evaluator(pg.games.Duel(), f"net({tmp_path / 'duel.npz'})")
    # an agent is made from data, and takes its seat later
    for text in (
        "plan-tournament:evaluator=net(duel.npz)",
        "uct:playout.turns=1,playout.evaluator=net(duel.npz)",
        "pimc:inner=expectiminimax(depth=1,evaluator=net(duel.npz))",
        "uct:playout=playout(turns=1,evaluator=net( duel.npz ))",
    ):
        with as_data(), pytest.raises(NamesCode):
            agent_from(text)
    with as_data():
        assert agent_from("plan-tournament:evaluator=net").planner.evaluator == "net"


def rewritten(path, name, change):
    """The net at `path` with one array changed."""
    with np.load(path) as found:
        arrays = {each: found[each] for each in found.files}
    arrays[name] = change(arrays[name])
    np.savez(path, **arrays)


def changed_head(**changes):
    def change(head):
        text = json.dumps({**json.loads(head.tobytes()), **changes})
        return np.frombuffer(text.encode(), np.uint8)

    return change


def in_column(column, value):
    def change(program):
        program[0, column] = value
        return program

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("program", in_column(code.OFFSET, -8)),
        ("program", in_column(code.STRIDE, -1)),
        ("program", in_column(code.STRIDE, 2**62)),  # its multiples wrap around
        ("program", in_column(code.OFFSET, 2**63 - 8)),
        ("program", in_column(code.WIDTH, 3)),
        ("program", in_column(code.PART, 2)),
        ("program", in_column(code.FIRST, 10**6)),
        ("program", in_column(code.COUNT, 10**6)),
        ("program", in_column(code.AT, -1)),
        ("program", in_column(code.OP, 9)),
        ("lookups", lambda lookups: lookups + 10**6),
        ("weights", lambda weights: weights[:-1]),
        ("weights", lambda weights: weights * np.float32(np.nan)),
        ("weights", lambda weights: weights.astype(float)),
        ("out", lambda out: out[:-1]),
        ("head", changed_head(inputs=10**6)),
        ("head", changed_head(players=9)),
        ("head", changed_head(kind="truth")),
        ("head", changed_head(version=2)),
        ("head", lambda head: head[:-3]),
        ("out", lambda out: np.array([{"pickled": 1}], dtype=object)),
    ],
)
def test_a_file_that_could_mislead_a_kernel_is_refused(tmp_path, name, change):
    _, _, encoding, _ = case("duel", 20)
    write_net(random_net(encoding), tmp_path / "a.npz")
    rewritten(tmp_path / "a.npz", name, change)
    with pytest.raises(ValueError, match=r"a\.npz is not a net of"):
        read_net(tmp_path / "a.npz")


def test_a_program_that_reads_beyond_the_state_and_a_large_file_are_refused(tmp_path):
    game, rows, encoding, players = case("duel", 20)
    encoding.program[0, code.OFFSET] = game.state.itemsize
    with pytest.raises(ValueError, match="reads beyond the state of duel"):
        values(game, random_net(encoding), rows, players)
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("head.npy", bytes(60_000_000))
    with pytest.raises(ValueError, match="more than 50,000,000 bytes"):
        read_net(tmp_path / "a.npz")
