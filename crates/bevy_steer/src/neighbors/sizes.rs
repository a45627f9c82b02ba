//! How [`Usual`] is found: by the magnitudes of speeds and radii.

use crate::neighbors::{
    group::{Group, Node},
    index::{NeighborIndex, PlaneIndex},
    search::point,
    storeys::Storey,
    usual::Usual,
};

/// What counts of an entry: the square of its speed, and its radius.
type Size = [f32; 2];

/// So many of four are no slower and no smaller than most.
const MOST: usize = 3;

/// Numbers by their magnitude, each range up to twice the one before it.
#[derive(Clone)]
struct Magnitudes([u32; 256]);

impl Magnitudes {
    fn add(&mut self, number: f32) {
        self.0[(number.to_bits() >> 23) as usize & 255] += 1;
    }

    /// A number that is above those of most, and above `times` that range at least.
    fn above_most(&self, times: u32) -> f32 {
        let total: u32 = self.0.iter().sum();
        let mut sum = 0;
        let most = self.0.iter().position(|count| {
            sum += count;
            sum as usize * 4 >= total as usize * MOST
        });
        f32::from_bits((most.unwrap_or(0) as u32 + times).min(254) << 23)
    }
}

impl Usual {
    pub(super) fn of(index: &NeighborIndex, plane: &PlaneIndex, storey: &Storey) -> Self {
        let layers = |slot: usize| index.layers.get(|| plane.entry(slot));
        let size = |slot: usize| size(index, plane, slot);
        // Nothing finds those in no layer.
        let slots = || storey.slots().filter(|&slot| layers(slot) != 0);

        let mut magnitudes = [(); 2].map(|()| Magnitudes([0; 256]));
        for slot in slots() {
            let size = size(slot);
            magnitudes.iter_mut().zip(size).for_each(|(all, one)| all.add(one));
        }
        let radius_limit = magnitudes[1].above_most(2);
        // Less than so many radii a second does not count.
        let speed_limit = magnitudes[0].above_most(3).max(radius_limit * radius_limit);
        let mut usual = Self { limits: [speed_limit, radius_limit], ..Self::default() };
        let mut others = Vec::new();
        for slot in slots() {
            let size = size(slot);
            if usual.has(size) {
                usual.fastest = usual.fastest.max(size[0]);
                usual.largest = usual.largest.max(size[1]);
            } else {
                // Equally far reaching ones side by side, within a factor of four.
                let reach = size[0].sqrt().max(size[1]).to_bits() >> 24;
                others.push((reach, slot as u32));
            }
        }
        usual.fastest = usual.fastest.sqrt();
        others.sort_unstable();
        usual.others = Group::of(others.into_iter().map(|(_, slot)| slot).collect(), |slot| {
            let [speed_squared, largest] = size(slot);
            let (fastest, layers) = (speed_squared.sqrt(), layers(slot));
            Node { fastest, largest, layers, ..Node::at(point(&plane.positions, slot)) }
        });
        usual
    }

    fn has(&self, size: Size) -> bool {
        size[0] <= self.limits[0] && size[1] <= self.limits[1]
    }

    /// Whether a slot has one of the others.
    #[inline(always)]
    pub(super) fn is_other(&self, index: &NeighborIndex, plane: &PlaneIndex, slot: usize) -> bool {
        !self.others.is_empty() && !self.has(size(index, plane, slot))
    }
}

/// An invalid radius counts as none.
#[inline(always)]
fn size(index: &NeighborIndex, plane: &PlaneIndex, slot: usize) -> Size {
    let speed_squared = point(&plane.velocities, slot).iter().map(|x| x * x).sum();
    let radius = index.radii.get(|| plane.entry(slot));
    [speed_squared, if (0.0..=f32::MAX).contains(&radius) { radius } else { 0.0 }]
}
