"""Who carries tasks out: worker processes here and on other machines, or a Dask cluster."""
