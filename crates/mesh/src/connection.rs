//! One connection: frames in both directions.
//!
//! A frame is its kind (8 bytes), the length of its content (8 bytes), both little-endian, and the
//! content.

use std::io::{self, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The next message.
    Message = 1,
    /// The run is to stop with what there is so far.
    Interrupt = 2,
    /// The run cannot go on: a sentence.
    Fault = 3,
    /// The other machine is still there.
    Alive = 4,
}

impl Kind {
    fn from_code(code: u64) -> Option<Self> {
        [Self::Message, Self::Interrupt, Self::Fault, Self::Alive]
            .into_iter()
            .find(|kind| *kind as u64 == code)
    }
}

/// A frame that has arrived.
#[derive(Debug)]
pub(crate) enum Arrived {
    Message(Vec<u8>),
    /// Nothing follows: a sentence if the other side has said why.
    End(Option<String>),
}

/// A message gets this part of its length as spare room, for the next one in its place.
const SPARE: usize = 16;
/// Memory that is not kept from one message to the next: getting it anew takes a small part of the
/// time that reading it takes.
const LARGE: usize = 1 << 22;

/// A connection to another process.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    writer: Mutex<TcpStream>,
    pub(crate) arrived: Mutex<Receiver<Arrived>>,
    /// An emptied message, whose memory is used again.
    spare: Mutex<Vec<u8>>,
    /// The other process is on another machine, which may vanish without a word.
    is_far: bool,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// Another machine is given up when it is silent for `silence`.
    pub(crate) fn new(
        stream: TcpStream,
        arrived: Receiver<Arrived>,
        silence: Duration,
    ) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let is_far = !stream.peer_addr()?.ip().to_canonical().is_loopback();
        let patience = is_far.then_some(silence);
        stream.set_read_timeout(patience)?;
        stream.set_write_timeout(patience)?;
        Ok(Self {
            is_far,
            writer: Mutex::new(stream.try_clone()?),
            stream,
            arrived: Mutex::new(arrived),
            spare: Mutex::default(),
        })
    }

    /// Tells another machine that this one is there.
    pub(crate) fn beat(&self) {
        if self.is_far {
            // If it is gone, whoever reads notices.
            let _ = self.send(Kind::Alive, &[]);
        }
    }

    /// Sends a frame whose content is `parts`, one behind the other.
    pub(crate) fn send(&self, kind: Kind, parts: &[&[u8]]) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let mut head = [0; 16];
        head[..8].copy_from_slice(&(kind as u64).to_le_bytes());
        head[8..].copy_from_slice(&(length as u64).to_le_bytes());
        let mut slices = vec![IoSlice::new(&head)];
        slices.extend(parts.iter().map(|part| IoSlice::new(part)));
        let mut rest = &mut slices[..];
        let mut writer = lock(&self.writer);
        IoSlice::advance_slices(&mut rest, 0);
        while !rest.is_empty() {
            match writer.write_vectored(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => IoSlice::advance_slices(&mut rest, count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Takes the memory of a message that was read, unless it is so large that it is better used
    /// for something else meanwhile.
    pub(crate) fn give_back(&self, mut message: Vec<u8>) {
        if message.capacity() < LARGE {
            message.clear();
            *lock(&self.spare) = message;
        }
    }

    /// Reads frames until nothing follows; of an interrupt `interrupted` is told.
    pub(crate) fn read_all(&self, to: &Sender<Arrived>, interrupted: impl Fn()) {
        let reason = loop {
            match self.read_one() {
                Ok((Kind::Message, content)) => {
                    // Nobody waits for messages any more: then it is read what ends them.
                    let _ = to.send(Arrived::Message(content));
                }
                Ok((Kind::Interrupt, _)) => interrupted(),
                Ok((Kind::Alive, content)) => self.give_back(content),
                Ok((Kind::Fault, content)) => {
                    break Some(String::from_utf8_lossy(&content).into_owned());
                }
                Err(_) => break None,
            }
        };
        let _ = to.send(Arrived::End(reason));
    }

    fn read_one(&self) -> io::Result<(Kind, Vec<u8>)> {
        let mut stream = &self.stream;
        let mut head = [0; 16];
        stream.read_exact(&mut head)?;
        let word = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let kind = Kind::from_code(word(0)).ok_or(io::ErrorKind::InvalidData)?;
        let length = word(8);
        let room = usize::try_from(length).map_err(|_| io::ErrorKind::InvalidData)?;
        let mut content = std::mem::take(&mut *lock(&self.spare));
        if content.capacity() < room {
            // Another one is made: it would grow to twice its length, and copy what was in it. The
            // next message may be somewhat longer.
            drop(content);
            content = Vec::with_capacity(room.saturating_add(room / SPARE));
        }
        let read = stream.take(length).read_to_end(&mut content)?;
        if read as u64 == length {
            Ok((kind, content))
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// Ends the connection in both directions.
    pub(crate) fn close(&self) {
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::{Arrived, Connection, Kind};

    /// The two ends of a connection to an address that is not that of the loopback, if this
    /// machine has one.
    fn far() -> Option<(TcpStream, TcpStream)> {
        let probe = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
        // Nothing is sent: only the way to an address for documentation is looked up.
        probe.connect("198.51.100.1:9").ok()?;
        let listener = TcpListener::bind((probe.local_addr().ok()?.ip(), 0)).ok()?;
        let one = TcpStream::connect(listener.local_addr().ok()?).ok()?;
        Some((one, listener.accept().ok()?.0))
    }

    #[test]
    fn another_machine_that_is_silent_is_gone_and_one_that_beats_is_not() {
        let Some((one, other)) = far() else { return };
        let silence = Duration::from_millis(900);
        let (sender, arrived) = mpsc::channel();
        let here = Connection::new(one, mpsc::channel().1, silence).unwrap();
        let there = Connection::new(other, mpsc::channel().1, silence).unwrap();
        assert!(here.is_far);
        std::thread::scope(|scope| {
            scope.spawn(|| here.read_all(&sender, || ()));
            for _ in 0..6 {
                there.beat();
                let nothing = arrived.recv_timeout(silence / 3);
                assert!(nothing.is_err(), "{nothing:?}");
            }
            there.send(Kind::Message, &[b"late"]).unwrap();
            assert!(matches!(arrived.recv().unwrap(), Arrived::Message(_)));
            assert!(matches!(arrived.recv().unwrap(), Arrived::End(None)));
        });
    }
}
