"""`svara report`: notebooks rendered to pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

__all__ = ["report"]


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, help="Folder of the pages."
)
@click.option("--full", is_flag=True, help="Runs of publication size.")
@click.option("--quick", is_flag=True, help="Runs just large enough to prove that the notebooks work.")
@click.option("--force", is_flag=True, help="Render again even if nothing has changed.")
@click.option("--show-code", is_flag=True, help="Put the code of each cell into the page, folded.")
@click.option("--pdf", is_flag=True, help="Write a PDF beside each page (extra svara_sim[pdf]).")
@click.option("--gallery", is_flag=True, help="Write the first figure of each to reports/gallery instead of pages.")
@click.option("--param", "assignments", multiple=True, metavar="NAME=VALUE", help="Change a parameter (repeatable).")
@click.option(
    "--jobs", type=int, metavar="N", help="Notebooks at a time; by default one for each processor, at most 4."
)
@click.option("--notebooks", type=click.Path(path_type=Path), help="Folder of the notebooks; found from here upwards.")
def report(
    names: tuple[str, ...],
    out: Path,
    full: bool,
    quick: bool,
    force: bool,
    show_code: bool,
    pdf: bool,
    gallery: bool,
    assignments: tuple[str, ...],
    jobs: int | None,
    notebooks: Path | None,
) -> None:
    """Run notebooks and write each as one self-contained HTML page, with an index.

    Without NAMES, all of them. A page whose notebook, parameters and code have not changed is left as it is.

    \b
    svara report
    svara report svara_frequency --param n_deals=5_000_000
    svara report --full --pdf
    svara report --gallery
    """
    from ..core.caches import bytecode_kept
    from ..core.errors import InvalidInput

    if full and quick:
        raise InvalidInput("--full and --quick: give one of them")
    if gallery and (pdf or show_code):
        raise InvalidInput("--gallery: makes pictures, so --pdf and --show-code cannot go with it")
    options: dict[str, Any] = {
        "mode": "full" if full else "quick" if quick else "default",
        "notebooks": notebooks,
        "jobs": jobs,
    }
    with bytecode_kept():  # what makes pages takes longer to compile than to use
        from ..reporting import parse_assignments

        options["parameters"] = parse_assignments(assignments)
        if gallery:
            _make_gallery(names, out / "gallery", options)
        else:
            _make_pages(names, out, {**options, "force": force, "show_code": show_code, "pdf": pdf})


def _make_gallery(names: tuple[str, ...], out: Path, options: dict[str, Any]) -> None:
    from ..reporting import ProgressBoard, build_gallery

    with ProgressBoard("cells") as board:
        paths = build_gallery(names or None, out=out, progress=board, **options)
    for path in paths:
        click.echo(path)


def _make_pages(names: tuple[str, ...], out: Path, options: dict[str, Any]) -> None:
    from ..reporting import ProgressBoard, RenderResult, render_all

    results: list[RenderResult] = []
    try:
        with ProgressBoard("cells") as board:
            render_all(names or None, out=out, progress=board, done=results.append, **options)
    finally:  # if one notebook fails, the pages of the others stand
        for result in results:
            click.echo(f"{result.path} ({'unchanged' if result.skipped else f'{result.seconds:.0f} s'})")
            for warning in result.warnings:
                click.echo(warning, err=True)
        if results:
            click.echo(out / "index.html")
