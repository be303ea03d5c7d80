"""`thirtyone keeper`: keeps the lives of a game at a real table."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone keeper --file friday.json")
def keeper(
    file: str | None = typer.Option(
        None, "--file", help="Where to save; without it, a file in your data folder. A saved game goes on."
    ),
) -> None:
    """Keep the lives of a game at a real table: who loses what, by which rule, who is out.

    Two to 17 players, any house rules that matter to lives. Everything typed is saved at once.
    """
    import shlex
    from pathlib import Path

    from thirtyone_env.keeper.saving import default_file
    from thirtyone_env.keeper.session import Session

    if file is None:
        Session(default_file()).run()
    else:
        Session(Path(file), f"thirtyone keeper --file {shlex.quote(file)}").run()
