"""Policies by name: ``threshold:21``, ``tips:bold``, ``learned:runs/x/agent``, ``your_package:YourPolicy``.

A name is a kind, and after a colon what the kind makes of it. Other distributions add kinds by the entry-point group
``thirtyone.agents``: the entry's name is the kind, its object a `Kind`, or a function from the text after the colon to
a policy. A name that reads files or imports code is refused unless the caller allows it: names in records, in uploaded
configs and on the web come from strangers.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from thirtyone_agents import compiled
from thirtyone_agents.policy import Policy, is_policy
from thirtyone_env.errors import UserError

GROUP = "thirtyone.agents"
CODE_USAGE = "your_package:YourPolicy"
CODE_HELP = "your own: a class or object of that package that can be asked for actions (imports code)"


@dataclass(frozen=True)
class Kind:
    """A kind of policy that can be named.

    Attributes:
        make: from the text after the colon (empty without one) to a policy.
        usage: how it is written, such as ``threshold:K``.
        help: one line.
        safe: False where a name of this kind reads files or runs code that the name chooses.
        example: a name that works, where the usage is none.
    """

    make: Callable[[str], Policy]
    usage: str
    help: str
    safe: bool = True
    example: str = ""


def _make_learned(argument: str) -> Policy:
    from thirtyone_agents.learned import load_named

    return load_named(argument)


def _make_solved(argument: str) -> Policy:
    from thirtyone_agents.solved import load_named

    return load_named(argument)


_BUILT_IN = {
    "random": Kind(compiled.make_random, "random", "any legal action, each equally likely"),
    "threshold": Kind(
        compiled.make_threshold,
        "threshold:K",
        "knocks from a worth of K (threshold:21); takes the top card if it gains more than 2, else the stock",
        example="threshold:21",
    ),
    "tips": Kind(
        compiled.make_tips,
        "tips[:safe|:bold]",
        "the common advice: a suit worth 20, feeds nobody, knocks at 22 to 26; on the last chance at 27 or at 21",
        example="tips",
    ),
    "learned": Kind(
        _make_learned,
        "learned:PATH[?sample=1]",
        "a trained agent: PATH is its folder, or its file with or without the ending (reads files)",
        safe=False,
    ),
    "solved": Kind(
        _make_solved,
        "solved:FILE[?any_lives=1]",
        "the solution of a mini game that thirtyone solve wrote (reads files)",
        safe=False,
    ),
}


def kinds() -> dict[str, Kind]:
    """All kinds by name: those of this package and then those that others have added."""
    found = dict(_BUILT_IN)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name not in found:
            found[entry.name] = _added(entry.name, entry.load())
    return found


def _added(name: str, thing: Any) -> Kind:
    if isinstance(thing, Kind):
        return thing
    if not callable(thing):
        raise UserError(
            f"the entry point {name} of {GROUP} is neither a Kind nor a function that makes a policy"
        )
    lines = (inspect.getdoc(thing) or "added by another package").splitlines()
    return Kind(thing, f"{name}[:...]", lines[0], safe=False)


def names() -> dict[str, str]:
    """What can be named: how it is written, and a line of help."""
    return {**{kind.usage: kind.help for kind in kinds().values()}, CODE_USAGE: CODE_HELP}


def load(name: str | Policy, allow_code: bool = False) -> Policy:
    """The policy of a name. A policy is returned as it is.

    Args:
        name: such as ``threshold:21``.
        allow_code: whether names that read files or import code are allowed. Only for names that the user typed.

    Raises:
        UserError: there is no such policy, or it is not allowed here; the text says what there is.
    """
    if not isinstance(name, str):
        if is_policy(name):
            return name
        raise UserError(
            f"{name!r} is no policy: give a name such as threshold:21, or an object with name and act"
        )
    kind_name, colon, argument = name.strip().partition(":")
    kind = _BUILT_IN.get(kind_name) or kinds().get(kind_name)  # looking for entry points takes milliseconds
    if kind is not None:
        if not kind.safe and not allow_code:
            raise UserError(_refused(name, "reads files or runs code"))
        return kind.make(argument)
    if not colon or not _is_path(kind_name) or not argument.isidentifier():
        raise UserError(_unknown(name, kind_name))
    if not allow_code:
        if _close(kind_name):
            raise UserError(_unknown(name, kind_name))
        raise UserError(_refused(name, "imports code"))
    return _import(name, kind_name, argument)


def _is_path(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _refused(name: str, what: str) -> str:
    allowed = ", ".join(kind.usage for kind in kinds().values() if kind.safe)
    return (
        f"the policy {name!r} is refused here: it {what}; allowed are {allowed}; "
        f"in Python, if you trust it: load({name!r}, allow_code=True)"
    )


def _close(kind_name: str) -> list[str]:
    return difflib.get_close_matches(kind_name.lower(), kinds(), n=2, cutoff=0.6)


def _unknown(name: str, kind_name: str) -> str:
    close = [kind.example or kind.usage for kind in map(kinds().get, _close(kind_name)) if kind is not None]
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(names())}"
    return f"{name!r} is not a policy; {hint} (thirtyone agents)"


def _import(name: str, module_name: str, attribute: str) -> Policy:
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        missing = f"no module {error.name} is installed or on PYTHONPATH"
        raise UserError(f"{_unknown(name, module_name)}; {missing}") from error
    if not hasattr(module, attribute):
        raise UserError(f"the policy {name!r} is not there: {module_name} has no {attribute}")
    thing = getattr(module, attribute)
    policy = _made(name, thing) if inspect.isclass(thing) or inspect.isfunction(thing) else thing
    if not is_policy(policy):
        raise UserError(f"{name!r} is no policy: it needs a text `name` and a function `act(views, keys)`")
    return policy


def _made(name: str, maker: Any) -> Any:
    """What a class or function gives, called without arguments; its own errors are not hidden."""
    try:
        inspect.signature(maker).bind()
    except TypeError as error:
        raise UserError(f"{name!r} needs arguments; name an object instead") from error
    except ValueError:  # it does not tell its arguments
        pass
    return maker()
