//! [`find_encounters`]: all agents look for those that they may collide with, eight at a time. What
//! others know of each agent is its [`AgentRecord`], what it finds is in the [`EncounterLists`].
//!
//! As for flocks, consecutive agents of a row of cells have nearly the same others around them:
//! each of these is compared with all eight at once. A single agent is a group of one.

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    agent::Claim,
    ecs::{RowCost, pieces_for, run_all},
    neighbors::{CurrentIndex, EntryKind, Level, NeighborIndex, PlaneIndex, point, widest_group},
    sensing::{
        encounter_requests::EncounterRequests,
        encounter_search::{EncounterSearch, LookoutGroup},
    },
    simd::{Kernel, Lanes, NEGLIGIBLE, WIDTH, dispatch},
    space::{SteeringPlane, shortest},
};

/// Fills the lists of all agents that ask for them.
pub(crate) fn find_encounters(
    index: Res<CurrentIndex>,
    requests: Res<EncounterRequests>,
    mut lists: ResMut<EncounterLists>,
    mut cost: Local<RowCost>,
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
        let agents = index.planes[plane as usize].len;
        cost.measure(agents, |cost| {
            let count = cost.pieces(agents);
            match plane {
                SteeringPlane::Xy => find(index, plane, [0, 1], &requests, (count, pieces)),
                SteeringPlane::Xz => find(index, plane, [0, 2], &requests, (count, pieces)),
                SteeringPlane::Free => find(index, plane, [0, 1, 2], &requests, (count, pieces)),
            }
        });
    }
}

/// The search in a plane, in `count` pieces at least.
fn find<const D: usize>(
    index: &NeighborIndex,
    space: SteeringPlane,
    axes: [usize; D],
    requests: &EncounterRequests,
    (count, pieces): (usize, &mut Vec<ListsOfPiece>),
) {
    let plane = &index.planes[space as usize];
    let shares = plane.shares(count);
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

/// The encounters of all agents in this tick, in the planes in which they move.
#[derive(Resource, Debug, Default)]
pub(crate) struct EncounterLists(pub(super) [ListsInPlane; SteeringPlane::ALL.len()]);

impl EncounterLists {
    /// The slots that the agent in a slot of a plane has found.
    pub(super) fn of(&self, plane: SteeringPlane, slot: usize) -> &[u32] {
        let all = &self.0[plane as usize].pieces;
        let piece = all.partition_point(|piece| piece.own.end <= slot);
        all.get(piece).filter(|piece| piece.own.contains(&slot)).map_or(&[], |piece| piece.of(slot))
    }
}

/// What others know of each agent, and what the agents have found.
#[derive(Debug, Default)]
pub(super) struct ListsInPlane {
    /// Whether any body avoids nobody.
    pub have_passive: bool,
    pub records: Vec<AgentRecord>,
    pub pieces: Vec<ListsOfPiece>,
}

/// What the agents in some slots have found.
#[derive(Debug, Default)]
pub(super) struct ListsOfPiece {
    own: Range<usize>,
    /// Where the list of each ends.
    ends: Vec<u32>,
    pub slots: Vec<u32>,
}

impl ListsOfPiece {
    /// Begins anew, for the agents in these slots.
    fn begin(&mut self, own: Range<usize>) {
        self.own = own;
        self.ends.clear();
        self.slots.clear();
    }

    /// What was added from `begin` on belongs to the agent in this slot; those before it have found
    /// nothing.
    pub(super) fn end(&mut self, slot: usize, begin: usize) {
        self.ends.resize(slot - self.own.start, begin as u32);
        self.ends.push(self.slots.len() as u32);
    }

    fn of(&self, slot: usize) -> &[u32] {
        let place = slot - self.own.start;
        let end = |place: usize| self.ends.get(place).map(|&end| end as usize);
        let begin = if place == 0 { Some(0) } else { end(place - 1) };
        begin.zip(end(place)).map_or(&[], |(begin, end)| &self.slots[begin..end])
    }
}

/// What others know of an agent. In one place, as those that an agent encounters are here and there
/// in the columns of the index.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct AgentRecord {
    /// The position, and the radius: below zero for what has no body.
    pub position: [f32; 4],
    /// The velocity, and the eagerness of its [`Claim`]: NaN for what avoids nobody.
    pub velocity: [f32; 4],
    /// Its claim: how stuck it is, its turn, its room; and whether it tells of its goal, as 1 or 0.
    pub claim: [f32; 4],
    /// The offset to its goal if it tells of that, else the velocity that it wants; and the factor
    /// that makes that velocity of it.
    pub intent: [f32; 4],
}

impl AgentRecord {
    /// Whether it is a body that avoids nobody.
    pub(super) fn is_passive(&self) -> bool {
        let Self { position: [.., radius], velocity: [.., eagerness], .. } = *self;
        radius >= 0.0 && eagerness.is_nan()
    }

    /// Its claim; `None` for what avoids nobody.
    pub(super) fn claim(&self) -> Option<Claim> {
        let Self { velocity: [.., eagerness], claim: [stuck, turn, room, _], .. } = *self;
        let [intent @ .., factor] = self.intent;
        let desired = intent.map(|x| x * factor);
        (!eagerness.is_nan()).then_some(Claim { eagerness, stuck, turn, desired, room })
    }

    /// The goal that it has almost reached.
    pub(super) fn near_goal(&self) -> Option<Vec3> {
        let Self { position: [place @ .., _], claim: [.., tells], intent: [way @ .., _], .. } =
            *self;
        (tells != 0.0).then_some(Vec3::from_array(place) + Vec3::from_array(way))
    }

    /// Those of all in a plane, by their slots. Returns whether any is
    /// [passive](Self::is_passive).
    fn collect(
        index: &NeighborIndex,
        space: SteeringPlane,
        requests: &EncounterRequests,
        into: &mut Vec<Self>,
    ) -> bool {
        let plane = &index.planes[space as usize];
        into.resize(plane.len, Self::default());
        let size = plane.len.div_ceil(pieces_for(plane.len)).max(1);
        let jobs = into.chunks_mut(size).enumerate().map(|(piece, some)| {
            move || {
                let mut is_any = false;
                for (slot, one) in (piece * size..).zip(some) {
                    *one = Self::of(index, space, requests, slot);
                    is_any |= one.is_passive();
                }
                is_any
            }
        });
        run_all(jobs.collect()).contains(&true)
    }

    fn of(
        index: &NeighborIndex,
        space: SteeringPlane,
        requests: &EncounterRequests,
        slot: usize,
    ) -> Self {
        let plane = &index.planes[space as usize];
        let entry = plane.entry(slot);
        let [x, y, z] = space.unproject(point(&plane.positions, slot)).to_array();
        let [vx, vy, vz] = space.unproject(point(&plane.velocities, slot)).to_array();
        let has_body = index.kinds.get(|| entry) == EntryKind::Agent;
        let radius = if has_body { index.radii.get(|| entry) } else { -1.0 };
        let mut claim = requests.claim(entry);
        let periods = space.flatten(index.bounds.periods());
        let to_goal = requests
            .near_goal(entry)
            .map(|goal| shortest(space.flatten(goal) - Vec3::new(x, y, z), periods));
        // An agent that is near its goal does not give way to others that want to go there too.
        if let (Some(claim), Some(way)) = (&mut claim, to_goal)
            && way.length() > radius
        {
            claim.eagerness = claim.eagerness.max(1.0);
        }
        let Claim { eagerness, stuck, turn, desired, room } = claim.unwrap_or(Claim::PASSIVE);
        let desired = space.flatten(desired.into());
        let (intent, tells) = match to_goal {
            // Near its goal it wants to go straight there.
            Some(way) => (way.extend(desired.length() / way.length().max(NEGLIGIBLE)), 1.0),
            None => (desired.extend(1.0), 0.0),
        };
        Self {
            position: [x, y, z, radius],
            velocity: [vx, vy, vz, eagerness],
            claim: [stuck, turn, room, tells],
            intent: intent.to_array(),
        }
    }
}
