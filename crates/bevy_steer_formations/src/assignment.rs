//! Which member gets which slot.

use bevy::prelude::*;
use pathfinding::{kuhn_munkres::kuhn_munkres_min, matrix::Matrix};

/// The largest formation whose assignment has the least total way. The time for that grows with the
/// third power of the number of members.
pub(crate) const MOST_OPTIMAL: usize = 150;

/// The slot of each member, so that all together have the shortest way to go.
///
/// Members are in the frame of the anchor, in spacings, as slots are: ahead, to the left, up. There
/// are as many as there are slots. More than [`MOST_OPTIMAL`] are assigned [by rows](by_rows).
///
/// The order of members decides between assignments that are equally good.
pub(crate) fn assign(members: &[Vec3], slots: &[Vec2]) -> Vec<usize> {
    if members.len() > MOST_OPTIMAL { by_rows(members, slots) } else { shortest(members, slots) }
}

/// The sum of the distances of members to their slots, in spacings.
pub(crate) fn total_way(members: &[Vec3], slots: &[Vec2], assigned: &[usize]) -> f64 {
    members.iter().zip(assigned).map(|(member, &slot)| distance(*member, slots[slot])).sum()
}

fn distance(member: Vec3, slot: Vec2) -> f64 {
    (member - slot.extend(0.0)).as_dvec3().length()
}

/// Kuhn (1955) and Munkres (1957), the "Hungarian algorithm".
fn shortest(members: &[Vec3], slots: &[Vec2]) -> Vec<usize> {
    /// How much more a long way costs, as a share. Where a row moves up by one slot the total way
    /// is the same if the last member passes all others: then everybody moves a little.
    const LONG: f64 = 0.01;
    /// Costs are whole numbers, so that the algorithm ends. The sum of all is far from an overflow.
    const WHOLE: f64 = (1_u64 << 40) as f64;
    let ways = members.iter().flat_map(|member| slots.iter().map(|slot| distance(*member, *slot)));
    let ways: Vec<f64> = ways.collect();
    let longest = ways.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let cost = |way: f64| {
        let share = way / longest;
        (share * (1.0 + LONG * share) * WHOLE).round() as i64
    };
    let costs = ways.into_iter().map(cost).collect();
    match Matrix::from_vec(members.len(), slots.len(), costs) {
        Ok(costs) if !members.is_empty() => kuhn_munkres_min(&costs).1,
        _ => Vec::new(),
    }
}

/// The members in front get the first row of slots, and each row is filled from one side to the
/// other, so that nobody has to pass many others.
fn by_rows(members: &[Vec3], slots: &[Vec2]) -> Vec<usize> {
    /// Slots of a row are less than this far behind each other, in spacings.
    const ROW: f32 = 0.5;
    let front_first = |x: &dyn Fn(usize) -> f32| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| x(b).total_cmp(&x(a)));
        order
    };
    let mut by_member = front_first(&|member| members[member].x);
    let mut by_slot = front_first(&|slot| slots[slot].x);
    let mut assigned = vec![0; members.len()];
    let mut start = 0;
    while start < slots.len() {
        let front = slots[by_slot[start]].x;
        let row = by_slot[start..].iter().take_while(|&&slot| front - slots[slot].x < ROW).count();
        // At least one, also of a slot that is not a number.
        let row = start..start + row.max(1);
        start = row.end;
        let (members_of_row, slots_of_row) = (&mut by_member[row.clone()], &mut by_slot[row]);
        members_of_row.sort_by(|&a, &b| members[a].y.total_cmp(&members[b].y));
        slots_of_row.sort_by(|&a, &b| slots[a].y.total_cmp(&slots[b].y));
        for (&member, &slot) in members_of_row.iter().zip(&*slots_of_row) {
            assigned[member] = slot;
        }
    }
    assigned
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pattern::Pattern;

    /// The least total way of all assignments.
    fn least(members: &[Vec3], slots: &[Vec2], used: &mut Vec<usize>) -> f64 {
        let Some(member) = members.get(used.len()) else { return 0.0 };
        let mut least_way = f64::INFINITY;
        for slot in 0..slots.len() {
            if used.contains(&slot) {
                continue;
            }
            used.push(slot);
            let way = distance(*member, slots[slot]) + least(members, slots, used);
            used.pop();
            least_way = least_way.min(way);
        }
        least_way
    }

    fn is_permutation(assigned: &[usize]) -> bool {
        let mut sorted = assigned.to_vec();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..assigned.len())
    }

    fn places(most: usize) -> impl Strategy<Value = Vec<Vec3>> {
        let place = (-9.0_f32..9.0, -9.0_f32..9.0, -2.0_f32..2.0).prop_map(Vec3::from);
        proptest::collection::vec(place, 0..=most)
    }

    proptest! {
        #![proptest_config(bevy_steer_tests::rng::cases(200))]

        #[test]
        fn the_total_way_is_the_least(members in places(6), pattern in 0..4) {
            let block = Pattern::Block { columns: 2 };
            let all = [Pattern::Line, block, Pattern::Wedge, Pattern::Circle];
            let slots = all[pattern as usize].slots(members.len(), true);
            let assigned = assign(&members, &slots);
            prop_assert!(is_permutation(&assigned));
            let way = total_way(&members, &slots, &assigned);
            // Long ways cost a per cent more.
            prop_assert!(way <= 1.01 * least(&members, &slots, &mut Vec::new()) + 1e-6);
        }

        #[test]
        fn rows_give_each_member_a_slot_of_its_own(members in places(80), columns in 1..9_u32) {
            let slots = Pattern::Block { columns }.slots(members.len(), true);
            let assigned = by_rows(&members, &slots);
            prop_assert!(is_permutation(&assigned));
            // Nobody in front of others gets a row behind theirs.
            for (one, other) in (0..members.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let ahead = members[one].x > members[other].x;
                let behind = slots[assigned[one]].x < slots[assigned[other]].x;
                prop_assert!(!(ahead && behind));
            }
        }
    }

    #[test]
    fn a_column_closes_up_without_overtaking() {
        let slots = Pattern::Column.slots(6, true);
        // The second of seven has left.
        let members = [1.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|x| Vec3::new(-x, 0.0, 0.0));
        assert_eq!(assign(&members, &slots), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn equal_ways_and_huge_ones_are_assigned() {
        let slots = Pattern::Circle.slots(8, true);
        assert!(is_permutation(&assign(&[Vec3::ZERO; 8], &slots)));
        assert!(is_permutation(&assign(&[Vec3::splat(1e18); 8], &slots)));
        assert!(is_permutation(&assign(&[Vec3::ZERO; 2], &[Vec2::ZERO; 2])));
        assert_eq!(assign(&[], &[]), [0; 0]);
        let many = vec![Vec3::ZERO; 400];
        assert!(is_permutation(&assign(&many, &Pattern::Wedge.slots(400, false))));
    }
}
