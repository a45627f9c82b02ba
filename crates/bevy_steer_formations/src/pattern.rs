//! [`Pattern`]: where the slots of a formation are.

use core::f32::consts::{FRAC_1_SQRT_2, TAU};

use bevy::{math::ops, prelude::*};

/// The arrangement of a formation's slots around its anchor.
///
/// There is a slot for each member that there is now. Neighbouring slots are a
/// [spacing](crate::Formation::spacing) apart.
///
/// An anchor with a [`Vehicle`](bevy_steer::Vehicle) has a place of its own, which no slot takes:
/// in the middle of a line or circle, at the tip of a wedge, ahead of a column or block. Otherwise
/// the anchor is in the middle of the slots.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer_formations::Pattern;
///
/// // Two spacings ahead of the anchor, and one to its left.
/// let scouts = Pattern::Slots(vec![Vec2::new(2.0, 0.0), Vec2::new(0.0, 1.0)]);
/// // The third and fourth members are in the same places farther behind.
/// assert_eq!(scouts.slots(3, true)[2], Vec2::new(-1.0, 0.0));
/// ```
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "assets", derive(Asset))]
pub enum Pattern {
    /// Side by side.
    Line,
    /// One behind the other.
    Column,
    /// Rows behind each other. The last one is centred.
    Block {
        /// The number of members in a row. 0 counts as 1, with a warning.
        columns: u32,
    },
    /// Two arms that trail behind to the left and to the right, at a right angle. The default.
    #[default]
    Wedge,
    /// A circle around the anchor, the first slot ahead of it.
    Circle,
    /// Slots of your own, in spacings: `x` ahead of the anchor, `y` to its left. The first ones are
    /// taken first.
    ///
    /// If there are more members than slots, the others get the same slots again, as far behind as
    /// the pattern is long and a spacing. A slot that is not finite, or farther away than 10⁶
    /// spacings, is left out with a warning. Without any slot it is a [`Column`](Self::Column).
    Slots(Vec<Vec2>),
}

/// The farthest slot, in spacings.
const FARTHEST: f32 = 1e6;

impl Pattern {
    /// The slots of this many members, in spacings: `x` ahead of the anchor, `y` to its left.
    /// `has_place` if the anchor has a place of its own.
    pub fn slots(&self, count: usize, has_place: bool) -> Vec<Vec2> {
        // The first slots of a line, column or wedge are beside or behind the anchor's place.
        let first = usize::from(has_place);
        match self {
            Self::Line if has_place => {
                (0..count).map(|i| Vec2::new(0.0, side(i) * (i / 2 + 1) as f32)).collect()
            }
            Self::Line => {
                let middle = count.saturating_sub(1) as f32 / 2.0;
                (0..count).map(|i| Vec2::new(0.0, middle - i as f32)).collect()
            }
            Self::Column => {
                let slots = (0..count).map(|i| Vec2::new(-((i + first) as f32), 0.0));
                centered(slots.collect(), has_place)
            }
            Self::Block { columns } => centered(block(count, *columns as usize, first), has_place),
            Self::Wedge => {
                let slots = (first..count + first).map(|i| {
                    let along = i.div_ceil(2) as f32 * FRAC_1_SQRT_2;
                    Vec2::new(-along, side(i + 1) * along)
                });
                centered(slots.collect(), has_place)
            }
            Self::Circle => circle(count, has_place),
            Self::Slots(slots) => {
                let valid: Vec<Vec2> =
                    slots.iter().copied().filter(|slot| is_valid(*slot)).collect();
                if valid.is_empty() {
                    return Self::Column.slots(count, has_place);
                }
                let front = valid.iter().fold(f32::NEG_INFINITY, |front, slot| front.max(slot.x));
                let rear = valid.iter().fold(f32::INFINITY, |rear, slot| rear.min(slot.x));
                let period = Vec2::new(front - rear + 1.0, 0.0);
                let repeated = |i| valid[i % valid.len()] - period * (i / valid.len()) as f32;
                (0..count).map(repeated).collect()
            }
        }
    }

    /// Whether it has the same slots, also where those are not numbers.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Slots(own), Self::Slots(others)) => {
                let bits = |slot: &Vec2| slot.to_array().map(f32::to_bits);
                own.iter().map(bits).eq(others.iter().map(bits))
            }
            _ => self == other,
        }
    }

    /// What is wrong with it: a field, and what is said about that in the log.
    pub(crate) fn problem(&self) -> Option<(String, String)> {
        match self {
            Self::Block { columns: 0 } => Some((
                "pattern.columns".to_owned(),
                "is 0; it counts as 1; set how many members are in a row".to_owned(),
            )),
            Self::Slots(slots) => {
                let index = slots.iter().position(|&slot| !is_valid(slot))?;
                let problem = format!(
                    "is {}; it is left out; set finite numbers of spacings up to 1e6",
                    slots[index]
                );
                Some((format!("pattern.Slots[{index}]"), problem))
            }
            _ => None,
        }
    }
}

fn is_valid(slot: Vec2) -> bool {
    // False for NaN.
    slot.abs().max_element() <= FARTHEST && slot.is_finite()
}

/// Left for even numbers, right for odd ones.
fn side(i: usize) -> f32 {
    if i.is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn block(count: usize, columns: usize, first: usize) -> Vec<Vec2> {
    let columns = columns.max(1);
    let slot = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        let in_row = columns.min(count - row * columns);
        let y = (in_row - 1) as f32 / 2.0 - column as f32;
        Vec2::new(-((row + first) as f32), y)
    };
    (0..count).map(slot).collect()
}

fn circle(count: usize, has_place: bool) -> Vec<Vec2> {
    let angle = TAU / count.max(1) as f32;
    // So that neighbours are a spacing apart.
    let radius = if count > 1 { 0.5 / ops::sin(0.5 * angle) } else { 0.0 };
    let radius = if has_place { radius.max(1.0) } else { radius };
    let slot = |i| {
        let (sin, cos) = ops::sin_cos(i as f32 * angle);
        Vec2::new(cos, sin) * radius
    };
    (0..count).map(slot).collect()
}

/// Moves slots along `x` so that the anchor is in the middle, unless it has a place of its own.
fn centered(mut slots: Vec<Vec2>, has_place: bool) -> Vec<Vec2> {
    let rear = slots.iter().fold(0.0, |rear: f32, slot| rear.min(slot.x));
    if !has_place {
        slots.iter_mut().for_each(|slot| slot.x -= 0.5 * rear);
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in() -> [Pattern; 6] {
        let block = |columns| Pattern::Block { columns };
        [Pattern::Line, Pattern::Column, block(4), block(0), Pattern::Wedge, Pattern::Circle]
    }

    #[test]
    fn slots_are_a_spacing_apart_and_leave_the_anchor_its_place() {
        for pattern in built_in() {
            for (count, has_place) in (0..60).flat_map(|count| [(count, true), (count, false)]) {
                let slots = pattern.slots(count, has_place);
                assert_eq!(slots.len(), count);
                for (i, slot) in slots.iter().enumerate() {
                    let others = slots[..i].iter().map(|other| other.distance(*slot));
                    let nearest = others.fold(f32::INFINITY, f32::min);
                    assert!(nearest > 0.999, "{pattern:?} of {count}: {nearest}");
                    // A next neighbour is not farther away.
                    assert!(i == 0 || i == 1 || nearest < 2.001, "{pattern:?}: {nearest}");
                    assert!(!has_place || slot.length() > 0.999, "{pattern:?}: {slot}");
                }
            }
        }
    }

    #[test]
    fn patterns_are_symmetric_and_begin_at_the_anchor_or_around_it() {
        let v = Vec2::new;
        assert_eq!(Pattern::Line.slots(3, false), [v(0.0, 1.0), v(0.0, 0.0), v(0.0, -1.0)]);
        assert_eq!(Pattern::Line.slots(3, true), [v(0.0, 1.0), v(0.0, -1.0), v(0.0, 2.0)]);
        assert_eq!(Pattern::Column.slots(2, true), [v(-1.0, 0.0), v(-2.0, 0.0)]);
        assert_eq!(Pattern::Column.slots(2, false), [v(0.5, 0.0), v(-0.5, 0.0)]);
        let block = Pattern::Block { columns: 2 };
        assert_eq!(block.slots(3, true), [v(-1.0, 0.5), v(-1.0, -0.5), v(-2.0, 0.0)]);
        assert_eq!(block.slots(3, false), [v(0.5, 0.5), v(0.5, -0.5), v(-0.5, 0.0)]);
        let wedge = Pattern::Wedge.slots(4, true);
        assert_eq!(wedge[0], v(-FRAC_1_SQRT_2, FRAC_1_SQRT_2));
        assert_eq!(wedge[1], v(-FRAC_1_SQRT_2, -FRAC_1_SQRT_2));
        assert!(wedge[3].distance(v(-2.0, -2.0) * FRAC_1_SQRT_2) < 1e-6);
        assert!(Pattern::Circle.slots(4, false)[0].distance(v(FRAC_1_SQRT_2, 0.0)) < 1e-6);
        assert!(Pattern::Circle.slots(4, true)[1].distance(v(0.0, 1.0)) < 1e-6);
    }

    #[test]
    fn own_slots_repeat_behind() {
        let v = Vec2::new;
        let own = Pattern::Slots(vec![v(1.0, 0.0), v(-1.0, 2.0)]);
        let expected = [v(1.0, 0.0), v(-1.0, 2.0), v(-2.0, 0.0), v(-4.0, 2.0), v(-5.0, 0.0)];
        assert_eq!(own.slots(5, true), expected);
        assert_eq!(own.slots(1, false), expected[..1]);
        let none = Pattern::Slots(vec![v(f32::NAN, 0.0), v(0.0, 2e6)]);
        assert_eq!(none.slots(3, true), Pattern::Column.slots(3, true));
        assert_eq!(none.problem().unwrap().0, "pattern.Slots[0]");
        assert_eq!(own.problem(), None);
        assert!(none.is_same_as(&none.clone()) && !none.is_same_as(&own));
        assert_eq!(Pattern::Block { columns: 0 }.problem().unwrap().0, "pattern.columns");
    }
}
