//! [`SteeringSystems::Limit`](crate::SteeringSystems::Limit): the requested velocity becomes the
//! permitted one.

pub(crate) mod apply;
pub(crate) mod solver;
#[cfg(test)]
mod tests;
