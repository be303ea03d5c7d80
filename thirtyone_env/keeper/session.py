"""The keeper at work: shows how the game stands, takes entries, saves after every line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from thirtyone_env.errors import UserError
from thirtyone_env.keeper.asking import Asker, Cancelled, Quit, find_seat
from thirtyone_env.keeper.house import House
from thirtyone_env.keeper.saving import Save, SaveError, SaveFile
from thirtyone_env.keeper.screen import Screen, names_text, round_line, standing_lines
from thirtyone_env.keeper.setup import set_up
from thirtyone_env.keeper.state import Kept, NoFit, Played
from thirtyone_env.keeper.telling import Telling, first_question
from thirtyone_env.keeper.texts import HELP, short_rules, who_loses


class Session:
    """One run of the keeper on a file.

    Args:
        path: the file.
        command: the command that goes on with it.

    Raises:
        UserError: the file is damaged or cannot be written.
    """

    def __init__(self, path: Path, command: str = "thirtyone keeper") -> None:
        self.command = command
        self.file = SaveFile(path)
        self.save = self.file.load()
        self.screen = Screen()
        resumed = self.save.game is not None or bool(self.save.typed)
        if resumed:
            self.screen.say(f"Going on with {path}")
            if self.save.typed:
                self.screen.say(f"Typed so far: {', '.join(line or '(enter)' for line in self.save.typed)}")
        self.asker = Asker(self.screen, self.save.typed, self._note, {
            "r": lambda: short_rules(self._house), "t": lambda: who_loses(self._house),
            "?": HELP.splitlines, "help": HELP.splitlines,
        })
        self.show_next = True

    @property
    def game(self) -> Kept:
        """The game that is kept."""
        assert self.save.game is not None
        return self.save.game

    @property
    def _house(self) -> House:
        return House() if self.save.game is None else self.save.game.house

    def _note(self, line: str) -> None:
        """Save a typed line before it counts."""
        self._store(Save(self.save.game, self.save.past, (*self.save.typed, line)))

    def _store(self, save: Save) -> None:
        self.file.store(save)
        self.save = save

    def _keep(self, game: Kept | None, past: tuple[Kept, ...] | None = None) -> None:
        """Save a changed game; what was typed for it has been used."""
        self._store(Save(game, self.save.past if past is None else past))
        self.screen.muted = bool(self.asker.pending)
        self.show_next = True

    def run(self) -> None:
        """Until the user stops."""
        try:
            while True:
                try:
                    self._turn()
                except Cancelled:
                    self.screen.say("Left.")
                    self._forget_typed()
        except Quit:
            self.screen.muted = False
            if self.save.game is None and not self.save.typed:
                self.screen.say("Nothing was typed, nothing is saved.")
            else:
                self.screen.say(f"Saved in {self.file.path}. To go on: {self.command}")

    def _forget_typed(self) -> None:
        if self.save.typed:
            self._store(Save(self.save.game, self.save.past))

    def _turn(self) -> None:
        """One entry or one key."""
        if self.save.game is None:
            self._keep(set_up(self.asker, self.screen))
            return
        if self.show_next:
            self._show()
        self.show_next = False
        try:
            self._answer(self.asker.line(self._question()))
        except SaveError:
            raise
        except UserError as error:
            self.screen.say(f"! {error}")
            self._forget_typed()

    def _show(self) -> None:
        muted, self.screen.muted = self.screen.muted, False
        self.screen.say("", f"Rules: {self.game.house.title}", *standing_lines(self.game))
        standing = self.game.standing
        if standing.winner is None:
            first = standing.next_seat(standing.dealer)
            self.screen.say(f"{self.game.names[standing.dealer]} deals, {self.game.names[first]} plays first.")
        self.screen.muted = muted

    def _question(self) -> str:
        standing = self.game.standing
        if standing.winner is not None:
            return f"{self.game.names[standing.winner]} has won. (n: new game, u: undo, c: correct, q: stop)"
        return first_question(self.game.house.rules, len(self.game.rounds) + 1)

    def _answer(self, answer: str) -> None:
        keys: dict[str, Callable[[], None]] = {
            "u": self._undo, "c": self._correct, "l": self._leave, "n": self._new, "s": self._other,
        }
        if answer in keys:
            keys[answer]()
        elif self.game.standing.winner is not None:
            raise UserError("the game is over: n, s, u, c or q")
        elif answer:
            self._round(answer)

    def _telling(self, played: Played | None = None) -> Telling:
        before = self.game.standing if played is None else played.before
        return Telling(self.asker, self.screen, self.game.house.rules, self.game.names, before.seats)

    def _round(self, answer: str) -> None:
        told = self._telling().tell(answer)
        self._keep(self.game.add({"kind": "round", **told.to_dict()}))
        self._tell_result(self.game.rounds[-1])

    def _tell_result(self, played: Played) -> None:
        assert played.result is not None
        self.screen.say("", f"Round {played.number}:")
        for line in played.result.why:
            self.screen.say(f"  {line[0].upper()}{line[1:]}.")

    def _undo(self) -> None:
        if self.game.entries:
            last = self.game.entries[-1]["kind"]
            self._keep(self.game.undo())
            self.screen.say(f"Undone: the last {'correction' if last == 'correct' else last}.")
        elif self.save.past:
            self._keep(self.save.past[-1], self.save.past[:-1])
            self.screen.say("Undone: the new game. This is the earlier one.")
        else:
            raise UserError("there is nothing to undo")

    def _correct(self) -> None:
        rounds = self.game.rounds
        if not rounds:
            raise UserError("there is no round to correct")
        self.screen.say(*(round_line(played, self.game) for played in rounds))
        number = self.asker.ask(f"Which round? (1 to {len(rounds)})", lambda text: self._number(text, len(rounds)))
        played = rounds[number - 1]
        told = self.asker.ask(first_question(self.game.house.rules, number), self._telling(played).tell)
        entry = {"kind": "correct", "number": number, "round": told.to_dict()}
        try:
            game = self.game.add(entry)
        except NoFit as error:
            self.screen.say(f"! What came after round {number} does not fit: {error}")
            self.asker.ask("Drop all after it? (y, n)", self._yes)
            game = self.game.add({**entry, "drop": True})
        self._keep(game)
        self._tell_result(self.game.rounds[number - 1])

    @staticmethod
    def _number(text: str, most: int) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise UserError(f"'{text}' is no number from 1 to {most}")
        return int(text)

    @staticmethod
    def _yes(text: str) -> bool:
        if text.lower() in ("n", "no"):
            raise Cancelled
        if text.lower() not in ("y", "yes"):
            raise UserError("write y or n")
        return True

    def _leave(self) -> None:
        standing = self.game.standing
        if standing.winner is not None:
            raise UserError("the game is over")
        names = self.game.names
        seat = self.asker.ask(
            f"Who leaves? ({names_text(standing.seats, names)})", lambda text: find_seat(text, standing.seats, names)
        )
        self._keep(self.game.add({"kind": "leave", "seat": seat}))
        self.screen.say(f"{names[seat]} leaves and counts as out; the tokens go to nobody.")

    def _new(self) -> None:
        if self.game.standing.winner is None:
            self.asker.ask("This game is not over. A new one? (y, n)", self._yes)
        self._keep(self.game.again(), (*self.save.past, self.game))
        self.screen.say("A new game. The earlier one is kept: u goes back to it.")

    def _other(self) -> None:
        game = set_up(self.asker, self.screen)
        self._keep(game, (*self.save.past, self.game))
        self.screen.say("A new game. The earlier one is kept: u goes back to it.")
