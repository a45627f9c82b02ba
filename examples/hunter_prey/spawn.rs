//! The agents, obstacles and walls of the arena.

use std::ops::Range;

use bevy::{math::ops, prelude::*};
use bevy_steer::{KeepRotation, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::game::{ARENA, Dice, HUNTER, Hunter, LURE, PREY, Prey, RESTING, Setup};

/// The least distance between two bodies at the start, in units.
const CLEARANCE: f32 = 10.0;

/// A random position in the arena, at least `from_edge` units from its edge.
pub(super) fn random_place(dice: &mut Pcg32, from_edge: f32) -> Vec3 {
    let half = ARENA - from_edge;
    let unit = Vec2::new(dice.random::<f32>(), dice.random::<f32>()) * 2.0 - 1.0;
    (unit * half).extend(0.0)
}

fn random_direction(dice: &mut Pcg32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(dice.random::<f32>() * core::f32::consts::TAU);
    Vec3::new(cos, sin, 0.0)
}

/// The bodies that are in the arena already.
#[derive(Default)]
pub(super) struct Taken(Vec<Disc>);

struct Disc {
    center: Vec3,
    radius: f32,
}

impl Taken {
    /// The first of some random places that is free; in a crowded arena none may be, then any.
    /// Later bodies keep `claim` units away from it.
    fn claim(&mut self, radius: f32, claim: f32, mut place: impl FnMut() -> Vec3) -> Vec3 {
        let is_free = |place: &Vec3| {
            let gap = |disc: &Disc| place.distance(disc.center) - disc.radius - radius;
            self.0.iter().all(|disc| gap(disc) > CLEARANCE)
        };
        let free = (0..50).map(|_| place()).find(is_free);
        let center = free.unwrap_or_else(place);
        self.0.push(Disc { center, radius: claim });
        center
    }
}

/// Fills the arena.
pub(super) fn populate(mut commands: Commands, mut dice: ResMut<Dice>, setup: Res<Setup>) {
    let dice = &mut dice.0;
    let mut taken = Taken::default();
    let options = &setup.options;
    for index in 1..=options.obstacles {
        let radius = 20.0 + 34.0 * dice.random::<f32>();
        let place = taken.claim(radius, radius, || random_place(dice, radius));
        let drift = random_direction(dice) * (5.0 + 9.0 * dice.random::<f32>());
        commands.spawn((Name::new(format!("Stone {index}")), obstacle(radius, place, drift)));
    }
    spawn_trios(&mut commands, options.hunters, &mut taken, dice);
    spawn_schools(&mut commands, options.prey, &mut taken, dice);
}

/// Seconds from the beginning of a hunt to that of the next.
const CYCLE: f32 = Hunter::STAMINA + Hunter::REST;

/// The members of a trio.
pub(super) const TRIO: u32 = 3;

/// Hunters in trios, which tire in turn, so that always one or the other hunts.
fn spawn_trios(commands: &mut Commands, hunters: u32, taken: &mut Taken, dice: &mut Pcg32) {
    let trios = hunters.div_ceil(TRIO);
    for number in 0..trios {
        // No school starts in flight.
        let center = taken.claim(Hunter::RADIUS, 2.0 * Prey::FEAR, || random_place(dice, 100.0));
        let heading = random_direction(dice);
        let seconds = number as f32 * CYCLE / trios as f32;
        let members = TRIO.min(hunters - number * TRIO);
        spawn_trio(commands, Trio { number, members, center, heading, seconds });
    }
}

/// Hunters that hunt together.
pub(super) struct Trio {
    pub(super) number: u32,
    pub(super) members: u32,
    pub(super) center: Vec3,
    pub(super) heading: Vec3,
    /// Seconds since it has begun to hunt.
    pub(super) seconds: f32,
}

/// A leader with a flanker on either side; one tires a little after the other.
pub(super) fn spawn_trio(commands: &mut Commands, trio: Trio) {
    /// Seconds between the members of a trio.
    const STAGGER: f32 = 0.7;
    let Trio { number, members, center, heading, seconds } = trio;
    let beside = Vec3::new(-heading.y, heading.x, 0.0);
    let mut leader = None;
    for (member, side) in (0..members).zip([0.0, 1.0, -1.0]) {
        let place = center + beside * side * 3.0 * Hunter::RADIUS;
        let mut spawned = commands.spawn(hunter(place, heading));
        // The inspector lists agents by their names.
        let name = Name::new(format!("Hunter {}", TRIO * number + member + 1));
        let seconds = seconds + member as f32 * STAGGER;
        spawned.insert((name, after_hunting(number, seconds % CYCLE)));
        match leader {
            Some(leader) => {
                let slot = Hunter::FLANK * Vec2::new(1.0, side);
                spawned.insert(OffsetPursue::new(leader, slot.extend(0.0)));
            }
            None => leader = Some(spawned.id()),
        }
    }
}

/// The stamina and the pursuit of a hunter this long after it has begun to hunt.
fn after_hunting(trio: u32, seconds: f32) -> (Hunter, Pursue) {
    let rested = seconds - Hunter::STAMINA;
    let stamina = if rested < 0.0 { -rested } else { rested * (Hunter::STAMINA / Hunter::REST) };
    let mut pursue = pursuit();
    pursue.set_enabled(rested < 0.0);
    (Hunter { stamina, trio }, pursue)
}

fn pursuit() -> Pursue {
    Pursue::new(Target::nearest(PREY, Hunter::SIGHT)).with_max_look_ahead(1.0)
}

/// Prey in schools that swim together from the start.
fn spawn_schools(commands: &mut Commands, prey_count: u32, taken: &mut Taken, dice: &mut Pcg32) {
    const MEMBERS: u32 = 40;
    const RADIUS: f32 = 90.0;
    for first in (0..prey_count).step_by(MEMBERS as usize) {
        let center = random_place(dice, RADIUS);
        let heading = random_direction(dice);
        let members = first..prey_count.min(first + MEMBERS);
        spawn_school(commands, School { members, center, heading, radius: RADIUS }, taken, dice);
    }
}

/// Prey that swim together.
pub(super) struct School {
    /// The numbers of its members.
    pub(super) members: Range<u32>,
    pub(super) center: Vec3,
    pub(super) heading: Vec3,
    pub(super) radius: f32,
}

/// Spreads a school over its disc.
pub(super) fn spawn_school(
    commands: &mut Commands,
    school: School,
    taken: &mut Taken,
    dice: &mut Pcg32,
) {
    let School { members, center, heading, radius } = school;
    for index in members {
        let in_school = || center + random_direction(dice) * (radius * dice.random::<f32>().sqrt());
        let place = taken.claim(Prey::RADIUS, Prey::RADIUS, in_school);
        commands.spawn((Name::new(format!("Prey {}", index + 1)), prey(place, heading)));
    }
}

/// A hunter with full stamina, which hunts alone.
pub fn hunter(place: Vec3, heading: Vec3) -> impl Bundle {
    (
        Hunter { stamina: Hunter::STAMINA, trio: 0 },
        HUNTER,
        Vehicle::new(Hunter::STROLL).with_max_force(420.0).with_radius(Hunter::RADIUS),
        Velocity(heading * Hunter::STROLL),
        pursuit(),
        Wander::default(),
        (AvoidObstacles::default(), AvoidWalls::default()),
        AvoidAgents::default().with_layers(HUNTER.or(RESTING)),
        Transform::from_translation(place),
    )
}

/// A prey.
pub fn prey(place: Vec3, heading: Vec3) -> impl Bundle {
    (
        Prey,
        PREY,
        Vehicle::new(Prey::STROLL).with_max_force(520.0).with_radius(Prey::RADIUS),
        Velocity(heading * Prey::STROLL),
        Evade::new(Target::all(HUNTER, Prey::FEAR)).with_max_look_ahead(1.0),
        Arrive::new(Target::nearest(LURE, Prey::LURED))
            .with_profile(ArriveProfile::SlowRadius(Prey::SLOW))
            .with_stop_radius(Prey::CONTENT),
        Flock::new(Prey::SCHOOL).with_separation_radius(17.0).with_rules(1.2, 1.0, 0.6),
        Wander::default().with_weight(0.5),
        (AvoidObstacles::default(), AvoidWalls::default()),
        AvoidAgents::default().with_layers(PREY.or(RESTING)).with_weight(2.0),
        Transform::from_translation(place),
    )
}

/// A drifting obstacle: a vehicle without behaviours that bounces off the arena's edge.
pub(super) fn obstacle(radius: f32, place: Vec3, drift: Vec3) -> impl Bundle {
    let half = ARENA - radius;
    (
        Obstacle::sphere(radius),
        Vehicle::new(60.0).with_max_force(0.0).with_radius(radius),
        Velocity(drift),
        Bounds::rect(-half, half, BoundsEdge::Bounce),
        SteeringLayers::NONE,
        KeepRotation,
        Transform::from_translation(place),
    )
}

/// Keeps walls along edges that bounce, so that agents steer away from them; none along edges that
/// wrap.
pub fn wall_in(walls: Query<Entity, With<Wall>>, bounds: Res<WorldBounds>, mut commands: Commands) {
    let needs_walls = bounds.edge == BoundsEdge::Bounce;
    if needs_walls != walls.is_empty() {
        return;
    }
    walls.iter().for_each(|wall| commands.entity(wall).despawn());
    if needs_walls {
        let corners =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|c| ARENA * Vec2::from(c));
        for (i, &corner) in corners.iter().enumerate() {
            commands.spawn(Wall::new(corner, corners[(i + 1) % corners.len()]));
        }
    }
}
