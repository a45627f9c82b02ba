//! Those that one agent may meet: the search of [`AvoidAgents`](crate::AvoidAgents).

use bevy::prelude::*;

use crate::{
    agent::id::AgentId,
    neighbors::{
        NeighborIndex, NeighborQuery, PlaneIndex,
        heap::heap,
        meeting::Moving,
        nearest::sort,
        search::{Hit, Search},
        storeys::Storey,
        tables::THING,
        usual::Usual,
        within::{Look, Rest},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH},
    },
};

/// Of those that may be met an agent regards so many: the nearest.
pub(super) const MOST: usize = 16;
/// So many are collected before the nearest of them are taken.
pub(super) const COLLECTED: usize = 6 * MOST;

impl NeighborIndex {
    /// Adds the slots of the nearest that may be met, and of all that may be met of the few that
    /// are much faster or larger than most. In a heap only of some of those that the agent stands
    /// in; `id` tells which, so that not all regard the same.
    ///
    /// In the order of their distances, and of their ids.
    pub(crate) fn find_met(
        &self,
        query: NeighborQuery,
        id: AgentId,
        moving: Moving,
        slots: &mut Vec<u32>,
    ) {
        let search = Search::new(self, query, 0.0);
        let mut hits = Vec::new();
        // Mostly one.
        for storey in search.storeys {
            hits.append(&mut self.met_on(storey, &search, query.center, id, &moving));
        }
        sort(&search, &mut hits);
        slots.extend(hits.iter().map(|hit| hit.slot() as u32));
    }

    /// Those of one storey.
    fn met_on(
        &self,
        storey: &Storey,
        search: &Search,
        center: Vec3,
        id: AgentId,
        moving: &Moving,
    ) -> Vec<Hit> {
        let usual = self.usual(search.plane, storey);
        let touch = search.on(storey).with_radius(center, moving.approach.touch(usual.largest));
        if search.limit.is_nan() || touch.limit.is_nan() {
            return Vec::new();
        }
        let mut hits = match heap(&touch, id) {
            Some(mut hits) => {
                hits.retain(|hit| is_regarded(self, touch.plane, usual, hit.slot()));
                hits
            }
            None => {
                let reach = moving.approach.reach(usual.fastest, usual.largest);
                let search = touch.with_radius(center, reach);
                let mut hits = dispatch(FindNearest { search, usual, moving: *moving });
                settle(&search, &mut hits);
                hits
            }
        };
        self.add_rare(&touch, usual, moving, &mut hits);
        hits
    }

    /// Adds those that are faster or larger than most and may be met.
    pub(super) fn add_rare(
        &self,
        search: &Search,
        usual: &Usual,
        moving: &Moving,
        hits: &mut Vec<Hit>,
    ) {
        if usual.others.is_empty() {
            return;
        }
        let before = hits.len();
        usual.others.visit(
            hits,
            |_, node| {
                let reach = moving.approach.reach(node.fastest, node.largest);
                let gap = search.gap_squared(node);
                (search.wants(node.layers) && gap <= reach * reach).then_some(gap)
            },
            |hits, slot| {
                if moves(self, search.plane, slot) && search.may_meet(slot, moving) {
                    hits.push(Hit::new(search.distance_squared(slot), slot));
                }
            },
        );
        let count = search.retain(&mut hits[before..]);
        hits.truncate(before + count);
    }
}

/// Finds the usual ones in a radius that may be met; not those of many that are far off.
struct FindNearest<'s, 'a> {
    search: Search<'a>,
    usual: &'s Usual,
    moving: Moving,
}

impl Kernel for FindNearest<'_, '_> {
    type Output = Vec<Hit>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<Hit> {
        let Self { mut search, usual, moving } = self;
        let mut hits = [Hit::default(); COLLECTED + WIDTH];
        let mut rest = Rest::new(&search);
        let mut count = 0;
        loop {
            let (some, moving) = (&mut hits[count..], Some(&moving));
            let room = some.len();
            let found = Look { search: &search, moving, rest: &mut rest, hits: some }.run(l);
            let is_all = found + WIDTH <= room;
            let found = count + search.retain(&mut hits[count..count + found]);
            let mut kept = count;
            for i in count..found {
                let one = hits[i];
                hits[kept] = one;
                let is_one = is_regarded(search.index, search.plane, usual, one.slot());
                kept += usize::from(is_one);
            }
            count = kept;
            if is_all {
                return hits[..count].to_vec();
            }
            if count > COLLECTED / 2 {
                (count, search.limit) = cut(&mut hits[..count]);
            }
        }
    }
}

/// Whether this is one of the usual ones, and moves by itself.
#[inline(always)]
pub(super) fn is_regarded(
    index: &NeighborIndex,
    plane: &PlaneIndex,
    usual: &Usual,
    slot: usize,
) -> bool {
    !usual.is_other(index, plane, slot) && moves(index, plane, slot)
}

#[inline(always)]
fn moves(index: &NeighborIndex, plane: &PlaneIndex, slot: usize) -> bool {
    index.radii.get(|| plane.entry(slot)) != THING
}

/// Leaves the nearest, in the order of their distances and ids.
pub(super) fn settle(search: &Search, hits: &mut Vec<Hit>) {
    if hits.len() > MOST {
        let (count, _) = cut(hits);
        hits.truncate(count);
    }
    sort(search, hits);
    hits.truncate(MOST);
}

/// Moves the nearest to the front, and all that are as near as the last of them; returns their
/// number, and the square of the largest distance.
pub(super) fn cut(hits: &mut [Hit]) -> (usize, f32) {
    let (_, &mut last, _) = hits.select_nth_unstable(MOST - 1);
    let last = last.distance_squared();
    let mut kept = MOST;
    for i in MOST..hits.len() {
        if hits[i].distance_squared() == last {
            hits.swap(kept, i);
            kept += 1;
        }
    }
    (if kept > COLLECTED / 2 { MOST } else { kept }, last)
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::*;
    use crate::{
        AvoidAgents, Bounds, BoundsEdge, SteeringLayers,
        SteeringPlane::{self, Free, Xy},
        SteeringPlugin, SteeringSchedule, Vehicle, Velocity, WorldBounds,
        neighbors::{
            Approach, CurrentIndex, Lookout, Lookouts, Meetings, PaddedColumn, heap::ENOUGH,
            look_out, search::point,
        },
    };

    type One = (Entity, Vec3, Vec3, f32, u32);

    /// Pseudo-random numbers from zero to one.
    fn dice(seed: u32) -> impl FnMut() -> f32 {
        let mut state = seed.wrapping_mul(747_796_405) | 1;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        }
    }

    fn world(
        plane: SteeringPlane,
        bounds: Bounds,
        count: usize,
        mut one: impl FnMut() -> (Vec3, Vec3, f32, u32),
    ) -> (App, Vec<One>) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update).with_plane(plane)));
        app.insert_resource(WorldBounds(bounds));
        let all = (0..count).map(|i| {
            let (place, velocity, radius, layers) = one();
            let (place, velocity) = (plane.flatten(place), plane.flatten(velocity));
            let body = (Vehicle::default().with_radius(radius), Velocity(velocity));
            let place_of = (Transform::from_translation(place), SteeringLayers(layers));
            let mut agent = app.world_mut().spawn((body, place_of));
            if i == 0 {
                agent.insert(AvoidAgents::default());
            }
            (agent.id(), place, velocity, radius, layers)
        });
        let all = all.collect();
        app.world_mut().run_schedule(SteeringSchedule);
        (app, all)
    }

    fn index(app: &App) -> &NeighborIndex {
        &app.world().resource::<CurrentIndex>().0
    }

    fn moving(velocity: Vec3, spare: f32, horizon: f32) -> Moving {
        let speeds = [velocity.length(), f32::MAX];
        Moving { velocity, approach: Approach::new(1.0, 0.5, spare, horizon, speeds) }
    }

    /// The entities that may be met, the nearest first.
    fn found(app: &App, query: NeighborQuery, id: u64, moving: Moving) -> Vec<Entity> {
        let (index, mut slots) = (index(app), Vec::new());
        index.find_met(query, AgentId(id), moving, &mut slots);
        let plane = index.plane_index(query.plane);
        slots.into_iter().map(|slot| index.entity(plane, slot as usize)).collect()
    }

    #[test]
    fn all_that_may_be_met_are_regarded_once() {
        for seed in 0..40 {
            let mut dice = dice(seed);
            let plane = if seed % 2 == 0 { Xy } else { Free };
            let wraps = seed % 4 < 2;
            let edge = Bounds::cuboid(Vec3::splat(-50.0), Vec3::splat(50.0), BoundsEdge::Wrap);
            let bounds = if wraps { edge } else { Bounds::UNBOUNDED };
            let (app, all) = world(plane, bounds, 200, || {
                let mut point = |half: f32| Vec3::new(dice(), dice(), dice()) * (2.0 * half) - half;
                let (place, velocity, far) = (point(49.0), point(3.0), point(5000.0));
                let rare = |dice: &mut dyn FnMut() -> f32| dice() < 0.06;
                let speed = if rare(&mut dice) { 100.0 } else { 1.0 };
                let radius = if rare(&mut dice) { 30.0 } else { 0.5 };
                let place = if !wraps && rare(&mut dice) { far } else { place };
                (place, velocity * speed, radius, [1, 2, 3, 0][(dice() * 4.0) as usize % 4])
            });
            let (mut found_some, mut left_out) = (0, 0);
            for (_, here, velocity, ..) in &all {
                let layers = SteeringLayers([1, 2, u32::MAX][(dice() * 3.0) as usize % 3]);
                let query = NeighborQuery::at(*here).with_layers(layers).in_plane(plane);
                let mut found = found(&app, query, 7, moving(*velocity, 0.0, 1.5));
                let is_full = found.len() >= MOST;
                found.sort_unstable();
                assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "each once");
                for &(entity, place, other, radius, own) in &all {
                    let offset = bounds.shortest(place - *here);
                    let (distance, relative) = (offset.length(), *velocity - other);
                    let room = 1.0 + radius.max(0.5);
                    // Where they are when they are nearest to each other.
                    let squared = relative.length_squared().max(f32::MIN_POSITIVE);
                    let time = (relative.dot(offset) / squared).clamp(0.0, 1.5);
                    let is_met = (offset - relative * time).length() < room - 1e-3;
                    let is_found = found.binary_search(&entity).is_ok();
                    let counts = layers.0 & own != 0;
                    assert!(counts || !is_found, "seed {seed}: another layer");
                    assert!(!counts || is_found || !is_met || is_full, "seed {seed}: {distance}");
                    found_some += usize::from(is_found);
                    left_out += usize::from(counts && !is_found);
                }
            }
            assert!(found_some > 100 && left_out > 1000, "{found_some} {left_out}");
        }
    }

    #[test]
    fn of_very_many_the_nearest_are_regarded() {
        let mut dice = dice(5);
        let (app, mut all) = world(Xy, Bounds::UNBOUNDED, 1500, || {
            (Vec3::new(dice(), dice(), 0.0) * 80.0 - 40.0, Vec3::X, 0.5, 1)
        });
        let here = Vec3::new(3.0, -2.0, 0.0);
        let found = found(&app, NeighborQuery::at(here), 1, moving(Vec3::X * 9.0, 1e6, 3.0));
        all.sort_by(|a, b| a.1.distance(here).total_cmp(&b.1.distance(here)));
        let nearest: Vec<Entity> = all[..MOST].iter().map(|one| one.0).collect();
        assert_eq!(found, nearest);
    }

    #[test]
    fn in_a_heap_each_regards_some_others() {
        let (app, all) = world(Xy, Bounds::UNBOUNDED, 3000, || (Vec3::ONE, Vec3::ZERO, 0.5, 1));
        let mut seen: Vec<Entity> = Vec::new();
        for id in 0..300 {
            let query = NeighborQuery::at(Vec3::ONE);
            let found = found(&app, query, id, moving(Vec3::ZERO, 0.0, 1.5));
            assert_eq!(found.len(), ENOUGH);
            seen.extend(found);
        }
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > all.len() / 4, "not all regard the same: {}", seen.len());
    }

    /// Few and many, sparse and dense, also some on one spot; of several layers and sizes or alike.
    #[test]
    fn eight_at_a_time_find_the_same() {
        let mut all_found = 0;
        for seed in 0..24 {
            let mut dice = dice(seed);
            let plane = if seed % 3 == 0 { Free } else { Xy };
            let (count, half) = [(60, 40.0), (400, 20.0), (900, 9.0)][seed as usize / 3 % 3];
            let (is_mixed, has_heap) = (seed % 2 == 0, seed % 5 == 0);
            let (app, _) = world(plane, Bounds::UNBOUNDED, count, || {
                let mut point = || Vec3::new(dice(), dice(), dice()) * 2.0 - 1.0;
                let (place, velocity) = (point() * half, point() * 5.0);
                let place = if has_heap && dice() < 0.3 { Vec3::ONE } else { place };
                let radius = if is_mixed { 0.2 + dice() } else { 0.5 };
                let is_rare = is_mixed && dice() < 0.03;
                let speed = if is_rare { 60.0 } else { 1.0 };
                let layers = if is_mixed { 1 + (dice() * 3.0) as u32 } else { 1 };
                (place, velocity * speed, radius, layers)
            });
            let (index, mut lookouts) = (index(&app), Lookouts::default());
            lookouts.begin(index.entries);
            let own = index.plane_index(Some(plane));
            let entry_of = |slot: usize| own.entry(slot);
            for slot in (0..own.len).filter(|slot| slot % 7 != 3) {
                let velocity = plane.unproject(point(&own.velocities, slot));
                let layers = SteeringLayers(if slot % 2 == 0 { 1 } else { u32::MAX });
                let moving = moving(velocity, 2.0, 0.1 * (slot % 20) as f32);
                let (approach, told) = (moving.approach, [0.0; 3]);
                let lookout = Lookout { plane: Some(plane), layers, approach, told };
                lookouts.set(entry_of(slot), lookout);
            }
            let mut meetings = Meetings::default();
            look_out(index, &lookouts, &mut meetings);
            let mut found = 0;
            for slot in 0..own.len {
                let mut alone = Vec::new();
                if let Some(lookout) = lookouts.in_plane(entry_of(slot), plane) {
                    let key = index.key(own, slot);
                    let of = |columns: &[PaddedColumn; 3]| plane.unproject(point(columns, slot));
                    let query = NeighborQuery::at(of(&own.positions)).in_plane(plane);
                    let query = query.with_layers(lookout.layers).except(key.entity);
                    let moving =
                        Moving { velocity: of(&own.velocities), approach: lookout.approach };
                    index.find_met(query, key.id, moving, &mut alone);
                }
                assert_eq!(meetings.of(plane, slot), alone, "seed {seed}");
                found += alone.len();
            }
            all_found += found;
        }
        assert!(all_found > 10_000, "{all_found}");
    }
}
