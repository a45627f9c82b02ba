//! The ways of agents to their goals, round what stands in between.

use std::f32::consts::TAU;

use bevy::{math::ops, prelude::*};
use bevy_steer::{GoalBlocked, Path, prelude::*};

use crate::{
    behaviors::modes,
    common::{Sim, block, place},
};

/// How an agent got to its goal.
#[derive(Clone, Debug, Default)]
struct Trip {
    /// The length of its way, in units, as long as it was not near its end.
    way: f32,
    end: Vec3,
    has_arrived: bool,
    is_at_rest: bool,
    /// How often its goal was reported as blocked.
    blocked: usize,
}

#[derive(Resource, Default)]
struct Seen {
    arrived: Vec<Entity>,
    blocked: Vec<Entity>,
}

/// A world in a plane that notes what agents report.
pub(super) fn world(plane: SteeringPlane) -> Sim {
    let mut sim = Sim::in_plane(plane);
    sim.app.init_resource::<Seen>();
    sim.app.add_observer(|on: On<Arrived>, mut seen: ResMut<Seen>| seen.arrived.push(on.entity));
    sim.app
        .add_observer(|on: On<GoalBlocked>, mut seen: ResMut<Seen>| seen.blocked.push(on.entity));
    sim
}

/// Lets agents travel for some seconds.
fn trips(sim: &mut Sim, agents: &[Entity], seconds: f32) -> Vec<Trip> {
    let mut trips = vec![Trip::default(); agents.len()];
    let mut tracks = vec![Vec::new(); agents.len()];
    for _ in 0..(seconds * sim.hz) as usize {
        sim.tick();
        for (i, &agent) in agents.iter().enumerate() {
            tracks[i].push(sim.position(agent));
        }
    }
    let seen = std::mem::take(&mut *sim.app.world_mut().resource_mut::<Seen>());
    for (i, (trip, track)) in trips.iter_mut().zip(tracks).enumerate() {
        let agent = agents[i];
        trip.end = sim.position(agent);
        let near = track.iter().rposition(|place| place.distance(trip.end) > 0.1).unwrap_or(0);
        trip.way = track[..=near].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        trip.has_arrived = seen.arrived.contains(&agent);
        trip.is_at_rest = sim.velocity(agent).length() < 0.02 * sim.get::<Vehicle>(agent).max_speed;
        trip.blocked = seen.blocked.iter().filter(|one| **one == agent).count();
    }
    trips
}

/// The length of the shortest way of a round body round a box about the origin, or a little more.
fn way_round(half: Vec2, radius: f32, from: Vec2, to: Vec2) -> f32 {
    let half = half + radius;
    let corners =
        [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|signs| Vec2::from(signs) * half);
    let places: Vec<Vec2> = [from, to].into_iter().chain(corners).collect();
    let is_free = |a: Vec2, b: Vec2| {
        (1..300).all(|i| (a.lerp(b, i as f32 / 300.0).abs() - half).max_element() >= -2e-3)
    };
    let mut least = vec![f32::INFINITY; places.len()];
    least[0] = 0.0;
    for _ in 0..places.len() {
        for i in 0..places.len() {
            for j in (0..places.len()).filter(|&j| is_free(places[i], places[j])) {
                least[j] = least[j].min(least[i] + places[i].distance(places[j]));
            }
        }
    }
    least[1]
}

/// What moves an agent to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drive {
    Seek,
    Arrive,
    Path,
}

impl Drive {
    pub(super) const ALL: [Self; 3] = [Self::Seek, Self::Arrive, Self::Path];

    pub(super) fn give(self, sim: &mut Sim, agent: Entity, goal: Vec3) {
        let mut agent = sim.app.world_mut().entity_mut(agent);
        match self {
            Self::Seek => agent.insert(Seek::new(goal)),
            Self::Arrive => agent.insert(Arrive::new(goal)),
            Self::Path => agent.insert(PathFollow::new(Path::new([goal]))),
        };
    }
}

/// Agents that do not see each other, on a circle about the origin.
fn circle(sim: &mut Sim, plane: SteeringPlane, count: usize, radius: f32) -> Vec<(Entity, Vec2)> {
    let angle = |i: usize| (i as f32 + 0.2) * TAU / count as f32;
    let starts: Vec<Vec2> = (0..count).map(|i| Vec2::from_angle(angle(i)) * radius).collect();
    let spawn = |start: Vec2| {
        let transform = Transform::from_translation(place(plane, start));
        (sim.spawn((Vehicle::default(), AvoidObstacles::default(), transform)), start)
    };
    starts.into_iter().map(spawn).collect()
}

/// A room with a door in its lower side, of which an agent sees one side at a time.
#[test]
fn a_way_out_of_a_room_leads_through_its_door() {
    let corners = [(5.8, 0.0), (10.0, 0.0), (10.0, 9.0), (0.0, 9.0), (0.0, 0.0), (4.2, 0.0)];
    let starts = [(8.0, 1.5), (9.3, 0.7), (6.5, 2.0), (9.0, 8.0), (2.0, 7.0), (0.7, 0.7)];
    let default = Arbitration::default();
    for (plane, is_box, size, mode, think) in [
        (SteeringPlane::Xy, false, 1.0, default.clone(), 1),
        (SteeringPlane::Xz, false, 1.0, default.clone(), 4),
        (SteeringPlane::Xy, true, 1.0, default.clone(), 1),
        (SteeringPlane::Xz, true, 1.0, modes()[1].clone(), 1),
        (SteeringPlane::Xy, false, 1.0, modes()[2].clone(), 1),
        (SteeringPlane::Xy, false, 1.0, modes()[3].clone(), 1),
        (SteeringPlane::Xy, false, 3.0, default, 1),
    ] {
        let mut sim = world(plane);
        for side in corners.windows(2) {
            let [from, to] = [side[0], side[1]].map(|corner| size * Vec2::from(corner));
            if is_box {
                let sides = (to - from).abs() + 0.1;
                let middle = Transform::from_translation(place(plane, from.midpoint(to)));
                sim.spawn((block(plane, sides), middle));
            } else {
                sim.spawn(Wall::new(place(plane, from), place(plane, to)));
            }
        }
        for goal in [Vec2::new(14.0, -1.5), Vec2::new(-4.0, -1.5)].map(|goal| size * goal) {
            let spawn = |start| {
                let start = Transform::from_translation(place(plane, size * Vec2::from(start)));
                let body = Vehicle::new(5.0 * size).with_radius(0.5 * size);
                let decides = (mode.clone(), ThinkEvery(think));
                let arrive = Arrive::new(place(plane, goal));
                let agent = sim.spawn((body, decides, arrive, start));
                let mut entity = sim.app.world_mut().entity_mut(agent);
                if is_box {
                    entity.insert(AvoidObstacles::default());
                } else {
                    entity.insert(AvoidWalls::default());
                }
                agent
            };
            let agents = starts.map(spawn);
            for (trip, start) in trips(&mut sim, &agents, 15.0).iter().zip(starts) {
                let door = size * Vec2::new(5.0, 0.0);
                let least = door.distance(size * Vec2::from(start)) + door.distance(goal);
                let case =
                    format!("{plane:?} {is_box} {size} {mode:?} {think} {start:?} to {goal}");
                assert!(trip.has_arrived && trip.way < 1.5 * least, "{case}: {least} {trip:?}");
            }
        }
    }
}

#[test]
fn every_place_beside_an_obstacle_is_reached_on_a_short_way() {
    let half = Vec2::new(3.0, 2.0);
    let usual = Vehicle::default();
    let planes = [SteeringPlane::Xy, SteeringPlane::Xz].map(|plane| (plane, default(), usual));
    let modes = modes().into_iter().skip(1).map(|mode| (SteeringPlane::Xy, mode, usual));
    let bodies = [(0.2, 5.0), (1.0, 5.0), (0.5, 2.5), (0.5, 10.0)];
    let bodies = bodies.map(|(radius, speed)| Vehicle::new(speed).with_radius(radius));
    let bodies = bodies.map(|body| (SteeringPlane::Xy, default(), body));
    for (plane, mode, body) in planes.into_iter().chain(modes).chain(bodies) {
        let r = body.radius;
        let is_usual = mode == default() && body == usual;
        let gaps: &[f32] = if is_usual { &[0.0, 0.05, 0.1, 0.2, 0.4] } else { &[0.0, 0.2] };
        for &gap in gaps {
            for (goal, think) in [
                (Vec2::new(3.0 + r + gap, 0.5), 1),
                (Vec2::new(-1.0, 2.0 + r + gap), 1),
                (Vec2::new(2.9, -2.0 - r - gap), 3),
            ] {
                let mut sim = world(plane);
                sim.spawn(block(plane, 2.0 * half));
                let starts = circle(&mut sim, plane, 12, 12.0);
                for (agent, _) in &starts {
                    let mut agent = sim.app.world_mut().entity_mut(*agent);
                    let arrive = Arrive::new(place(plane, goal));
                    agent.insert((arrive, ThinkEvery(think), mode.clone(), body));
                }
                let agents: Vec<Entity> = starts.iter().map(|(agent, _)| *agent).collect();
                for (trip, (_, from)) in trips(&mut sim, &agents, 20.0).iter().zip(&starts) {
                    let least = way_round(half, r, *from, goal);
                    let case = format!("{plane:?} {mode:?} {r} {} {gap}", body.max_speed);
                    let case = format!("{case} {goal} from {from}: {least} {trip:?}");
                    assert!(trip.has_arrived && trip.is_at_rest && trip.blocked == 0, "{case}");
                    assert!(trip.end.distance(place(plane, goal)) < 0.3 * r, "{case}");
                    assert!(trip.way < 1.2 * least, "{case}");
                }
            }
        }
    }
}

#[test]
fn every_place_beside_a_sphere_is_reached_on_a_short_way() {
    let (round, far) = (3.5, 12.0);
    let default = Arbitration::default();
    let modes = modes().into_iter().map(|mode| (SteeringPlane::Xy, mode));
    let others = [SteeringPlane::Xz, SteeringPlane::Free].map(|plane| (plane, default.clone()));
    for (plane, mode) in modes.chain(others) {
        for (gap, think) in [(0.0, 1), (0.05, 1), (0.05, 3), (0.1, 1), (0.2, 3), (0.4, 1)] {
            let goal = Vec2::from_angle(0.7) * (round + gap);
            let mut sim = world(plane);
            sim.spawn(Obstacle::sphere(3.0));
            let starts = circle(&mut sim, plane, 12, far);
            for (agent, _) in &starts {
                let mut agent = sim.app.world_mut().entity_mut(*agent);
                let arrive = Arrive::new(place(plane, goal));
                agent.insert((arrive, ThinkEvery(think), mode.clone()));
            }
            let agents: Vec<Entity> = starts.iter().map(|(agent, _)| *agent).collect();
            for (trip, (_, from)) in trips(&mut sim, &agents, 20.0).iter().zip(&starts) {
                // Two tangents to a circle, and the arc between them; or straight.
                let straight = [far, round + gap].map(|it| (it * it - round * round).sqrt());
                let bent = [far, round + gap].map(|it| ops::acos(round / it));
                let arc = from.angle_to(goal).abs() - bent[0] - bent[1];
                let least = if arc > 0.0 {
                    straight[0] + straight[1] + round * arc
                } else {
                    from.distance(goal)
                };
                let case =
                    format!("{plane:?} {mode:?} {gap} {think} from {from}: {least} {trip:?}");
                assert!(trip.has_arrived && trip.is_at_rest && trip.blocked == 0, "{case}");
                assert!(trip.end.distance(place(plane, goal)) < 0.15, "{case}");
                assert!(trip.way < 1.2 * least, "{case}");
            }
        }
    }
}

#[test]
fn a_place_in_a_corner_of_two_walls_or_boxes_is_reached() {
    let (xy, xz, usual) = (SteeringPlane::Xy, SteeringPlane::Xz, Vehicle::default());
    let mut cases = vec![(xz, default(), 1, usual), (xz, default(), 3, usual)];
    cases.extend(modes().map(|mode| (xy, mode, 1, usual)));
    cases.push((xy, default(), 3, usual));
    for (radius, speed) in [(0.2, 5.0), (1.0, 5.0), (0.5, 2.5), (0.5, 10.0)] {
        cases.push((xy, default(), 1, Vehicle::new(speed).with_radius(radius)));
    }
    for (gap, is_box) in
        [0.0, 0.03, 0.1, 0.3].into_iter().flat_map(|gap| [(gap, false), (gap, true)])
    {
        for (plane, mode, think, body) in cases.clone() {
            let mut sim = world(plane);
            for (end, middle, sides) in [
                (Vec2::new(5.0, -20.0), Vec2::new(6.0, -7.5), Vec2::new(2.0, 25.0)),
                (Vec2::new(-20.0, 5.0), Vec2::new(-7.5, 6.0), Vec2::new(25.0, 2.0)),
            ] {
                if is_box {
                    let middle = Transform::from_translation(place(plane, middle));
                    sim.spawn((block(plane, sides), middle));
                } else {
                    sim.spawn(Wall::new(place(plane, end), place(plane, Vec2::splat(5.0))));
                }
            }
            let goal = Vec2::splat(5.0 - body.radius - gap);
            let starts: Vec<Vec2> =
                (0..8).map(|i| Vec2::new(i as f32 - 5.0, 2.0 - i as f32)).collect();
            let spawn = |start: &Vec2| {
                let start = Transform::from_translation(place(plane, *start));
                let arrive = (Arrive::new(place(plane, goal)), mode.clone(), ThinkEvery(think));
                let agent = sim.spawn((body, arrive, SteeringLayers::NONE, start));
                let mut entity = sim.app.world_mut().entity_mut(agent);
                if is_box {
                    entity.insert(AvoidObstacles::default());
                } else {
                    entity.insert(AvoidWalls::default());
                }
                agent
            };
            let agents: Vec<Entity> = starts.iter().map(spawn).collect();
            for (trip, start) in trips(&mut sim, &agents, 15.0).iter().zip(starts) {
                let case = format!(
                    "{is_box} {plane:?} {mode:?} {think} {} {}",
                    body.radius, body.max_speed
                );
                let case = format!("{case}: {gap} from {start}: {trip:?}");
                assert!(trip.has_arrived && trip.is_at_rest && trip.blocked == 0, "{case}");
                assert!(trip.end.distance(place(plane, goal)) < 0.3 * body.radius, "{case}");
                assert!(trip.way < 1.2 * start.distance(goal), "{case}");
            }
        }
    }
}

/// The goal of eight agents on a circle is in a sphere or a box about the origin.
#[derive(Clone, Debug)]
struct Inside {
    plane: SteeringPlane,
    half: Vec2,
    is_sphere: bool,
    goal: Vec2,
    drive: Drive,
    body: Vehicle,
    mode: Arbitration,
    think: ThinkEvery,
}

impl Inside {
    fn check(&self) {
        let Self { plane, half, is_sphere, goal, drive, body, think, .. } = *self;
        let mut sim = world(plane);
        sim.spawn(if is_sphere { Obstacle::sphere(half.x) } else { block(plane, 2.0 * half) });
        let starts = circle(&mut sim, plane, 8, half.length() + 8.0);
        for (agent, _) in &starts {
            drive.give(&mut sim, *agent, place(plane, goal));
            sim.app.world_mut().entity_mut(*agent).insert((body, self.mode.clone(), think));
        }
        let agents: Vec<Entity> = starts.iter().map(|(agent, _)| *agent).collect();
        let nearest =
            if is_sphere { half.x - goal.length() } else { (half - goal.abs()).min_element() };
        for (trip, (_, from)) in trips(&mut sim, &agents, 25.0).iter().zip(&starts) {
            let end = [Vec2::X, Vec2::Y].map(|axis| place(plane, axis).dot(trip.end));
            // The box around a sphere is no shortest way.
            let inner = if is_sphere { half * 0.7 } else { half };
            let least = way_round(inner, body.radius, *from, Vec2::from(end));
            let case = format!("{self:?} from {from}: {least} {trip:?}");
            assert!(trip.is_at_rest, "{case}");
            assert!(trip.blocked == 1, "{case}");
            assert!(trip.has_arrived == matches!(drive, Drive::Arrive), "{case}");
            let off = trip.end.distance(place(plane, goal));
            assert!(off < nearest + 1.3 * body.radius, "{case}: {off} but {nearest}");
            assert!(trip.way < 1.3 * least, "{case}");
        }
    }
}

#[test]
fn an_agent_rests_beside_what_its_goal_is_in() {
    for (half, is_sphere) in [
        (Vec2::splat(1.0), true),
        (Vec2::splat(3.0), true),
        (Vec2::new(3.0, 2.0), false),
        (Vec2::splat(10.0), false),
    ] {
        for off in [0.0, 0.3, 0.8] {
            let usual = Inside {
                plane: SteeringPlane::Xy,
                half,
                is_sphere,
                goal: half * off * Vec2::new(0.7, 0.3),
                drive: Drive::Arrive,
                body: Vehicle::default(),
                mode: default(),
                think: ThinkEvery(1),
            };
            for plane in SteeringPlane::ALL {
                // In free space the way over a box may be the shortest.
                if plane != SteeringPlane::Free || is_sphere {
                    for drive in Drive::ALL {
                        Inside { plane, drive, ..usual.clone() }.check();
                    }
                }
            }
            if off != 0.3 {
                continue;
            }
            for mode in modes().into_iter().skip(1) {
                Inside { mode, ..usual.clone() }.check();
            }
            for drive in [Drive::Arrive, Drive::Seek] {
                Inside { drive, think: ThinkEvery(3), ..usual.clone() }.check();
            }
            for (radius, speed) in [(0.2, 10.0), (1.0, 5.0), (0.5, 2.5)] {
                let body = Vehicle::new(speed).with_radius(radius);
                Inside { body, ..usual.clone() }.check();
            }
        }
    }
}

#[test]
fn whatever_goes_for_something_in_an_obstacle_says_so_and_rests() {
    type Follow = fn(&mut EntityWorldMut, Entity);
    let followers: [(&str, Follow); 4] = [
        ("Seek", |agent, target| _ = agent.insert(Seek::new(target))),
        ("Arrive", |agent, target| _ = agent.insert(Arrive::new(target))),
        ("Pursue", |agent, target| _ = agent.insert(Pursue::new(target))),
        ("OffsetPursue", |agent, target| {
            _ = agent.insert(OffsetPursue::new(target, Vec3::new(0.2, 0.1, 0.0)));
        }),
    ];
    for plane in SteeringPlane::ALL {
        for (name, follow) in followers {
            for mode in modes() {
                let mut sim = world(plane);
                sim.spawn(Obstacle::sphere(3.0));
                let middle = place(plane, Vec2::new(0.5, 0.2));
                let target = sim.spawn(Transform::from_translation(middle));
                let agents: Vec<Entity> =
                    circle(&mut sim, plane, 5, 11.0).into_iter().map(|(agent, _)| agent).collect();
                for &agent in &agents {
                    let mut agent = sim.app.world_mut().entity_mut(agent);
                    follow(agent.insert(mode.clone()), target);
                }
                for trip in trips(&mut sim, &agents, 15.0) {
                    let case = format!("{name} {plane:?} {mode:?}: {trip:?}");
                    assert!(trip.is_at_rest && trip.blocked == 1, "{case}");
                    assert!(trip.end.length() < 3.0 + 0.5 + 0.15, "{case}");
                }
            }
        }
    }
}

#[test]
fn a_goal_that_gets_free_and_blocked_again_is_told_again() {
    let mut sim = world(SteeringPlane::Xy);
    let agent =
        sim.spawn((Vehicle::default(), AvoidObstacles::default(), Arrive::new(Vec2::X * 8.0)));
    let stone = sim.spawn((Obstacle::sphere(1.0), Transform::from_xyz(8.0, 0.0, 0.0)));
    let blocked = |sim: &mut Sim| sim.app.world().resource::<Seen>().blocked.len();
    sim.run(5.0);
    assert_eq!(blocked(&mut sim), 1);
    sim.app.world_mut().get_mut::<Transform>(stone).unwrap().translation.y = 20.0;
    sim.run(5.0);
    assert!(sim.position(agent).distance(Vec3::X * 8.0) < 0.15);
    let mut place = Transform::from_xyz(9.0, 0.0, 0.0);
    std::mem::swap(&mut *sim.app.world_mut().get_mut::<Transform>(stone).unwrap(), &mut place);
    sim.run(5.0);
    assert_eq!(blocked(&mut sim), 2);
}
