"""`thirtyone train sb3` at the command line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.train.small import VALUES
from thirtyone_env.cli import main
from thirtyone_train.watch import Watch


def run(args: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, output and errors of the command."""
    with pytest.raises(SystemExit) as end:
        main(args)
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The small training as a file."""
    file = tmp_path / "small.yaml"
    file.write_text(yaml.safe_dump(VALUES))
    return file


def test_a_run_from_a_file_ends_with_an_agent(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    args = ["train", "sb3", str(config), "--set", "budget.steps=256", "--json"]
    monkeypatch.setattr(sys, "argv", ["thirtyone", *args])
    code, out, err = run(args, capsys)
    assert code == 0
    data = json.loads(out)
    assert (data["folder"], data["steps"]) == ("runs/train-small-1", 256)
    assert Path(data["folder"], "agent.safetensors").is_file()
    assert "256 of 256 decisions" in err
    about = json.loads(Path(data["folder"], "agent.json").read_text())
    assert about["command"] == shlex.join(["thirtyone", *args])
    code, _, err = run(["train", "sb3", "--resume", data["folder"]], capsys)
    assert (code, err.count("\n")) == (2, 1)
    assert "is finished: its agent is learned:" in err


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["pagatt"], "did you mean pagat?"),
        ([], "give either a config (thirtyone train sb3 pagat) or --resume RUN"),
        (["pagat", "--resume", "x"], "give either a config"),
        (["--resume", "x", "--set", "seed=1"], "--set and --out cannot be given with it"),
        (["pagat", "--set", "ppo.n_step=1"], "there is no key 'ppo.n_step'; did you mean n_steps?"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(
    args: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(["train", "sb3", *args], capsys)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert text in err


def test_help_loads_no_torch() -> None:
    program = (
        "import sys\nfrom thirtyone_env.cli import main\n"
        "try:\n    main(['train', 'sb3', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('torch', 'stable_baselines3', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip().endswith("[]"), done.stderr
    assert "thirtyone train sb3 pagat --set budget.seconds=20" in " ".join(done.stdout.split())


def test_ctrl_c_tells_from_which_decision_the_run_goes_on(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    end_of_rollout = Watch._on_rollout_end

    def stopped(watch: Watch) -> None:
        end_of_rollout(watch)
        if len(watch.points) == 3:  # checkpoints are written before the updates 0 and 2
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Watch, "_on_rollout_end", stopped)
        code, _, err = run(
            ["train", "sb3", str(config), "--out", "it", "--set", "checkpoint_every=2"], capsys
        )
    assert code == 130
    steps = yaml.safe_load(Path("it", "config.yaml").read_text())["ppo"]
    decision = 2 * steps["n_steps"] * steps["num_games"]
    (line,) = [line for line in err.splitlines() if line.startswith("stopped; ")]
    assert f"from decision {decision:,}, that of the last checkpoint" in line
    assert line.endswith("thirtyone train sb3 --resume it")
    code, _, err = run(["train", "sb3", "--resume", "it"], capsys)
    assert code == 0
    assert f"going on from the checkpoint at {decision} of" in err
