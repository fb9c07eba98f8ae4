from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svara_sim.experiments.batches import BatchTotals, Layout, Span, batch_size, default_part_deals


@given(st.integers(1, 1 << 38))
def test_a_run_has_256_to_512_batches_or_one_a_unit(n_units: int) -> None:
    size = batch_size(n_units)
    n_batches = -(-n_units // size)
    assert size & (size - 1) == 0
    assert n_batches == n_units if n_units < 512 else 256 <= n_batches <= 512


@pytest.mark.parametrize(
    ("n_units", "size"), [(1, 1), (511, 1), (512, 2), (1023, 2), (1024, 4), (100_000_000, 1 << 18)]
)
def test_batch_size_by_number_of_units(n_units: int, size: int) -> None:
    assert batch_size(n_units) == size


@given(st.integers(1, 5000), st.integers(1, 700))
def test_pieces_cover_a_span_once(count: int, size: int) -> None:
    pieces = Span(17, count).pieces(size)
    covered = [i for p in pieces for i in range(p.first, p.first + p.count)]
    assert covered == list(range(17, 17 + count))
    assert all(p.count == size for p in pieces[:-1])


@given(st.integers(1, 3000), st.integers(1, 400), st.integers(1, 9))
def test_parts_and_batches_cover_a_run_once(n_units: int, part_units: int, unit_deals: int) -> None:
    layout = Layout(n_units, unit_deals, part_units)
    spans = [layout.part(i) for i in range(layout.n_parts)]
    assert [i for s in spans for i in range(s.first, s.first + s.count)] == list(range(n_units))
    assert layout.batch_counts().sum() == n_units
    assert layout.batch_counts().min() >= 1
    assert layout.n_deals == n_units * unit_deals


def test_totals_of_blocks_that_cut_through_batches_add_up() -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(-100, 100, (1000, 3))
    whole = BatchTotals.of_span(Span(0, 1000), 8, 3)
    whole.add(0, values.reshape(125, 8, 3).sum(axis=1))
    merged = BatchTotals.of_span(Span(0, 1000), 8, 3)
    for piece in Span(0, 1000).pieces(37):
        part = BatchTotals.of_span(piece, 8, 3)
        for unit in range(piece.first, piece.first + piece.count):
            part.add(unit // 8, values[unit : unit + 1])
        merged.add(part.first_batch, part.values)
    np.testing.assert_array_equal(whole.values, merged.values)


def test_default_part_size() -> None:
    assert default_part_deals(100_000_000, records=True) == 1 << 20
    assert default_part_deals(1_000_000_000, records=False) == 1 << 22
    assert default_part_deals(1_000, records=True) == 1 << 16
    assert 8 <= 4_000_000 / default_part_deals(4_000_000, records=True) <= 32
