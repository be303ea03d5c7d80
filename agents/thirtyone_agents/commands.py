"""`thirtyone agents`: what can be named as a policy."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone agents --json")
def agents(as_json: bool = typer.Option(False, "--json", help="As JSON: name and help of each.")) -> None:
    """Policies that can be named, such as threshold:21."""
    from thirtyone_agents.registry import names

    found = names()
    if as_json:
        import json

        typer.echo(json.dumps([{"name": name, "help": text} for name, text in found.items()], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "what it does", box=None, pad_edge=False)
    for name, text in found.items():
        table.add_row(name.replace("[", "\\["), text.replace("[", "\\["))
    Console().print(table)
