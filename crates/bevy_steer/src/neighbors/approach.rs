//! The search of [`AvoidAgents`](crate::AvoidAgents): all that an agent may meet.

use bevy::prelude::*;

use crate::{
    agent::id::AgentId,
    neighbors::{
        NeighborIndex, NeighborQuery,
        met::Meet,
        search::{Hit, Meeting, Search},
        usual::Usual,
        within::{Look, Rest, Within},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Arithmetic, Kernel, Lanes, WIDTH},
        one::One,
    },
};

/// What an agent may meet: whatever comes as near as `room` and its own radius in `horizon`
/// seconds, if both go on as they do or the one comes to close in faster by `spare`. But for what
/// is beyond [its way](Self::way) at its `top_speed`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) room: f32,
    /// The radius of what has none of its own.
    pub(crate) body: f32,
    pub(crate) velocity: Vec3,
    pub(crate) spare: f32,
    pub(crate) top_speed: f32,
    pub(crate) horizon: f32,
}

/// For rounding.
const SLACK: f32 = 1.000_01;

impl Approach {
    /// The way that it and something of this speed may go towards each other.
    #[inline(always)]
    pub(crate) fn way<L: Arithmetic>(&self, l: L, speed: L::F) -> L::F {
        let now = self.velocity.length();
        let soon = (now + self.spare).min(self.top_speed).max(now);
        // Not a NaN where all stand and look ahead for ever.
        l.max(l.mul(l.add(l.splat(soon), speed), l.splat(self.horizon)), l.splat(0.0))
    }

    #[inline(always)]
    fn touch(&self, largest: f32) -> f32 {
        self.room + largest.max(self.body)
    }

    /// Everything that may be met is as near, if none is faster or larger.
    #[inline(always)]
    fn reach(&self, fastest: f32, largest: f32) -> f32 {
        self.touch(largest) + self.way(One, fastest) * SLACK
    }
}

/// Of more than these an agent regards the nearest.
const MOST: usize = 128;
/// Where so many stand in each other, any of them will do.
const HEAP: usize = 48;
/// An agent in a heap looks at so many slots.
const SAMPLE: usize = 128;
/// And it regards at most twice as many of them.
const ENOUGH: usize = 16;

impl NeighborIndex {
    /// Calls `meet` with all that may be met, and a few more. Where more than 128 are in reach only
    /// with the nearest, in a heap only with some of those that the agent stands in. `id` tells
    /// which, so that not all regard the same.
    #[inline(always)]
    pub(crate) fn for_each_approach(
        &self,
        query: NeighborQuery,
        id: AgentId,
        approach: Approach,
        meet: &mut impl Meet,
    ) {
        let plane = self.plane_index(query.plane);
        let usual = plane.usual.get_or_init(|| Usual::of(self, plane));
        let reach = approach.reach(usual.fastest, usual.largest);
        let search = Search::new(self, query, reach);
        let touch = Search::new(self, query, approach.touch(usual.largest));
        let is_usual = |slot: usize| !usual.is_other(self, plane, slot);
        let all = if let Some(some) = self.heap(&touch, id) {
            Some(some)
        } else {
            let meeting = search.meeting(approach, usual.largest);
            let is_done = dispatch(MeetUsual { search: &search, meeting, is_usual, meet });
            (!is_done).then(|| self.nearest_many(query, reach))
        };
        if let Some(mut some) = all {
            some.retain(|hit| is_usual(hit.slot()));
            dispatch(MeetEach { search: &search, hits: &some, meet });
        }
        if !usual.others.is_empty() {
            let mut others = Vec::new();
            usual.others.visit(
                &mut others,
                |_, node| {
                    let reach = approach.reach(node.fastest, node.largest);
                    let gap = search.gap_squared(node);
                    (search.wants(node.layers) && gap <= reach * reach).then_some(gap)
                },
                |others, slot| others.push(Hit::new(search.distance_squared(slot), slot)),
            );
            let count = search.retain(&mut others);
            dispatch(MeetEach { search: &search, hits: &others[..count], meet });
        }
    }

    /// Some of those in reach, if these are too many.
    #[inline(always)]
    fn heap(&self, touch: &Search, id: AgentId) -> Option<Vec<Hit>> {
        let (min, max) = touch.corners;
        if touch.plane.grid.count(min, max) <= HEAP { None } else { sample(touch, id) }
    }

    /// The nearest, in any order.
    #[cold]
    #[inline(never)]
    fn nearest_many(&self, query: NeighborQuery, reach: f32) -> Vec<Hit> {
        let wanted = MOST as f32 * 1.5;
        let plane = self.usable(query.plane);
        let mut radius =
            reach.min(self.plane_index(query.plane).room * 4.0 * plane.side_of(wanted));
        // Counting whole cells is quick.
        for _ in 0..16 {
            let (min, max) = Search::new(self, query, radius).corners;
            let count = self.plane_index(query.plane).grid.count(min, max);
            if count <= 4 * MOST {
                break;
            }
            radius *= plane.side_of(2.0 * wanted / count as f32).clamp(0.3, 0.8);
        }
        loop {
            let mut hits = Vec::with_capacity(4 * MOST);
            let mut found = Within::new(Search::new(self, query, radius));
            loop {
                let more = found.more();
                if more.is_empty() {
                    break;
                }
                hits.extend_from_slice(more);
            }
            if hits.len() > MOST {
                hits.select_nth_unstable(MOST - 1);
                hits.truncate(MOST);
            }
            // Also ends where the radius is no number.
            let is_less = radius < reach;
            if hits.len() >= MOST || !is_less {
                return hits;
            }
            radius = (radius * 1.4).min(reach);
        }
    }
}

impl Search<'_> {
    fn meeting(&self, approach: Approach, largest: f32) -> Meeting {
        let Approach { velocity, spare, horizon, .. } = approach;
        let velocity = self.project(velocity);
        Meeting { velocity, room: approach.touch(largest), spare, horizon }
    }
}

/// Looks for all that may be met, and meets those that `is_usual` tells; false if they are more
/// than [`MOST`].
struct MeetUsual<'s, 'a, I, M> {
    search: &'s Search<'a>,
    meeting: Meeting,
    is_usual: I,
    meet: &'s mut M,
}

impl<I: Fn(usize) -> bool, M: Meet> Kernel for MeetUsual<'_, '_, I, M> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let Self { search, meeting, is_usual, meet } = self;
        let mut hits = [Hit::default(); MOST + WIDTH];
        let mut rest = Rest::new(search);
        let mut count = 0;
        loop {
            if hits.len() - count < WIDTH {
                return false;
            }
            let some = &mut hits[count..];
            let found =
                Look { search, meeting: Some(&meeting), rest: &mut rest, hits: some }.run(l);
            if found == 0 {
                break;
            }
            let found = count + search.retain(&mut hits[count..count + found]);
            let mut kept = count;
            for i in count..found {
                hits[kept] = hits[i];
                kept += usize::from(is_usual(hits[i].slot()));
            }
            count = kept;
        }
        MeetEach { search, hits: &hits[..count], meet }.run(l);
        true
    }
}

/// Meets all of these.
struct MeetEach<'s, 'a, M> {
    search: &'s Search<'a>,
    hits: &'s [Hit],
    meet: &'s mut M,
}

impl<M: Meet> Kernel for MeetEach<'_, '_, M> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for some in self.hits.chunks(WIDTH) {
            let met = self.search.met(l, some);
            if met.bits != 0 {
                self.meet.meet(l, &met);
            }
        }
    }
}

/// Looks at blocks of slots here and there; `None` if few of them are in reach.
#[cold]
#[inline(never)]
fn sample(touch: &Search, id: AgentId) -> Option<Vec<Hit>> {
    let (min, max) = touch.corners;
    let grid = &touch.plane.grid;
    let blocks = grid.count(min, max).div_ceil(WIDTH);
    let every = blocks.div_ceil(SAMPLE / WIDTH);
    let mix = id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let mut skip = mix as usize % every;
    let mut hits = Vec::new();
    for mut run in grid.runs(min, max) {
        while run.start < run.end {
            let end = run.end.min(run.start + WIDTH);
            if skip == 0 {
                for slot in run.start..end {
                    let squared = touch.distance_squared(slot);
                    if squared <= touch.limit {
                        hits.push(Hit::new(squared, slot));
                    }
                }
                skip = every;
            }
            skip -= 1;
            run.start = end;
        }
    }
    let count = touch.retain(&mut hits);
    // Of all, as far as a sample can tell.
    if count < ENOUGH || count * every <= HEAP {
        return None;
    }
    let step = count / ENOUGH;
    Some(hits[..count].iter().copied().skip(mix as usize % step).step_by(step).collect())
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;

    use super::*;
    use crate::{
        AvoidAgents, Bounds, BoundsEdge, SteeringLayers,
        SteeringPlane::{self, Free, Xy},
        SteeringPlugin, SteeringSchedule, Vehicle, Velocity, WorldBounds,
        neighbors::{CurrentIndex, met::Met},
        simd::lanes::unset_lanes,
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

    /// Notes all that it meets.
    struct Note<'a>(&'a mut Vec<Entity>);

    impl Meet for Note<'_> {
        fn meet<L: Lanes>(&mut self, _: L, met: &Met<L>) {
            self.0.extend(unset_lanes(!met.bits).map(|lane| met.other(lane).entity()));
        }
    }

    fn regarded(app: &App, query: NeighborQuery, id: u64, approach: Approach) -> Vec<Entity> {
        let mut found = Vec::new();
        let index = &app.world().resource::<CurrentIndex>().0;
        index.for_each_approach(query, AgentId(id), approach, &mut Note(&mut found));
        found.sort_unstable();
        found
    }

    #[test]
    fn all_that_may_be_met_are_regarded_once() {
        for seed in 0..40 {
            let mut dice = dice(seed);
            let plane = if seed % 2 == 0 { Xy } else { Free };
            let wraps = seed % 4 < 2;
            let edge = Bounds::cuboid(Vec3::splat(-50.0), Vec3::splat(50.0), BoundsEdge::Wrap);
            let bounds = if wraps { edge } else { Bounds::UNBOUNDED };
            let (app, all) = world(plane, bounds, 100, || {
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
                let approach = Approach {
                    room: 1.0,
                    body: 0.5,
                    velocity: *velocity,
                    spare: 0.0,
                    top_speed: f32::MAX,
                    horizon: 1.5,
                };
                let found = regarded(&app, query, 7, approach);
                assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "each once");
                for &(entity, place, other, radius, own) in &all {
                    let distance = bounds.shortest(place - *here).length();
                    let room = 1.0 + radius.max(0.5);
                    let reach = room + approach.way(One, other.length());
                    // The speed with which both come nearer to each other.
                    let way = bounds.shortest(place - *here).normalize_or_zero();
                    let closing = (*velocity - other).dot(way) * approach.horizon;
                    let is_met = distance < room || distance - room < closing - 1e-3;
                    let is_found = found.binary_search(&entity).is_ok();
                    let counts = layers.0 & own != 0;
                    assert!(counts || !is_found, "seed {seed}: another layer");
                    assert!(
                        !counts || is_found || !is_met || distance > reach,
                        "seed {seed}: {distance}"
                    );
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
        let approach = Approach {
            room: 1.0,
            body: 0.5,
            velocity: Vec3::X * 9.0,
            spare: 1e6,
            top_speed: 9.0,
            horizon: 3.0,
        };
        let found = regarded(&app, NeighborQuery::at(here), 1, approach);
        all.sort_by(|a, b| a.1.distance(here).total_cmp(&b.1.distance(here)));
        let mut nearest: Vec<Entity> = all[..MOST].iter().map(|one| one.0).collect();
        nearest.sort_unstable();
        assert_eq!(found, nearest);
    }

    #[test]
    fn in_a_heap_each_regards_some_others() {
        let (app, all) = world(Xy, Bounds::UNBOUNDED, 3000, || (Vec3::ONE, Vec3::ZERO, 0.5, 1));
        let approach = Approach {
            room: 1.0,
            body: 0.5,
            velocity: Vec3::ZERO,
            spare: 0.0,
            top_speed: 0.0,
            horizon: 1.5,
        };
        let mut seen: Vec<Entity> = Vec::new();
        for id in 0..300 {
            let found = regarded(&app, NeighborQuery::at(Vec3::ONE), id, approach);
            assert!((ENOUGH..=2 * ENOUGH).contains(&found.len()), "{}", found.len());
            seen.extend(found);
        }
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > all.len() / 4, "not all regard the same: {}", seen.len());
    }
}
