"""Which candidate is best: a race of runs that ends as soon as the answer is known.

:mod:`odonata.advise.race` decides, and knows nothing of runs. :mod:`odonata.advise.conduct` makes
the runs, :mod:`odonata.advise.findings` says what they mean.
"""
