//! What each built-in behaviour costs, as a tick of agents that have only this one:
//! `cargo bench -p bevy_steer_benches --bench behaviors`.
//!
//! The row `none` has agents without any: what is left of a tick. A behaviour with an entity as
//! target gets an agent picked at random, which is somewhere else in memory.
#![allow(missing_docs, reason = "criterion_group! makes functions without")]

mod common;

use core::f32::consts::PI;

use bevy::prelude::*;
use bevy_steer::{Path, prelude::*};
use common::{Crowd, Dice, Gift, Place, SIZES, group, measure};
use criterion::{
    BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime,
};

/// How many obstacles or walls there are, where there are any.
const THINGS: usize = 1_000;

/// How many others are within one unit.
const MATES: f32 = 16.0;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// Agents that all have the same.
fn alike<B>(group: &mut Group, name: &str, gift: &B)
where
    B: Gift + Clone,
{
    for agents in SIZES {
        let build = || Crowd::new(Place::plane(agents, MATES)).all(gift);
        measure(group, name, agents, build, Crowd::tick);
    }
}

/// Agents that are about another agent each.
fn about<B>(group: &mut Group, name: &str, gift: impl Fn(Entity) -> B)
where
    B: Gift,
{
    for agents in SIZES {
        let build =
            || Crowd::new(Place::plane(agents, MATES)).each(|dice, others| gift(dice.pick(others)));
        measure(group, name, agents, build, Crowd::tick);
    }
}

/// Agents among things that stand in the way.
fn amid<B, T>(group: &mut Group, name: &str, gift: &B, thing: impl Fn(&mut Dice) -> T)
where
    B: Gift + Clone,
    T: Gift,
{
    for agents in SIZES {
        let place = Place::ground(agents);
        let build = || {
            Crowd::new(place)
                .all(gift)
                .among(THINGS, |dice| (thing(dice), Transform::from_translation(place.point(dice))))
        };
        measure(group, name, agents, build, Crowd::tick);
    }
}

/// A path of this many points back and forth through the middle, that fits into the smallest of the
/// worlds.
fn path(points: usize) -> Path {
    let (mut dice, place) = (Dice::new(4), Place::plane(SIZES[0], MATES));
    Path::new((0..points).map(|_| place.point(&mut dice)))
}

fn somewhere(criterion: &mut Criterion) {
    let mut group = group(criterion, "behaviors");
    let group = &mut group;
    let point = Vec2::ZERO;
    alike(group, "none", &());
    alike(group, "seek a point", &Seek::new(point));
    about(group, "seek an entity", Seek::new);
    let nearest = Target::nearest(SteeringLayers::ALL, 1.0);
    alike(group, "seek the nearest", &Seek::new(nearest));
    alike(group, "flee", &Flee::new(point));
    alike(group, "arrive", &Arrive::new(point));
    about(group, "pursue", Pursue::new);
    about(group, "evade", Evade::new);
    about(group, "offset pursue", |leader| OffsetPursue::new(leader, Vec3::new(-1.0, 0.5, 0.0)));
    alike(group, "wander", &Wander::default());
    for (points, kind) in [(100, "path"), (10_000, "path of 10,000 points")] {
        let patrol = PathFollow::new(path(points)).with_end(PathEnd::Loop);
        alike(group, &format!("{kind}, waypoints"), &patrol.clone().by_waypoints(0.5));
        alike(group, &format!("{kind}, corridor"), &patrol.along_corridor(0.5, 1.0));
    }
}

fn together(criterion: &mut Criterion) {
    let mut group = group(criterion, "behaviors");
    let group = &mut group;
    about(group, "match velocity", MatchVelocity::new);
    for agents in SIZES {
        let sees_part = Flock::new(1.0).with_view_angle(1.5 * PI);
        for (name, flock) in [("flock", Flock::new(1.0)), ("flock, view angle", sees_part)] {
            let build = || Crowd::new(Place::plane(agents, MATES)).all(&flock).settled();
            measure(group, name, agents, build, Crowd::tick);
        }
    }
    alike(group, "avoid agents", &AvoidAgents::default());
    amid(group, "avoid obstacles", &AvoidObstacles::default(), |dice| {
        Obstacle::sphere(dice.number(0.2, 0.8))
    });
    amid(group, "avoid walls", &AvoidWalls::default(), |dice| {
        let end = Vec2::new(dice.number(-2.0, 2.0), dice.number(-2.0, 2.0));
        Wall::new(-end, end)
    });
}

fn turning(criterion: &mut Criterion) {
    let mut group = group(criterion, "behaviors");
    let group = &mut group;
    alike(group, "align", &Align::to_angle(1.0));
    about(group, "align with an entity", Align::like);
    alike(group, "face", &Face::new(Vec2::ZERO));
    alike(group, "look where you go", &LookWhereYouGo::default());
}

criterion_group!(benches, somewhere, together, turning);
criterion_main!(benches);
