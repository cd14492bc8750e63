//! Containers that are really mounted. Where the machine cannot do that, tests say so.
#![cfg(target_os = "linux")]

mod folders;
mod mounted;
mod reading;
mod unmounting;
