//! [`PhysicsEngine`]: what an engine tells steering of its bodies and colliders.

use core::fmt::Debug;

use bevy::{
    ecs::{
        intern::Interned,
        query::{IterQueryData, QueryData, QueryFilter, ReadOnlyQueryData},
        schedule::ScheduleLabel,
        system::{ReadOnlySystemParam, StaticSystemParam, SystemParamItem},
    },
    prelude::*,
};
use bevy_steer::SteeringLayers;

use crate::{ground::Ground, part::Part};

/// The components of a body, to read.
pub(crate) type ReadBody<E> = <<E as PhysicsEngine>::Body as QueryData>::ReadOnly;
/// The components of a collider.
pub(crate) type ReadCollider<E> = <E as PhysicsEngine>::Collider;
/// [`PhysicsEngine::Hierarchy`] as a parameter of a system.
pub(crate) type Hierarchy<'w, 's, E> = StaticSystemParam<'w, 's, <E as PhysicsEngine>::Hierarchy>;

/// An item of a query for some data, to read.
pub type Read<'w, 's, D> = <<D as QueryData>::ReadOnly as QueryData>::Item<'w, 's>;

/// A physics engine of a dimension. It is a type without values, which names the engine's
/// components and says how they relate to those of steering.
///
/// Vectors of two dimensions are those of three without their `z`: an engine of two dimensions
/// ignores the `z` of what it is given, and may return any, see [`flatten`](Self::flatten).
pub trait PhysicsEngine: TypePath + Clone + Copy + Debug + Default + Send + Sync {
    /// The components of a body that say how it moves. A `Transform` is not among them.
    type Body: IterQueryData + 'static;
    /// The components of a collider that say what it is.
    type Collider: ReadOnlyQueryData + 'static;
    /// Entities that have a collider.
    type WithCollider: QueryFilter + 'static;
    /// Entities that have none.
    type WithoutCollider: QueryFilter + 'static;
    /// Where bodies and colliders are, and which of them belong together. It reads no `Transform`
    /// of an [`ObstaclePartOf`](crate::ObstaclePartOf).
    type Hierarchy: for<'w, 's> ReadOnlySystemParam<Item<'w, 's>: Sync> + 'static;
    /// The engine's queries.
    type Queries: for<'w, 's> ReadOnlySystemParam<Item<'w, 's>: Sync> + 'static;
    /// What says whether the engine runs.
    type Clock: ReadOnlySystemParam + 'static;

    /// Whether it has three dimensions, so that agents in a plane stand on the ground.
    const HAS_DEPTH: bool;

    /// The path of the alias of [`AvoidWallsWith`](bevy_steer::AvoidWallsWith) with the
    /// [`ColliderCaster`](crate::ColliderCaster) of this engine: tools name the behaviour by it.
    const AVOID_COLLIDERS: &'static str;

    /// A vector as the engine sees it.
    fn flatten(v: Vec3) -> Vec3 {
        if Self::HAS_DEPTH { v } else { v.with_z(0.0) }
    }

    /// The schedule in which the engine's plugin runs, if the game does not say otherwise.
    fn schedule() -> Interned<dyn ScheduleLabel>;

    /// Sets up what the integration needs: that steering runs before the engine in `schedule`.
    fn set_up(app: &mut App, schedule: Interned<dyn ScheduleLabel>);

    /// Whether the engine will move bodies in this tick: what it does not step would pile up.
    fn is_running(clock: &SystemParamItem<Self::Clock>) -> bool;

    /// The body as it is now.
    fn body(item: Read<'_, '_, Self::Body>) -> BodyState;

    /// Gives the body another velocity, if `change` returns one, and wakes it if it sleeps.
    fn set_velocity(
        item: <Self::Body as QueryData>::Item<'_, '_>,
        change: impl FnOnce(&BodyState) -> Option<BodyVelocity>,
    );

    /// The collider as it is now.
    fn collider(item: &<Self::Collider as QueryData>::Item<'_, '_>) -> ColliderState;

    /// The obstacles that stand for the collider's shape, without what is ground.
    fn parts(
        item: &<Self::Collider as QueryData>::Item<'_, '_>,
        ground: Option<Ground>,
    ) -> Vec<Part>;

    /// Calls `each` with the nearest point of the collider's shape to a point in its own frame; for
    /// shapes of several parts, of each part that may be within `reach` and is not ground.
    fn for_each_nearest(
        item: &<Self::Collider as QueryData>::Item<'_, '_>,
        point: Vec3,
        reach: f32,
        ground: Option<Ground>,
        each: impl FnMut(NearestPoint),
    );

    /// The body of a collider.
    fn body_of(collider: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Option<Entity>;

    /// Calls `each` with the colliders of a body.
    fn for_each_collider(
        body: Entity,
        hierarchy: &SystemParamItem<Self::Hierarchy>,
        each: impl FnMut(Entity),
    );

    /// Where a body or collider is in the world.
    fn pose(entity: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Option<Pose>;

    /// Where a collider is, seen from its body, which is another entity.
    fn pose_in_body(collider: Entity, hierarchy: &SystemParamItem<Self::Hierarchy>) -> Pose;

    /// Calls `each` with the colliders that a ray hits.
    fn for_each_hit(ray: Ray, queries: &SystemParamItem<Self::Queries>, each: impl FnMut(RayHit));

    /// Calls `each` with the colliders that may be within `reach` units of a point.
    fn for_each_near(
        point: Vec3,
        reach: f32,
        queries: &SystemParamItem<Self::Queries>,
        each: impl FnMut(Entity),
    );
}

/// How the engine moves a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// By forces and contacts.
    Dynamic,
    /// By its velocity alone.
    Kinematic,
    /// Not at all: it goes to where its `Transform` is, with the velocity that this makes.
    Placed,
    /// Not at all: it stays, or is put elsewhere.
    #[default]
    Static,
}

impl BodyKind {
    /// Whether the engine moves it by its velocity.
    pub fn is_moved(self) -> bool {
        matches!(self, Self::Dynamic | Self::Kinematic)
    }
}

/// The velocity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyVelocity {
    /// In units a second.
    pub linear: Vec3,
    /// In radians a second, about the axes of the world.
    pub angular: Vec3,
}

/// A body as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// How the engine moves it.
    pub kind: BodyKind,
    /// Its velocity.
    pub velocity: BodyVelocity,
    /// Its mass; zero while it is not known.
    pub mass: f32,
    /// Its centre of mass, in its own frame.
    pub center: Vec3,
    /// The axes along which it can move: those that are not locked.
    pub moves: BVec3,
    /// The axes about which it can turn: those that are not locked.
    pub turns: BVec3,
    /// Whether the engine leaves it out.
    pub is_disabled: bool,
    /// Whether the engine leaves its colliders out.
    pub has_no_colliders: bool,
    /// Whether it sleeps, and only what changes its velocity wakes it.
    pub is_asleep: bool,
}

/// A collider as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderState {
    /// The layers that it is in.
    pub layers: SteeringLayers,
    /// Whether it only senses.
    pub is_sensor: bool,
    /// Whether the engine leaves it out.
    pub is_disabled: bool,
    /// Whether its shape has changed since the system ran last.
    pub has_changed: bool,
}

/// A place and a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// In units.
    pub position: Vec3,
    /// The rotation from the frame of the thing to that in which it is.
    pub rotation: Quat,
}

/// The nearest point of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// In the frame of the collider.
    pub point: Vec3,
    /// Whether the point that was asked for is inside of the shape.
    pub is_inside: bool,
}

/// A ray through the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Its direction, a unit vector.
    pub direction: Dir3,
    /// Its length, in units.
    pub length: f32,
    /// The layers of the colliders that it may hit; an engine may leave that to the caller.
    pub layers: SteeringLayers,
}

/// Where a ray hits a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The collider.
    pub entity: Entity,
    /// The distance along the ray, in units.
    pub distance: f32,
    /// The normal of the surface there, a unit vector.
    pub normal: Vec3,
}
