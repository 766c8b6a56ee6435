"""Job logs of machines and schedulers: one record for every form, instants, neighbours of a job."""
