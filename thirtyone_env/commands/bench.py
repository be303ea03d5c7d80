"""`thirtyone bench`: what this machine does."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone bench --runs 3")
def bench(
    runs: int = typer.Option(5, min=1, max=100, help="Runs of each measurement; the median is told."),
    threads: bool = typer.Option(True, help="Also compare two threads with two processes."),
    peers: bool = typer.Option(True, help="Also measure kindred engines, where they are installed."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON in place of the table."),
    out: Path = typer.Option(Path("runs/bench.json"), help="File for the JSON; an older one is kept beside it."),
) -> None:
    """Measure the engine's speed on this machine, and save the figures."""
    import json

    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from thirtyone_env import benchmarks
    from thirtyone_env.benchmark_peers import installed_peers
    from thirtyone_env.files import free_path, make_folder, write_text

    make_folder(free_path(out).parent)  # told before anything is measured
    console = Console(stderr=as_json)
    figures = []
    with Progress(console=console, transient=True) as progress:
        plan = benchmarks.plan() + (installed_peers() if peers else [])
        task = progress.add_task("measuring", total=len(plan) + 2 * threads)
        with benchmarks.one_core():
            for name, make in plan:
                progress.update(task, description=name)
                figures.append(benchmarks.measure(name, make(), runs))
                progress.advance(task)
        shared = {}
        for what in ("lock step", "fused play") if threads else ():
            progress.update(task, description=f"two threads against two processes, {what}")
            shared[what] = benchmarks.two_threads(what, runs)
            progress.advance(task)
    result = benchmarks.as_json(figures, {"threads": shared})
    path = free_path(out)
    write_text(path, json.dumps(result, indent=2) + "\n")
    if as_json:
        typer.echo(json.dumps(result))
        return
    table = Table("what", "actions/s", "slowest", "fastest", title=f"{result['machine']['processor']}")
    for figure in figures:
        table.add_row(figure.name, f"{figure.rate:,.0f}", f"{figure.worst:,.0f}", f"{figure.best:,.0f}")
    console.print(table)
    for what, rates in shared.items():
        ratio = rates["threads_over_processes"]
        console.print(f"{what}: two threads reach {ratio:.2f} of what two processes reach together")
    console.print(f"load {result['machine']['load']}; saved in {path}")
    console.print("kindred libraries beside these, in environments of their own: bench/*.sh in a checkout")
