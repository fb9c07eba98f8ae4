"""Summary tables for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import polars as pl

from ..core.errors import check_choice
from .options import echo_json

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["check_names", "echo_tables", "output_width", "print_table"]

_UNLIMITED = 10_000


def output_width() -> int:
    """Characters of a line: what the terminal is wide, and as many as one likes where the output goes elsewhere."""
    from rich.console import Console

    console = Console()
    return console.width if console.is_terminal else _UNLIMITED


def print_table(table: Table) -> None:
    """Print a table as wide as it wants to be; in a narrow terminal long words go on in the next line, uncut."""
    from rich.console import Console

    for column in table.columns:
        column.overflow = "fold"
    Console(width=output_width()).print(table)


def check_names(names: Sequence[str], tables: Collection[str]) -> None:
    """Raise `InvalidInput` unless every name of ``--table`` is a table's."""
    for name in names:
        check_choice("--table", name, tuple(tables))


def echo_tables(
    tables: Mapping[str, pl.DataFrame],
    *,
    names: Sequence[str],
    as_json: bool,
    head: Mapping[str, Any],
    most_rows: int = 40,
) -> None:
    """Print summary tables, as text or as one JSON object with `head` before them.

    Text leaves tables of more than `most_rows` rows out, unless they are asked for by name.

    Raises
    ------
    InvalidInput
        If a name is none of the tables'.
    """
    check_names(names, tables)
    chosen = {name: tables[name] for name in (names or tables)}
    if as_json:
        from ..experiments import as_json as rows_of

        echo_json({**head, "tables": rows_of(chosen)})
        return
    from ..reporting import estimate_table

    left_out: list[str] = []
    for name, table in chosen.items():
        if not names and table.height > most_rows:
            left_out.append(name)
            continue
        if not _for_people(table).height:
            continue
        print_table(estimate_table(_for_people(table), caption=name.replace("_", " ")).to_rich())
        click.echo()
    if left_out:
        click.echo(f"longer tables: {', '.join(left_out)} (svara summary DATASET --table NAME, or --json)")


def _for_people(table: pl.DataFrame) -> pl.DataFrame:
    """The table in antes, where it has them."""
    if "mean_antes" in table.columns:
        antes = {
            "mean": "mean_antes",
            "standard_error": "standard_error_antes",
            "low": "low_antes",
            "high": "high_antes",
        }
        table = table.with_columns(
            *(pl.coalesce(pl.col(a), pl.col(c)).alias(c) for c, a in antes.items()),
            pl.when(pl.col("mean_antes").is_not_null()).then(pl.lit("antes")).otherwise(pl.col("unit")).alias("unit"),
        ).drop(list(antes.values()))
    return table.filter(pl.col("n") > 0).drop("n_units")
