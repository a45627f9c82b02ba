//! [`AvianSteeringPlugin`].

use bevy::{
    ecs::{intern::Interned, schedule::ScheduleLabel},
    prelude::*,
};
use bevy_steer::{
    RunSteering, SteeringAppExt, SteeringSchedule, SteeringSettings, SteeringSystems,
};

use crate::{
    generated,
    settings::{BodySystems, ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider},
};

use super::{
    avian::prelude::*,
    bodies::{adopt_bodies, note_starts, read_bodies, write_bodies},
    caster::AvoidColliders,
    measure::measure_bodies,
    obstacles::{convert_colliders, move_obstacles, remove_leftovers},
};

/// Lets the engine move the agents that have a body, and makes obstacles of colliders. See the
/// [crate](crate).
///
/// Add it with [`SteeringPlugin`](bevy_steer::SteeringPlugin) (with integration, the default) and
/// `PhysicsPlugins`, in any order but after `SteeringPlugin`.
#[derive(Clone, Debug)]
pub struct AvianSteeringPlugin {
    physics: Interned<dyn ScheduleLabel>,
    obstacles: ColliderObstacles,
}

impl Default for AvianSteeringPlugin {
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl AvianSteeringPlugin {
    /// For `PhysicsPlugins` in this schedule. Default `FixedPostUpdate`, as theirs.
    pub fn new(physics: impl ScheduleLabel) -> Self {
        Self { physics: physics.intern(), obstacles: ColliderObstacles::default() }
    }

    /// Sets which colliders are obstacles.
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: ColliderObstacles) -> Self {
        self.obstacles = obstacles;
        self
    }
}

impl Plugin for AvianSteeringPlugin {
    fn build(&self, app: &mut App) {
        use SteeringSystems::{Integrate, Limit, Notify, Prepare};
        let integrates = |settings: Res<SteeringSettings>| settings.integrate;
        generated::register_types(app);
        app.insert_resource(self.obstacles)
            .register_type::<ColliderObstacles>()
            .register_type::<ColliderChoice>()
            .register_type::<ObstacleCollider>()
            .register_type::<IgnoredCollider>()
            .add_steering_behavior::<AvoidColliders>()
            .configure_sets(self.physics, RunSteering.before(PhysicsSystems::First))
            .configure_sets(
                SteeringSchedule,
                (
                    BodySystems::Read.in_set(Prepare),
                    BodySystems::Note.after(Limit).before(Integrate),
                    BodySystems::Write.after(Integrate).before(Notify),
                ),
            )
            .add_systems(
                SteeringSchedule,
                (
                    (adopt_bodies, measure_bodies, read_bodies)
                        .chain()
                        .run_if(integrates)
                        .in_set(BodySystems::Read),
                    (remove_leftovers, convert_colliders, move_obstacles)
                        .chain()
                        .in_set(BodySystems::Read),
                    note_starts.run_if(integrates).in_set(BodySystems::Note),
                    write_bodies.run_if(integrates).in_set(BodySystems::Write),
                ),
            );
    }
}
