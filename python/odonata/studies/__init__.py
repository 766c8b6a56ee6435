"""Studies: what a paper or a measurement states, claim by claim, against what is simulated.

A study is data: a folder with scenarios and `expected.csv`, whose rows say what is published, which
quantity of which runs it is, and how far the two may be apart. Results are kept beside it as small
tables, from which every verdict is given again without a run.
"""

from __future__ import annotations

from odonata.studies.claims import Claim, StudyError
from odonata.studies.index import Study, StudyIndex
from odonata.studies.verdicts import (
    AGREES,
    AS_CODE,
    CANNOT,
    CANNOT_FAIL,
    DIFFERS,
    FITTED,
    INPUT,
    NOT_RUN,
    PARTLY,
    VERDICTS,
    Verdict,
)

__all__ = [
    "AGREES",
    "AS_CODE",
    "CANNOT",
    "CANNOT_FAIL",
    "DIFFERS",
    "FITTED",
    "INPUT",
    "NOT_RUN",
    "PARTLY",
    "VERDICTS",
    "Claim",
    "Study",
    "StudyError",
    "StudyIndex",
    "Verdict",
]
