//! Sentences on runs that were to stop when they know enough.

use crate::config::Config;

use super::watch::PrecisionWatch;

/// Notes on a run that was to stop when it knows enough, in sentences.
pub(super) fn notes(config: &Config, watch: &PrecisionWatch) -> Vec<String> {
    let name = |job: usize| &config.jobs[job].name;
    let known = watch.known();
    let mut notes: Vec<String> = known
        .iter()
        .map(|one| {
            format!(
                "job `{}`: `stop.precision` ended the run when {} of {} iterations were simulated; \
                 what it has under `estimated` is for all of them, every other number and every \
                 table is of what was simulated",
                name(one.job),
                one.simulated,
                one.total
            )
        })
        .collect();
    if watch.is_decided() && known.is_empty() {
        notes.push(
            "`stop.precision` ended the run when all iterations of the jobs it asks about were \
             simulated: nothing is estimated"
                .to_owned(),
        );
    }
    notes.extend(watch.unknown().into_iter().map(|(job, why)| {
        format!(
            "job `{}`: what `stop.precision` asks was not known when the run ended, and nothing is \
             estimated: {why}",
            name(job)
        )
    }));
    notes
}
