//! How processes find each other: who listens, and what is said first.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::Duration;

use crate::error::MeshError;

/// The first bytes of every connection.
const MAGIC: [u8; 8] = *b"odonata1";
/// Between two looks for a connection.
const LOOK: Duration = Duration::from_millis(5);
/// Looks after which nobody is expected any more: 10 min, for files may have to be read before.
const MOST_LOOKS: u32 = 120_000;
/// How long a machine may take to answer that is asked for a connection.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
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
    /// What other machines call this one; `None`: all processes are on this machine.
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
        Err(MeshError::new(
            "no other process has connected within 10 min",
        ))
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
