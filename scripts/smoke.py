"""Uses an installed wheel as a newcomer would, with the core install only. Run outside the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import gymnasium

import thirtyone_env
from thirtyone_env import Game, Rules, thirtyone_v0


def play_a_game() -> None:
    """Whole matches by first legal action; each ends with one winner."""
    for seed in range(3):
        game = Game(Rules.preset("pagat"), players=4, seed=seed)
        while game.turn is not None:
            game.play(game.legal_actions()[seed % len(game.legal_actions())])
        assert game.winner in range(4), game.winner


def play_the_aec_environment() -> None:
    env = thirtyone_v0.env(rules="pagat", players=3)
    env.reset(seed=1)
    steps = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        mask = observation["action_mask"]
        env.step(None if terminated or truncated else int(env.action_space(agent).sample(mask)))
        steps += 1
    assert steps > 10, steps
    assert env.agents == []


def play_the_gymnasium_environment() -> None:
    env = gymnasium.make("ThirtyOne-v0", rules="pagat", players=3)
    env.reset(seed=1)
    ended = False
    while not ended:
        mask = env.get_wrapper_attr("action_masks")()
        _, _, terminated, truncated, _ = env.step(int(mask.argmax()))
        ended = terminated or truncated
    env.close()


def run(*words: str) -> str:
    """Output of `thirtyone WORDS`, which must succeed."""
    command = shutil.which("thirtyone")
    assert command is not None, "the command thirtyone is not on the path"
    return subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout


def main() -> None:
    home = Path(thirtyone_env.__file__).resolve()
    assert Path(sys.prefix).resolve() in home.parents, f"{home} is not in the environment {sys.prefix}"
    play_a_game()
    play_the_aec_environment()
    play_the_gymnasium_environment()
    assert "tournament" in run("--help")
    assert "knock" in run("rules", "pagat").lower()
    print("wheel smoke: a game, both environments and the command work")


if __name__ == "__main__":
    main()
