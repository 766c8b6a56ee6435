"""Quantiles of Student's t distribution against those of SciPy."""

from __future__ import annotations

import subprocess
import sys

import pytest
from scipy.special import stdtrit

from odonata.analysis.student import quantile


@pytest.mark.parametrize("freedom", [0.5, 1, 2, 2.7, 4, 9, 18.3, 19, 99, 999, 1e4, 1e6])
def test_quantiles_are_those_of_scipy(freedom):
    for probability in (1e-4, 0.025, 0.3, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9999):
        expected = float(stdtrit(freedom, probability))
        found = quantile(freedom, probability)
        assert found == pytest.approx(expected, rel=1e-8, abs=1e-12), probability


@pytest.mark.parametrize("given", [(0.0, 0.5), (-1.0, 0.5), (3.0, 0.0), (3.0, 1.0)])
def test_what_has_no_quantile(given):
    with pytest.raises(ValueError, match="no quantile"):
        quantile(*given)


def test_the_end_of_a_campaign_does_not_load_scipy(repository):
    """It takes as long as a sweep of a few runs."""
    code = (
        "import sys, odonata; from examples import open_loop;"
        "m = {'warm_up': '500 ns', 'window': '1 us'};"
        "s = odonata.run(open_loop(measure=m, replicas=3), executor='serial');"
        "assert len(s.intervals()); assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=repository / "tests")
