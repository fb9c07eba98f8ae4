"""Records, totals and views worked out from a `svara-deal/1` history alone, to hold the kernel's against.

Nothing here uses the package: the meanings are those that the schema and the `View` document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

History = dict[str, Any]
Event = dict[str, Any]

SUITS = "♠♥♦♣"
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
ENDINGS = ("dealer", "blind", "last", "showdown", "split")


def card_index(text: str) -> int:
    """Suit * 8 + rank."""
    return SUITS.index(text[-1]) * 8 + RANKS.index(text[:-1])


def rounds_of(history: History) -> list[list[Event]]:
    """Events by round; each `svara` event and the joins that follow it open the next round."""
    rounds: list[list[Event]] = [[]]
    for event in history["events"]:
        if event["type"] == "svara":
            rounds.append([])
        rounds[-1].append(event)
    return rounds


def wins_of(history: History) -> list[Event]:
    """The `win` events, which are the last ones."""
    return [event for event in history["events"] if event["type"] == "win"]


def join_gains(history: History) -> dict[int, int]:
    """By seat that joined a svara: what it took, less what it paid from its first joining on."""
    gains: dict[int, int] = {}
    for event in history["events"]:
        seat, chips = event.get("seat"), event.get("chips", 0)
        if event["type"] == "join":
            gains.setdefault(event["seat"], 0)
        if seat in gains:
            gains[seat] += chips if event["type"] == "win" else -chips
    return gains


def record_of(history: History) -> dict[str, Any]:
    """The row of the records that this deal must have."""
    rounds, wins = rounds_of(history), wins_of(history)
    first = rounds[0]
    svaras = [event for event in history["events"] if event["type"] == "svara"]
    blinds = [event["chips"] for event in first if event["type"] == "blind"]
    shown = [event["points"] for event in rounds[-1] if event["type"] == "show"]
    points = {event["seat"]: event["points"] for event in first if event["type"] == "cards"}
    split = wins[0]["how"] == "split"
    level = 0
    for number, events in enumerate(rounds):
        if number == 0 or history["rules"]["svara_betting"]:
            level = 0
        for event in events:
            if event["type"] == "blind":
                level = event["chips"]
            level = event.get("level", level)
    tied = len(svaras[0]["seats"]) if svaras else (len(wins) if split else 0)
    return {
        "dealer": history["dealer"],
        "blinds": len(blinds),
        "last_blind_chips": blinds[-1] if blinds else 0,
        "raises": sum(event["type"] == "raise" for event in history["events"]),
        "level_chips": level,
        "pot_chips": sum(event["chips"] for event in wins),
        "ending": ENDINGS.index(wins[0]["how"]),
        "winner": -1 if split else wins[0]["seat"],
        "shown": len(shown),
        "best_points": max(shown, default=0),
        "svara_rounds": len(svaras),
        "svara_tied": tied,
        "svara_joiners": sum(event["type"] == "join" for event in rounds[1]) if svaras else 0,
        "join_gain_chips": sum(join_gains(history).values()),
        **{f"points_{seat}": points[seat] for seat in sorted(points)},
        **{f"payoff_{seat}_chips": chips for seat, chips in enumerate(history["payoffs"])},
    }


def totals_of(histories: Sequence[History], players: int) -> Counter[str]:
    """The totals that these deals must have, by column name; columns that are 0 may be absent."""
    sums: Counter[str] = Counter()
    for history in histories:
        record, rounds, gains = record_of(history), rounds_of(history), join_gains(history)
        sums["deals"] += 1
        sums[f"ending_{ENDINGS[record['ending']]}"] += 1
        sums[f"svara_rounds_{min(record['svara_rounds'], 9)}"] += 1
        sums[f"blinds_{record['blinds']}"] += 1
        for name in ("svara_rounds", "pot_chips", "svara_joiners"):
            sums[name] += record[name]
        if record["svara_tied"]:
            sums[f"svara_tied_{record['svara_tied']}"] += 1
            sums["svara_deals"] += 1
            sums["svara_first_pot_chips"] += rounds[1][0]["pot"] if len(rounds) > 1 else record["pot_chips"]
            sums["svara_pot_chips"] += record["pot_chips"]
        if len(rounds) > 1:
            sums["svara_join_offers"] += sum(event["type"] in ("join", "stay_out") for event in rounds[1])
        for seat, gain in gains.items():
            sums[f"joins_{seat}"] += 1
            sums[f"join_gain_{seat}_chips"] += gain
        for seat, payoff in enumerate(history["payoffs"]):
            points = record[f"points_{seat}"]
            sums[f"payoff_{seat}_chips"] += payoff
            position = (seat - history["dealer"] - 1) % players
            sums[f"payoff_position_{position}_chips"] += payoff
            sums[f"position_{position}_deals_{seat}"] += 1
            sums[f"position_{position}_payoff_{seat}_chips"] += payoff
            sums[f"points_{points}_seats"] += 1
            sums[f"points_{points}_payoff_chips"] += payoff
            sums[f"points_{points}_deals_{seat}"] += 1
            sums[f"points_{points}_payoff_{seat}_chips"] += payoff
    return sums


def bits(seats: Any) -> int:
    """The mask of some seats."""
    return sum(1 << seat for seat in seats)


class Seen:
    """What is on the table while a history is read: all that any seat may know, and each seat's own cards."""

    def __init__(self, history: History) -> None:
        self.rules: dict[str, Any] = history["rules"]
        self.players: int = history["players"]
        self.dealer: int = history["dealer"]
        self.pot = self.round = self.tied = self.fee = 0
        self.joining = False
        self.inside: set[int] = set(range(self.players))
        self.start_round()

    def start_round(self) -> None:
        """Nothing has been bet."""
        self.bets: Counter[int] = Counter()
        self.raises: Counter[int] = Counter()
        self.hands: dict[int, tuple[int, ...]] = {}
        self.points: dict[int, int] = {}
        self.blinds: list[tuple[int, int]] = []
        self.level = self.opened = 0
        self.last_raiser = -1

    def begin(self, event: Event) -> None:
        """After the joins, the first blind question or card begins the round."""
        if self.joining and event["type"] in ("blind", "no_blind", "cards"):
            self.joining = False
            self.start_round()

    def smallest_blind(self) -> int:
        """The smallest legal blind now."""
        last = self.blinds[-1][1] if self.blinds else 0
        sizes = [last * f for f in self.rules["blind_factors"]] if last else [self.rules["blind_size"]]
        return min(size for size in sizes if 2 * size <= self.rules["bet_limit"])

    def common(self, seat: int) -> dict[str, int]:
        """What a view always holds."""
        return {
            "seat": seat,
            "dealer": self.dealer,
            "position": (seat - self.dealer - 1) % self.players,
            "seats": self.players,
            "players_in": len(self.inside),
            "in_mask": bits(self.inside),
            "pot": self.pot,
            "svara_round": self.round,
            "tied": self.tied,
            "ante": self.rules["ante"],
        }

    def own(self, seat: int) -> dict[str, int]:
        """Its cards, ascending, and their points."""
        a, b, c = sorted(self.hands.get(seat, (-1, -1, -1)))
        return {"card_0": a, "card_1": b, "card_2": c, "points": self.points.get(seat, 0)}

    def chain(self) -> dict[str, int]:
        """The blinds of the round."""
        return {
            "blind_level": self.blinds[-1][1] if self.blinds else 0,
            "blinds": len(self.blinds),
            "blind_mask": bits(seat for seat, _ in self.blinds),
        }

    def bet_view(self, seat: int) -> dict[str, int]:
        """At a betting decision."""
        used = sum(self.raises.values()) if self.rules["raise_scope"] == "table" else self.raises[seat]
        most = self.rules["bet_limit"]
        last = self.blinds[-1][1] if self.blinds else 0
        if self.opened:
            owed, least = self.level - self.bets[seat], self.level + self.rules["min_raise"]
            if used >= self.rules["max_raises"] or least > most:
                least = most = 0
        else:
            least = 2 * last if last else self.rules["min_bet"]
            owed = least - self.bets[seat]
        return {
            **self.common(seat), **self.own(seat), **self.chain(), "level": self.level, "my_bet": self.bets[seat],
            "owed": owed, "min_raise_to": least, "max_raise_to": most, "opened": self.opened, "raises": used,
            "raises_left": self.rules["max_raises"] - used, "last_raiser": self.last_raiser, "next_blind": 0,
        }  # fmt: skip

    def blind_view(self, seat: int) -> dict[str, int]:
        """At a blind decision; no cards yet."""
        size = self.smallest_blind()
        return {
            **self.common(seat), **self.own(seat), **self.chain(), **self.no_bets(),
            "level": self.level, "owed": size, "next_blind": size,
        }  # fmt: skip

    def join_view(self, seat: int) -> dict[str, int]:
        """At the question whether to join a svara."""
        nothing = {"blind_level": 0, "blinds": 0, "blind_mask": 0, "next_blind": 0}
        return {**self.common(seat), **self.own(seat), **nothing, **self.no_bets(), "level": 0, "owed": self.fee}

    def no_bets(self) -> dict[str, int]:
        """The fields that only a betting decision fills."""
        names = ("my_bet", "min_raise_to", "max_raise_to", "opened", "raises", "raises_left")
        return {**dict.fromkeys(names, 0), "last_raiser": -1}

    def view_before(self, event: Event) -> tuple[str, dict[str, int]] | None:
        """(kind of decision, view) of a decision event, None for other events."""
        match event["type"]:
            case "blind" | "no_blind":
                return "blind", self.blind_view(event["seat"])
            case "fold" | "bet" | "raise" | "call":
                return "bet", self.bet_view(event["seat"])
            case "join" | "stay_out":
                return "join", self.join_view(event["seat"])
        return None

    def take(self, event: Event) -> None:
        """Go on past an event."""
        kind, seat = event["type"], event.get("seat", -1)
        if kind == "svara":
            self.round += 1
            self.tied, self.fee, self.inside = len(event["seats"]), event["fee"], set(event["seats"])
            self.joining = True
            return
        if kind in ("ante", "blind", "bet", "raise", "call", "join"):
            self.pot += event["chips"]
        if kind == "join":
            self.inside.add(seat)
        elif kind == "cards":
            self.hands[seat] = tuple(card_index(card) for card in event["cards"])
            self.points[seat] = event["points"]
        elif kind == "fold":
            self.inside.remove(seat)
        elif kind in ("blind", "bet", "raise", "call"):
            self.bets[seat] += event["chips"]
            self.level = max(self.level, self.bets[seat])
        if kind == "blind":
            self.blinds.append((seat, event["chips"]))
        if kind in ("bet", "raise"):
            self.raises[seat] += self.opened
            self.opened, self.last_raiser = 1, seat


def decisions_of(history: History) -> Iterator[tuple[str, dict[str, int], Event]]:
    """Every decision of a deal: its kind, what the seat may know, and the event that it chose."""
    seen = Seen(history)
    for event in history["events"]:
        seen.begin(event)
        asked = seen.view_before(event)
        if asked is not None:
            yield *asked, event
        seen.take(event)
