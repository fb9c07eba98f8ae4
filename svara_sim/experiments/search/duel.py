"""Two policies: which is better, by how much, with an interval that stays valid while the deals go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import InvalidInput, check_int
from ...core.rng import MAX_DEALS
from ...games.capabilities import Pairs
from ...games.protocol import Game, Rules
from ...stats import ConfidenceSequence, Control, Moments
from .setting import PILOT_DEALS, Setting, Told, mean_over_seats, play_blocks
from .techniques import Technique, pilot_techniques, unit_techniques

__all__ = ["Comparison", "compare"]

_MIN_LOOK, _MAX_LOOK = 8_192, 1 << 20
_LOOKS_WANTED = 16


@dataclass(frozen=True)
class Comparison:
    """A hero that plays `a` against a hero that plays `b`, at a table of `field`, the hero in every seat in turn.

    Parameters
    ----------
    a, b, field : str
        Labels of the policies.
    setting : dict
        Game, rules, players, seed.
    svara : str
        What is estimated of svaras, in words.
    mean, standard_error : float
        Payoff of `a` minus that of `b`, antes per deal; the usual standard error of the mean.
    low, high : float
        The confidence sequence when it stopped: valid although it was looked at all the time.
    level : float
        Probability with which all its intervals cover at once.
    n_units : int
        Independent deals behind it, each with the hero in every seat.
    n_looks : int
        How often it was looked at.
    plays : int
        Plays of a deal that it took, the pilot's not counted; a svara that is played anew counts as one.
    target_error : float
        Half width that was asked for.
    techniques : tuple of Technique
        What saved how much.
    """

    a: str
    b: str
    field: str
    setting: dict[str, Any]
    svara: str
    mean: float
    standard_error: float
    low: float
    high: float
    level: float
    n_units: int
    n_looks: int
    plays: int
    target_error: float
    techniques: tuple[Technique, ...]
    identical: bool = False

    @property
    def reached(self) -> bool:
        """Whether the interval is as narrow as was asked for."""
        return (self.high - self.low) / 2 <= self.target_error

    @property
    def better(self) -> str | None:
        """Label of the better policy; None if the interval holds 0."""
        return self.a if self.low > 0 else self.b if self.high < 0 else None

    @property
    def variance_factor(self) -> float:
        """By how much less play than with independent runs the same error was reached."""
        return self.techniques[-1].total if self.techniques else float("inf")

    def verdict(self) -> str:
        """Who is better, by how much, in one sentence."""
        if self.identical:
            return "the two policies cannot be told apart at this table: no deal can differ"
        if self.better is None:
            limit = max(abs(self.low), abs(self.high))
            return f"not told apart: the difference is at most {limit:.4f} antes per deal ({self.level:.0%})"
        least, most = sorted((abs(self.low), abs(self.high)))
        return (
            f"{self.better} is better by {abs(self.mean):.4f} antes per deal "
            f"({self.level:.0%}: {least:.4f} to {most:.4f})"
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        fields = {k: v for k, v in vars(self).items() if k not in ("setting", "techniques")}
        return {
            **self.setting,
            **fields,
            "unit": "antes per deal",
            "reached": self.reached,
            "better": self.better,
            "verdict": self.verdict(),
            "techniques": [t.as_dict() for t in self.techniques],
        }


def compare(
    a: Any,
    b: Any,
    *,
    players: int = 4,
    field: Any = None,
    game: Game | str = "svara",
    rules: Rules | Mapping[str, Any] | str | None = None,
    seed: int = 0,
    svara: str = "auto",
    target_error: float = 0.01,
    max_deals: int = 50_000_000,
    level: float = 0.95,
    n_threads: int | None = None,
    progress: Told | None = None,
) -> Comparison:
    """Play policies `a` and `b` on the same deals until the difference is known well enough.

    One seat, the hero's, plays `a` or `b`; it is every seat of the table in turn. The others play `field`. With the
    default field, `a`, the answer is what a player gains who is alone in changing from `b` to `a`.

    Parameters
    ----------
    a, b : str or policy
        The two policies.
    players : int
        Seats of the table.
    field : str or policy, optional
        Policy of the other seats; by default `a`.
    game, rules, seed
        As in a run.
    svara : {"auto", "play", "value"}
        "play" plays svaras with all their betting. "value" gives each of k tied seats pot / k instead, which is
        exact without betting in the svara (and with fair fees), and another, faster question with it: how good
        the policies are up to the first tie. "auto" is "value" where it is exact, else "play".
    target_error : float
        Half width of the interval, in antes per deal, at which to stop.
    max_deals : int
        Deals at which to stop in any case.
    level : float
        Coverage of the confidence sequence.
    n_threads : int, optional
        Never changes the result.
    progress : callable, optional
        Called with (deals done, deals expected).

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidInput
        If an argument is not allowed.
    IllegalAction
        If a policy breaks the rules.
    """
    setting = Setting.create(game, rules=rules, players=players, seed=seed, svara=svara)
    first, second = setting.policy(a), setting.policy(b)
    others = first if field is None else setting.policy(field)
    _check(target_error, level)
    max_deals = check_int("max_deals", max_deals, _MIN_LOOK, MAX_DEALS - PILOT_DEALS)
    pairs = setting.pairs(first, second, others)
    run = _Run(setting, pairs, n_threads)
    labels = (first.label, second.label, others.label)
    if pairs.identical:
        return _result(labels, setting, pairs, run, level, target_error, ConfidenceSequence(level))
    steps = run.pilot()
    need = ConfidenceSequence(level).needed(run.expected_variance, target_error)
    sequence = ConfidenceSequence(level, min(need, max_deals))
    look = int(min(max(_MIN_LOOK, need / _LOOKS_WANTED), _MAX_LOOK))
    while run.seen.n < max_deals and sequence.half_width(run.seen) > target_error:
        run.look(min(look, max_deals - run.seen.n))
        if progress is not None:
            progress(run.seen.n, max(run.seen.n, int(min(need, max_deals))))
    run.techniques = unit_techniques(steps, run.raw.variance, run.seen.variance, run.plays / run.seen.n)
    return _result(labels, setting, pairs, run, level, target_error, sequence)


class _Run:
    """The state of a comparison: what was seen so far."""

    def __init__(self, setting: Setting, pairs: Pairs, n_threads: int | None) -> None:
        self._pairs = pairs
        self._expected = setting.expected(pairs)
        self._n_threads = n_threads
        self._control = Control(np.zeros(0))
        self.expected_variance = 0.0
        self.seen, self.raw = Moments(), Moments()
        self.n_looks = self.plays = 0
        self.techniques: list[Technique] = []

    def pilot(self) -> list[tuple[str, float, float]]:
        """Find the weights of the controls on deals that are not used again."""
        blocks = play_blocks(self._pairs, 0, PILOT_DEALS, self._expected, self._n_threads)
        controls = np.concatenate([block.controls for block in blocks])
        differences = mean_over_seats(self._pairs, blocks)
        self._control = Control.fit(differences, controls)
        self.expected_variance = float(self._control.apply(differences, controls).var())
        return pilot_techniques(self._pairs, blocks, 0)

    def look(self, n_deals: int) -> None:
        """Play the next deals and add them up."""
        blocks = play_blocks(self._pairs, PILOT_DEALS + self.seen.n, n_deals, self._expected, self._n_threads)
        for block in blocks:
            differences = mean_over_seats(self._pairs, [block])
            self.raw += Moments.of(differences)
            self.seen += Moments.of(self._control.apply(differences, block.controls))
            self.plays += block.rounds_played + block.svaras_played
        self.n_looks += 1


def _result(
    labels: tuple[str, str, str],
    setting: Setting,
    pairs: Pairs,
    run: _Run,
    level: float,
    target_error: float,
    sequence: ConfidenceSequence,
) -> Comparison:
    half = 0.0 if pairs.identical else sequence.half_width(run.seen)
    mean = run.seen.mean
    return Comparison(
        *labels,
        setting=setting.describe(),
        svara=svara_in_words(pairs),
        mean=mean,
        standard_error=0.0 if pairs.identical else run.seen.standard_error,
        low=mean - half,
        high=mean + half,
        level=level,
        n_units=run.seen.n,
        n_looks=run.n_looks,
        plays=run.plays,
        target_error=target_error,
        techniques=tuple(run.techniques),
        identical=pairs.identical,
    )


def svara_in_words(pairs: Pairs) -> str:
    """What is estimated of svaras."""
    if pairs.svara == "play":
        return "svaras are played to their end, with every hand of the svara in turn (unbiased)"
    if pairs.value_is_exact:
        return "a svara is worth pot / k to each of k tied seats (exact under these rules, but for rounded fees)"
    return (
        "a svara counts as pot / k for each of k tied seats: the value of play up to the first tie, "
        "NOT of the game with its betting in svaras"
    )


def _check(target_error: float, level: float) -> None:
    if isinstance(target_error, bool) or not isinstance(target_error, int | float) or not target_error > 0:
        raise InvalidInput(f"target_error = {target_error!r}: must be a number of antes above 0, such as 0.01")
    if not 0 < level < 1:
        raise InvalidInput(f"level = {level!r}: must be between 0 and 1, such as 0.95")
