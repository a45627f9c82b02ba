//! The flock kernel, which looks at eight agents at a time, wants what the formulas say for each of
//! them alone.

use bevy::{math::ops, prelude::*};
use bevy_steer::{AgentId, KeepRotation, Velocity, formulas, prelude::*};
use proptest::prelude::*;

use crate::common::{
    Sim, at,
    rng::{TestRng, cases},
    strong,
};

/// A mate as the formulas see it.
#[derive(Clone, Copy)]
struct Member {
    entity: Entity,
    place: Vec3,
    velocity: Vec3,
    layers: SteeringLayers,
}

struct World {
    sim: Sim,
    plane: SteeringPlane,
    bounds: Bounds,
    members: Vec<Member>,
}

/// All have had their turn to think after this number of ticks.
const MOST_SELDOM: u32 = 6;

/// A crowd that does not move. Its world is sometimes so small that agents see round it.
fn world(seed: u64) -> World {
    let mut rng = TestRng::new(seed, 1);
    let plane = rng.pick(&SteeringPlane::ALL);
    let reach = rng.pick(&[3.0, 10.0, 60.0]);
    let (low, high) = (Vec3::splat(-reach), Vec3::new(reach * 0.9, reach, reach * 1.1));
    let bounds = match rng.index(3) {
        0 => Bounds::UNBOUNDED,
        1 => Bounds::cuboid(low, high, BoundsEdge::Clamp),
        _ => Bounds::cuboid(low, high, BoundsEdge::Wrap),
    };
    let steering = SteeringPlugin::new(Update).with_plane(plane).without_integration();
    let mut sim = Sim::with(steering, 64.0);
    sim.app.insert_resource(WorldBounds(bounds));
    let alike = rng.chance(0.5).then(|| flock(&mut rng));
    let speed = rng.chance(0.5).then(|| rng.number(1.0..9.0));
    let every = rng.pick(&[1, 1, 2, MOST_SELDOM]);
    let members = (0..rng.index(200))
        .map(|i| {
            let mut place = rng.point(reach * 0.9);
            if i % 40 == 39 {
                place *= 20.0;
            }
            bounds.confine(&mut place, &mut Vec3::default());
            let velocity = if rng.chance(0.1) { Vec3::ZERO } else { rng.point(4.0) };
            let layers = alike.map_or_else(|| SteeringLayers(rng.pick(&[1, 2, 3])), |_| default());
            let flock = alike.unwrap_or_else(|| flock(&mut rng));
            let transform = Transform::from_translation(place);
            let entity = sim.spawn((
                strong(speed.unwrap_or_else(|| rng.number(1.0..9.0))),
                flock,
                Velocity(velocity),
                layers,
                transform,
            ));
            if every > 1 {
                sim.app.world_mut().entity_mut(entity).insert(ThinkEvery(every));
            }
            Member { entity, place, velocity, layers }
        })
        .collect();
    World { sim, plane, bounds, members }
}

fn flock(rng: &mut TestRng) -> Flock {
    let radius = rng.number(0.5..8.0);
    let flock = Flock::new(radius)
        .with_separation_radius(radius * rng.number(0.0..1.2))
        .with_rules(rng.number(0.0..2.0), rng.number(0.0..2.0), rng.number(0.0..2.0))
        .with_max_neighbors(1000)
        .with_cruise(rng.number(0.1..0.9));
    match rng.index(3) {
        0 => flock.with_view_angle(rng.number(1.0..6.0)),
        1 => flock.with_layers(SteeringLayers(rng.pick(&[1, 2, 3]))),
        _ => flock,
    }
}

/// What one agent requests, straight from the formulas; `None` where rounding may decide which
/// agents are mates.
fn expected(world: &World, own: &Member) -> Option<Vec3> {
    let flock = world.sim.get::<Flock>(own.entity);
    let max_speed = world.sim.get::<Vehicle>(own.entity).max_speed;
    let velocity = world.plane.flatten(own.velocity);
    let facing = velocity.try_normalize().unwrap_or(world.plane.forward());
    let vehicle = world.sim.get::<Vehicle>(own.entity);
    let radius = flock.radius.in_units(vehicle);
    let separation_radius = flock.separation_radius.in_units(vehicle).min(radius);
    let (mut count, mut offsets, mut velocities, mut apart) =
        (0.0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    for mate in world.members.iter().filter(|mate| mate.entity != own.entity) {
        let offset = world.bounds.shortest(world.plane.flatten(mate.place - own.place));
        // Only on the ground is one above or below another.
        let apart_by = (mate.place.y - own.place.y).abs();
        let heights = [own, mate].map(|member| world.sim.get::<Vehicle>(member.entity).radius);
        let level = if world.plane == SteeringPlane::Xz {
            2.0 * (heights[0] + heights[1])
        } else {
            f32::MAX
        };
        if apart_by > level + 1e-3 {
            continue;
        }
        let distance = offset.length();
        let least_cos = ops::cos(0.5 * flock.view_angle.min(core::f32::consts::TAU));
        let ahead = facing.dot(offset) - least_cos * distance;
        let looks_round = flock.view_angle >= core::f32::consts::TAU;
        let doubtful = (distance - radius).abs() < 1e-4 * (1.0 + own.place.length())
            || (apart_by - level).abs() < 1e-3;
        let is_mate = mate.layers.overlaps(flock.layers.unwrap_or(own.layers));
        if is_mate && (doubtful || !looks_round && ahead.abs() < 1e-3) {
            return None;
        }
        if is_mate && distance < radius && (looks_round || ahead > 0.0) {
            count += 1.0;
            offsets += offset;
            velocities += world.plane.flatten(mate.velocity);
            apart += if distance > 0.0 {
                formulas::separation_share(offset, separation_radius)
            } else {
                let number = |member: &Member| world.sim.get::<AgentId>(member.entity).0;
                world.plane.parting(number(own), number(mate))
            };
        }
    }
    let on = facing * (flock.cruise * max_speed) - velocity;
    if count == 0.0 {
        return Some(on);
    }
    let apart = apart.clamp_length_max(1.0) * max_speed;
    let together = formulas::cohesion(offsets / count, radius, max_speed);
    let along = formulas::alignment(velocity, velocities / count);
    Some(apart * flock.separation + along * flock.alignment + together * flock.cohesion + on)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn flock_kernel_equals_the_formulas(seed in any::<u64>()) {
        let mut world = world(seed);
        for _ in 0..MOST_SELDOM {
            world.sim.tick();
        }
        for member in &world.members {
            let wish = world.sim.wish(member.entity);
            let Some(expected) = expected(&world, member) else { continue };
            let error = (wish - expected).length();
            prop_assert!(error < 2e-3 * (1.0 + expected.length()), "{wish} {expected}");
        }
    }
}

/// The requests of 800 agents at random positions, some of them coincident, that think every few
/// ticks. Each has had its turn.
fn wishes_of_thinkers(every: u32, plane: SteeringPlane, bounds: Bounds, radius: f32) -> Vec<Vec3> {
    let steering = SteeringPlugin::new(Update).with_plane(plane).without_integration();
    let mut sim = Sim::with(steering, 1000.0);
    sim.app.insert_resource(WorldBounds(bounds));
    let mut rng = TestRng::new(11, 4);
    let mut before = Transform::IDENTITY;
    let agents: Vec<Entity> = (0..800)
        .map(|i| {
            if i % 50 != 1 {
                before = Transform::from_translation(rng.point(40.0));
            }
            let flock = Flock::new(radius).with_max_neighbors(1000);
            let think = ThinkEvery(every);
            sim.spawn((strong(5.0), flock, think, Velocity(rng.point(4.0)), before))
        })
        .collect();
    for _ in 0..every {
        sim.tick();
    }
    agents.into_iter().map(|agent| sim.wish(agent)).collect()
}

#[test]
fn flock_wishes_do_not_depend_on_think_every() {
    let edges = Bounds::cuboid(Vec3::splat(-40.0), Vec3::splat(40.0), BoundsEdge::Wrap);
    for (plane, radius) in
        [(SteeringPlane::Xy, 6.0), (SteeringPlane::Xz, 15.0), (SteeringPlane::Free, 18.0)]
    {
        for bounds in [Bounds::UNBOUNDED, edges] {
            let always = wishes_of_thinkers(1, plane, bounds, radius);
            for every in [3, 8, 40] {
                let seldom = wishes_of_thinkers(every, plane, bounds, radius);
                for (always, seldom) in always.iter().zip(&seldom) {
                    let error = (*always - *seldom).length();
                    assert!(error < 1e-3, "{plane:?} {every}: {always} {seldom}");
                }
            }
        }
    }
}

/// A crowd so dense that each sees more than it may look at.
fn throng(max_neighbors: u32) -> (Sim, Vec<Entity>) {
    let steering = SteeringPlugin::new(Update).without_integration();
    let mut sim = Sim::with(steering, 64.0);
    let mut rng = TestRng::new(3, 3);
    let flock = Flock::new(5.0).with_rules(0.0, 0.0, 1.0).with_cruise(0.0);
    let flock = flock.with_max_neighbors(max_neighbors);
    let agents = (0..4000)
        .map(|_| {
            let place = rng.point(10.0).with_z(0.0);
            sim.spawn((strong(1.0), flock, Transform::from_translation(place)))
        })
        .collect();
    sim.tick();
    (sim, agents)
}

#[test]
fn sampled_neighbors_are_from_all_directions() {
    let pull = |max_neighbors| {
        let (sim, agents) = throng(max_neighbors);
        let inner = agents.iter().filter(|&&agent| sim.position(agent).abs().max_element() < 5.0);
        let wishes: Vec<Vec3> = inner.map(|&agent| sim.wish(agent)).collect();
        wishes.iter().sum::<Vec3>() / wishes.len() as f32
    };
    let all = pull(u32::MAX);
    for max_neighbors in [8, 32, 128] {
        // Taken from one side only, they would pull by about a half.
        let bias = (pull(max_neighbors) - all).length();
        assert!(bias < 0.12, "{max_neighbors}: {bias}");
    }
}

#[test]
fn max_neighbors_is_kept() {
    let (sim, agents) = throng(1);
    for agent in agents {
        let wish = sim.wish(agent);
        // The centre of a single mate is that mate, so the distance is never zero.
        let mate = sim.position(agent) + wish * 5.0;
        assert!(wish.length() > 0.0 && wish.length() <= 1.0);
        assert!(mate.abs().max_element() <= 10.0 + 1e-3, "{mate}");
    }
}

/// Agents that flock at these places in a world with these bounds and do not cruise, by what they
/// request.
fn wishes(places: &[Transform], flock: Flock, bounds: Bounds) -> Vec<Vec3> {
    let flock = flock.with_cruise(0.0);
    let mut sim = Sim::without_motion();
    sim.app.insert_resource(WorldBounds(bounds));
    let agents: Vec<Entity> =
        places.iter().map(|&place| sim.spawn((strong(5.0), flock, place))).collect();
    sim.tick();
    agents.into_iter().map(|agent| sim.wish(agent)).collect()
}

#[test]
fn coincident_mates_separate_with_narrow_views_and_across_edges() {
    let narrow = Flock::new(5.0).with_rules(1.0, 0.0, 0.0).with_view_angle(1.0);
    let here = at(1.0, 1.0);
    let tiny = Bounds::rect(Vec2::splat(-2.0), Vec2::splat(2.0), BoundsEdge::Wrap);
    let ring =
        Bounds::rect(Vec2::new(-2.0, f32::NEG_INFINITY), Vec2::new(2.0, f32::INFINITY), tiny.edge);
    // The last two stand at opposite edges, next to each other.
    let edges = [at(-2.0, 1.0), at(1.999_999_9, 1.0)];
    for (places, bounds) in [
        ([here, here], Bounds::UNBOUNDED),
        ([here, at(-3.0, 5.0)], tiny),
        ([here, at(-3.0, 1.0)], ring),
        (edges, tiny),
    ] {
        let [one, two] = wishes(&places, narrow, bounds)[..] else { unreachable!() };
        assert!(one.length() > 0.1 && (one + two).length() < 1e-4, "{places:?}: {one} {two}");
    }
}

#[test]
fn things_that_are_no_agents_are_no_neighbors() {
    let wish = |has_things: bool| {
        let mut sim = Sim::without_motion();
        let flock = Flock::new(5.0).with_cruise(0.0);
        let [agent, ..] = [at(0.0, 0.0), at(1.0, 1.0)].map(|place| {
            let body = (strong(5.0), flock, SteeringLayers::default());
            sim.spawn((body, place))
        });
        if has_things {
            sim.spawn((SteeringLayers::default(), at(-1.0, 0.5)));
            sim.spawn((SteeringLayers::default(), Velocity(Vec3::Y * 9.0), at(0.5, -1.0)));
        }
        sim.tick();
        sim.wish(agent)
    };
    assert!(wish(false) != Vec3::ZERO);
    assert_eq!(wish(true), wish(false));
}

#[test]
fn an_agent_next_to_the_end_of_a_world_flocks_as_others() {
    let half = 50.0_f32;
    let bounds = Bounds::rect(Vec2::splat(-half), Vec2::splat(half), BoundsEdge::Wrap);
    let flock = Flock::new(5.0).with_rules(0.0, 0.0, 1.0);
    let in_the_middle = wishes(&[at(0.0, 0.0), at(-2.0, 0.0), at(1.0, 2.0)], flock, bounds);
    for x in [half.next_down(), half.next_down().next_down()] {
        let places = [at(x, 0.0), at(x - 2.0, 0.0), at(x + 1.0 - 2.0 * half, 2.0)];
        let at_the_end = wishes(&places, flock, bounds);
        for (one, other) in in_the_middle.iter().zip(&at_the_end) {
            assert!((one - other).length() < 1e-4, "{x}: {in_the_middle:?} {at_the_end:?}");
        }
    }
}

#[test]
fn flock_steers_in_its_own_plane() {
    let mut sim = Sim::without_motion();
    let agents = [0.0, 0.5].map(|z| {
        let flock = Flock::new(4.0).with_rules(1.0, 0.0, 0.0).with_cruise(0.0);
        sim.spawn((strong(5.0), flock, SteeringPlane::Xz, Transform::from_xyz(0.0, 0.0, z)))
    });
    sim.tick();
    let [one, other] = agents.map(|agent| sim.wish(agent));
    assert!(one.z < -0.1 && other.z > 0.1, "{one} {other}");
    assert!((one + other).length() < 1e-5 && one.x.abs() + one.y.abs() < 1e-6);
}

#[test]
fn equal_weights_for_different_rules_are_distinguished() {
    let wish = |first: Flock, second: Flock| {
        let mut sim = Sim::without_motion();
        let agents = [first, second].map(|flock| sim.spawn((strong(5.0), flock, at(0.0, 1.0))));
        for (i, agent) in agents.into_iter().enumerate() {
            sim.get_mut::<Transform>(agent).translation.x = i as f32;
            sim.get_mut::<Velocity>(agent).0 = Vec3::Y * i as f32;
        }
        sim.tick();
        agents.map(|agent| sim.wish(agent))
    };
    let one = Flock::new(4.0).with_rules(1.0, 0.5, 0.25);
    let other = Flock::new(4.0).with_rules(0.5, 1.0, 0.25);
    let ([first, _], [_, second]) = (wish(one, one), wish(other, other));
    assert_eq!(wish(one, other), [first, second]);
    assert_ne!(wish(one, one)[1], second);
}

#[test]
fn the_view_follows_velocity_or_heading_at_rest() {
    let sees = |velocity: Vec3| {
        let flock = Flock::new(4.0).with_rules(0.0, 0.0, 1.0).with_view_angle(2.0);
        let flock = flock.with_cruise(0.0);
        let mut sim = Sim::without_motion();
        let agent = sim.spawn((strong(5.0), flock, KeepRotation, Velocity(velocity)));
        for place in [at(2.0, 0.0), at(0.0, 2.0)] {
            sim.spawn((strong(5.0), Flock::default(), place));
        }
        sim.tick();
        let wish = sim.wish(agent);
        [wish.x > 0.1, wish.y > 0.1]
    };
    assert_eq!(sees(Vec3::ZERO), [true, false]);
    assert_eq!(sees(Vec3::Y), [false, true]);
}

#[test]
fn only_coincident_mates_choose_the_separation_direction() {
    let flock = Flock::new(3.0).with_rules(1.0, 0.0, 0.0);
    let two = wishes(&[at(0.5, 0.0), at(0.5, 0.0)], flock, Bounds::UNBOUNDED);
    for (x, y) in [(0.5, -3.1), (0.5, 3.1), (-2.6, 0.0), (3.6, 0.0)] {
        let three = wishes(&[at(0.5, 0.0), at(0.5, 0.0), at(x, y)], flock, Bounds::UNBOUNDED);
        assert_eq!(three[..2], two, "{x} {y}");
    }
}

#[test]
fn max_neighbors_is_kept_in_small_groups() {
    let flock = |most| Flock::new(4.0).with_rules(0.0, 0.0, 1.0).with_max_neighbors(most);
    let places = [at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.0), at(3.0, 0.0)];
    let offset = |most| wishes(&places, flock(most), Bounds::UNBOUNDED)[0].x * 4.0 / 5.0;
    assert!((offset(3) - 2.0).abs() < 1e-5, "the middle of all three: {}", offset(3));
    let of_two = [1.5, 2.0, 2.5].map(|middle: f32| (offset(2) - middle).abs());
    assert!(of_two.iter().any(|error| *error < 1e-5), "of two: {}", offset(2));
    assert!((1..=3).any(|one| (offset(1) - one as f32).abs() < 1e-5), "of one: {}", offset(1));
    // At even distances the middle of two may be that of all three; at these it is not.
    let lopsided = [at(0.0, 0.0), at(0.5, 0.0), at(1.0, 0.0), at(3.5, 0.0)];
    let offset = wishes(&lopsided, flock(2), Bounds::UNBOUNDED)[0].x * 4.0 / 5.0;
    let middles = [0.75, 2.0, 2.25];
    assert!(middles.iter().any(|middle| (offset - middle).abs() < 1e-5), "{offset}");
}

#[test]
fn flock_ignores_layers_without_members() {
    let flock = Flock::new(4.0).with_rules(1.0, 1.0, 1.0);
    let places = [at(0.0, 0.0), at(1.0, 0.0)];
    assert_ne!(wishes(&places, flock, Bounds::UNBOUNDED), [Vec3::ZERO; 2]);
    let elsewhere = flock.with_layers(SteeringLayers::layer(5));
    assert_eq!(wishes(&places, elsewhere, Bounds::UNBOUNDED), [Vec3::ZERO; 2]);
}
