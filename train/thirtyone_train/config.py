"""What a training's YAML says, checked before anything runs."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import pydantic
import yaml
from pydantic import ConfigDict, Field

from thirtyone_env.config_files import find_config
from thirtyone_env.errors import UserError
from thirtyone_env.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

KIND = "train"
Count = Annotated[int, Field(strict=True, ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(gt=0, le=1)]


class Part(pydantic.BaseModel):
    """A part of the config: unknown keys are refused, values are not changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Budget(Part):
    """How long to train: ``steps`` (decisions of the learner), or ``seconds``, which a probe turns into steps."""

    steps: Count | None = None
    seconds: Annotated[float, Field(gt=0)] | None = None


class Imitation(Part):
    """What is imitated first.

    Attributes:
        teacher: name of a policy, or None to begin from random weights.
        decisions: of the teacher, to learn from.
        epochs: passes over them.
        batch_size: decisions a gradient step.
        learning_rate: at the start; it falls to zero.
    """

    teacher: str | None = "tips"
    decisions: Count = 250_000
    epochs: Count = 3
    batch_size: Count = 1024
    learning_rate: Rate = 2e-3


class Ppo(Part):
    """MaskablePPO's own settings, by its names.

    Attributes:
        num_games: games side by side.
        n_steps: decisions of each game between updates; a rollout has ``num_games * n_steps``.
        learning_rate_end: part of the learning rate that is left at the end; it falls in a straight line.
    """

    num_games: Count = 256
    n_steps: Count = 64
    batch_size: Annotated[int, Field(strict=True, ge=2)] = 2048
    n_epochs: Count = 2
    learning_rate: Rate = 1e-3
    learning_rate_end: Share = 0.05
    gamma: Share = 1.0
    gae_lambda: Share = 0.8
    clip_range: Annotated[float, Field(gt=0)] = 0.2
    ent_coef: Annotated[float, Field(ge=0)] = 0.002
    vf_coef: Annotated[float, Field(ge=0)] = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    target_kl: Annotated[float, Field(gt=0)] | None = None

    @property
    def rollout(self) -> int:
        """Decisions between updates."""
        return self.num_games * self.n_steps


class Evaluation(Part):
    """Scoring on the way: single rounds on mirrored deals, at a table with these opponents.

    Attributes:
        opponents: one for each other seat, named clockwise.
        deals: deals a scoring, each played in all seatings (up to four players; in rotations above).
        times: scorings over the whole run, evenly spread; 0 for none.
    """

    opponents: list[str] = Field(default=["tips", "threshold:25"], min_length=1)
    deals: Annotated[int, Field(strict=True, ge=2)] = 100
    times: Annotated[int, Field(strict=True, ge=0)] = 5


class TrainConfig(Part):
    """One training run.

    Attributes:
        description: a line about it.
        rules: a preset's name, or a mapping of options (``preset`` names the one to change).
        players: seats, 2 to 9.
        seed: fixes everything: cards, seats, opponents, weights, the order of batches.
        opponents: names of policies, of which each opponent draws one for each episode: compiled ones, saved agents
            (``learned:PATH``), your own (``your_package:YourPolicy``).
        episode: ``deal``, ``round`` or ``match``, as for `thirtyone_env.learner_games.LearnerGames`.
        reward: ``lives``, ``match``, ``own``, as there, or None: ``lives``, and in pot games the pot's share.
        hidden: widths of the hidden layers; the first is shared by actor and critic.
        critic_sees_hands: whether the critic, which only training needs, is told the hands of the other seats. The
            agent never is.
        budget, imitation, ppo, evaluation: see there.
        checkpoint_every: updates between checkpoints.
        threads: of the linear algebra. Results are bit-equal for the same number only.
    """

    description: str = ""
    rules: str | dict[str, Any] = "pagat"
    players: Annotated[int, Field(strict=True, ge=MIN_PLAYERS, le=MAX_PLAYERS)] = 3
    seed: Annotated[int, Field(strict=True, ge=0, lt=1 << 31)] = 0
    opponents: list[str] = Field(min_length=1)
    episode: Literal["deal", "round", "match"] = "deal"
    reward: Literal["lives", "match", "own"] | None = None
    hidden: list[Count] = Field(default=[256, 64], min_length=1)
    critic_sees_hands: bool = True
    budget: Budget
    imitation: Imitation = Imitation()
    ppo: Ppo = Ppo()
    evaluation: Evaluation = Evaluation()
    checkpoint_every: Count = 10
    threads: Annotated[int, Field(strict=True, ge=1, le=256)] = 1

    @property
    def scheme(self) -> str:
        """The reward scheme: as asked, else ``lives`` wherever there are lives."""
        pot = Rules.of(self.rules).settlement == "highest_takes_pot"
        return self.reward or ("match" if pot else "lives")


def load_config(name: str, changes: Sequence[str] = ()) -> TrainConfig:
    """The config of that name or path, with changes ``key=value`` (``ppo.n_steps=32`` for a key inside).

    Raises:
        UserError: there is no such file, or a key or value is wrong.
    """
    path = find_config(KIND, name)
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(values, dict):
        raise UserError(
            f"{path} must hold keys and values, such as `players: 3`; keys are {', '.join(_keys(TrainConfig))}"
        )
    for change in changes:
        _apply(values, change)
    return parse_config(values, str(path))


def parse_config(values: Mapping[str, Any], where: str = "the training") -> TrainConfig:
    """A config from plain values; ``where`` is what errors call it.

    Raises:
        UserError: a key or value is wrong, or some do not go together; the text names all of them.
    """
    try:
        config = TrainConfig(**values)
    except pydantic.ValidationError as error:
        raise UserError(f"{where}: {'; '.join(_problem(one) for one in error.errors())}") from None
    except TypeError as error:
        raise UserError(f"{where}: {error}") from None
    _check_together(config, where)
    return config


def _apply(values: dict[str, Any], change: str) -> None:
    """Put one ``key=value`` of the command line in."""
    key, equals, text = change.partition("=")
    if not equals:
        raise UserError(f"--set {change}: write it as key=value, such as budget.steps=100000")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise UserError(f"--set {change}: {text!r} is no YAML value") from None
    *outer, last = key.split(".")
    place = values
    for i, part in enumerate(outer):
        inside = place.get(part)
        if part == "rules" and isinstance(inside, str):
            inside = {"preset": inside}
        if not isinstance(inside, dict) and inside is not None:
            raise UserError(f"--set {change}: {'.'.join(outer[: i + 1])} has no keys inside")
        place[part] = inside = dict(inside or {})
        place = inside
    place[last] = value
    if outer == ["budget"] and value is not None:
        place.pop({"steps": "seconds", "seconds": "steps"}.get(last, ""), None)


def _keys(model: type[pydantic.BaseModel]) -> list[str]:
    return list(model.model_fields)


def _problem(error: Any) -> str:
    """One error of pydantic in a line that names the key, the value and what is allowed."""
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        *outer, last = error["loc"]
        model: Any = TrainConfig
        for part in outer:
            model = model.model_fields[part].annotation
        close = difflib.get_close_matches(str(last), _keys(model), n=1)
        hint = f"did you mean {close[0]}?" if close else f"keys are {', '.join(_keys(model))}"
        return f"there is no key {where!r}; {hint}"
    if error["type"] == "missing":
        return f"the key {where!r} is missing"
    return f"{where}={error['input']!r} is not allowed: {error['msg']}"


def _check_together(config: TrainConfig, where: str) -> None:
    from thirtyone_env.learner_games import checked_reward
    from thirtyone_env.opponents import policies_for_batch

    rules = Rules.of(config.rules)
    rules.check_players(config.players)
    checked_reward(rules, config.episode, config.scheme)
    for names in (config.opponents, config.evaluation.opponents, [config.imitation.teacher or "random"]):
        policies_for_batch(names, rules, config.players)
    budget = config.budget
    if (budget.steps is None) == (budget.seconds is None):
        raise UserError(
            f"{where}: budget needs either steps or seconds, not {'both' if budget.steps else 'neither'}"
        )
    if config.evaluation.times and len(config.evaluation.opponents) != config.players - 1:
        raise UserError(
            f"{where}: evaluation.opponents={config.evaluation.opponents}: {config.players} players need "
            f"{config.players - 1}, one for each other seat"
        )
    if config.ppo.batch_size > config.ppo.rollout:
        raise UserError(
            f"{where}: ppo.batch_size={config.ppo.batch_size} is more than a rollout has "
            f"(num_games * n_steps = {config.ppo.rollout})"
        )
    if config.ppo.rollout % config.ppo.batch_size == 1:
        raise UserError(
            f"{where}: ppo.batch_size={config.ppo.batch_size} leaves a batch of a single decision over from a rollout "
            f"of {config.ppo.rollout}: choose one that divides it"
        )
