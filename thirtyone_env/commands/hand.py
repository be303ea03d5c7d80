"""`thirtyone hand`: counts a hand and says which suit counted."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command(epilog='Example: thirtyone hand "KS 8S 5S"')
def hand(
    cards: list[str] = typer.Argument(help="The cards, such as KS 8S 5S or 10h 9h 2c."),
    rules: str = typer.Option("pagat", "--rules", help="Preset to count by; some count three of a kind."),
    as_json: bool = typer.Option(False, "--json", help="As JSON: cards, worth, suits, counting, rules."),
) -> None:
    """Count a hand and say which suit counted."""
    from thirtyone_env.hand_count import count_hand, split_cards
    from thirtyone_env.rules import Rules

    chosen = Rules.preset(rules)
    count = count_hand(chosen, split_cards(" ".join(cards)))
    if not as_json:
        typer.echo(count.text)
        return
    import json

    typer.echo(json.dumps({
        "cards": list(count.cards),
        "worth": count.worth,
        "suits": list(count.suits),
        "counting": [card for counted in count.counting.values() for card in counted] or list(count.cards),
        "rules": rules,
    }))
