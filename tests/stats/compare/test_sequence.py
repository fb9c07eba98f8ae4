from __future__ import annotations

import numpy as np
import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.stats import ConfidenceSequence, Control, Moments, better_half, compare_all, halving_rounds
from svara_sim.stats.estimates import estimate_ratios

EXPERIMENTS = 2_000
LOOKS = 30


def test_fixed_intervals_cover_as_they_say() -> None:
    generator = np.random.default_rng(1)
    totals = generator.poisson(50, (64, EXPERIMENTS))
    found = estimate_ratios(totals, np.full_like(totals, 25), np.full(64, 25))
    covered = ((found.low <= 2.0) & (found.high >= 2.0)).mean()
    assert 0.94 <= covered <= 0.96


def test_the_sequence_covers_at_all_looks_and_repeated_z_tests_do_not() -> None:
    # Skewed as differences of deals are: mostly 0, now and then 1. A look comes after a quarter more of them.
    p = 0.05
    n = np.round(2_000 * 1.25 ** np.arange(LOOKS)).astype(np.int64)
    ones = np.random.default_rng(2).binomial(np.diff(n, prepend=0), p, (EXPERIMENTS, LOOKS)).cumsum(axis=1)
    mean = ones / n
    errors = np.abs(mean - p) / np.sqrt(mean * (1 - mean) / n)
    sequence = ConfidenceSequence(0.95, tight_at=float(n[LOOKS // 2]))
    wide = np.array([sequence.multiplier(int(k)) for k in n])
    assert (errors > wide).any(axis=1).mean() <= 0.05
    assert (errors > 1.96).any(axis=1).mean() > 1 / 3  # a z-test that is looked at 30 times
    assert 0.04 <= (errors[:, -1] > 1.96).mean() <= 0.06  # and one that is looked at once


def test_the_sequence_is_tightest_about_where_it_is_tuned() -> None:
    sequence = ConfidenceSequence(0.95, tight_at=10_000)
    width = {n: sequence.multiplier(n) for n in (100, 1_000, 10_000, 100_000, 1_000_000)}
    assert min(width, key=width.__getitem__) == 10_000
    assert width[10_000] < 3.1
    needed = ConfidenceSequence(0.95).needed(variance=4.0, half_width=0.1)
    tuned = ConfidenceSequence(0.95, needed)
    assert tuned.multiplier(round(needed)) * 2 / needed**0.5 == pytest.approx(0.1, rel=1e-2)


def test_moments_add_up() -> None:
    values = np.random.default_rng(3).normal(2, 3, 1_000)
    parts = Moments.of(values[:1]) + Moments.of(values[1:400]) + Moments() + Moments.of(values[400:])
    assert parts.n == 1_000
    assert parts.mean == pytest.approx(values.mean())
    assert parts.variance == pytest.approx(values.var(ddof=1))
    assert Moments.of(values[:1]).standard_error == np.inf


@pytest.mark.parametrize("arguments", [{"level": 1.0}, {"level": 0}, {"tight_at": 0}])
def test_sequence_arguments(arguments: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(arguments))):
        ConfidenceSequence(**arguments)


def test_controls_explain_what_they_can_and_do_no_harm() -> None:
    generator = np.random.default_rng(4)
    controls = generator.normal(size=(20_000, 3))
    controls[:, 2] = (generator.random(20_000) < 1e-4) * 100.0  # seen once or twice: must not be used
    noise = generator.normal(size=20_000)
    values = 5 + controls @ [2.0, -1.0, 0.0] + noise
    fitted = Control.fit(values[:10_000], controls[:10_000])
    assert fitted.weights == pytest.approx([2, -1, 0], abs=0.05)
    left = fitted.apply(values[10_000:], controls[10_000:])
    assert left.var() == pytest.approx(1.0, rel=0.05)
    assert abs(left.mean() - 5) < 4 / 100
    assert not Control.fit(np.zeros(100), np.zeros((100, 2))).weights.any()


def test_halving() -> None:
    rounds = halving_rounds(30, 30_000)
    assert [n for n, _ in rounds] == [30, 15, 8, 4, 2]
    assert sum(n * new for n, new in rounds) <= 30 * 30_000
    assert better_half([1.0, 3.0, 2.0, 3.0, 0.0]) == [1, 2, 3]


def test_ranking_corrects_for_many_and_pairs_by_batch() -> None:
    generator = np.random.default_rng(5)
    shared = generator.normal(0, 10, (100, 1))
    batches = shared + generator.normal(0, 0.1, (100, 4)) + [0.0, 0.0, 1.0, 1.2]
    found = {(p.first, p.second): p for p in compare_all(batches)}
    assert len(found) == 6
    assert found[0, 1].p_adjusted > 0.05
    assert found[2, 3].p_adjusted < 0.001
    assert all(p.p_adjusted >= p.p_value for p in found.values())
    wrong = 0
    for _ in range(400):
        wrong += any(p.p_adjusted < 0.05 for p in compare_all(generator.normal(size=(50, 5))))
    assert wrong / 400 < 0.085
