"""Reports as PDF, through WeasyPrint: an extra, since it needs Pango on the system."""

from __future__ import annotations

from pathlib import Path

from svara_sim.core.errors import InvalidInput

from .pages import write_atomically

__all__ = ["check_pdf", "write_pdf"]

_EXTRA = "PDF needs the extra: pip install 'svara_sim[pdf]'"


def check_pdf() -> None:
    """Raise `InvalidInput` if WeasyPrint is absent or cannot load the libraries that it needs."""
    try:
        import weasyprint  # noqa: F401
    except ImportError as error:
        raise InvalidInput(_EXTRA) from error
    except OSError as error:
        raise InvalidInput(f"{_EXTRA}; it is installed, but lacks a system library ({error})") from error


def write_pdf(page: Path, target: Path) -> None:
    """Write the report `page`, an HTML file, as a PDF.

    Raises
    ------
    InvalidInput
        If the extra is absent.
    DataError
        If the file cannot be written.
    """
    check_pdf()
    from weasyprint import HTML

    write_atomically(target, HTML(filename=str(page)).write_pdf())
