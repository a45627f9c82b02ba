//! The ways of agents through doors that are hardly wider than they are.

use bevy::prelude::*;
use bevy_steer::{Length, Path, prelude::*};

use super::modes;
use crate::common::{Sim, block, place};

fn at(plane: SteeringPlane, v: Vec2) -> Transform {
    Transform::from_translation(place(plane, v))
}

/// What a door is made of, and what avoids that.
#[derive(Clone, Copy, Debug)]
enum Posts {
    Walls,
    Boxes,
}

impl Posts {
    /// A door so wide in the middle of a wall across the way, 60 units long.
    fn spawn(self, sim: &mut Sim, plane: SteeringPlane, door: f32) {
        for side in [-1.0, 1.0] {
            let [near, far] = [0.5 * door, 30.0].map(|y| Vec2::Y * side * y);
            match self {
                Self::Walls => sim.spawn(Wall::new(place(plane, near), place(plane, far))),
                Self::Boxes => {
                    let sides = Vec2::new(0.2, far.distance(near));
                    sim.spawn((block(plane, sides), at(plane, near.midpoint(far))))
                }
            };
        }
    }

    fn avoid(self, sim: &mut Sim, agent: Entity) {
        let mut agent = sim.app.world_mut().entity_mut(agent);
        match self {
            Self::Walls => agent.insert(AvoidWalls::default()),
            Self::Boxes => agent.insert(AvoidObstacles::default()),
        };
    }
}

/// Gives an agent a path through the middle of the door.
fn follow(sim: &mut Sim, agent: Entity, points: [Vec3; 3], radius: Length, is_corridor: bool) {
    let path = PathFollow::new(Path::new(points));
    let path =
        if is_corridor { path.along_corridor(radius, 0.5) } else { path.by_waypoints(radius) };
    sim.app.world_mut().entity_mut(agent).insert(path);
}

#[test]
fn way_points_lead_through_doors() {
    let (xy, xz, wide, narrow) =
        (SteeringPlane::Xy, SteeringPlane::Xz, Length::Radii(2.0), Length::Radii(0.5));
    let usual = (Arbitration::default(), Vehicle::default().with_radius(0.4), 1);
    let mut cases = vec![];
    for plane in [xy, xz] {
        for (radius, is_corridor) in [(wide, false), (wide, true), (narrow, false), (narrow, true)]
        {
            cases.push((plane, Posts::Walls, radius, is_corridor, usual.clone()));
        }
    }
    for (radius, is_corridor) in [(wide, false), (narrow, true)] {
        cases.push((xy, Posts::Boxes, radius, is_corridor, usual.clone()));
        let seldom = (usual.0.clone(), usual.1, 4);
        cases.push((xy, Posts::Walls, radius, is_corridor, seldom));
        for mode in modes().into_iter().skip(1) {
            cases.push((xy, Posts::Walls, radius, is_corridor, (mode, usual.1, 1)));
        }
        for (size, speed) in [(0.2, 5.0), (0.4, 2.5), (0.4, 10.0)] {
            let body = Vehicle::new(speed).with_radius(size);
            let decides = (usual.0.clone(), body, 1);
            cases.push((xy, Posts::Walls, radius, is_corridor, decides));
        }
    }
    for (plane, posts, radius, is_corridor, (mode, body, think)) in cases {
        for door in [1.0, 1.2, 2.0, 3.0] {
            let mut sim = Sim::in_plane(plane);
            posts.spawn(&mut sim, plane, door);
            let end = |i: usize| Vec2::from_angle(((i * 7 % 30) as f32 - 14.5) * 0.1) * 8.0;
            let agents: Vec<Entity> = (0..30)
                .map(|i| {
                    let start = Vec2::from_angle((i as f32 - 14.5) * 0.1) * -8.0;
                    let decides = (mode.clone(), ThinkEvery(think));
                    let agent = sim.spawn((body, decides, at(plane, start)));
                    posts.avoid(&mut sim, agent);
                    let points = [start, Vec2::ZERO, end(i)].map(|v| place(plane, v));
                    follow(&mut sim, agent, points, radius, is_corridor);
                    agent
                })
                .collect();
            sim.run(15.0);
            let off = |i: usize| sim.position(agents[i]).distance(place(plane, end(i)));
            let stuck: Vec<_> = (0..30).filter(|&i| off(i) > 1.0).collect();
            let case = format!("{plane:?} {posts:?} {radius:?} {is_corridor} {door} {think}");
            let case = format!("{case} {mode:?} {} {}", body.radius, body.max_speed);
            assert!(stuck.is_empty(), "{case}: {stuck:?}");
        }
    }
}

/// An agent of which four come the other way, through a door.
#[derive(Clone, Debug)]
struct Oncoming {
    plane: SteeringPlane,
    posts: Posts,
    /// Of each way point.
    radius: Length,
    is_corridor: bool,
    mode: Arbitration,
    think: ThinkEvery,
}

impl Oncoming {
    /// How far each of the five is from its end after a while.
    fn play(&self, door: f32, angle: f32, aside: f32) -> Vec<f32> {
        let plane = self.plane;
        let mut sim = Sim::in_plane(plane);
        self.posts.spawn(&mut sim, plane, door);
        let from = Vec2::from_angle(angle) * -8.0;
        let mut trips = vec![(from, -from)];
        trips.extend((0..4).map(|i| {
            let row = 0.8 * (i as f32 - 1.5);
            let from = Vec2::new(7.0 + 1.2 * i as f32, row + aside);
            (from, Vec2::new(-10.6 + 1.2 * i as f32, -row))
        }));
        let spawn = |&(from, to): &(Vec2, Vec2)| {
            let body = (Vehicle::default().with_radius(0.4), AvoidAgents::default());
            let decides = (self.mode.clone(), self.think);
            let agent = sim.spawn((body, decides, at(plane, from)));
            self.posts.avoid(&mut sim, agent);
            let points = [from, Vec2::ZERO, to].map(|v| place(plane, v));
            follow(&mut sim, agent, points, self.radius, self.is_corridor);
            agent
        };
        let agents: Vec<Entity> = trips.iter().map(spawn).collect();
        let mut off = vec![f32::INFINITY; agents.len()];
        for _ in 0..25 {
            sim.run(1.0);
            for (off, (&agent, (_, to))) in off.iter_mut().zip(agents.iter().zip(&trips)) {
                *off = sim.position(agent).distance(place(plane, *to));
            }
            if off.iter().all(|&off| off < 1.0) {
                break;
            }
        }
        off
    }
}

#[test]
fn they_do_so_against_four_that_come_the_other_way() {
    const COUNT: usize = 12;
    let usual = Oncoming {
        plane: SteeringPlane::Xy,
        posts: Posts::Walls,
        radius: Length::Radii(2.0),
        is_corridor: false,
        mode: default(),
        think: ThinkEvery(1),
    };
    let mut cases = vec![];
    for plane in [SteeringPlane::Xy, SteeringPlane::Xz] {
        for radius in [0.5, 2.0].map(Length::Radii) {
            for is_corridor in [false, true] {
                cases.push((1, Oncoming { plane, radius, is_corridor, ..usual.clone() }));
            }
        }
    }
    for mode in modes().into_iter().skip(1) {
        cases.push((5, Oncoming { mode, ..usual.clone() }));
    }
    cases.push((5, Oncoming { think: ThinkEvery(3), ..usual.clone() }));
    cases.push((5, Oncoming { posts: Posts::Boxes, ..usual }));
    for (step, case) in cases {
        for door in [1.0, 1.2, 2.0, 3.0] {
            for start in (0..COUNT).step_by(step) {
                let angle = (start as f32 / (COUNT - 1) as f32 - 0.5) * 2.8;
                let off = case.play(door, angle, 0.1 * start as f32);
                let is_there = off.iter().all(|&off| off < 1.0);
                assert!(is_there, "{case:?}, {door} wide, from {start}: {off:?}");
            }
        }
    }
}

/// Goals behind a door, which the straight way passes at a slant, where it is hardly free.
#[test]
fn goals_lead_through_doors() {
    let default = Arbitration::default();
    for (plane, posts, mode, think) in [
        (SteeringPlane::Xy, Posts::Walls, default.clone(), 1),
        (SteeringPlane::Xy, Posts::Boxes, default.clone(), 1),
        (SteeringPlane::Xz, Posts::Walls, default.clone(), 1),
        (SteeringPlane::Xz, Posts::Boxes, default.clone(), 3),
        (SteeringPlane::Xy, Posts::Walls, modes()[1].clone(), 1),
        (SteeringPlane::Xy, Posts::Boxes, modes()[1].clone(), 1),
        (SteeringPlane::Xy, Posts::Boxes, modes()[2].clone(), 1),
        (SteeringPlane::Xy, Posts::Boxes, modes()[3].clone(), 1),
    ] {
        for (door, radius) in [(1.2, 0.5), (1.5, 0.5), (3.0, 0.5), (4.8, 2.0)] {
            for start in 0..20 {
                let mut sim = Sim::in_plane(plane);
                posts.spawn(&mut sim, plane, door);
                let angle = |i: usize| ((i % 20) as f32 / 19.0 - 0.5) * 2.8;
                let far = 8.0_f32.max(8.0 * radius);
                let from = Vec2::from_angle(angle(start)) * -far;
                let goal = Vec2::from_angle(angle(7 * start)) * far;
                let body = Vehicle::default().with_radius(radius);
                let decides = (mode.clone(), ThinkEvery(think));
                let agent = sim.spawn((body, decides, at(plane, from)));
                posts.avoid(&mut sim, agent);
                let arrive = Arrive::new(place(plane, goal));
                sim.app.world_mut().entity_mut(agent).insert(arrive);
                let (mut way, mut before) = (0.0, sim.position(agent));
                let (mut off, most) = (f32::INFINITY, 0.1 + 0.2 * radius);
                for _ in 0..15 {
                    sim.run_with(1.0, |world| {
                        let now = world.get::<Transform>(agent).unwrap().translation;
                        way += now.distance(before);
                        before = now;
                    });
                    off = sim.position(agent).distance(place(plane, goal));
                    if off < most {
                        break;
                    }
                }
                let case = format!("{plane:?} {posts:?} {mode:?} {think}, {radius} in {door}");
                assert!(off < most && way < 1.3 * 2.0 * far, "{case} from {from}: {off} {way}");
            }
        }
    }
}
