//! Carry-overs: what is picked, what is left behind, and that clients resume what is written.

mod faults;
mod properties;
mod world;
