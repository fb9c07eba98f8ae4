"""`svara report`: notebooks rendered to pages."""

from __future__ import annotations

from pathlib import Path

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
    from ..core.errors import InvalidInput
    from ..reporting import ProgressBar, build_gallery, parse_assignments, progress_bar, render_all

    if full and quick:
        raise InvalidInput("--full and --quick: give one of them")
    if gallery and (pdf or show_code):
        raise InvalidInput("--gallery: makes pictures, so --pdf and --show-code cannot go with it")
    bars: dict[str, ProgressBar] = {}

    def show_progress(name: str, done: int, total: int) -> None:
        if name not in bars:
            bars[name] = progress_bar(name, total, unit="cells")
        bars[name](done, total)

    mode = "full" if full else "quick" if quick else "default"
    parameters = parse_assignments(assignments)
    if gallery:
        paths = build_gallery(
            names, out=out / "gallery", notebooks=notebooks, parameters=parameters, mode=mode, progress=show_progress
        )
        for path in paths:
            click.echo(path)
        return
    results = render_all(
        names or None,
        parameters=parameters,
        out=out,
        mode=mode,
        force=force,
        show_code=show_code,
        pdf=pdf,
        progress=show_progress,
        notebooks=notebooks,
    )
    for result in results:
        state = "unchanged" if result.skipped else f"{result.seconds:.0f} s"
        click.echo(f"{result.path} ({state})")
        for warning in result.warnings:
            click.echo(warning, err=True)
    click.echo(out / "index.html")
