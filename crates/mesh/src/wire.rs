//! A way to reach the other processes of a run.

use crate::error::MeshError;

/// Called when another process interrupts the run, or is gone; maybe on another thread.
pub type Alarm = Box<dyn Fn() + Send>;

/// A way to reach the other processes of a run: messages between any two of them, in order.
///
/// When it is dropped its connections end.
pub trait Wire: Send + Sync {
    /// Number of this process.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn processes(&self) -> usize;

    /// Sends process `other` a message: `parts`, one behind the other.
    ///
    /// # Errors
    /// The other process is gone.
    fn send(&self, other: usize, parts: &[&[u8]]) -> Result<(), MeshError>;

    /// The next message of process `other`; `gives_up` is asked now and then while it is awaited.
    ///
    /// # Errors
    /// The other process is gone, or says why it cannot go on; or it was given up.
    fn receive(
        &self,
        other: usize,
        gives_up: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, MeshError>;

    /// Waits until what was sent needs this process no more: it may work for long then.
    ///
    /// # Errors
    /// Another process is gone.
    fn flush(&self) -> Result<(), MeshError> {
        Ok(())
    }

    /// Takes the memory of a message from process `other`, to be used again.
    fn give_back(&self, other: usize, message: Vec<u8>);

    /// Asks all others to stop with what there is so far.
    fn interrupt(&self);

    /// Tells all others why the run cannot go on.
    fn fail(&self, sentence: &str);

    /// Lets `alarm` be called when another process interrupts the run, or is gone, or has done so.
    fn on_alarm(&self, alarm: Alarm);

    /// Whether another process has interrupted the run, or is gone.
    fn is_interrupted(&self) -> bool;
}
