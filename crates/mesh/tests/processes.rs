//! Processes that find each other, talk, and end; here they are threads.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use odonata_mesh::{Hello, Listener, Mesh, MeshError};

fn hello(processes: usize) -> Hello {
    Hello {
        processes,
        secret: "secret".to_owned(),
        build: "1.0+abc".to_owned(),
        task: "halo".to_owned(),
    }
}

fn never() -> bool {
    false
}

type Outcomes<T> = Vec<Result<T, MeshError>>;

/// What `each` finds in each of `processes`; `change` may change what a process says of itself.
fn together<T: Send>(
    processes: usize,
    change: impl Fn(usize, &mut Hello) + Sync,
    each: impl Fn(Mesh) -> Result<T, MeshError> + Sync,
) -> Outcomes<T> {
    let listener = Listener::bind("127.0.0.1").unwrap();
    let address = listener.address().unwrap();
    let (change, each, listener, address) = (&change, &each, &listener, &address);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..processes)
            .map(|rank| {
                scope.spawn(move || {
                    let mut hello = hello(processes);
                    change(rank, &mut hello);
                    if rank == 0 {
                        Mesh::lead(listener, &hello, &never).and_then(each)
                    } else {
                        Mesh::join(address, rank, 0, &hello, &never).and_then(each)
                    }
                })
            })
            .collect();
        let outcomes = handles.into_iter().map(|handle| handle.join().unwrap());
        outcomes.collect()
    })
}

/// Bytes that say who sent them to whom, when.
fn content(from: usize, to: usize, round: usize) -> Vec<u8> {
    // Far more than a socket holds, in both directions at once; and nothing at all.
    let length = [0, 1, 3_000_000, 70_000][(from + round) % 4];
    let mut bytes = vec![u8::try_from(from * 16 + to).unwrap(); length];
    bytes.push(u8::try_from(round).unwrap());
    bytes
}

#[test]
fn messages_of_any_length_arrive_in_order() {
    for processes in [1, 2, 3, 5] {
        let found = together(
            processes,
            |_, _| (),
            |mesh| {
                for round in 0..8 {
                    for other in mesh.others() {
                        let bytes = content(mesh.rank(), other, round);
                        let (front, back) = bytes.split_at(bytes.len() / 3);
                        mesh.send(other, &[front, &[], back])?;
                    }
                    for other in mesh.others() {
                        let bytes = mesh.receive(other, || ())?;
                        assert!(
                            bytes == content(other, mesh.rank(), round),
                            "{other} {round}"
                        );
                        mesh.give_back(other, bytes);
                    }
                }
                // Nobody ends before all have everything.
                for other in mesh.others() {
                    mesh.send(other, &[])?;
                }
                for other in mesh.others() {
                    mesh.receive(other, || ())?;
                }
                Ok((mesh.rank(), mesh.processes()))
            },
        );
        for (rank, found) in found.into_iter().enumerate() {
            assert_eq!(found.unwrap(), (rank, processes));
        }
    }
}

/// All find an error whose sentence has all of `words`.
fn all_say<T: std::fmt::Debug>(outcomes: &Outcomes<T>, words: &[&str]) {
    for outcome in outcomes {
        let sentence = outcome.as_ref().unwrap_err().to_string();
        for word in words {
            assert!(sentence.contains(word), "{word}: {sentence}");
        }
    }
}

#[test]
fn processes_of_machines_with_names_find_each_other() {
    // A name of this machine in place of a number, as other machines have one for it.
    for (name, host) in [("localhost", "localhost:"), ("127.0.0.1", "127.0.0.1:")] {
        let listener = Listener::open(name, 0).unwrap();
        let address = listener.address().unwrap();
        assert!(address.starts_with(host), "{address}");
        let ranks = thread::scope(|scope| {
            let others = [1, 2].map(|rank| {
                let address = &address;
                scope.spawn(move || {
                    Mesh::join(address, rank, 0, &hello(3), &never)
                        .unwrap()
                        .rank()
                })
            });
            let first = Mesh::lead(&listener, &hello(3), &never).unwrap().rank();
            [first]
                .into_iter()
                .chain(others.map(|other| other.join().unwrap()))
                .collect::<Vec<_>>()
        });
        assert_eq!(ranks, [0, 1, 2]);
    }
    let taken = Listener::open("127.0.0.1", 0).unwrap();
    let port = taken
        .address()
        .unwrap()
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let error = Listener::open("127.0.0.1", port).unwrap_err().to_string();
    assert!(
        error.contains(&format!("cannot listen at `127.0.0.1:{port}`")),
        "{error}"
    );
    let error = Listener::open("192.0.2.99", 0).unwrap_err().to_string();
    assert!(error.contains("`192.0.2.99`"), "{error}");
}

#[test]
fn mixed_builds_and_other_tasks_are_refused() {
    let other_build = |rank, hello: &mut Hello| {
        if rank == 1 {
            "1.0+xyz".clone_into(&mut hello.build);
        }
    };
    let found = together(2, other_build, |_| Ok(()));
    all_say(
        &found,
        &["process 1 runs another build", "1.0+xyz", "1.0+abc"],
    );
    let other_task = |rank, hello: &mut Hello| {
        if rank == 1 {
            "fft".clone_into(&mut hello.task);
        }
    };
    all_say(&together(2, other_task, |_| Ok(())), &["another scenario"]);
    let other_count = |rank, hello: &mut Hello| hello.processes += rank;
    all_say(
        &together(2, other_count, |_| Ok(())),
        &["number of processes"],
    );
}

#[test]
fn strangers_are_turned_away() {
    let listener = Listener::bind("127.0.0.1").unwrap();
    let address = listener.address().unwrap();
    let mut stranger = TcpStream::connect(&address).unwrap();
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let found = thread::scope(|scope| {
        let spy = scope.spawn(|| {
            let mut hello = hello(2);
            "guess".clone_into(&mut hello.secret);
            Mesh::join(&address, 1, 0, &hello, &never).map(|mesh| mesh.rank())
        });
        let leader = scope.spawn(|| Mesh::lead(&listener, &hello(2), &never));
        let spied = spy.join().unwrap();
        let joined = Mesh::join(&address, 1, 0, &hello(2), &never);
        (
            spied,
            joined.unwrap().rank(),
            leader.join().unwrap().unwrap().rank(),
        )
    });
    assert!(found.0.is_err());
    assert_eq!((found.1, found.2), (1, 0));
}

/// Says words without end, as long as somebody listens; how many bytes of them were taken.
fn babble(mut stream: TcpStream) -> usize {
    let mut said = 0;
    let mut words = b"odonata1".to_vec();
    words.extend(u32::MAX.to_le_bytes());
    while stream.write_all(&words).is_ok() {
        said += words.len();
        words = 60_000_u32.to_le_bytes().to_vec();
        words.resize(60_004, b'x');
    }
    said
}

/// A byte now and then, as long as somebody listens.
fn drip(mut stream: TcpStream) {
    for byte in b"odonata1".iter().chain([6, 0, 0, 0, 32].iter().cycle()) {
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn strangers_who_are_silent_slow_or_without_end_keep_nobody_out() {
    let listener = Listener::bind("127.0.0.1").unwrap();
    let address = &listener.address().unwrap();
    let connect = || TcpStream::connect(address).unwrap();
    let (done, joined) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mesh = Mesh::lead(&listener, &hello(2), &never);
            done.send(mesh.map(|mesh| mesh.rank())).unwrap();
        });
        // More than are heard at a time.
        let silent: Vec<_> = (0..300).map(|_| connect()).collect();
        let (slow, endless) = (connect(), connect());
        scope.spawn(|| drip(slow));
        let babbled = scope.spawn(|| babble(endless));
        assert!(babbled.join().unwrap() < 20_000_000, "what sockets hold");
        let other = Mesh::join(address, 1, 0, &hello(2), &never).unwrap();
        // Before patience with any of them ends.
        let leads = joined.recv_timeout(Duration::from_secs(8)).unwrap();
        assert_eq!((leads.unwrap(), other.rank(), silent.len()), (0, 1, 300));
    });
}

#[test]
fn whoever_joins_a_stranger_learns_it_or_can_give_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = &listener.local_addr().unwrap().to_string();
    let error = Mesh::join(address, 1, 0, &hello(2), &|| true).unwrap_err();
    assert!(error.to_string().contains("interrupted"), "{error}");
    thread::scope(|scope| {
        scope.spawn(|| {
            let (_silent, _) = listener.accept().unwrap();
            babble(listener.accept().unwrap().0);
        });
        let error = Mesh::join(address, 1, 0, &hello(2), &never).unwrap_err();
        assert!(error.to_string().contains("process 0"), "{error}");
    });
}

#[test]
fn whoever_waits_for_others_can_give_up() {
    let listener = Listener::bind("127.0.0.1").unwrap();
    let error = Mesh::lead(&listener, &hello(2), &|| true).unwrap_err();
    assert!(error.to_string().contains("interrupted"));
    let address = listener.address().unwrap();
    drop(listener);
    let error = Mesh::join(&address, 1, 0, &hello(2), &never).unwrap_err();
    assert!(error.to_string().contains("cannot reach"));
}

#[test]
fn the_end_of_one_process_is_noticed_by_all() {
    let alarms = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
    let found = together(
        3,
        |_, _| (),
        |mesh| {
            if mesh.rank() == 2 {
                return Ok(());
            }
            let alarm = Arc::clone(&alarms[mesh.rank()]);
            mesh.on_alarm(move || alarm.store(true, Ordering::Relaxed));
            let error = mesh.receive(2, || ()).unwrap_err();
            while !alarms[mesh.rank()].load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            Err(error)
        },
    );
    assert!(found[2].is_ok());
    all_say(
        &found[..2].to_vec(),
        &["process 2 of the 3", "ended unexpectedly"],
    );
}

#[test]
fn what_went_wrong_in_one_process_is_said_in_all() {
    let found = together(
        3,
        |_, _| (),
        |mesh| {
            if mesh.rank() == 1 {
                mesh.send(0, &[b"before"])?;
                mesh.send(2, &[b"before"])?;
                mesh.fail("no memory is left");
                return Err(MeshError::new("no memory is left"));
            }
            assert_eq!(mesh.receive(1, || ())?, b"before");
            mesh.receive(1, || ())
        },
    );
    all_say(&found, &["no memory is left"]);
}

#[test]
fn an_interrupt_reaches_those_who_work_and_those_who_wait() {
    let found = together(
        3,
        |_, _| (),
        |mesh| {
            if mesh.rank() == 0 {
                // Waits for process 1, and is told to stop meanwhile.
                let mut looks = 0;
                let message = mesh.receive(1, || {
                    looks += 1;
                    if looks == 2 {
                        mesh.interrupt();
                    }
                })?;
                assert!(looks >= 2);
                mesh.receive(2, || ())?;
                return Ok(message.len());
            }
            let is_told = Arc::new(AtomicBool::new(false));
            let alarm = Arc::clone(&is_told);
            mesh.on_alarm(move || alarm.store(true, Ordering::Relaxed));
            while !is_told.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            assert!(mesh.is_interrupted());
            mesh.send(0, &[b"partial"])?;
            // Until process 0 has everything.
            mesh.receive(0, || ()).unwrap_err();
            Ok(7)
        },
    );
    for one in found {
        assert_eq!(one.unwrap(), 7);
    }
}
