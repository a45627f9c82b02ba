//! [`Usual`]: how fast and large most entries are, and the few that are faster or larger.

use crate::neighbors::group::Group;

/// Most entries of a storey, which searches find by the grid, and the others, each of which tells
/// how far it reaches itself: one bullet among people does not make all of them look as far as it
/// flies.
#[derive(Debug, Default)]
pub(super) struct Usual {
    /// The highest speed of those that are usual, and the largest radius.
    pub(super) fastest: f32,
    pub(super) largest: f32,
    /// Up to these an entry is usual: the square of its speed, and its radius.
    pub(super) limits: [f32; 2],
    pub(super) others: Group,
}
