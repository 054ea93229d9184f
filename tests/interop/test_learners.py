"""Functions, networks and trained models as players."""

import json
import pickle

import numpy as np
import pytest

import plyglass as pg
from plyglass.interop.codec import codec_of
from plyglass.interop.learners import SB3, Function, Network, Weights, load_game, save
from plyglass.interop.observation import Layout

GAME = pg.games.TicTacToe()
RANDOM = pg.agent_from("random")


class Linear:
    """A layer as PyTorch has them, without PyTorch."""

    class Tensor:
        def __init__(self, values):
            self.values = values

        def detach(self):
            return self

        cpu = detach

        def numpy(self):
            return self.values

    def __init__(self, rng, before, after):
        self.weight = self.Tensor(rng.normal(size=(after, before)))
        self.bias = self.Tensor(rng.normal(size=after))


class Tanh:
    """An activation."""


class Gelu:
    """An activation that cannot be written."""


def layers(seed=0, activation=Tanh, game=GAME):
    rng = np.random.default_rng(seed)
    sizes = Layout(game).size, 16, codec_of(game).size
    return [Linear(rng, *sizes[:2]), activation(), Linear(rng, *sizes[1:])]


def output(network, values):
    first, _, last = network
    hidden = np.tanh(first.weight.values @ values + first.bias.values)
    return last.weight.values @ hidden + last.bias.values


def test_a_function_on_views_plays():
    first = Function(lambda view: view.legal()[0])
    match = pg.play(GAME, [first, first], seed=1)
    assert match.actions == (0, 1, 2, 3, 4, 5, 6) and not match.cheated


def test_a_network_plays_its_best_legal_action():
    network = layers()
    player = Network(lambda values: output(network, values))
    match = pg.play(GAME, [player, RANDOM], seed=3)
    world = GAME.start(0)
    for move in match.moves:
        if move.player == 0:
            values = output(network, Layout(GAME).encode(world.hide(0)))
            assert move.action == max(world.legal(), key=lambda action: values[action])
        world.apply(move.action)


def test_a_network_that_draws_follows_its_probabilities():
    logits = np.full(9, -50.0)
    logits[[0, 8]] = np.log([0.25, 0.75])
    player = Network(lambda values: logits, greedy=False)
    first = [pg.play(GAME, [player, RANDOM], seed=seed).actions[0] for seed in range(400)]
    assert {*first} == {0, 8} and 270 < first.count(8) < 330


def test_weights_in_a_file_play_like_the_network(tmp_path):
    network, path = layers(), tmp_path / "policy.npz"
    save(network, GAME, path)
    assert load_game(path).name == GAME.name
    by_file, directly = Weights(str(path)), Network(lambda values: output(network, values))
    for seed in range(1 << 70, (1 << 70) + 5):
        matches = [pg.play(GAME, [each, RANDOM], seed=seed) for each in (by_file, directly)]
        assert matches[0].actions == matches[1].actions


def test_weights_join_a_tournament_by_name(tmp_path):
    save(layers(), GAME, tmp_path / "policy.npz")
    text = f"plyglass.interop.learners@Weights:path={tmp_path / 'policy.npz'}"
    from plyglass.arena.specs import player_from

    match = pg.play(GAME, [player_from(text), RANDOM], seed=1)
    assert match.actions


def test_weights_for_another_game_are_refused(tmp_path):
    save(layers(), GAME, tmp_path / "policy.npz")
    with pytest.raises(ValueError, match="was made for tic-tac-toe, not for connect-four"):
        Weights(str(tmp_path / "policy.npz")).take_seat(pg.games.ConnectFour(), 0, 0)


def altered(path, **changes):
    with np.load(path) as file:
        arrays = {**file}
    about = json.loads(str(arrays["about"]))
    about.update(changes.pop("about", {}))
    arrays.update(changes, about=np.array(json.dumps(about)))
    with path.open("wb") as file:
        np.savez(file, **arrays)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight1": np.zeros((9, 17), np.float32)}, "layer 1 does not fit"),
        ({"bias0": np.full(16, np.nan, np.float32)}, "odd shape, type or number"),
        ({"weight0": np.array([print], object)}, "allow_pickle|odd shape"),
        ({"about": {"layers": 10**9}}, "number of layers is unknown"),
        ({"about": {"activation": "exec"}}, "activation 'exec' is unknown"),
    ],
)
def test_a_hostile_file_is_refused_and_nothing_of_it_runs(tmp_path, changes, message):
    path = tmp_path / "policy.npz"
    save(layers(), GAME, path)
    altered(path, **changes)
    with pytest.raises(ValueError, match=message):
        Weights(str(path)).take_seat(GAME, 0, 0)


def test_a_pickle_in_place_of_weights_is_refused(tmp_path):
    path = tmp_path / "policy.npz"
    path.write_bytes(pickle.dumps({"weights": 1}))
    with pytest.raises(ValueError, match="holds no weights as `save` writes them"):
        Weights(str(path)).take_seat(GAME, 0, 0)


def test_a_network_with_another_activation_cannot_be_written(tmp_path):
    with pytest.raises(ValueError, match="only Tanh or only ReLU"):
        save(layers(activation=Gelu), GAME, tmp_path / "policy.npz")


def test_a_model_with_and_without_masks_plays():
    class Masked:
        def predict(self, observation, deterministic, action_masks):
            assert action_masks.shape == (9,)
            return np.flatnonzero(action_masks)[-1], None

    class Plain:
        def predict(self, observation, deterministic):
            return 0, None

    match = pg.play(GAME, [SB3(Masked()), SB3(Plain())], seed=0)
    assert match.actions[:4] == (8, 0, 7, 1)


@pytest.mark.nightly
def test_maskable_ppo_learns_and_plays_from_its_file(tmp_path):
    torch = pytest.importorskip("torch")
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from plyglass.interop.sb3 import SB3VecEnv

    torch.set_num_threads(1)
    env = SB3VecEnv("tic-tac-toe", 32, opponents="random", seat=None)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=512, seed=1)
    model.learn(40_000)
    save(model, GAME, tmp_path / "policy.npz")
    seeds = range(1 << 70, (1 << 70) + 100)
    players = SB3(model), Weights(str(tmp_path / "policy.npz"))
    scores = [[pg.play(GAME, [each, RANDOM], seed=n).scores[0] for n in seeds] for each in players]
    assert scores[0] == scores[1] and np.mean(scores[0]) > 0.7
