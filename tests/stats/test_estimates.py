from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from svara_sim.core.errors import InvalidInput
from svara_sim.stats.estimates import (
    Estimate,
    Estimates,
    adjust_p_values,
    estimate_ratios,
    simultaneous_level,
    wilson_interval,
)

REPEATS = 2000
# Four standard errors of the share of 2,000 intervals that cover, if each covers with probability 0.95.
SLACK = 4 * math.sqrt(0.95 * 0.05 / REPEATS)


def coverage(found: Estimates, truth: float) -> float:
    return float(((found.low <= truth) & (truth <= found.high)).mean())


def assert_covers(found: Estimates, truth: float) -> None:
    assert abs(coverage(found, truth) - 0.95) < SLACK


class TestMeans:
    def test_textbook_case(self) -> None:
        rng = np.random.default_rng(1)
        y = rng.integers(-500, 500, 40)
        found = estimate_ratios(y, np.full(40, 8), np.full(40, 8), units="chips")[0]
        means = y / 8
        assert found.mean == pytest.approx(means.mean())
        assert found.standard_error == pytest.approx(stats.sem(means))
        low, high = stats.t.interval(0.95, 39, means.mean(), stats.sem(means))
        assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
        assert (found.n, found.n_units, found.unit, found.level) == (320, 320, "chips", 0.95)
        assert found.method == "ratio by batch means, Student t"

    @pytest.mark.parametrize("n_batches", [3, 10, 256])
    def test_coverage_of_a_skewed_payoff(self, n_batches: int) -> None:
        """Payoffs as in cards: most units lose a little, few win much; batches of 64 units."""
        rng = np.random.default_rng(n_batches)
        wins = rng.binomial(64, 0.15, (n_batches, REPEATS))
        y = 400 * wins - 60 * 64
        sizes = np.full(n_batches, 64)
        found = estimate_ratios(y, np.broadcast_to(sizes[:, None], y.shape), sizes)
        np.testing.assert_allclose(found.degrees, n_batches - 1)
        assert_covers(found, 0.0)

    def test_coverage_with_a_short_last_batch(self) -> None:
        rng = np.random.default_rng(5)
        sizes = np.array([64] * 9 + [7])
        y = np.rint(rng.normal(0, 100 * np.sqrt(sizes)[:, None], (10, REPEATS))).astype(int)
        found = estimate_ratios(y, np.broadcast_to(sizes[:, None], y.shape), sizes)
        assert 8 < found.degrees[0] < 9
        assert_covers(found, 0.0)

    def test_coverage_of_a_ratio_with_a_random_denominator(self) -> None:
        """Mean payoff in the units in which something happens: 12 % of them."""
        rng = np.random.default_rng(6)
        c = rng.binomial(64, 0.12, (100, REPEATS))
        y = np.rint(rng.normal(0, 100, c.shape) * np.sqrt(c)).astype(int) + 37 * c
        assert_covers(estimate_ratios(y, c, np.full(100, 64)), 37.0)

    def test_coverage_where_most_batches_are_empty(self) -> None:
        """A rare hand: about a dozen observations in 256 batches."""
        rng = np.random.default_rng(7)
        c = rng.binomial(8, 0.006, (256, REPEATS))
        y = np.rint(rng.normal(0, 1000, c.shape) * np.sqrt(c)).astype(int)
        found = estimate_ratios(y, c, np.full(256, 8))
        assert found.degrees.max() < 30
        assert_covers(found, 0.0)

    def test_units_that_depend_within_batches_are_seen(self) -> None:
        """Every unit of a batch is the same: an error from single observations would be 8 times too small."""
        rng = np.random.default_rng(8)
        y = np.rint(rng.normal(0, 100, (50, REPEATS))).astype(int) * 64
        sizes = np.full(50, 64)
        found = estimate_ratios(y, np.broadcast_to(sizes[:, None], y.shape), sizes)
        assert_covers(found, 0.0)
        assert found.standard_error.mean() == pytest.approx(100 / math.sqrt(50), rel=0.02)

    def test_the_variance_is_unbiased(self) -> None:
        rng = np.random.default_rng(9)
        c = np.array([1, 2, 3, 10, 40])
        y = np.rint(rng.normal(0, 1000 * np.sqrt(c)[:, None], (5, 20_000))).astype(int)
        found = estimate_ratios(y, np.broadcast_to(c[:, None], y.shape), c)
        assert np.mean(found.standard_error**2) == pytest.approx(1000**2 / c.sum(), rel=0.03)


class TestProportions:
    @pytest.mark.parametrize(("p", "n"), [(0.1, 640), (0.5, 200), (0.02, 2048)])
    def test_coverage_of_independent_trials(self, p: float, n: int) -> None:
        rng = np.random.default_rng(n)
        y = rng.binomial(n // 8, p, (8, REPEATS))
        sizes = np.full(8, n // 8)
        found = estimate_ratios(y, np.broadcast_to(sizes[:, None], y.shape), sizes, kinds="proportion")
        # Counts are whole, so the exact coverage of Wilson's interval is not 0.95 but near it; it can be computed.
        k = np.arange(n + 1)
        low, high = wilson_interval(k, n)
        exact = stats.binom.pmf(k, n, p)[(low <= p) & (p <= high)].sum()
        assert abs(exact - 0.95) < 0.015
        assert abs(coverage(found, p) - exact) < SLACK
        assert found[0].method == "Wilson, independent units"

    def test_coverage_of_dependent_trials(self) -> None:
        """Units of ten trials that share their chance of success."""
        rng = np.random.default_rng(11)
        chances = rng.beta(1.5, 3.5, (100, 8, REPEATS))
        y = rng.binomial(10, chances).sum(axis=1)
        c = np.full(y.shape, 80)
        found = estimate_ratios(y, c, np.full(100, 8), kinds="proportion")
        assert_covers(found, 0.3)
        naive_low, naive_high = wilson_interval(y.sum(axis=0), c.sum(axis=0))
        assert ((naive_low <= 0.3) & (naive_high >= 0.3)).mean() < 0.85
        assert found[0].method == "Wilson, effective trials from batches"

    def test_coverage_of_a_conditional_proportion(self) -> None:
        rng = np.random.default_rng(12)
        c = rng.binomial(16, 0.1, (300, REPEATS))
        y = rng.binomial(c, 0.4)
        found = estimate_ratios(y, c, np.full(300, 16), kinds="proportion")
        assert coverage(found, 0.4) > 0.95 - SLACK
        assert coverage(found, 0.4) < 0.97

    def test_wilson_of_a_known_case(self) -> None:
        low, high = wilson_interval(10, 100)
        reference = stats.binomtest(10, 100).proportion_ci(method="wilson")
        assert (float(low), float(high)) == (pytest.approx(reference.low), pytest.approx(reference.high))

    @pytest.mark.parametrize(("y", "end"), [(0, "low"), (8, "high")])
    def test_never_and_always_keep_an_interval(self, y: int, end: str) -> None:
        sizes = np.full(50, 8)
        independent = estimate_ratios(np.full(50, y), sizes, sizes, kinds="proportion")[0]
        assert getattr(independent, end) == y / 8
        assert 0.005 < independent.high - independent.low < 0.02
        ten_each = estimate_ratios(np.full(50, 10 * y), 10 * sizes, sizes, kinds="proportion")[0]
        assert getattr(ten_each, end) == y / 8
        # Ten trials of a unit may be copies of one, so they narrow nothing.
        assert ten_each.high - ten_each.low >= independent.high - independent.low

    def test_agreement_of_few_batches_is_no_certainty(self) -> None:
        found = estimate_ratios([3, 3], [6, 6], [3, 3], kinds="proportion")[0]
        assert found.standard_error == 0
        assert found.high - found.low > 0.4

    @pytest.mark.parametrize("y", [-1, 5])
    def test_a_proportion_lies_between_0_and_1(self, y: int) -> None:
        with pytest.raises(InvalidInput, match="proportion's total must be from 0 to its denominator"):
            estimate_ratios([y, 1], [4, 4], [4, 4], kinds="proportion")


class TestLittleData:
    @pytest.mark.parametrize("kind", ["mean", "proportion"])
    def test_no_observations(self, kind: Any) -> None:
        found = estimate_ratios([0, 0], [0, 0], [4, 4], kinds=kind)[0]
        assert all(math.isnan(v) for v in (found.mean, found.standard_error, found.low, found.high))
        assert (found.n, found.n_units, found.method) == (0, 0, "no observations")
        assert str(found) == "no observations"

    def test_no_batches(self) -> None:
        found = estimate_ratios(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))
        assert [e.n for e in found] == [0, 0]

    def test_one_batch_leaves_the_error_unknown(self) -> None:
        found = estimate_ratios([[7]], [[2]], [2])[0]
        assert found.mean == 3.5
        assert (found.standard_error, found.low, found.high) == (math.inf, -math.inf, math.inf)
        assert found.method == "one batch with data: error unknown"

    def test_one_batch_with_data_among_many(self) -> None:
        """Its residual is 0 by construction; that is no certainty."""
        found = estimate_ratios([0, 70, 0], [0, 2, 0], [4, 4, 4])[0]
        assert found.standard_error == math.inf
        share = estimate_ratios([0, 1, 0], [0, 2, 0], [4, 4, 4], kinds="proportion")[0]
        assert share.standard_error == math.inf
        assert 0 < share.low < 0.1
        assert 0.9 < share.high < 1

    def test_constant_payoff_has_no_error(self) -> None:
        found = estimate_ratios([20, 20, 10], [4, 4, 2], [4, 4, 2])[0]
        assert (found.standard_error, found.low, found.high) == (0, 5, 5)


class TestManyMeasures:
    def test_each_as_if_alone(self) -> None:
        rng = np.random.default_rng(13)
        c = rng.integers(0, 5, (30, 4))
        y = rng.integers(0, 5, (30, 4)).clip(max=c)
        kinds: list[Any] = ["mean", "proportion", "mean", "proportion"]
        units = ["chips", "", "antes", "per deal"]
        sizes = rng.integers(4, 9, 30)
        together = estimate_ratios(y, c, sizes, kinds=kinds, units=units, level=0.9)
        assert len(together) == 4
        assert together[-1] == together[3]
        assert together[1:3] == [together[1], together[2]]
        for i, one in enumerate(together):
            alone = estimate_ratios(y[:, i], c[:, i], sizes, kinds=kinds[i], units=units[i], level=0.9)
            assert isinstance(one, Estimate)
            for field, value in vars(alone[0]).items():  # sums of floats may differ in their last digit
                assert getattr(one, field) == (pytest.approx(value) if isinstance(value, float) else value)
        with pytest.raises(IndexError):
            together[4]

    @given(st.integers(0, 2**32), st.integers(1, 6))
    def test_the_order_of_batches_does_not_matter(self, seed: int, n_batches: int) -> None:
        rng = np.random.default_rng(seed)
        c = rng.integers(0, 4, n_batches)
        y = rng.integers(-9, 9, n_batches) * c
        sizes = rng.integers(4, 9, n_batches)
        order = rng.permutation(n_batches)
        a, b = estimate_ratios(y, c, sizes)[0], estimate_ratios(y[order], c[order], sizes[order])[0]
        assert a.n == b.n
        np.testing.assert_allclose([a.mean, a.standard_error], [b.mean, b.standard_error])

    def test_large_totals_are_exact(self) -> None:
        y = np.array([2**53 + 1, 2**53 + 3])
        assert estimate_ratios(y, [2, 2], [2, 2])[0].mean == (2**54 + 4) / 4

    def test_bonferroni_level_covers_all_at_once(self) -> None:
        rng = np.random.default_rng(14)
        y = np.rint(rng.normal(0, 1000, (40, REPEATS, 10))).astype(int).reshape(40, -1)
        ones = np.ones_like(y)
        found = estimate_ratios(y, ones, np.ones(40), level=simultaneous_level(0.95, 10))
        all_cover = ((found.low <= 0) & (found.high >= 0)).reshape(REPEATS, 10).all(axis=1)
        assert abs(all_cover.mean() - 0.95) < SLACK + 0.002

    def test_holm_and_bonferroni(self) -> None:
        p = [0.01, 0.04, 0.03, 0.005]
        np.testing.assert_allclose(adjust_p_values(p), [0.03, 0.06, 0.06, 0.02])
        np.testing.assert_allclose(adjust_p_values(p, "bonferroni"), [0.04, 0.16, 0.12, 0.02])
        np.testing.assert_allclose(adjust_p_values([0.9, 0.8, 0.7]), [1, 1, 1])
        assert adjust_p_values([]).size == 0

    def test_holm_keeps_the_error_rate_of_the_family(self) -> None:
        rng = np.random.default_rng(15)
        p = rng.random((REPEATS, 8))
        p[:, :4] /= 1000  # half of the hypotheses are false
        wrong = sum((adjust_p_values(row)[4:] <= 0.05).any() for row in p) / REPEATS
        assert wrong < 0.05 + SLACK


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], [1], [1]), "must be"),
        (([1, 2], [1, 2], [1]), "must be"),
        (([[[1]]], [[[1]]], [1]), "must be"),
        (([1], [-1], [1]), "denominators must be at least 0"),
        (([1], [1], [0]), "batch_units at least 1"),
    ],
)
def test_shapes_and_signs_are_checked(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        estimate_ratios(*arguments)


def test_options_are_checked() -> None:
    for level in (0, 1, 95):
        with pytest.raises(InvalidInput, match="level = "):
            estimate_ratios([1], [1], [1], level=level)
    with pytest.raises(InvalidInput, match="kinds = 'ratio'"):
        estimate_ratios([1], [1], [1], kinds="ratio")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="kinds and units: must name one"):
        estimate_ratios([1], [1], [1], units=["a", "b"])
    with pytest.raises(InvalidInput, match="n_comparisons = 0"):
        simultaneous_level(0.95, 0)
    with pytest.raises(InvalidInput, match="p_values: must be"):
        adjust_p_values([1.5])
    with pytest.raises(InvalidInput, match="method = 'sidak'"):
        adjust_p_values([0.5], "sidak")  # type: ignore[arg-type]


def test_an_estimate_in_words() -> None:
    text = str(estimate_ratios([10, 12, 20], [4, 4, 4], [4, 4, 4], units="chips")[0])
    assert text.startswith("3.5 ± 0.76 chips (0.95 interval 0.21")
    assert text.endswith("12 units)")
