//! The crowd and its world.

use bevy::{math::ops, prelude::*};
use bevy_steer::{NextAgentId, SteeringDiagnosticsPlugin, SteeringTick, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::options::{Behaviors, Edges, Options};

/// The distance within which agents of a flock are neighbours, in units.
pub(super) const SIGHT: f32 = 10.0;
/// The top speed of an agent, in units a second.
pub(super) const SPEED: f32 = 10.0;
/// The radius of an agent's body, in units.
pub(super) const BODY: f32 = 0.5;
/// The radius of an obstacle, in units.
pub(super) const OBSTACLE: f32 = 4.0 * BODY;

/// Adds steering and the crowd.
pub(super) struct CrowdPlugin {
    pub(super) options: Options,
}

impl Plugin for CrowdPlugin {
    fn build(&self, app: &mut App) {
        let options = &self.options;
        let plane = options.plane.into();
        let steering = SteeringPlugin::default().with_plane(plane).with_seed(options.seed);
        app.add_plugins((steering, SteeringDiagnosticsPlugin))
            .insert_resource(WorldBounds(bounds(options)));
        populate(app.world_mut(), options);
    }
}

/// Replaces the crowd by one of these options, in a world of the same density.
pub(super) fn replace_crowd(world: &mut World, options: &Options) {
    let mut old = world.query_filtered::<Entity, Or<(With<Vehicle>, With<Obstacle>)>>();
    let old: Vec<Entity> = old.iter(world).collect();
    old.into_iter().for_each(|entity| _ = world.despawn(entity));
    world.insert_resource(NextAgentId::default());
    world.insert_resource(SteeringTick::default());
    world.insert_resource(WorldBounds(bounds(options)));
    populate(world, options);
}

/// The side of a world in which an agent has the requested number of neighbours on average.
pub(super) fn side(options: &Options) -> f32 {
    use core::f32::consts::PI;
    let per_agent = 1.0 / options.neighbors;
    let agents = options.agents as f32;
    match options.plane.into() {
        SteeringPlane::Free => {
            ops::cbrt(agents * (4.0 / 3.0 * PI * SIGHT * SIGHT * SIGHT) * per_agent)
        }
        _ => (agents * (PI * SIGHT * SIGHT) * per_agent).sqrt(),
    }
}

pub(super) fn bounds(options: &Options) -> Bounds {
    let half = 0.5 * side(options);
    let (min, max) = (Vec2::splat(-half), Vec2::splat(half));
    let edge = match options.edges {
        Edges::Wrap => BoundsEdge::Wrap,
        Edges::Bounce => BoundsEdge::Bounce,
        Edges::Clamp => BoundsEdge::Clamp,
        Edges::None => return Bounds::UNBOUNDED,
    };
    match options.plane.into() {
        SteeringPlane::Xy => Bounds::rect(min, max, edge),
        SteeringPlane::Xz => Bounds::ground(min, max, edge),
        SteeringPlane::Free => Bounds::cuboid(Vec3::splat(-half), Vec3::splat(half), edge),
    }
}

fn populate(world: &mut World, options: &Options) {
    let mut rng = Pcg32::new(options.seed, 7);
    let plane: SteeringPlane = options.plane.into();
    let side = side(options);
    // The share of the side that makes a tenth of the area, or of the volume.
    let share = match (options.clumped, plane) {
        (false, _) => 1.0,
        (true, SteeringPlane::Free) => ops::cbrt(0.1),
        (true, _) => 0.1_f32.sqrt(),
    };
    let random_point = |rng: &mut Pcg32, share: f32| {
        let mut coordinate = || (rng.random::<f32>() - 0.5) * side * share;
        flat(plane, Vec3::new(coordinate(), coordinate(), coordinate()))
    };
    if options.behaviors == Behaviors::Mix {
        for _ in 0..options.obstacles {
            let place = Transform::from_translation(random_point(&mut rng, 1.0));
            world.spawn((Obstacle::sphere(OBSTACLE), place));
        }
    }
    let vehicle = Vehicle::new(SPEED).with_radius(BODY);
    for _ in 0..options.agents {
        let place = random_point(&mut rng, share);
        let heading = random_point(&mut rng, 1.0).normalize_or(Vec3::ZERO);
        let goal = random_point(&mut rng, 1.0);
        let body = (vehicle, Velocity(heading * (0.5 * SPEED)), Transform::from_translation(place));
        let mut agent = match options.behaviors {
            Behaviors::Flock => world.spawn((body, flock(options))),
            Behaviors::Seek => world.spawn((body, Seek::new(goal))),
            Behaviors::Mix => {
                world.spawn((body, Seek::new(goal), Wander::default(), AvoidObstacles::default()))
            }
        };
        if options.think_every > 1 {
            agent.insert(ThinkEvery(options.think_every));
        }
    }
}

fn flock(options: &Options) -> Flock {
    let flock = Flock::new(SIGHT).with_max_neighbors(options.max_neighbors.unwrap_or(u32::MAX));
    if options.view_angle == 360 {
        return flock;
    }
    flock.with_view_angle((options.view_angle as f32).to_radians())
}

fn flat(plane: SteeringPlane, v: Vec3) -> Vec3 {
    match plane {
        SteeringPlane::Xy => Vec3::new(v.x, v.y, 0.0),
        SteeringPlane::Xz => Vec3::new(v.x, 0.0, v.z),
        SteeringPlane::Free => v,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::clock;

    #[test]
    fn flocks_fly_when_they_are_measured() {
        for plane in ["xy", "free"] {
            let options = Options::parse_from(["stress", "--agents", "400", "--plane", plane]);
            let mut app = clock::headless_app(Some(1));
            app.add_plugins(CrowdPlugin { options: options.clone() });
            clock::start(&mut app);
            (0..options.warm_up).for_each(|_| app.update());
            let world = app.world_mut();
            let mut agents = world.query::<&Velocity>();
            let sum: f32 = agents.iter(world).map(|velocity| velocity.0.length()).sum();
            let mean = sum / options.agents as f32;
            assert!(mean > 0.5 * SPEED, "{plane}: {mean} of {SPEED}");
        }
    }
}
