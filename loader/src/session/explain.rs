//! placeholder
/// x
pub struct Explanation;
/// x
pub struct Finding;
/// x
pub struct Verdict;
