"""`svara play` over a pseudo-terminal: whole deals of both games, nonsense, hints, leaving."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from typing import Any

import pexpect
import pytest

from svara_sim.core import jit

from .helpers import svara

CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")
PROMPT = "\r\n> "
WAIT = 120  # the first one compiles


def hear_interrupts() -> None:
    """What runs tests in the background may ignore Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def spawn() -> Any:
    """Start `svara play` with these arguments at a terminal; whatever is left of it is ended."""
    started: list[Any] = []

    def start(*arguments: str) -> Any:
        command = ["-c", "from svara_sim.cli import main; main()", "play", *arguments]
        environment = {**os.environ, "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
        child = pexpect.spawn(
            sys.executable,
            command,
            env=environment,
            encoding="utf-8",
            timeout=WAIT,
            dimensions=(50, 200),
            preexec_fn=hear_interrupts,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def say(child: Any, text: str) -> str:
    """Type a line; what is printed up to the next prompt."""
    child.sendline(text)
    child.expect_exact(PROMPT)
    return str(child.before)


def play_out(child: Any, answer: str) -> str:
    """Give one answer to every question, to the end of the deal."""
    said = ""
    while True:
        child.sendline(answer)
        if child.expect_exact([PROMPT, pexpect.EOF]) == 1:
            return said + str(child.before)
        said += str(child.before)


def exit_code(child: Any) -> int:
    child.wait()
    return int(child.exitstatus)


@pytest.mark.slow
def test_a_whole_deal_of_run_fast(spawn: Any) -> None:
    child = spawn("run_fast", "--against", "monte_carlo:worlds=5", "--seed", "5")
    child.expect_exact(PROMPT)
    opening = child.before
    assert "Run Fast, deal 0 of seed 5" in opening
    hand = re.search(r"Your hand: (.*)", opening)
    assert hand is not None
    assert len(CARD.findall(hand[1])) + len(CARD.findall("\n".join(re.findall(r"You play .*", opening)))) == 16
    assert "must be the number of a choice" in say(child, "fold")
    assert "must be the number of a choice" in say(child, "999999999999999999999")
    assert "must be the number of a choice" in say(child, "1 2 3")
    assert "takes no amount" in say(child, "1 7")
    assert "Type the number" in say(child, "")
    assert "Ctrl-D" in say(child, "?")
    assert "Your hand" in say(child, "table")
    assert re.search(r"worlds that fit all you have seen(.|\n)* ± ", say(child, "hint"))
    end = play_out(child, "1")
    assert re.search(r"(You win|Seat \d \(.*\) wins)\.", end)
    assert len(re.findall(r": [+-]\d+ points \(", end)) == 3
    assert "The hands as they were dealt" in end
    assert "The next deal: svara play run_fast --against monte_carlo:worlds=5 --seed 5 --deal 1" in end
    assert exit_code(child) == 0


@pytest.mark.slow
def test_a_whole_deal_of_svara(spawn: Any) -> None:
    child = spawn("svara", "--players", "4", "--against", "loose", "--seed", "5", "--deal", "4", "--rules", "favorite")
    child.expect_exact(PROMPT)
    opening = child.before
    own = re.search(r"Your cards: (.*): \d+ points", opening)
    assert own is not None
    assert set(CARD.findall(opening)) == set(CARD.findall(own[1]))
    assert "must be the number of a choice" in say(child, "all in")
    assert "wants an amount" in say(child, "3")
    assert "must be from" in say(child, "3 7")
    advice = say(child, "hint")
    assert "Showdown against" in advice
    assert "Price: " in advice
    assert CARD.findall(advice) == []
    assert "raises to 120" not in advice
    child.sendline("3 120")
    child.expect_exact("You raise to 120")
    end = play_out(child, "2")
    assert "Payoffs of the deal" in end
    assert len(re.findall(r": [+-]\d+ chips, held ", end)) == 4
    assert "svara play svara --players 4 --against loose --seed 5 --deal 5 --rules favorite" in end
    assert exit_code(child) == 0


def test_a_deal_that_asks_nothing_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """The dealer takes the pot where all others fold."""
    code, out, _ = svara(capsys, "play", "svara", "--against", "rock:call=35", "--seed", "5", "--set", "blind_size=0")
    assert code == 0
    assert "The deal was over before you had anything to decide." in out
    assert out.splitlines()[-1] == (
        "The next deal: svara play svara --against rock:call=35 --seed 5 --deal 1 --set blind_size=0"
    )


@pytest.mark.parametrize("is_terminal", [True, False])
def test_who_waits_for_compilation_is_told(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended: list[bool] = []

    def compile_at_once(tell: Callable[[], None]) -> Callable[[], None]:
        tell()
        return lambda: ended.append(True)

    monkeypatch.setattr(jit, "when_compiling", compile_at_once)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    code, out, err = svara(capsys, "points", "7s 7h Ad")
    assert (code, len(ended)) == (0, is_terminal)
    assert err == ("compiling kernels, once for this version: some ten seconds\n" if is_terminal else "")
    assert "points" in out


@pytest.mark.slow
def test_leaving(spawn: Any) -> None:
    children = [spawn("run_fast", "--against", "greedy", "--seed", "5"), spawn("svara", "--seed", "5", "--deal", "4")]
    for child in children:
        child.expect_exact(PROMPT)
    children[0].sendeof()
    children[1].sendintr()
    for child, code in zip(children, (0, 130), strict=True):
        child.expect_exact("You leave the table.")
        child.expect_exact(pexpect.EOF)
        assert "Traceback" not in child.before
        assert exit_code(child) == code
