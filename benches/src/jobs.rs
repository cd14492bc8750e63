//! Programs in other languages that do a job for each line that they read, and measure it themselves.

use crate::clock::Reading;
use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A program that waits for jobs. It is ended with this.
pub struct Jobs {
    process: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Jobs {
    /// Starts a program.
    pub fn start(command: &mut Command) -> io::Result<Jobs> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (asked, answers) = (process.stdin.take(), process.stdout.take());
        let both = asked.zip(answers).ok_or_else(|| io::Error::other("its pipes are open"));
        let (asked, answers) = both?;
        Ok(Jobs { process, asked, answers: BufReader::new(answers) })
    }

    /// Has a job done. Returns the time that it took, and what was counted.
    pub fn run(&mut self, job: &str) -> io::Result<(Reading, u64)> {
        writeln!(self.asked, "{job}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let numbers: Vec<&str> = answer.split_whitespace().collect();
        let parsed = match numbers[..] {
            [cpu, wall, count] => cpu.parse().ok().zip(wall.parse().ok()).zip(count.parse().ok()),
            _ => None,
        };
        let ended = || io::Error::other("the program ended early");
        let ((cpu, wall), count) = parsed.ok_or_else(ended)?;
        Ok((Reading { cpu, wall }, count))
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
