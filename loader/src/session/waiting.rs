//! placeholder
/// x
pub struct Waiting;
/// x
pub struct WaitingKind;
/// x
pub struct WaitingList;
