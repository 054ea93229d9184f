"""Object code in the cache and in libraries is used if it fits, and otherwise replaced."""

import json
import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import plyglass as pg
from plyglass.core import library
from plyglass.core.compile import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

GAME = '''
import numpy as np
import plyglass as pg

STEP = 1


@pg.kernel
def start(r, setup, s):
    s.heap = 5

@pg.kernel
def to_move(r, s):
    return -1 if s.heap <= 0 else s.player

@pg.kernel
def legal(r, s, out):
    out[0] = STEP
    out[1] = 2
    return 2

@pg.kernel
def apply(r, s, action):
    s.heap -= action
    s.player = 1 - s.player

@pg.kernel
def score(r, s, player):
    return 1.0 if s.player == player else -1.0


class Small(pg.Game):
    """A heap from which players take."""
    name = "small"
    state = pg.state_dtype(("heap", np.int64), ("player", np.int64))
    rules = (start, to_move, legal, apply, score)

    def __init__(self):
        super().__init__(players=2, most_actions=2, most_steps=9, scores=(-1.0, 1.0))
'''
PLAY = """
    import json, sys
    import plyglass as pg
    from plyglass.core.compile import compilations
    from plyglass.core.library import followed_by
    steps = []
    with followed_by(steps.append):
        world = pg.game_from("small.py").start(0)
    world.apply(world.legal()[1])
    print(json.dumps({"heap": int(world.record["heap"]), "steps": steps, **compilations()}))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "small.py").write_text(GAME)
    return tmp_path


def played(folder, **environment):
    """What a new process says of the game in this folder, with its cache there."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PLAY)],
        env={**os.environ, "PLYGLASS_CACHE": str(folder / "cache"), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kept_object(folder):
    (path,) = (folder / "cache").glob("game-*/small.o")
    return path


def test_object_code_is_kept_and_loaded_by_the_next_process(folder):
    assert played(folder)["compiled"] == 7  # five rules, and two functions composed from them
    again = played(folder)
    assert again["compiled"] == 0
    assert again["heap"] == 3


@pytest.mark.parametrize("damage", ["bit", "short", "foreign"])
def test_a_damaged_object_is_compiled_again(folder, damage):
    played(folder)
    path = kept_object(folder)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(
        {
            "bit": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
            "short": whole[:middle],
            "foreign": b"\x7fELF" + whole[4:],
        }[damage]
    )
    again = played(folder)
    assert (again["compiled"], again["heap"]) == (7, 3)
    assert path.read_bytes() == whole
    assert played(folder)["compiled"] == 0


def test_two_processes_compile_at_once(folder):
    command = [sys.executable, "-c", textwrap.dedent(PLAY)]
    environment = {**os.environ, "PLYGLASS_CACHE": str(folder / "cache")}
    both = [
        subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [json.loads(each.communicate()[0])["heap"] for each in both] == [3, 3]
    assert played(folder)["compiled"] == 0


def test_without_a_place_for_the_cache_code_is_compiled_in_memory(folder):
    (folder / "cache").write_text("a file where a folder should be")
    assert played(folder)["heap"] == 3


def test_an_edited_rule_is_compiled_again_and_every_step_is_told(folder):
    first = played(folder)["steps"]
    rules = ["start", "to_move", "legal", "apply", "score", "step", "playout"]
    assert [name for *_, name, _ in first] == [*rules, "machine code", ""]
    assert [(game, done, total) for game, done, total, *_ in first] == [
        ("small", done, 8) for done in range(9)
    ]
    assert {last for *_, last in first} == {0.0}
    (folder / "small.py").write_text(GAME.replace("out[1] = 2", "out[1] = 3"))
    again = played(folder)
    assert again["heap"] == 2
    assert all(last > 0.0 for *_, last in again["steps"])
    assert played(folder)["steps"] == []


def test_closures_with_other_values_have_code_of_their_own():
    def adding(step):
        @pg.kernel
        def apply(r, s, action):
            s.heap -= action + step

        return apply

    heaps = []
    for step in (1, 2):
        game = heap_game(adding(step))
        world = game.start(0)
        world.apply(1)
        heaps.append(int(world.record["heap"]))
    assert heaps == [3, 2]


def heap_game(apply_rule):
    @pg.kernel
    def start(r, setup, s):
        s.heap = 5

    @pg.kernel
    def to_move(r, s):
        return -1 if s.heap <= 0 else 0

    @pg.kernel
    def legal(r, s, out):
        out[0] = 1
        return 1

    @pg.kernel
    def score(r, s, player):
        return 0.0

    class Heap(pg.Game):
        name = "heap"
        state = pg.state_dtype(("heap", np.int64))
        rules = (start, to_move, legal, apply_rule, score)

        def __init__(self):
            super().__init__(players=1, most_actions=1, most_steps=9, scores=(-1.0, 1.0))

    return Heap()


# -- libraries beside the package

bundle = pytest.mark.skipif(
    not library._manifest()["games"], reason="the native libraries are not built"
)


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the folder of libraries that this process uses, to be damaged."""
    target = tmp_path / "native"
    shutil.copytree(library.FOLDER / library.processor(), target / library.processor())
    shutil.copy(library.FOLDER / "manifest.json", target)
    monkeypatch.setattr(library, "FOLDER", target)
    forget()
    yield target
    forget()


def forget():
    for each in (library._manifest, library._open, library._is_unchanged):
        each.cache_clear()


def identity(game):
    functions, layout = game.functions, game.layout
    owner = f"{type(game).__module__}:{type(game).__qualname__}"
    meaning = lambda: library.meaning_of_roots(functions.roots, layout)  # noqa: E731
    return game.name, owner, functions.identity(layout), meaning


@bundle
def test_a_bundled_library_holds_all_functions_of_its_game(copied):
    game = pg.games.ConnectFour()
    addresses = library.bundled(*identity(game))
    assert all(addresses(name) for name in game.functions.roots)


@bundle
@pytest.mark.parametrize("damage", ["bit", "short", "foreign", "missing"])
def test_a_damaged_library_is_refused(copied, damage, caplog):
    path = copied / library.processor() / "connect-four.so"
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(
            {
                "bit": whole[:900] + bytes([whole[900] ^ 1]) + whole[901:],
                "short": whole[:900],
                "foreign": (copied / library.processor() / "pig.so").read_bytes(),
            }[damage]
        )
    assert library.bundled(*identity(pg.games.ConnectFour())) is None
    assert "compiled again" in caplog.text


def change_manifest(folder, change):
    manifest = json.loads((folder / "manifest.json").read_text())
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    forget()


def edit_source(manifest):
    rules = manifest["games"]["connect-four"]["sources"][0]
    manifest["sources"][rules][1] = "another digest"


@bundle
def test_a_library_is_not_used_for_other_rules(copied):
    name, owner, digest, meaning = identity(pg.games.ConnectFour())
    assert library.bundled(name, "my_games:ConnectFour", digest, meaning) is None
    other = identity(pg.games.Pig())[-1]
    assert library.bundled(name, owner, "another digest", other) is None
    change_manifest(copied, edit_source)
    assert library.bundled(name, owner, digest, other) is None


@bundle
def test_a_library_is_used_while_its_rules_mean_the_same(copied):
    name, owner, _, meaning = identity(pg.games.ConnectFour())
    change_manifest(copied, edit_source)
    assert library.bundled(name, owner, "another digest", meaning)


@bundle
def test_a_library_is_not_used_if_its_compiler_has_changed(copied):
    def edit_compiler(manifest):
        edit_source(manifest)
        manifest["sources"][manifest["tools"][0]][1] = "another digest"

    change_manifest(copied, edit_compiler)
    assert library.bundled(*identity(pg.games.ConnectFour())) is None


@bundle
def test_a_precompiled_kernel_is_used_while_it_means_the_same(copied):
    def edit_all(manifest):
        kept = set(manifest["tools"])
        for number, source in enumerate(manifest["sources"]):
            source[1] = source[1] if number in kept else "another digest"

    change_manifest(copied, edit_all)
    name = next(iter(library._manifest()["entries"]))
    kernel = library.named(name)
    assert library.entry(kernel) is not None
    change_manifest(copied, lambda manifest: manifest["entries"][name].update(meaning="another"))
    assert library.entry(kernel) is None


@bundle
def test_a_kernel_takes_other_types_through_numba():
    game = pg.games.TicTacToe()
    world = game.start(0)
    table = np.array(game.table, np.int64)
    narrow = table.astype(np.uint64)
    assert game.verbs.to_move(table, world.address) == 0
    assert game.verbs.to_move(narrow, world.address) == 0
    with pytest.raises(TypeError):
        game.verbs.to_move(table)


def test_a_library_is_tuned_for_a_recent_processor_but_does_not_use_its_instructions():
    llvm = pytest.importorskip("llvmlite.binding")
    from plyglass.core import module

    counting = llvm.parse_assembly(
        """
        declare <4 x i64> @llvm.ctpop.v4i64(<4 x i64>)
        define <4 x i64> @count(<4 x i64> %x) #0 {
          %y = call <4 x i64> @llvm.ctpop.v4i64(<4 x i64> %x)
          ret <4 x i64> %y
        }
        define void @nothing() { ret void }
        attributes #0 = { nounwind }
        """
    )
    tuned = module._tuned(counting, "sapphirerapids")
    assert str(tuned).count('"tune-cpu"="sapphirerapids"') == 2
    assert "tune-cpu" not in str(counting)
    assert _uses(llvm, counting, "sapphirerapids", "vpopcntq")
    assert not _uses(llvm, tuned, "x86-64-v3", "vpopcntq")


def _uses(llvm, module, processor, instruction):
    """Whether the machine code of a module has an instruction."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    return instruction in target.create_target_machine(cpu=processor).emit_assembly(module.clone())
