//! Agents and the bodies of others: which of them they avoid, go for and make room for.

use bevy::prelude::*;
use bevy_steer::{Arbitration, Heading, Velocity, prelude::*};

use super::modes;
use crate::common::{Seen, Sim, at, place, rng::TestRng, watch};

/// Gives an agent a behaviour that goes for another one.
type Follow = fn(&mut EntityWorldMut, Entity);

const PREY: SteeringLayers = SteeringLayers::layer(7);

const FOLLOWERS: [(&str, Follow); 5] = [
    ("Seek", |agent, target| _ = agent.insert(Seek::new(target))),
    ("Arrive", |agent, target| _ = agent.insert(Arrive::new(target))),
    ("Pursue", |agent, target| _ = agent.insert(Pursue::new(target))),
    ("OffsetPursue", |agent, target| {
        _ = agent.insert(OffsetPursue::new(target, Vec3::new(1.5, 0.0, 0.0)));
    }),
    ("nearest", |agent, _| _ = agent.insert(Seek::new(Target::nearest(PREY, 50.0)))),
];

/// A position along the forward direction of a plane, and to its left.
fn on(plane: SteeringPlane, along: f32, aside: f32) -> Transform {
    Transform::from_translation(place(plane, Vec2::new(along, aside)))
}

fn position(world: &World, agent: Entity) -> Vec3 {
    world.get::<Transform>(agent).unwrap().translation
}

/// How far an agent with a behaviour is moved by `count` others that go for it, and how near the
/// first of them comes.
fn followed(
    plane: SteeringPlane,
    count: usize,
    follow: Follow,
    own: impl Bundle,
    others: impl Bundle + Clone,
) -> (f32, f32) {
    let mut sim = Sim::in_plane(plane);
    let target =
        sim.spawn((Vehicle::default(), AvoidAgents::default(), PREY.or(SteeringLayers(1))));
    sim.app.world_mut().entity_mut(target).insert(own);
    let mut first = None;
    for i in 0..count {
        let start = on(plane, -10.0, 1.2 * i as f32);
        let agent = sim.spawn((Vehicle::default(), AvoidAgents::default(), start));
        let mut agent_mut = sim.app.world_mut().entity_mut(agent);
        follow(agent_mut.insert(others.clone()), target);
        first = first.or(Some(agent));
    }
    let (mut far, mut near) = (0.0_f32, f32::MAX);
    sim.run_with(30.0, |world| {
        let [own, other] = [target, first.unwrap()].map(|agent| position(world, agent));
        far = far.max(own.length());
        near = near.min(own.distance(other));
    });
    (far, near)
}

#[test]
fn an_agent_does_not_give_way_to_those_that_go_for_it() {
    for (name, follow) in FOLLOWERS {
        for plane in SteeringPlane::ALL {
            for count in [1, 6] {
                let (far, near) = followed(plane, count, follow, (), ());
                assert!(far < 1e-3, "{name}, {count} in {plane:?}: moved by {far}");
                // Six with one slot push each other a little.
                let touches = !matches!(name, "Arrive" | "OffsetPursue");
                let least = if count == 1 { 0.98 } else { 0.95 };
                let is_right = if touches { near < 0.98 } else { near > least };
                assert!(is_right, "{name}, {count} in {plane:?}: {near}");
            }
        }
        let xy = SteeringPlane::Xy;
        let results = [
            followed(xy, 1, follow, Stop::default(), ()),
            followed(xy, 6, follow, Stop::default(), ()),
            followed(xy, 3, follow, (), ThinkEvery(4)),
            followed(xy, 3, follow, ThinkEvery(4), Arbitration::WeightedSum),
            followed(xy, 3, follow, (), Vehicle::default().with_radius(1.5)),
        ];
        for (far, _) in results {
            assert!(far < 1e-3, "{name}: {results:?}");
        }
    }
}

#[test]
fn targets_are_avoided_where_the_agent_asks_for_it() {
    for (name, follow) in FOLLOWERS {
        let avoid = AvoidAgents::default().with_avoid_targets(true);
        let (far, near) = followed(SteeringPlane::Xy, 1, follow, (), avoid);
        assert!(far < 1e-3 && near > 1.0, "{name}: moved by {far}, {near}");
    }
}

#[test]
fn whoever_goes_for_a_part_goes_for_the_whole() {
    let mut sim = Sim::new();
    let tank = sim.spawn((Vehicle::default(), AvoidAgents::default()));
    let turret = sim.spawn((at(0.0, 0.3), ChildOf(tank)));
    sim.spawn((Vehicle::default(), AvoidAgents::default(), Seek::new(turret), at(-8.0, 0.0)));
    sim.run(6.0);
    assert!(sim.position(tank).length() < 1e-3);
}

#[test]
fn agents_that_go_for_each_other_share_the_avoiding() {
    let mut sim = Sim::new();
    let [a, b] = [-6.0, 6.0].map(|x| sim.spawn((Vehicle::default(), at(x, 0.0))));
    for (agent, other) in [(a, b), (b, a)] {
        let follow = (OffsetPursue::new(other, Vec3::ZERO), AvoidAgents::default());
        sim.app.world_mut().entity_mut(agent).insert(follow);
    }
    let mut near = f32::MAX;
    sim.run_with(8.0, |world| near = near.min(position(world, a).distance(position(world, b))));
    let middle = (sim.position(a) + sim.position(b)) / 2.0;
    // Each follows the velocity of the other, so a little of what they have in common lasts.
    assert!(near > 0.99 && middle.length() < 0.5, "{near} {middle}");
}

#[test]
fn arriving_at_a_body_ends_at_its_surface() {
    let planes = SteeringPlane::ALL.map(|plane| (plane, Arbitration::default(), 1));
    let modes = modes().into_iter().skip(1).map(|mode| (SteeringPlane::Xy, mode, 1));
    let seldom = [(SteeringPlane::Xy, default(), 3)];
    for (plane, mode, think) in planes.into_iter().chain(modes).chain(seldom) {
        for radius in [0.2, 0.5, 3.0] {
            // The agent, and what it goes for.
            for [avoids, is_avoiding] in [[true, false], [false, false], [true, true]] {
                let mut sim = Sim::in_plane(plane);
                watch(&mut sim.app);
                let target = sim.spawn(Vehicle::default().with_radius(radius));
                let decides = (Arrive::new(target), mode.clone(), ThinkEvery(think));
                let agent = sim.spawn((Vehicle::default(), decides, on(plane, -10.0, 1.0)));
                for (body, avoids) in [(agent, avoids), (target, is_avoiding)] {
                    if avoids {
                        sim.app.world_mut().entity_mut(body).insert(AvoidAgents::default());
                    }
                }
                sim.run(8.0);
                let gap = sim.position(agent).distance(sim.position(target)) - radius - 0.5;
                let case = format!("{plane:?} {mode:?} {think} {radius} {avoids} {is_avoiding}");
                assert!((-0.02..=0.1).contains(&gap), "{case}: {gap}");
                let seen = &sim.app.world().resource::<Seen>().0;
                let has_arrived = seen.len() == 1 && seen[0].starts_with("Arrived");
                assert!(has_arrived, "{case}: {seen:?}");
            }
        }
    }
}

#[test]
fn fast_bodies_are_dodged_sideways() {
    for plane in SteeringPlane::ALL {
        for (distance, speed) in [
            (5.0, 5.0),
            (5.0, 10.0),
            (10.0, 7.0),
            (10.0, 14.0),
            (10.0, 20.0),
            (20.0, 28.0),
            (20.0, 34.0),
            (20.0, 40.0),
            (25.0, 50.0),
            (30.0, 45.0),
            (40.0, 18.0),
            (40.0, 36.0),
            (40.0, 50.0),
        ] {
            let decides = modes().map(|mode| (0.0, 0.1, 1, mode)).into_iter();
            let others = [(0.2, 0.1, 1), (0.0, 0.3, 1), (-0.1, 0.1, 3)];
            let others = others.map(|(aside, radius, every)| (aside, radius, every, default()));
            for (aside, radius, every, mode) in decides.chain(others) {
                let mut sim = Sim::in_plane(plane);
                let forward = plane.forward();
                let decides = (ThinkEvery(every), mode.clone());
                let idle = sim.spawn((Vehicle::default(), AvoidAgents::default(), decides));
                let bullet = sim.spawn((
                    Vehicle::new(speed).with_radius(radius),
                    WhenIdle::Coast,
                    Velocity(forward * speed),
                    on(plane, -distance, aside),
                ));
                let (mut least, mut along) = (f32::MAX, 0.0_f32);
                sim.run_with(distance / speed + 0.5, |world| {
                    let [own, other] = [idle, bullet].map(|agent| position(world, agent));
                    least = least.min(own.distance(other));
                    along = along.max(own.dot(forward).abs());
                });
                let what = format!(
                    "{plane:?} from {distance} at {speed}, {aside} {radius} {every} {mode:?}"
                );
                assert!(least > 0.5 + radius, "{what}: {least}");
                assert!(along < 0.4, "{what}: it ran away by {along}");
            }
        }
    }
}

#[test]
fn where_the_game_puts_an_idle_agent_is_its_place() {
    for plane in SteeringPlane::ALL {
        let decides = modes().map(|mode| (1.9, 1, mode, Vehicle::default()));
        let seldom = [0.5, 1.9].map(|by| (by, 4, default(), Vehicle::default()));
        let moves = [0.05, 0.5, 2.1].map(|by| (by, 1, default(), Vehicle::default()));
        let bodies = [(0.1, 5.0), (2.0, 5.0), (0.5, 1.0), (0.5, 20.0)];
        let bodies = bodies.map(|(radius, speed)| Vehicle::new(speed).with_radius(radius));
        let by_radii = |body: Vehicle| {
            [0.1, 1.0, 3.8, 4.2].map(|radii| (radii * body.radius, 1, default(), body))
        };
        let all = decides.into_iter().chain(seldom).chain(moves);
        for (by, every, mode, body) in all.chain(bodies.into_iter().flat_map(by_radii)) {
            let mut sim = Sim::in_plane(plane);
            let what = format!("{plane:?} {mode:?} {} {}", body.radius, body.max_speed);
            let idle = sim.spawn((body, AvoidAgents::default(), ThinkEvery(every), mode));
            sim.run(1.0);
            let there = on(plane, by, 0.0);
            *sim.get_mut::<Transform>(idle) = there;
            sim.run(3.0);
            let off = sim.position(idle).distance(there.translation);
            assert!(off < 1e-3, "{what}, by {by}, every {every}: {off}");
        }
    }
}

#[test]
fn one_that_the_game_drags_has_its_place_where_it_lets_go() {
    let mut sim = Sim::new();
    let idle = sim.spawn((Vehicle::default(), AvoidAgents::default()));
    sim.run(1.0);
    sim.run_with(0.5, |world| {
        world.get_mut::<Transform>(idle).unwrap().translation += Vec3::X / 64.0;
    });
    sim.run(3.0);
    let place = sim.position(idle);
    assert!(place.distance(Vec3::X * 0.5) < 0.01, "{place}");
}

/// Sixty agents that flock and seek one point, ten seconds later: how often a heading turned by
/// more than 1 rad in a tick, or in a tenth of a second in which the agent was slow.
fn flips(plane: SteeringPlane, body: Vehicle, decides: impl Bundle + Clone) -> (usize, usize) {
    const TICKS: usize = 6;
    let mut sim = Sim::in_plane(plane);
    let mut rng = TestRng::new(3, 3);
    let agents: Vec<Entity> = (0..60)
        .map(|_| {
            let start = on(plane, rng.number(-10.0..10.0), rng.number(-10.0..10.0));
            let goes = (Flock::default(), Seek::new(Vec3::ZERO));
            sim.spawn((body, goes, decides.clone(), start))
        })
        .collect();
    sim.run(10.0);
    let (mut in_a_tick, mut while_slow) = (0, 0);
    // The last headings, and for how many ticks the agent has been slow.
    let mut before = vec![(Vec::new(), 0); agents.len()];
    sim.run_with(10.0, |world| {
        for (agent, (headings, slow)) in agents.iter().zip(&mut before) {
            let heading = world.get::<Heading>(*agent).unwrap().0;
            let velocity = world.get::<Velocity>(*agent).unwrap();
            let turned = |other: &Vec3| heading.angle_between(*other) > 1.0;
            in_a_tick += usize::from(headings.last().is_some_and(turned));
            *slow = if velocity.length() < 0.1 * body.max_speed { *slow + 1 } else { 0 };
            if headings.len() == TICKS {
                let first = headings.remove(0);
                if *slow > TICKS && turned(&first) {
                    (while_slow, *slow) = (while_slow + 1, 0);
                }
            }
            headings.push(heading);
        }
    });
    (in_a_tick, while_slow)
}

#[test]
fn agents_almost_at_rest_do_not_flip() {
    let xy = SteeringPlane::Xy;
    let usual = Vehicle::default();
    for avoid in [AvoidAgents::default(), AvoidAgents::default().disabled()] {
        for plane in SteeringPlane::ALL {
            let flips = flips(plane, usual, avoid);
            assert!(flips == (0, 0), "{plane:?} {}: {flips:?}", avoid.blend.enabled);
        }
        for mode in modes() {
            let flips = flips(xy, usual, (avoid, mode.clone()));
            assert!(flips == (0, 0), "{mode:?} {}: {flips:?}", avoid.blend.enabled);
        }
        let seldom = flips(xy, usual, (avoid, ThinkEvery(3)));
        assert!(seldom == (0, 0), "every third tick {}: {seldom:?}", avoid.blend.enabled);
        for (radius, speed) in [(1.0, 5.0), (0.5, 1.0), (0.2, 5.0), (1.0, 10.0), (0.5, 20.0)] {
            let flips = flips(xy, Vehicle::new(speed).with_radius(radius), avoid);
            assert!(flips == (0, 0), "{radius} {speed} {}: {flips:?}", avoid.blend.enabled);
        }
    }
}
