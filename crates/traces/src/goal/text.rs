//! GOAL as text. Grammar: LogGOPSim, `txt2bin.re`.

use std::io::BufRead;

use super::labels::Labels;
use super::schedule::{Kind, Schedule, Vertex};
use super::schedules::{ANY, Schedules};
use crate::text::{BadLine, Lines, shown};

/// Operations of LogGOPSim2 that the internal form does not have.
const EXTENSIONS: [&str; 8] = [
    "append", "put", "get", "tappend", "tput", "tget", "test", "calcgem5",
];

/// Reads all ranks; says how many there should be.
pub(super) fn read<R: BufRead>(
    name: &str,
    content: R,
    schedules: &mut Schedules,
) -> Result<u32, BadLine> {
    let mut lines = Lines::new(content);
    let mut reader = TextReader {
        name,
        schedules,
        ranks: None,
        block: None,
        is_comment: false,
    };
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next()? else {
            break;
        };
        reader.line(line, number).map_err(|problem| BadLine {
            line: number,
            problem,
        })?;
    }
    if let Some(block) = &reader.block {
        let words = format!("the bracket of rank {} is not closed", block.rank);
        return Err(lines.bad(words));
    }
    reader
        .ranks
        .ok_or_else(|| lines.bad("`num_ranks` is missing"))
}

/// The rank whose lines are being read.
struct Block {
    rank: u32,
    schedule: Schedule,
    labels: Labels,
}

struct TextReader<'a> {
    name: &'a str,
    schedules: &'a mut Schedules,
    ranks: Option<u32>,
    block: Option<Block>,
    is_comment: bool,
}

impl TextReader<'_> {
    fn line(&mut self, line: &str, number: u64) -> Result<(), String> {
        let text = self.without_comments(line);
        let spaced = text
            .replace(':', " : ")
            .replace('{', " { ")
            .replace('}', " } ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut rest = words.as_slice();
        while !rest.is_empty() {
            rest = self.statement(rest, number)?;
        }
        Ok(())
    }

    /// The part of a line that is not a comment.
    fn without_comments(&mut self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        loop {
            if self.is_comment {
                let Some((_, behind)) = rest.split_once("*/") else {
                    return text;
                };
                self.is_comment = false;
                rest = behind;
            }
            match (rest.find("//"), rest.find("/*")) {
                (Some(line), block) if block.is_none_or(|block| line < block) => {
                    text.push_str(&rest[..line]);
                    return text;
                }
                (_, Some(block)) => {
                    text.push_str(&rest[..block]);
                    rest = &rest[block + 2..];
                    self.is_comment = true;
                }
                _ => {
                    text.push_str(rest);
                    return text;
                }
            }
        }
    }

    /// Takes one statement; returns the words behind it.
    fn statement<'w>(&mut self, words: &'w [&'w str], line: u64) -> Result<&'w [&'w str], String> {
        match words {
            ["num_ranks", count, rest @ ..] if self.block.is_none() => {
                let ranks = count
                    .parse()
                    .map_err(|_| format!("{} is not a number of ranks", shown(count)))?;
                self.ranks = Some(ranks);
                Ok(rest)
            }
            ["rank", rank, "{", rest @ ..] if self.block.is_none() => {
                self.begin(rank)?;
                Ok(rest)
            }
            ["}", rest @ ..] => {
                let Some(block) = self.block.take() else {
                    return Err("a bracket is closed that is not open".to_owned());
                };
                let (rank, schedule) = block.finish()?;
                self.schedules.add(rank, schedule);
                Ok(rest)
            }
            _ => {
                let end = words
                    .iter()
                    .position(|word| *word == "}")
                    .unwrap_or(words.len());
                let Some(block) = &mut self.block else {
                    return Err(format!("{} is outside of a rank", shown(words[0])));
                };
                let ranks = self.ranks.unwrap_or(0);
                if let Some(extension) = block.operation(&words[..end], ranks, line)? {
                    let name = self.name;
                    let location = || format!("line {line} of {name}");
                    self.schedules.writer.omit(extension, location);
                }
                Ok(&words[end..])
            }
        }
    }

    fn begin(&mut self, rank: &str) -> Result<(), String> {
        let Some(ranks) = self.ranks else {
            return Err("`num_ranks` must come first".to_owned());
        };
        let number = rank.parse().ok().filter(|&rank: &u32| rank < ranks);
        let Some(rank) = number else {
            let known = ranks.saturating_sub(1);
            let rank: String = rank.chars().take(20).collect();
            return Err(format!(
                "there is no rank {rank}: ranks go from 0 to {known}"
            ));
        };
        if self.schedules.has(rank) {
            return Err(format!("rank {rank} appears twice"));
        }
        self.block = Some(Block {
            rank,
            schedule: Schedule::default(),
            labels: Labels::default(),
        });
        Ok(())
    }
}

impl Block {
    /// Takes an operation or a dependency; returns the name of an operation that is left out.
    fn operation(
        &mut self,
        words: &[&str],
        ranks: u32,
        line: u64,
    ) -> Result<Option<&'static str>, String> {
        let (label, words) = match words {
            [label, ":", words @ ..] => (Some(*label), words),
            [later, "requires" | "irequires", earlier] => {
                let is_start = words[1] == "irequires";
                self.labels.wait(later, earlier, is_start, line);
                return Ok(None);
            }
            words => (None, words),
        };
        let at = u32::try_from(self.schedule.len()).unwrap_or(u32::MAX);
        let (vertex, extension) = vertex(words, ranks)?;
        self.schedule.push(vertex);
        if let Some(label) = label {
            self.labels.define(label, at)?;
        }
        Ok(extension)
    }

    fn finish(mut self) -> Result<(u32, Schedule), String> {
        self.schedule.edges = self.labels.edges()?;
        Ok((self.rank, self.schedule))
    }
}

/// An operation, and its name if it is left out.
fn vertex(words: &[&str], ranks: u32) -> Result<(Vertex, Option<&'static str>), String> {
    let mut vertex = Vertex {
        kind: Kind::Other,
        size: 0,
        peer: 0,
        tag: 0,
        cpu: 0,
        nic: 0,
    };
    let number = |word: &str| {
        word.parse::<u64>()
            .map_err(|_| format!("{} is no number", shown(word)))
    };
    let options = match words {
        ["calc", size, options @ ..] => {
            vertex.kind = Kind::Calc;
            vertex.size = number(size)?;
            options
        }
        [
            kind @ ("send" | "recv"),
            size,
            "b",
            way @ ("to" | "from"),
            peer,
            options @ ..,
        ] if (*kind == "send") == (*way == "to") => {
            vertex.kind = if *kind == "send" {
                Kind::Send
            } else {
                Kind::Recv
            };
            vertex.size = number(size)?;
            vertex.peer = partner(peer, *kind == "recv", ranks)?;
            options
        }
        [
            kind @ ("send" | "recv"),
            size,
            way @ ("to" | "from"),
            peer,
            options @ ..,
        ] if size.ends_with('b') && (*kind == "send") == (*way == "to") => {
            vertex.kind = if *kind == "send" {
                Kind::Send
            } else {
                Kind::Recv
            };
            vertex.size = number(&size[..size.len() - 1])?;
            vertex.peer = partner(peer, *kind == "recv", ranks)?;
            options
        }
        [name, ..] => {
            let extension = EXTENSIONS.iter().find(|known| *known == name);
            let Some(extension) = extension else {
                return Err(format!(
                    "{} is no operation; operations are `send 8b to 1 tag 2`, `recv 8b from 1 tag \
                     2` and `calc 100`, dependencies `l1 requires l2`",
                    shown(&words.join(" "))
                ));
            };
            return Ok((vertex, Some(extension)));
        }
        [] => return Err("an operation must follow a label".to_owned()),
    };
    set_options(&mut vertex, options)?;
    Ok((vertex, None))
}

fn set_options(vertex: &mut Vertex, options: &[&str]) -> Result<(), String> {
    for pair in options.chunks(2) {
        let bad = || {
            format!(
                "{} is not an option of an operation",
                shown(&pair.join(" "))
            )
        };
        let [name, value] = pair else {
            return Err(bad());
        };
        match *name {
            "tag" if *value == "-1" && vertex.kind == Kind::Recv => vertex.tag = ANY,
            "tag" => vertex.tag = value.parse().map_err(|_| bad())?,
            "cpu" => vertex.cpu = value.parse().map_err(|_| bad())?,
            "nic" => vertex.nic = value.parse().map_err(|_| bad())?,
            _ => return Err(bad()),
        }
    }
    Ok(())
}

fn partner(word: &str, may_be_any: bool, ranks: u32) -> Result<u32, String> {
    if word == "-1" && may_be_any {
        return Ok(ANY);
    }
    let rank = word.parse().ok().filter(|&rank: &u32| rank < ranks);
    rank.ok_or_else(|| {
        let word: String = word.chars().take(20).collect();
        let last = ranks.saturating_sub(1);
        format!("there is no rank {word}: ranks go from 0 to {last}")
    })
}
