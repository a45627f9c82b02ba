//! [`PhysicsSteeringPlugin`].

use core::marker::PhantomData;

use bevy::{
    ecs::{intern::Interned, schedule::ScheduleLabel},
    prelude::*,
};
use bevy_steer::{
    AvoidWallsWith, SteeringAppExt, SteeringSchedule, SteeringSettings, SteeringSystems,
};

use crate::{
    bodies::{adopt_bodies, let_go_of_bodies, note_starts, read_bodies, write_bodies},
    engine::PhysicsEngine,
    generated,
    measure::measure_bodies,
    obstacles::{convert_colliders, move_obstacles, remove_leftovers, remove_orphans},
    rays::ColliderCaster,
    settings::{BodySystems, ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider},
};

/// Lets an engine move the agents that have a body, and makes obstacles of colliders.
///
/// Add it with [`SteeringPlugin`](bevy_steer::SteeringPlugin) (with integration, the default) and
/// the engine's own plugin, in any order but after `SteeringPlugin`.
#[derive(Clone, Debug)]
pub struct PhysicsSteeringPlugin<E: PhysicsEngine> {
    schedule: Interned<dyn ScheduleLabel>,
    obstacles: ColliderObstacles,
    engine: PhantomData<E>,
}

impl<E: PhysicsEngine> Default for PhysicsSteeringPlugin<E> {
    fn default() -> Self {
        Self {
            schedule: E::schedule(),
            obstacles: ColliderObstacles::default(),
            engine: PhantomData,
        }
    }
}

impl<E: PhysicsEngine> PhysicsSteeringPlugin<E> {
    /// For an engine that runs in this schedule. Default: [`PhysicsEngine::schedule`].
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..Self::default() }
    }

    /// Sets which colliders are obstacles.
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: ColliderObstacles) -> Self {
        self.obstacles = obstacles;
        self
    }
}

impl<E: PhysicsEngine> Plugin for PhysicsSteeringPlugin<E> {
    fn build(&self, app: &mut App) {
        use SteeringSystems::{Integrate, Limit, Notify, Prepare};
        let integrates = |settings: Res<SteeringSettings>| settings.integrate;
        generated::register_types(app);
        E::set_up(app, self.schedule);
        app.insert_resource(self.obstacles)
            .register_type::<ColliderObstacles>()
            .register_type::<ColliderChoice>()
            .register_type::<ObstacleCollider>()
            .register_type::<IgnoredCollider>()
            .add_steering_behavior::<AvoidWallsWith<ColliderCaster<E>>>()
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
                    (let_go_of_bodies, adopt_bodies::<E>, measure_bodies::<E>, read_bodies::<E>)
                        .chain()
                        .run_if(integrates)
                        .in_set(BodySystems::Read),
                    (
                        remove_leftovers::<E>,
                        remove_orphans::<E>,
                        convert_colliders::<E>,
                        move_obstacles::<E>,
                    )
                        .chain()
                        .in_set(BodySystems::Read),
                    note_starts::<E>.run_if(integrates).in_set(BodySystems::Note),
                    write_bodies::<E>.run_if(integrates).in_set(BodySystems::Write),
                ),
            );
    }
}
