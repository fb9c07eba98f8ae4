"""Whole deals made by hand from the rule page, payoffs worked out by hand; events by line or bar:

ante 0 60 | blind 0 60 | no_blind 1 | cards 0 7♣ K♥ K♦ = 31 | fold 0 | bet 1 180 to 180
raise 2 240 to 240 | call 1 60 | show 1 30 | svara 1 2 pot 900 fee 450 | join 3 450 | stay_out 0
win 2 1350 showdown
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .svara_options import FORTE, fresh


class Example(NamedTuple):
    """A deal: the options that are not default, the seats, the events, the payoffs worked out by hand."""

    changed: dict[str, Any]
    players: int
    dealer: int
    lines: str
    payoffs: list[int]

    def history(self) -> dict[str, Any]:
        """The deal as a `svara-deal/1` object."""
        return {
            "format": "svara-deal/1",
            "rules": fresh({**FORTE, **self.changed}),
            "seed": 7,
            "deal": 123,
            "players": self.players,
            "dealer": self.dealer,
            "events": [event(line) for line in self.lines.replace("|", "\n").strip().splitlines()],
            "payoffs": list(self.payoffs),
        }


def event(line: str) -> dict[str, Any]:
    """One line of the notation as an event of section 5."""
    kind, *words = line.split()
    if kind == "svara":
        middle = words.index("pot")
        seats = [int(word) for word in words[:middle]]
        return {"type": kind, "seats": seats, "pot": int(words[middle + 1]), "fee": int(words[middle + 3])}
    made: dict[str, Any] = {"type": kind, "seat": int(words[0])}
    if kind == "cards":
        made |= {"cards": words[1:4], "points": int(words[5])}
    elif kind == "show":
        made["points"] = int(words[1])
    elif kind in ("bet", "raise"):
        made |= {"chips": int(words[1]), "level": int(words[3])}
    elif kind == "win":
        made |= {"chips": int(words[1]), "how": words[2]}
    elif len(words) > 1:
        made["chips"] = int(words[1])
    return made


EXAMPLES = {
    # Nobody bets: the dealer takes the three antes.
    "dealer": Example(
        {},
        3,
        2,
        """
        ante 0 60 | ante 1 60 | ante 2 60
        no_blind 0
        cards 0 10♠ 10♦ A♣ = 11
        cards 1 J♠ Q♦ 10♣ = 10
        cards 2 7♥ 9♦ 9♣ = 9
        fold 0 | fold 1
        win 2 180 dealer""",
        [-60, -60, 120],
    ),
    # 3 antes + 60 + 120; seat 2 bet the last blind, and 0 and 1 fold before its turn.
    "blind": Example(
        {},
        3,
        0,
        """
        ante 1 60 | ante 2 60 | ante 0 60
        blind 1 60
        blind 2 120
        no_blind 0
        cards 1 10♠ 10♦ A♣ = 11
        cards 2 J♠ Q♦ 10♣ = 10
        cards 0 7♥ 9♦ 9♣ = 9
        fold 0 | fold 1
        win 2 360 blind""",
        [-60, -120, 180],
    ),
    # Everybody bets blind, the dealer too; the dealer's is the last blind, so the turns are as without one.
    "all blind": Example(
        {},
        2,
        0,
        """
        ante 1 60 | ante 0 60
        blind 1 60
        blind 0 120
        cards 1 10♠ 10♦ A♣ = 11
        cards 0 J♠ Q♦ 10♣ = 10
        fold 1
        win 0 300 blind""",
        [120, -120],
    ),
    # 3 antes + blind 60 + bet 120 + raise 240 = 600.
    "last": Example(
        {},
        3,
        1,
        """
        ante 2 60 | ante 0 60 | ante 1 60
        blind 2 60
        no_blind 0
        cards 2 10♠ 10♦ A♣ = 11
        cards 0 J♠ Q♦ 10♣ = 10
        cards 1 7♥ 9♦ 9♣ = 9
        bet 0 120 to 120
        raise 1 240 to 240
        fold 2 | fold 0
        win 1 600 last""",
        [-180, 300, -120],
    ),
    # Blinds count towards the bet: seat 0 calls 240 with 180 more, seat 1 raises to 300 with 180 more.
    "showdown": Example(
        {},
        4,
        3,
        """
        ante 0 60 | ante 1 60 | ante 2 60 | ante 3 60
        blind 0 60
        blind 1 120
        no_blind 2
        cards 0 7♠ 8♥ 9♣ = 9
        cards 1 10♠ 10♦ 10♣ = 30
        cards 2 Q♣ Q♥ 9♦ = 10
        cards 3 A♠ A♦ K♥ = 22
        fold 2
        bet 3 240 to 240
        call 0 180
        raise 1 180 to 300
        call 3 60
        fold 0
        show 1 30 | show 3 22
        win 1 1080 showdown""",
        [-300, 720, -60, -360],
    ),
    # A second blind of 120 is above half of 200: the chain ends without an event. At 200 no raise is left.
    "limit": Example(
        {"bet_limit": 200},
        3,
        2,
        """
        ante 0 60 | ante 1 60 | ante 2 60
        blind 0 60
        cards 0 7♣ K♥ K♦ = 31
        cards 1 K♠ Q♠ 8♥ = 20
        cards 2 9♥ 8♦ A♠ = 11
        bet 1 120 to 120
        raise 2 200 to 200
        call 0 140
        call 1 80
        show 0 31 | show 1 20 | show 2 11
        win 0 780 showdown""",
        [520, -260, -260],
    ),
    # 3 antes of 7 + 2 bets of 60 = 141 among two: 71 to the earlier in table order.
    "split": Example(
        {"ante": 7, "svara_limit": 0},
        3,
        0,
        """
        ante 1 7 | ante 2 7 | ante 0 7
        no_blind 1
        cards 1 K♠ Q♠ 7♥ = 20
        cards 2 J♥ 10♥ 8♠ = 20
        cards 0 7♠ 8♦ 9♣ = 9
        bet 1 60 to 60
        call 2 60
        fold 0
        show 1 20 | show 2 20
        win 1 71 split
        win 2 70 split""",
        [-7, 4, 3],
    ),
    # P = 4 x 60 + 2 x 60 = 360, fee 180; seat 2, that folded, joins. Then 540 + 60 + 120 + 60 = 780.
    "svara": Example(
        {},
        4,
        3,
        """
        ante 0 60 | ante 1 60 | ante 2 60 | ante 3 60
        no_blind 0
        cards 0 K♠ Q♠ 7♥ = 20
        cards 1 J♥ 10♥ 8♠ = 20
        cards 2 7♠ 8♦ 9♣ = 9
        cards 3 Q♣ Q♥ 9♦ = 10
        bet 0 60 to 60
        call 1 60
        fold 2 | fold 3
        show 0 20 | show 1 20
        svara 0 1 pot 360 fee 180
        join 2 180
        stay_out 3
        blind 0 60
        no_blind 1
        cards 0 10♠ 10♦ A♣ = 11
        cards 1 7♠ 8♦ 9♣ = 9
        cards 2 8♠ A♦ 7♣ = 22
        fold 1
        bet 2 120 to 120
        call 0 60
        show 0 11 | show 2 22
        win 2 780 showdown""",
        [-240, -120, 420, -60],
    ),
    # No betting in the svara: two svaras at P = 300, the third seat joins the second one for 150.
    "svara shown": Example(
        {"svara_betting": False},
        3,
        2,
        """
        ante 0 60 | ante 1 60 | ante 2 60
        no_blind 0
        cards 0 K♠ Q♠ 7♥ = 20
        cards 1 J♥ 10♥ 8♠ = 20
        cards 2 7♠ 8♦ 9♣ = 9
        bet 0 60 to 60
        call 1 60
        fold 2
        show 0 20 | show 1 20
        svara 0 1 pot 300 fee 150
        stay_out 2
        cards 0 A♠ A♦ 7♥ = 22
        cards 1 A♥ A♣ 8♠ = 22
        show 0 22 | show 1 22
        svara 0 1 pot 300 fee 150
        join 2 150
        cards 0 K♠ Q♠ 7♥ = 20
        cards 1 7♠ 8♦ 9♣ = 9
        cards 2 7♣ A♥ A♦ = 33
        show 0 20 | show 1 9 | show 2 33
        win 2 450 showdown""",
        [-120, -120, 240],
    ),
    # P = 4 x 7 + 3 x 60 = 208, 208 // 3 = 69; then 277 among three is 93, 92, 92 (order 2 3 0 1).
    "odd chips": Example(
        {"ante": 7, "svara_limit": 1, "svara_betting": False, "blind_size": 0},
        4,
        1,
        """
        ante 2 7 | ante 3 7 | ante 0 7 | ante 1 7
        cards 2 K♠ Q♠ 7♥ = 20
        cards 3 J♥ 10♥ 8♠ = 20
        cards 0 10♦ Q♦ 8♥ = 20
        cards 1 7♠ 8♦ 9♣ = 9
        bet 2 60 to 60
        call 3 60
        call 0 60
        fold 1
        show 2 20 | show 3 20 | show 0 20
        svara 2 3 0 pot 208 fee 69
        join 1 69
        cards 2 7♠ 8♦ 9♣ = 9
        cards 3 K♠ Q♠ 7♥ = 20
        cards 0 J♥ 10♥ 8♠ = 20
        cards 1 10♦ Q♦ 8♥ = 20
        show 2 9 | show 3 20 | show 0 20 | show 1 20
        win 3 93 split
        win 0 92 split
        win 1 92 split""",
        [25, 16, -67, 26],
    ),
    # Nobody may join; seat 0 is the last of the two in table order (2 0 1) and has the dealer's part.
    "svara alone": Example(
        {"svara_join": "nobody", "svara_blinds": False},
        3,
        1,
        """
        ante 2 60 | ante 0 60 | ante 1 60
        no_blind 2
        cards 2 K♠ Q♠ 7♥ = 20
        cards 0 J♥ 10♥ 8♠ = 20
        cards 1 7♠ 8♦ 9♣ = 9
        bet 2 100 to 100
        call 0 100
        fold 1
        show 2 20 | show 0 20
        svara 2 0 pot 380 fee 190
        cards 2 K♠ Q♠ 7♥ = 20
        cards 0 7♠ 8♦ 9♣ = 9
        fold 2
        win 0 380 dealer""",
        [220, -60, -160],
    ),
    # Each seat may raise once (with "table" only the first might); a tie of all asks nobody; raises count
    # afresh in the svara. P = 120 + 2 x 180 = 480; the fixed fee is written though nobody is left to pay it.
    "seat raises": Example(
        {"max_raises": 1, "raise_scope": "seat", "svara_fee": 77},
        2,
        1,
        """
        ante 0 60 | ante 1 60
        no_blind 0
        cards 0 K♠ Q♠ 7♥ = 20
        cards 1 J♥ 10♥ 8♠ = 20
        bet 0 60 to 60
        raise 1 120 to 120
        raise 0 120 to 180
        call 1 60
        show 0 20 | show 1 20
        svara 0 1 pot 480 fee 77
        no_blind 0
        cards 0 K♠ Q♠ 7♥ = 20
        cards 1 7♠ 8♦ 9♣ = 9
        bet 0 60 to 60
        raise 1 120 to 120
        raise 0 120 to 180
        fold 1
        win 0 780 last""",
        [360, -360],
    ),
    # Order 2 3 0 1: seat 2 is asked before seat 1. P = 240 + 180 = 420, fee 210; seat 1 is dealer again.
    "svara around": Example(
        {},
        4,
        1,
        """
        ante 2 60 | ante 3 60 | ante 0 60 | ante 1 60
        no_blind 2
        cards 2 10♠ 10♦ A♣ = 11
        cards 3 K♠ Q♠ 7♥ = 20
        cards 0 J♥ 10♥ 8♠ = 20
        cards 1 7♠ 8♦ 9♣ = 9
        bet 2 60 to 60
        call 3 60 | call 0 60
        fold 1
        show 2 11 | show 3 20 | show 0 20
        svara 3 0 pot 420 fee 210
        stay_out 2
        join 1 210
        no_blind 3
        cards 3 K♠ Q♠ 7♥ = 20
        cards 0 J♥ 10♥ 8♠ = 20
        cards 1 7♠ 8♦ 9♣ = 9
        fold 3 | fold 0
        win 1 630 dealer""",
        [-120, 360, -120, -120],
    ),
}
