"""A place that cannot be written into is refused before anything is computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from thirtyone_env import benchmarks
from thirtyone_env.cli import main
from thirtyone_eval import demo, run
from thirtyone_train import trainer


def computed(*args: object, **keys: object) -> None:
    raise AssertionError("something was computed")


@pytest.mark.parametrize("place", ["file/x", "/proc/x"])
@pytest.mark.parametrize(
    "words",
    [
        ["tournament", "baselines", "--set", "deals=2"],
        ["train", "sb3", "pagat"],
        ["demo", "--minutes", "0.02"],
        ["bench", "--runs", "1"],
    ],
    ids=lambda words: words[0],
)
def test_one_line_names_the_folder_and_nothing_is_computed(
    words: list[str],
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("kept", encoding="utf-8")
    for module, name in (
        (benchmarks, "measure"),
        (run, "crew"),
        (trainer, "make_model"),
        (demo, "_train"),
    ):
        monkeypatch.setattr(module, name, computed)
    out = f"{place}/b.json" if words[0] == "bench" else place
    with pytest.raises(SystemExit) as end:
        main([*words, "--out", out])
    lines = [line for line in capsys.readouterr().err.splitlines() if line.strip()]
    assert end.value.code == 2
    (line,) = [line for line in lines if line.startswith("error: ")]
    assert line.endswith(("Not a directory; choose another place", "No such file or directory; choose another place"))
    assert place.partition("/x")[0] in line
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert Path("file").read_text(encoding="utf-8") == "kept"
