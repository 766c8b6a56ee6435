//! How processes find each other: who listens, and what is said first.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::MeshError;

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"odonata1";
/// Between two looks for a connection, and for words.
const LOOK: Duration = Duration::from_millis(5);
/// How long processes may take to find each other: files may have to be read before.
const FIND_WITHIN: Duration = Duration::from_secs(600);
/// How long a machine may take to answer that is asked for a connection.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// How long a process that has connected may take for its first words.
const FIRST_WORDS: Duration = Duration::from_secs(10);
/// First words are not longer, all together, bytes.
const MOST_WORDS: usize = 1 << 12;
/// Room for an address in the words of process 0, bytes: a name has at most 253.
const MOST_ADDRESS: usize = 1 << 9;
/// Connections whose first words are awaited, beside those of the processes of the run.
const MOST_STRANGERS: usize = 256;

/// Facts on which all processes of a run have to agree.
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
    /// Name of this machine for others; `None`: all processes are on this machine.
    name: Option<String>,
}

impl Listener {
    /// Listens for processes of this machine, at a free port of `host`, one of its addresses.
    ///
    /// # Errors
    /// The address is not of this machine.
    pub fn bind(host: &str) -> Result<Self, MeshError> {
        Ok(Self {
            listener: listen(host, 0)?,
            name: None,
        })
    }

    /// Listens for processes of several machines, which call this one `name`; at `port`, or at a
    /// free one if that is 0.
    ///
    /// # Errors
    /// The name is not of this machine, or the port is taken.
    pub fn open(name: &str, port: u16) -> Result<Self, MeshError> {
        let mut listener = listen(name, port)?;
        let own = listener.local_addr();
        // Some machines call themselves by a name that means "this machine" to them alone.
        let own = own.map_err(|error| MeshError::new(error.to_string()))?;
        if own.ip().is_loopback() && !means_here(name) {
            drop(listener);
            listener = listen(&everywhere(own.ip()).to_string(), port)?;
        }
        Ok(Self {
            listener,
            name: Some(name.to_owned()),
        })
    }

    /// Its address, `host:port`, as the other processes are told.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn address(&self) -> Result<String, MeshError> {
        let address = self.listener.local_addr();
        let address = address.map_err(|error| MeshError::new(error.to_string()))?;
        Ok(match &self.name {
            Some(name) => of(name, address.port()),
            None => address.to_string(),
        })
    }

    /// Listens where the others can reach a process that has reached process 0 by `leader`, a
    /// connection to `address`; at `port`, or at a free one if that is 0.
    pub(crate) fn beside(leader: &TcpStream, address: &str, port: u16) -> Result<Self, MeshError> {
        let own = leader.local_addr();
        let own = own.map_err(|error| MeshError::new(error.to_string()))?.ip();
        let is_here = address
            .rsplit_once(':')
            .is_some_and(|(host, _)| means_here(host));
        let host = if own.is_loopback() && !is_here {
            // Process 0 is on this machine, others are not.
            everywhere(own)
        } else {
            own
        };
        Ok(Self {
            listener: listen(&host.to_string(), port)?,
            name: None,
        })
    }

    pub(crate) fn port(&self) -> Result<u16, MeshError> {
        let address = self.listener.local_addr();
        let address = address.map_err(|error| MeshError::new(error.to_string()))?;
        Ok(address.port())
    }

    /// Where others reach a process that has connected from `from` and listens at `port`.
    pub(crate) fn address_of(&self, from: SocketAddr, port: u16) -> String {
        let ip = from.ip().to_canonical();
        match &self.name {
            // It is on this machine, which others know by its name.
            Some(name) if ip.is_loopback() => of(name, port),
            _ => SocketAddr::new(ip, port).to_string(),
        }
    }
}

/// The end of the time in which processes have to find each other.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn new() -> Self {
        Self(now() + FIND_WITHIN)
    }

    /// Waits a moment.
    ///
    /// # Errors
    /// The time is over, or `gives_up` says so.
    fn pause(self, gives_up: &dyn Fn() -> bool) -> Result<(), MeshError> {
        if gives_up() {
            return Err(MeshError::new("interrupted before the run began"));
        }
        if now() > self.0 {
            return Err(MeshError::new(
                "not all other processes have joined within 10 min",
            ));
        }
        thread::sleep(LOOK);
        Ok(())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "others are awaited in real time; nothing that is simulated sees it"
)]
fn now() -> Instant {
    Instant::now()
}

/// Where processes come in: it hears all that have connected at a time, and turns strangers away.
pub(crate) struct Door<'a> {
    listener: &'a TcpListener,
    secret: &'a str,
    newcomers: VecDeque<Newcomer>,
    most_newcomers: usize,
    deadline: Deadline,
}

/// A connection whose first words are not whole yet.
struct Newcomer {
    stream: TcpStream,
    words: Words,
    patience_ends: Instant,
}

impl<'a> Door<'a> {
    /// For processes that know the secret of `hello`, until `deadline`.
    pub(crate) fn open(
        listener: &'a Listener,
        hello: &'a Hello,
        deadline: Deadline,
    ) -> Result<Self, MeshError> {
        let listener = &listener.listener;
        listener.set_nonblocking(true).map_err(cannot_listen)?;
        Ok(Self {
            listener,
            secret: &hello.secret,
            newcomers: VecDeque::new(),
            most_newcomers: MOST_STRANGERS + hello.processes,
            deadline,
        })
    }

    /// The next process of the run, and its first words.
    pub(crate) fn next(
        &mut self,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<(TcpStream, Vec<String>), MeshError> {
        loop {
            self.let_in()?;
            if let Some(found) = self.heard() {
                return Ok(found);
            }
            self.deadline.pause(gives_up)?;
        }
    }

    /// Takes connections that wait. If there are too many, those that came first go for them: a
    /// process of the run speaks at once.
    fn let_in(&mut self) -> Result<(), MeshError> {
        for _ in 0..self.most_newcomers {
            match self.listener.accept() {
                Ok((stream, _)) if stream.set_nonblocking(true).is_ok() => {
                    if self.newcomers.len() == self.most_newcomers {
                        self.newcomers.pop_front();
                    }
                    self.newcomers.push_back(Newcomer {
                        stream,
                        words: Words::new(&MAGIC, MOST_WORDS),
                        patience_ends: now() + FIRST_WORDS,
                    });
                }
                Ok(_) => {}
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => break,
                    // A signal has come, or whoever has connected has gone again.
                    io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted => {}
                    _ => return Err(cannot_listen(error)),
                },
            }
        }
        Ok(())
    }

    /// The first newcomer that has said the secret.
    fn heard(&mut self) -> Option<(TcpStream, Vec<String>)> {
        for _ in 0..self.newcomers.len() {
            let mut newcomer = self.newcomers.pop_front()?;
            match newcomer.words.read(&newcomer.stream) {
                Ok(Some(words)) if self.knows(&words, &newcomer.stream) => {
                    return Some((newcomer.stream, words));
                }
                Ok(None) if now() < newcomer.patience_ends => self.newcomers.push_back(newcomer),
                _ => {} // a stranger
            }
        }
        None
    }

    /// Whether whoever has said `words` knows the secret, and can be waited for from now on.
    fn knows(&self, words: &[String], stream: &TcpStream) -> bool {
        words.first().is_some_and(|given| given == self.secret)
            && stream.set_nonblocking(false).is_ok()
    }
}

fn cannot_listen(error: io::Error) -> MeshError {
    MeshError::new(format!("cannot listen: {error}"))
}

fn listen(host: &str, port: u16) -> Result<TcpListener, MeshError> {
    TcpListener::bind((host, port)).map_err(|error| {
        let place = if port == 0 {
            host.to_owned()
        } else {
            of(host, port)
        };
        MeshError::new(format!(
            "cannot listen at `{place}` for other processes: {error}"
        ))
    })
}

/// `host:port`, with the brackets of a numeric address of IPv6.
fn of(host: &str, port: u16) -> String {
    match host.parse::<IpAddr>() {
        Ok(ip) => SocketAddr::new(ip, port).to_string(),
        Err(_) => format!("{host}:{port}"),
    }
}

/// Whether a name means the machine on which it is used, whichever that is.
fn means_here(name: &str) -> bool {
    let ip = name.trim_start_matches('[').trim_end_matches(']').parse();
    name == "localhost" || ip.is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// All addresses of this machine, of the kind of `ip`.
const fn everywhere(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

/// Connects to `address`.
pub(crate) fn reach(address: &str) -> Result<TcpStream, MeshError> {
    let fault = |error: &io::Error| {
        MeshError::new(format!(
            "cannot reach the other processes at {address}: {error}"
        ))
    };
    let places = address.to_socket_addrs().map_err(|error| fault(&error))?;
    let mut found = Err(fault(&io::ErrorKind::NotFound.into()));
    for place in places {
        match TcpStream::connect_timeout(&place, ANSWERS_WITHIN) {
            Ok(stream) => return Ok(stream),
            Err(error) => found = Err(fault(&error)),
        }
    }
    found
}

/// Says `words` as the first ones on a connection.
pub(crate) fn greet(mut stream: &TcpStream, words: &[&str]) -> Result<(), MeshError> {
    let said = stream
        .write_all(&MAGIC)
        .and_then(|()| write_words(stream, words));
    said.map_err(|error| MeshError::new(format!("another process is gone: {error}")))
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
    u32::try_from(length).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// Message of process 0 on `leader` to one of so many processes when all have joined.
pub(crate) fn answer(
    leader: &TcpStream,
    processes: usize,
    deadline: Deadline,
    gives_up: &dyn Fn() -> bool,
) -> Result<Vec<String>, MeshError> {
    let lost = |error: io::Error| MeshError::new(format!("process 0 is gone: {error}"));
    leader.set_nonblocking(true).map_err(lost)?;
    let mut words = Words::new(&[], MOST_WORDS + processes * MOST_ADDRESS);
    loop {
        if let Some(words) = words.read(leader).map_err(lost)? {
            leader.set_nonblocking(false).map_err(lost)?;
            return Ok(words);
        }
        deadline.pause(gives_up)?;
    }
}

/// Words that arrive bit by bit: their number, then length and bytes of each.
struct Words {
    /// Bytes before them.
    head: &'static [u8],
    bytes: Vec<u8>,
    /// They are not longer, all together.
    most_bytes: usize,
}

impl Words {
    const fn new(head: &'static [u8], most_bytes: usize) -> Self {
        Self {
            head,
            bytes: Vec::new(),
            most_bytes,
        }
    }

    /// Takes what has arrived, and nothing behind the last word; the words if they are whole.
    fn read(&mut self, mut from: &TcpStream) -> io::Result<Option<Vec<String>>> {
        loop {
            let needed = match self.split() {
                Ok(words) => return Ok(Some(words)),
                Err(needed) => needed,
            };
            let had = self.bytes.len();
            if needed > self.most_bytes
                || !self
                    .bytes
                    .starts_with(&self.head[..had.min(self.head.len())])
            {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.bytes.resize(needed, 0);
            let read = from.read(&mut self.bytes[had..]);
            self.bytes.truncate(had + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
        }
    }

    /// The words; or how many bytes there are at least if these are not all.
    fn split(&self) -> Result<Vec<String>, usize> {
        let mut at = self.head.len();
        let mut take = |count: usize| {
            let end = at.saturating_add(count);
            let taken = self.bytes.get(at..end).ok_or(end);
            at = end;
            taken
        };
        take(0)?;
        let mut words = Vec::new();
        for _ in 0..number(take(4)?) {
            let length = number(take(4)?);
            words.push(String::from_utf8_lossy(take(length)?).into_owned());
        }
        Ok(words)
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::{MAGIC, MOST_WORDS, Words, greet};

    #[test]
    fn words_are_read_bit_by_bit_and_nothing_behind_them() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut speaks = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut hears, _) = listener.accept().unwrap();
        greet(&speaks, &["secret", "", "3"]).unwrap();
        let mut bytes = [0; 64];
        let count = hears.read(&mut bytes).unwrap();
        hears.set_nonblocking(true).unwrap();
        let mut words = Words::new(&MAGIC, MOST_WORDS);
        for byte in &bytes[..count - 1] {
            speaks.write_all(&[*byte]).unwrap();
            assert!(words.read(&hears).unwrap().is_none());
        }
        speaks.write_all(&[bytes[count - 1], 7]).unwrap();
        hears.set_nonblocking(false).unwrap();
        assert_eq!(words.read(&hears).unwrap().unwrap(), ["secret", "", "3"]);
        assert_eq!(hears.read(&mut bytes).unwrap(), 1);
    }

    #[test]
    fn words_of_strangers_end_at_the_first_wrong_byte_or_when_they_are_long() {
        for said in [&b"GE"[..], b"odonata1\xff\xff\xff\xff\xff\xff\xff\xff"] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let mut speaks = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (hears, _) = listener.accept().unwrap();
            speaks.write_all(said).unwrap();
            assert!(Words::new(&MAGIC, MOST_WORDS).read(&hears).is_err());
        }
    }
}
