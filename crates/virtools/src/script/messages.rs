//! Who sends messages, and who waits for them (`docs/formats/classes/behaviors.md#scripts`).

use super::{Behavior, Scripts, ValueText};

/// The building blocks that send messages, by their GUIDs: Send Message, Send Message To Group, Broadcast Message.
const SENDERS: [[u32; 2]; 3] =
    [[0xa20e_8d5b, 0xdf00_2150], [0x5f90_6952, 0x6df1_1649], [0x3d6c_4ae1, 0x72ae_2cd6]];

/// Those that wait for messages: Wait Message, Switch On Message, Check For Message, Get Message Data.
const WAITERS: [[u32; 2]; 4] = [
    [0x4587_ffee, 0x4587_ffdd],
    [0x1bb2_3f1d, 0x17ff_14b9],
    [0x6122_6639, 0x6d39_0cb7],
    [0x4587_5fee, 0x4587_5fdd],
];

/// The most inputs that hand a value on.
const HOPS: usize = 64;

/// What a behaviour has to do with a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MessageRole {
    /// It sends the message.
    Sends,
    /// It waits for the message.
    Waits,
    /// It has the message as a value; what it does with it is not known.
    Holds,
}

/// A message of a behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageUse<'s> {
    /// Position of the behaviour in the object table.
    pub behavior: u32,
    /// What it has to do with the message.
    pub role: MessageRole,
    /// Number of the message in the file.
    pub number: u64,
    /// Name of the message as stored.
    pub name: &'s [u8],
    /// Whether other behaviours write the value, so that this is only the first one.
    pub is_variable: bool,
}

impl Behavior {
    fn message_role(&self) -> MessageRole {
        match self.prototype {
            Some(prototype) if SENDERS.contains(&prototype.guid) => MessageRole::Sends,
            Some(prototype) if WAITERS.contains(&prototype.guid) => MessageRole::Waits,
            _ => MessageRole::Holds,
        }
    }
}

impl Scripts<'_> {
    /// The messages of all behaviours, in the order of the object table: what their inputs come from, and what they hold
    /// themselves. Graphs only hand messages on to the behaviours in them, and are not listed for that.
    pub fn messages(&self) -> Vec<MessageUse<'_>> {
        let mut uses = Vec::new();
        for (index, behavior) in &self.behaviors {
            let inputs = behavior.input_parameters.iter().filter(|_| behavior.prototype.is_some());
            let own = behavior.local_parameters.iter().filter(|_| behavior.prototype.is_some());
            for parameter in inputs.chain(own) {
                let Some((number, name, is_variable)) = self.message_of(*parameter) else {
                    continue;
                };
                let role = behavior.message_role();
                uses.push(MessageUse { behavior: *index, role, number, name, is_variable });
            }
        }
        uses
    }

    /// The message that a parameter has, or the one that it takes its value from.
    fn message_of(&self, parameter: u32) -> Option<(u64, &[u8], bool)> {
        let mut at = self.parameters.get(&parameter)?;
        for _ in 0..HOPS {
            if let Some(ValueText::Named { index, kind, name }) = &at.value {
                return (kind == "message").then_some((*index, name.as_slice(), at.is_variable));
            }
            at = self.parameters.get(&at.source?)?;
        }
        None
    }

    /// The script that a behaviour belongs to, itself if it is one; `None` where its graphs lead nowhere.
    pub fn script_of(&self, behavior: u32) -> Option<u32> {
        let mut at = behavior;
        for _ in 0..self.behaviors.len().saturating_add(1) {
            let found = self.behaviors.get(&at)?;
            if found.is_script() {
                return Some(at);
            }
            at = found.graph?;
        }
        None
    }
}
