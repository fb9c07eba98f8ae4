"""What the page parser and the reader of stories see."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from svara_sim.reporting.rendering.pages import parse_page
from svara_sim.reporting.story import conclusion_sentence, notebook_title


@pytest.mark.parametrize(
    "text",
    [
        '<img src="http://a.b/c.png" alt="x">',
        '<script src="https://a.b/c.js"></script>',
        '<link rel="stylesheet" href="//a.b/c.css">',
        '<style>@import "https://a.b/c.css";</style>',
        "<style>p { background: url( 'https://a.b/c.png') }</style>",
        '<p style="background:url(//a.b/c.png)"></p>',
        '<video poster="https://a.b/c.jpg"></video>',
        '<iframe src="https://a.b/"></iframe>',
        '<object data="https://a.b/"></object>',
    ],
)
def test_remote_resources_are_seen(text: str) -> None:
    assert len(parse_page(text).remote) == 1


def test_links_and_data_are_not_loaded() -> None:
    page = parse_page(
        '<a href="https://a.b/">x</a><img src="data:image/png;base64,AA//BB" alt="y"><style>a{color:red}</style>'
        "<p>url(https://a.b/) in a text</p>"
    )
    assert page.remote == []
    assert page.missing_alt == []


def test_missing_texts_are_counted() -> None:
    page = parse_page(
        '<img src="a"><img src="b" alt=""><img src="c" alt="good">'
        '<img src="d" alt="No description has been provided for this image">'
    )
    assert page.missing_alt == [1, 2, 4]


def test_title_and_conclusion_of_markdown() -> None:
    nb = new_notebook(
        cells=[
            new_markdown_cell("An opening.\n\n# *What* is a `blind` **worth**? #\ntext"),
            new_markdown_cell(
                "## Conclusion\n\n| a | b |\n| - | - |\n\n![x](y.png)\n\nIt pays [a bit](#a): 0.5 antes.\nNo more."
            ),
        ]
    )
    assert notebook_title(nb) == "What is a blind worth?"
    assert conclusion_sentence(nb) == "It pays a bit: 0.5 antes."


def test_conclusion_of_a_display() -> None:
    said = new_output("display_data", data={"text/markdown": "Blind bets of call_at=21 lose! Always."})
    nb = new_notebook(cells=[new_markdown_cell("# T\n\n## Conclusions"), new_code_cell("say(...)", outputs=[said])])
    assert conclusion_sentence(nb) == "Blind bets of call_at=21 lose!"
    assert conclusion_sentence(new_notebook(cells=[new_markdown_cell("# T\n\ntext")])) is None
    assert notebook_title(new_notebook()) is None
