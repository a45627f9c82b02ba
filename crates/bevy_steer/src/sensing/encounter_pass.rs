//! [`find_encounters`]: all agents look for those that they may collide with, eight at a time.
//!
//! As for flocks, consecutive agents of a row of cells have nearly the same others around them:
//! each of these is compared with all eight at once. A single agent is a group of one.

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    ecs::parallel::run_all,
    neighbors::{CurrentIndex, Level, NeighborIndex, PlaneIndex, widest_group},
    sensing::{
        agent_record::AgentRecord,
        encounter_lists::{EncounterLists, ListsInPlane, ListsOfPiece},
        encounter_requests::EncounterRequests,
        encounter_search::{EncounterSearch, LookoutGroup},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH},
    },
    space::plane::SteeringPlane,
};

/// Fills the lists of all agents that ask for them.
pub(crate) fn find_encounters(
    index: Res<CurrentIndex>,
    requests: Res<EncounterRequests>,
    mut lists: ResMut<EncounterLists>,
) {
    let index = &index.0;
    for plane in SteeringPlane::ALL {
        let ListsInPlane { have_passive, records, pieces } = &mut lists.0[plane as usize];
        pieces.iter_mut().for_each(|piece| piece.begin(0..0));
        *have_passive = false;
        if requests.is_empty() || !index.planes[plane as usize].built {
            continue;
        }
        *have_passive = AgentRecord::collect(index, plane, &requests, records);
        match plane {
            SteeringPlane::Xy => find_in_plane(index, plane, [0, 1], &requests, pieces),
            SteeringPlane::Xz => find_in_plane(index, plane, [0, 2], &requests, pieces),
            SteeringPlane::Free => find_in_plane(index, plane, [0, 1, 2], &requests, pieces),
        }
    }
}

fn find_in_plane<const D: usize>(
    index: &NeighborIndex,
    space: SteeringPlane,
    axes: [usize; D],
    requests: &EncounterRequests,
    pieces: &mut Vec<ListsOfPiece>,
) {
    let plane = &index.planes[space as usize];
    let shares = plane.shares();
    pieces.resize_with(shares.len(), ListsOfPiece::default);
    let kernels = shares.into_iter().zip(pieces).map(|((level, rows), lists)| {
        let buckets = level.grid.axes[0].buckets as usize;
        let [first, end] = [rows.start, rows.end].map(|row| level.grid.starts[row * buckets]);
        lists.begin(first as usize..end as usize);
        FindEncounters { index, plane, level, space, axes, requests, rows, lists }
    });
    run_all(kernels.map(|kernel| move || dispatch(kernel)).collect());
}

/// The agents of some rows of cells of a level.
struct FindEncounters<'a, const D: usize> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    level: &'a Level,
    space: SteeringPlane,
    axes: [usize; D],
    requests: &'a EncounterRequests,
    rows: Range<usize>,
    lists: &'a mut ListsOfPiece,
}

impl<const D: usize> Kernel for FindEncounters<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let grid = &self.level.grid;
        let levels = self.plane.levels_beside(self.level);
        let mut search = EncounterSearch::new(self.index, self.plane, levels, self.axes);
        for row in self.rows.clone() {
            let mut slots = grid.run(row, 0, grid.axes[0].buckets);
            while let Some(group) = self.next_group(&mut slots) {
                search.look(l, &group, self.lists);
            }
        }
    }
}

impl<const D: usize> FindEncounters<'_, D> {
    /// The next agents of a row, near enough to each other to look together.
    fn next_group(&self, slots: &mut Range<usize>) -> Option<LookoutGroup> {
        let widest = widest_group(&self.level.grid, self.axes);
        let along = self.plane.positions[0].get();
        let mut group: Option<LookoutGroup> = None;
        while slots.start < slots.end {
            let slot = slots.start;
            if let Some(lookout) = self.requests.lookout(self.plane.entry(slot), self.space) {
                let group = group.get_or_insert_with(|| LookoutGroup::beginning(slot, lookout));
                let is_far = (along[slot] - along[group.slots[0]]).abs() > widest;
                if is_far || group.len == WIDTH {
                    break;
                }
                group.push(slot, lookout);
            }
            slots.start += 1;
        }
        group
    }
}
