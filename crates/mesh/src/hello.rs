//! How processes find each other: who listens, and what is said first.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::error::MeshError;

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"odonata1";
/// Between two looks for a connection.
const LOOK: Duration = Duration::from_millis(5);
/// Looks after which nobody is expected any more: 60 s.
const MOST_LOOKS: u32 = 12_000;
/// How long a process that has connected may take for its first words.
const FIRST_WORDS: Duration = Duration::from_secs(10);
/// First words are not longer, bytes.
const MOST_WORDS: u32 = 1 << 16;

/// What all processes of a run have to agree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    /// Number of processes.
    pub processes: usize,
    /// Known to the processes of this run only.
    pub secret: String,
    /// The build of the simulator.
    pub build: String,
    /// Fingerprint of what is to be run.
    pub task: String,
}

/// Where process 0, or any other one, can be reached.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
}

impl Listener {
    /// Listens at a free port of `host`, an address of this machine.
    ///
    /// # Errors
    /// The address is not of this machine.
    pub fn bind(host: &str) -> Result<Self, MeshError> {
        let listener = TcpListener::bind((host, 0)).map_err(|error| {
            MeshError::new(format!(
                "cannot listen at `{host}` for other processes: {error}"
            ))
        })?;
        Ok(Self { listener })
    }

    /// Its address, `host:port`.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn address(&self) -> Result<String, MeshError> {
        let address = self.listener.local_addr();
        let address = address.map_err(|error| MeshError::new(error.to_string()))?;
        Ok(address.to_string())
    }

    /// The next process that connects, and its first words; strangers are turned away.
    pub(crate) fn accept(
        &self,
        secret: &str,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<(TcpStream, Vec<String>), MeshError> {
        let fault = |error: io::Error| MeshError::new(format!("cannot listen: {error}"));
        self.listener.set_nonblocking(true).map_err(fault)?;
        for _ in 0..MOST_LOOKS {
            if gives_up() {
                return Err(MeshError::new("interrupted before the run began"));
            }
            match self.listener.accept() {
                Ok((stream, _)) => {
                    if let Some(words) = first_words(&stream)
                        && words.first().is_some_and(|given| given == secret)
                    {
                        return Ok((stream, words));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(LOOK),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault(error)),
            }
        }
        Err(MeshError::new("no other process has connected within 60 s"))
    }
}

fn first_words(stream: &TcpStream) -> Option<Vec<String>> {
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(FIRST_WORDS)).ok()?;
    let mut magic = [0; 8];
    let mut from = stream;
    from.read_exact(&mut magic).ok()?;
    (magic == MAGIC).then(|| read_words(from).ok()).flatten()
}

/// Connects to `address` and says `words`.
pub(crate) fn connect(address: &str, words: &[&str]) -> Result<TcpStream, MeshError> {
    let fault = |error: io::Error| {
        MeshError::new(format!(
            "cannot reach the other processes at {address}: {error}"
        ))
    };
    let stream = TcpStream::connect(address).map_err(fault)?;
    (&stream).write_all(&MAGIC).map_err(fault)?;
    write_words(&stream, words).map_err(fault)?;
    Ok(stream)
}

pub(crate) fn write_words(mut to: &TcpStream, words: &[&str]) -> io::Result<()> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&length(words.len())?.to_le_bytes());
    for word in words {
        bytes.extend_from_slice(&length(word.len())?.to_le_bytes());
        bytes.extend_from_slice(word.as_bytes());
    }
    to.write_all(&bytes)
}

fn length(length: usize) -> io::Result<u32> {
    let length = u32::try_from(length)
        .ok()
        .filter(|length| *length <= MOST_WORDS);
    length.ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

pub(crate) fn read_words(mut from: &TcpStream) -> io::Result<Vec<String>> {
    let count = read_length(&mut from)?;
    let mut words = Vec::new();
    for _ in 0..count {
        let mut word = vec![0; read_length(&mut from)?];
        from.read_exact(&mut word)?;
        words.push(String::from_utf8(word).map_err(|_| io::ErrorKind::InvalidData)?);
    }
    Ok(words)
}

fn read_length(from: &mut impl Read) -> io::Result<usize> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    let length = u32::from_le_bytes(bytes);
    if length > MOST_WORDS {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(length as usize)
}
