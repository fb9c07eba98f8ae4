"""The `svara` command and its one place for errors: one line on standard error, exit code 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

import click

from ..core.errors import SvaraError, check_choice

__all__ = ["cli", "main"]

_COMMANDS = {
    "points": "points",
    "odds": "odds",
    "policies": "policies",
    "run": "run",
    "replay": "replay",
    "play": "play",
    "summary": "summary",
    "sweep": "sweep",
    "compare": "compare",
    "league": "league",
    "best": "best",
    "report": "report",
    "bench": "bench",
}
"""Command -> module of this folder that defines it; a module is imported when its command is wanted."""


class _Commands(click.Group):
    """Loads a command when it is asked for, so that `svara points` does not wait for Matplotlib."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        check_choice("command", cmd_name, tuple(_COMMANDS))
        command: click.Command = getattr(import_module(f".{_COMMANDS[cmd_name]}", __package__), cmd_name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("svara_sim"), prog_name="svara")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Simulate and study the card games Svara and Run Fast.

    Every command has --help with examples; those that print results have --json for programs.

    \b
    svara points "7♣ Kh Kd"                          what a hand is worth, and why
    svara run --players 4 --seat threshold --seat rock --deals 1_000_000
    svara report                                     simulate, chart, and write reports/*.html
    """
    if sys.stderr.isatty():  # for people who wait; in a log, a line on standard error is an error
        from ..core.jit import when_compiling

        ctx.call_on_close(when_compiling(_say_that_it_compiles))


def _say_that_it_compiles() -> None:
    print("compiling kernels, once for this version: some ten seconds", file=sys.stderr, flush=True)


def _one_line(error: click.ClickException) -> str:
    where = getattr(error, "ctx", None)
    command = where.command_path if where is not None else "svara"
    return f"{command}: error: {' '.join(error.format_message().split())}"


def _quiet_output() -> None:
    """Nobody reads on: keep Python from complaining about it when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code.

    0: done; 2: the input is wrong, with one line that says what is allowed; 130: interrupted.
    """
    code = 0
    try:
        result = cli.main(args=None if arguments is None else list(arguments), prog_name="svara", standalone_mode=False)
        code = result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
    except click.ClickException as error:
        click.echo(_one_line(error), err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("svara: interrupted; finished parts of a dataset are kept, and the same command goes on", err=True)
        code = 130
    except BrokenPipeError:
        _quiet_output()
    except SvaraError as error:
        click.echo(f"svara: error: {error}", err=True)
        code = 2
    except OSError as error:  # what the system refuses, such as a name that is too long
        click.echo(f"svara: error: {error}", err=True)
        code = 2
    sys.exit(code)
