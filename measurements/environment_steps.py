"""Steps a second of Connect Four: our compiled loop, Pgx (JAX, CPU) and PettingZoo, on one core.

    taskset -c 0 python measurements/environment_steps.py

Every library plays random legal actions, begins finished games anew, and gives observations and
masks. Times are CPU seconds of this process, so other processes do not count. JAX is compiled
before it is timed, and runs on the same core.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np  # noqa: E402 - after the settings of threads

COUNT, ROUNDS, REPEATS = 1024, 100, 5


def ours() -> Callable[[], int]:
    """Choices are drawn by NumPy, outside of the compiled loop."""
    from plyglass.interop.vector import PlyglassVectorEnv

    env = PlyglassVectorEnv("connect-four", COUNT, opponents=None, observation="planes")
    rng = np.random.default_rng(0)
    state = {"infos": env.reset(seed=0)[1]}

    def run() -> int:
        for _ in range(ROUNDS):
            masks = state["infos"]["action_mask"]
            actions = np.argmax(masks * rng.random(masks.shape, np.float32), axis=1)
            *_, state["infos"] = env.step(actions)
        return COUNT * ROUNDS

    return run


def pgx_connect_four() -> Callable[[], int]:
    """All rounds and choices in one call of JAX, the fastest way to use it."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.utils import act_randomly
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("connect_four")
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def rounds(key, state):
        def one(carry, _):
            key, state = carry
            key, first, second = jax.random.split(key, 3)
            action = act_randomly(first, state.legal_action_mask)
            state = step(state, action, jax.random.split(second, COUNT))
            return (key, state), state.observation.sum() + state.rewards.sum()

        (key, state), seen = jax.lax.scan(one, (key, state), None, length=ROUNDS)
        return key, state, jnp.sum(seen)

    key = jax.random.PRNGKey(0)
    kept = [*rounds(key, jax.jit(init)(jax.random.split(key, COUNT)))]

    def run() -> int:
        kept[:] = rounds(kept[0], kept[1])
        jax.block_until_ready(kept[2])
        return COUNT * ROUNDS

    return run


def pettingzoo_connect_four() -> Callable[[], int]:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    rng = np.random.default_rng(0)

    def run() -> int:
        steps = 0
        while steps < 1000:
            env.reset(seed=steps)
            for _ in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                legal = np.flatnonzero(observation["action_mask"])
                env.step(None if over or cut else int(legal[rng.integers(len(legal))]))
                steps += not (over or cut)
        return steps

    return run


def main() -> None:
    found = {}
    for name, make in (
        ("plyglass", ours),
        ("pgx", pgx_connect_four),
        ("pettingzoo", pettingzoo_connect_four),
    ):
        run = make()
        run()
        rates = []
        for _ in range(REPEATS):
            began = time.process_time()
            steps = run()
            rates.append(steps / (time.process_time() - began))
        found[name] = {"median": round(float(np.median(rates))), "all": [round(r) for r in rates]}
        print(f"{name:12} {found[name]['median']:>12,} steps a second", flush=True)
    print(json.dumps({"machine": platform.processor() or platform.machine(), **found}))


if __name__ == "__main__":
    main()
