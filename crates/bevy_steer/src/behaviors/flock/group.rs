//! [`Group`]: agents that are computed side by side.

use crate::{
    ecs::columns::block,
    simd::lanes::{Lanes, WIDTH, pack},
};

/// Up to eight agents that look at the same points.
pub(super) struct Group {
    pub slots: [usize; WIDTH],
    /// The indices of their parameters.
    pub sets: [u32; WIDTH],
    pub len: usize,
}

impl Group {
    /// Their numbers in a column. Unused lanes have those of the first agent or of following slots.
    #[inline(always)]
    pub(super) fn load<L: Lanes>(&self, l: L, column: &[f32]) -> L::F {
        let first = self.slots[0];
        if self.slots[WIDTH - 1] == first + WIDTH - 1 {
            return l.pack(*block(column, first));
        }
        pack!(l, i => column[self.slots[if i < self.len { i } else { 0 }]])
    }

    /// The agents that are not in this slot, one bit each.
    pub(super) fn others(&self, slot: usize) -> u8 {
        let other = |(i, &own): (usize, &usize)| u8::from(own != slot) << i;
        self.slots[..self.len].iter().enumerate().map(other).sum()
    }
}
