//! The connections of one process to all others, over TCP.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::connection::{Arrived, Connection, Kind, lock};
use crate::error::MeshError;
use crate::hello::{Deadline, Door, Hello, Listener, answer, greet, reach, write_words};
use crate::wire::{Alarm, Wire};

/// How long a process waits for a message before it looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(40);

/// How often a process tells other machines that it is there.
const BEAT: Duration = Duration::from_secs(5);
/// After which silence a machine is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// Findings of the threads that read.
#[derive(Default)]
struct Alerts {
    /// Called when another process interrupts the run, or is gone.
    alarm: Mutex<Option<Alarm>>,
    is_interrupted: AtomicBool,
}

impl Alerts {
    fn alarm(&self) {
        self.is_interrupted.store(true, Ordering::Relaxed);
        if let Some(alarm) = &*lock(&self.alarm) {
            alarm();
        }
    }
}

/// The connections of a process.
pub(crate) struct Tcp {
    rank: usize,
    /// `[process]`; `None` for this one.
    connections: Vec<Option<Arc<Connection>>>,
    alerts: Arc<Alerts>,
    /// When it is dropped, other machines are told nothing more.
    _heart: Sender<()>,
}

impl Tcp {
    /// See [`crate::Mesh::alone`].
    pub(crate) fn alone() -> Self {
        Self {
            rank: 0,
            connections: vec![None],
            alerts: Arc::default(),
            _heart: mpsc::channel().0,
        }
    }

    /// See [`crate::Mesh::lead`].
    pub(crate) fn lead(
        listener: &Listener,
        hello: &Hello,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Self, MeshError> {
        let mut streams: Vec<Option<TcpStream>> = (0..hello.processes).map(|_| None).collect();
        let mut addresses = vec![String::new(); hello.processes];
        let mut door = Door::open(listener, hello, Deadline::new())?;
        for _ in 1..hello.processes {
            let (stream, words) = door.next(gives_up)?;
            let found = hello.check(&words).and_then(|(rank, port)| {
                if rank == 0 || streams[rank].is_some() {
                    return Err(MeshError::new(format!("two processes have number {rank}")));
                }
                let peer = stream.peer_addr();
                let peer = peer.map_err(|error| MeshError::new(error.to_string()))?;
                Ok((rank, listener.address_of(peer, port)))
            });
            match found {
                Ok((rank, address)) => {
                    streams[rank] = Some(stream);
                    addresses[rank] = address;
                }
                Err(error) => {
                    // Whoever is refused learns why, if it still listens; so do the others.
                    let refused = streams.iter().flatten().chain([&stream]);
                    for one in refused {
                        let _ = write_words(one, &["refused", &error.to_string()]);
                    }
                    return Err(error);
                }
            }
        }
        let mut words = vec!["welcome"];
        words.extend(addresses.iter().map(String::as_str));
        for stream in streams.iter().flatten() {
            write_words(stream, &words).map_err(|error| MeshError::new(error.to_string()))?;
        }
        Self::new(0, streams)
    }

    /// See [`crate::Mesh::join`].
    pub(crate) fn join(
        address: &str,
        rank: usize,
        port: u16,
        hello: &Hello,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Self, MeshError> {
        let deadline = Deadline::new();
        let leader = reach(address)?;
        let listener = Listener::beside(&leader, address, port)?;
        let port = listener.port()?.to_string();
        let (number, count) = (rank.to_string(), hello.processes.to_string());
        let words = [
            &*hello.secret,
            &*number,
            &*count,
            &*hello.build,
            &*hello.task,
            &*port,
        ];
        greet(&leader, &words)?;
        let words = answer(&leader, hello.processes, deadline, gives_up)?;
        let addresses = match words.split_first() {
            Some((first, rest)) if first == "welcome" && rest.len() == hello.processes => rest,
            Some((first, [sentence])) if first == "refused" => {
                return Err(MeshError::refused(sentence.clone()));
            }
            _ => return Err(MeshError::new("process 0 speaks another language")),
        };
        let mut streams: Vec<Option<TcpStream>> = (0..hello.processes).map(|_| None).collect();
        for other in 1..rank {
            let stream = reach(&addresses[other])?;
            greet(&stream, &[&hello.secret, &number])?;
            streams[other] = Some(stream);
        }
        let mut door = Door::open(&listener, hello, deadline)?;
        for _ in rank + 1..hello.processes {
            let (stream, words) = door.next(gives_up)?;
            let other = words.get(1).and_then(|word| word.parse().ok());
            let place = other.and_then(|other: usize| streams.get_mut(other));
            match place {
                Some(place) if place.is_none() => *place = Some(stream),
                _ => return Err(MeshError::new("two processes have one number")),
            }
        }
        streams[0] = Some(leader);
        Self::new(rank, streams)
    }

    fn new(rank: usize, streams: Vec<Option<TcpStream>>) -> Result<Self, MeshError> {
        let alerts = Arc::new(Alerts::default());
        let mut connections = Vec::new();
        for stream in streams {
            let Some(stream) = stream else {
                connections.push(None);
                continue;
            };
            let (sender, receiver) = mpsc::channel();
            let connection = Connection::new(stream, receiver, SILENCE)
                .map_err(|error| MeshError::new(format!("a connection is lost: {error}")))?;
            let connection = Arc::new(connection);
            let (reader, alerts) = (Arc::clone(&connection), Arc::clone(&alerts));
            thread::spawn(move || {
                reader.read_all(&sender, || alerts.alarm());
                alerts.alarm();
            });
            connections.push(Some(connection));
        }
        let beaten: Vec<_> = connections.iter().flatten().map(Arc::clone).collect();
        let (heart, stops) = mpsc::channel();
        thread::spawn(move || {
            while stops.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                beaten.iter().for_each(|connection| connection.beat());
            }
        });
        Ok(Self {
            rank,
            connections,
            alerts,
            _heart: heart,
        })
    }

    fn connection(&self, other: usize) -> Result<&Connection, MeshError> {
        let connection = self.connections.get(other).and_then(Option::as_deref);
        connection.ok_or_else(|| MeshError::new(format!("there is no process {other}")))
    }

    /// Why nothing can be sent to process `other`: what it has said last.
    fn why_gone(&self, other: usize) -> MeshError {
        loop {
            if let Err(error) = self.receive(other, &mut || false) {
                return error;
            }
        }
    }

    fn tell_all(&self, kind: Kind, content: &[u8]) {
        for connection in self.connections.iter().flatten() {
            // Who is gone needs not be told.
            let _ = connection.send(kind, &[content]);
        }
    }
}

impl Wire for Tcp {
    fn rank(&self) -> usize {
        self.rank
    }

    fn processes(&self) -> usize {
        self.connections.len()
    }

    fn send(&self, other: usize, parts: &[&[u8]]) -> Result<(), MeshError> {
        let connection = self.connection(other)?;
        connection
            .send(Kind::Message, parts)
            .map_err(|_| self.why_gone(other))
    }

    fn receive(
        &self,
        other: usize,
        gives_up: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, MeshError> {
        let connection = self.connection(other)?;
        let arrived = lock(&connection.arrived);
        loop {
            match arrived.recv_timeout(LOOK) {
                Ok(Arrived::Message(message)) => return Ok(message),
                Ok(Arrived::End(Some(sentence))) => return Err(MeshError::new(sentence)),
                Ok(Arrived::End(None)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(MeshError::gone(other, self.processes()));
                }
                Err(RecvTimeoutError::Timeout) if gives_up() => {
                    return Err(MeshError::new("interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn give_back(&self, other: usize, message: Vec<u8>) {
        if let Ok(connection) = self.connection(other) {
            connection.give_back(message);
        }
    }

    fn interrupt(&self) {
        self.tell_all(Kind::Interrupt, &[]);
    }

    fn fail(&self, sentence: &str) {
        self.tell_all(Kind::Fault, sentence.as_bytes());
    }

    fn on_alarm(&self, alarm: Alarm) {
        if self.is_interrupted() {
            alarm();
        }
        *lock(&self.alerts.alarm) = Some(alarm);
    }

    fn is_interrupted(&self) -> bool {
        self.alerts.is_interrupted.load(Ordering::Relaxed)
    }
}

impl Drop for Tcp {
    fn drop(&mut self) {
        // The threads that read end with their connections.
        for connection in self.connections.iter().flatten() {
            connection.close();
        }
    }
}

impl Hello {
    /// Number, and port at which it listens, of the process whose first words are `words`.
    fn check(&self, words: &[String]) -> Result<(usize, u16), MeshError> {
        let [_, rank, processes, build, task, port] = words else {
            return Err(MeshError::new(
                "a process of another build has tried to join; install one version everywhere",
            ));
        };
        if *build != self.build {
            return Err(MeshError::new(format!(
                "process {rank} runs another build of the simulator ({build}) than process 0 \
                 ({}); install one build everywhere",
                self.build
            )));
        }
        if *task != self.task || *processes != self.processes.to_string() {
            return Err(MeshError::new(format!(
                "process {rank} was started for another scenario or another number of processes \
                 than process 0; start all with the same"
            )));
        }
        match (rank.parse(), port.parse()) {
            (Ok(rank), Ok(port)) if rank < self.processes => Ok((rank, port)),
            _ => Err(MeshError::new(format!("there is no process {rank}"))),
        }
    }
}
