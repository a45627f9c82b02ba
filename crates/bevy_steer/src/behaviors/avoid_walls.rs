//! [`AvoidWalls`]: the formula, the component and its implementation.

use core::{fmt, marker::PhantomData};

use bevy::prelude::*;

use crate::{
    agent::{
        Blend, ParameterRange, Priority, SolidSurfaces, SteeringLayers, SurfaceReach, SurfaceSlot,
        Unit, VelocityLimits, builders,
    },
    behavior::{
        Agent, AgentBlock, DebugDraw, DebugLayer, ParamOf, SimdBehavior, Steering, SteeringBehavior,
    },
    behaviors::{
        feelers::{FeelerCaster, ObstacleCaster},
        seek::seek,
    },
    simd::{Lanes, Vector, WIDTH},
    space::{SteeringPlane, direction, perpendicular},
};

/// Where a feeler touches a wall, and on which side along it the agent goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallTouch {
    /// The way from the agent to the touched point.
    pub hit: Vec3,
    /// The unit vector out of the wall.
    pub normal: Vec3,
    /// The unit vector along the wall to the side that the agent goes to.
    pub sideways: Vec3,
}

/// The change of velocity that steers an agent off a wall.
///
/// It seeks the point `distance` units out from the wall (Millington 2006, section 3.3, "Obstacle
/// and Wall Avoidance") and as far along it.
pub fn avoid_wall(velocity: Vec3, touch: WallTouch, distance: f32, max_speed: f32) -> Vec3 {
    let WallTouch { hit, normal, sideways } = touch;
    seek(Vec3::ZERO, velocity, hit + (normal + sideways) * distance, max_speed)
}

/// Where [`AvoidWalls`] feels.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Feelers {
    /// One, straight ahead.
    Single,
    /// One ahead and shorter ones beside it (in free space also above and below).
    Whiskers {
        /// Between the middle one and the others, in radians.
        #[reflect(@Unit::Angle, @ParameterRange::at_most(180.0).degrees())]
        angle: f32,
        /// The length of the others as a share of the middle one.
        #[reflect(@ParameterRange::up_to(2.0))]
        length: f32,
    },
}

impl Default for Feelers {
    fn default() -> Self {
        Self::Whiskers { angle: 0.6, length: 0.6 }
    }
}

/// Steers off [`Wall`](crate::Wall)s and [`Obstacle`](crate::Obstacle)s that its feelers touch, and
/// keeps its body out of those beside it.
///
/// For long surfaces: the walls of a room, the edge of a map. What stands in the open is for
/// [`AvoidObstacles`](crate::AvoidObstacles), which dodges it ahead. An agent may have both:
/// obstacles that `AvoidObstacles` avoids are then left to it.
///
/// Changes below a twentieth of top speed, which would only keep the agent moving along the wall,
/// are left out if it has no goal, or does not go round what it feels, such as a crate that it
/// pushes.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn(Wall::new(Vec2::new(9.0, -50.0), Vec2::new(9.0, 50.0)));
/// commands.spawn((Vehicle::default(), Wander::default(), AvoidWalls::default()));
/// # }
/// ```
pub type AvoidWalls = AvoidWallsWith<ObstacleCaster>;

/// Steers off whatever a [`FeelerCaster`] feels: [`AvoidWalls`], but for a physics engine.
///
/// A caster of your own is registered by `app.add_steering_behavior::<AvoidWallsWith<MyCaster>>()`.
#[derive(Component, Reflect)]
#[require(VelocityLimits, SurfaceSlot)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[reflect(where C: FeelerCaster)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(bound = ""), reflect(Serialize, Deserialize))]
pub struct AvoidWallsWith<C: FeelerCaster> {
    /// Where it feels. Default three: one ahead, two whiskers.
    pub feelers: Feelers,
    /// How far the middle feeler reaches, in seconds of the agent's motion. Default 0.8. At least
    /// two radii beyond the body.
    #[reflect(@Unit::Time, @ParameterRange::up_to(5.0))]
    pub look_ahead: f32,
    /// How far it keeps clear of a wall, in multiples of the vehicle's radius. Default 1.
    #[reflect(@Unit::Radii, @ParameterRange::up_to(10.0))]
    #[doc(alias = "distance")]
    pub margin: f32,
    /// Layers of the things to feel. Default: all.
    pub layers: SteeringLayers,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
    /// What its feelers feel.
    #[reflect(ignore)]
    #[cfg_attr(feature = "serialize", serde(skip))]
    pub caster: PhantomData<fn() -> C>,
}

impl<C: FeelerCaster> Default for AvoidWallsWith<C> {
    fn default() -> Self {
        Self {
            feelers: Feelers::default(),
            look_ahead: 0.8,
            margin: 1.0,
            layers: SteeringLayers::ALL,
            blend: Blend::default(),
            caster: PhantomData,
        }
    }
}

impl<C: FeelerCaster> Clone for AvoidWallsWith<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: FeelerCaster> Copy for AvoidWallsWith<C> {}

impl<C: FeelerCaster> PartialEq for AvoidWallsWith<C> {
    fn eq(&self, other: &Self) -> bool {
        self.feelers == other.feelers
            && self.look_ahead == other.look_ahead
            && self.margin == other.margin
            && self.layers == other.layers
            && self.blend == other.blend
    }
}

impl<C: FeelerCaster> fmt::Debug for AvoidWallsWith<C> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("AvoidWallsWith")
            .field("feelers", &self.feelers)
            .field("look_ahead", &self.look_ahead)
            .field("margin", &self.margin)
            .field("layers", &self.layers)
            .field("blend", &self.blend)
            .finish()
    }
}

impl<C: FeelerCaster> AvoidWallsWith<C> {
    builders! {
        /// Sets the arrangement of its feelers.
        with_feelers(feelers: Feelers);
        /// Sets how far the middle feeler reaches, in seconds.
        with_look_ahead(look_ahead: f32);
        /// Sets how far it keeps clear of a wall, in multiples of the vehicle's radius.
        with_margin(margin: f32);
        /// Sets the layers of the walls and obstacles that it feels.
        with_layers(layers: SteeringLayers);
    }

    /// The length of the middle feeler, in units.
    fn reach(&self, agent: &Agent) -> f32 {
        let radius = agent.vehicle.radius;
        (agent.velocity.length() * self.look_ahead).max(2.0 * radius) + radius
    }

    /// The feelers of an agent that goes along a unit vector, and their number; the middle one is
    /// this long.
    fn feelers(
        &self,
        plane: SteeringPlane,
        ahead: Vec3,
        length: f32,
    ) -> ([Feeler; MAX_FEELERS], usize) {
        let mut feelers = [Feeler { along: ahead, length }; MAX_FEELERS];
        let Feelers::Whiskers { angle, length: share } = self.feelers else { return (feelers, 1) };
        let count = if plane.is_planar() { 3 } else { MAX_FEELERS };
        let axes = [plane.normal(), direction(plane.left(ahead))];
        let turns = axes.into_iter().flat_map(|axis| [(axis, angle), (axis, -angle)]);
        for (whisker, (axis, angle)) in feelers[1..count].iter_mut().zip(turns) {
            *whisker =
                Feeler { along: SteeringPlane::turn(ahead, axis, angle), length: length * share };
        }
        (feelers, count)
    }
}

/// A straight line from an agent's position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Feeler {
    /// The unit vector along it.
    along: Vec3,
    /// Its length, in units.
    length: f32,
}

/// The middle feeler and, in free space, four whiskers.
const MAX_FEELERS: usize = 5;

impl<C: FeelerCaster> SteeringBehavior for AvoidWallsWith<C> {
    type Param = C::Param;
    const PRIORITY: Priority = Priority::Normal;
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    const SURFACES: bool = C::SURFACES;
    const LIMITS_BY_SURFACES: bool = C::SURFACES;
    crate::blend_field!();

    /// The name of the alias for its caster, if there is one.
    fn name() -> &'static str {
        match C::BEHAVIOR {
            Some(path) => path.rsplit("::").next().unwrap_or(path),
            None => Self::short_type_path(),
        }
    }

    fn code_path() -> &'static str {
        C::BEHAVIOR.unwrap_or_else(Self::type_path)
    }

    /// As far as its longest feeler.
    #[inline]
    fn surface_reach(&self, agent: &Agent) -> SurfaceReach {
        let longest = match self.feelers {
            Feelers::Single => 1.0,
            Feelers::Whiskers { length, .. } => length.abs().max(1.0),
        };
        SurfaceReach::around(self.reach(agent) * longest)
            .with_layers(self.layers)
            .with_solid(SolidSurfaces::All)
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, params: &ParamOf<Self>) -> Steering {
        let (feelers, count) = self.feelers(agent.plane, agent.direction(), self.reach(agent));
        let mut deepest: Option<(f32, Vec3, Vec3)> = None;
        // What is behind its goal is not in the way.
        let course = agent.course();
        let goes = course.map_or(f32::INFINITY, |course| course.goal.length());
        for &Feeler { along, length } in &feelers[..count] {
            let Some(hit) = C::cast(agent, along, length.min(goes), self.layers, params) else {
                continue;
            };
            let depth = 1.0 - hit.distance / length;
            if deepest.is_none_or(|(most, ..)| depth > most) {
                deepest = Some((depth, along * hit.distance, hit.normal));
            }
        }
        let change = deepest.map_or(Vec3::ZERO, |(depth, hit, normal)| {
            let radius = agent.vehicle.radius;
            let off = (1.0 + self.margin) * radius;
            // No farther off than its goal is.
            let distance = course.map_or(off, |course| {
                let goal = (course.goal - hit).dot(normal).max(radius);
                off.min(goal)
            });
            turn_off(agent, hit, normal, distance) * depth.clamp(0.0, 1.0)
        });
        // Unless it goes round something to a goal, a slight change only makes the agent follow the
        // wall. Where one tier acts at a time, it would also keep the lower tiers from acting.
        let is_slight = course.is_none() && change.length() < SLIGHT * agent.vehicle.max_speed;
        Steering::linear(if is_slight { Vec3::ZERO } else { change })
    }

    /// It can still stop before everything that is near.
    #[inline]
    fn limits(&mut self, agent: &Agent, params: &ParamOf<Self>, limits: &mut VelocityLimits) {
        let reach = agent.approach_reach().min(self.reach(agent));
        C::near(agent, reach, self.layers, params, |hit| {
            let limit = agent.surface_limit(hit.normal, hit.distance, hit.velocity);
            limits.add_half_space(limit, true, hit.entity);
        });
    }

    fn debug_draw(&self, agent: &Agent, params: &ParamOf<Self>, draw: &mut DebugDraw) {
        let from = agent.position;
        let (feelers, count) = self.feelers(agent.plane, agent.direction(), self.reach(agent));
        for &Feeler { along, length } in &feelers[..count] {
            match C::cast(agent, along, length, self.layers, params) {
                Some(hit) => {
                    let place = from + along * hit.distance;
                    let off = hit.normal * ((1.0 + self.margin) * agent.vehicle.radius);
                    draw.line(DebugLayer::Feeler, from, place)
                        .mark(DebugLayer::Guess, place)
                        .arrow(DebugLayer::Guess, place, place + off);
                }
                None => _ = draw.line(DebugLayer::Feeler, from, from + along * length),
            }
        }
    }
}

/// An agent that goes round nothing leaves out changes below this share of its top speed.
const SLIGHT: f32 = 0.05;

/// A way along the wall shorter than this (of a unit vector) is head-on.
const HEAD_ON: f32 = 0.05;

/// [`avoid_wall`], but along the wall only as far as the agent goes straight at it, or is slow: an
/// agent that runs along the wall anyway does not run past a door, and one that its other requests
/// press against the wall gets away.
fn turn_off(agent: &Agent, hit: Vec3, normal: Vec3, distance: f32) -> Vec3 {
    let along_wall = perpendicular(agent.direction(), normal);
    let chosen =
        agent.course().map_or(Vec3::ZERO, |course| perpendicular(direction(course.edge), normal));
    let sideways = [chosen, along_wall].into_iter().find(|side| side.length() > HEAD_ON);
    let sideways = sideways.map_or_else(|| agent.own_side(normal), direction);
    let touch = WallTouch { hit, normal, sideways };
    let change = avoid_wall(agent.velocity, touch, distance, agent.vehicle.max_speed);
    // An agent that leaves the wall at a steeper angle is not held back.
    let out = normal * change.dot(normal).max(0.0);
    if agent.goes_straight {
        return out;
    }
    let running = agent.velocity.length() / agent.vehicle.max_speed.max(f32::MIN_POSITIVE);
    let share = (1.0 - along_wall.length() * running.min(1.0)).max(0.0);
    out + perpendicular(change, normal) * share
}

impl SimdBehavior for AvoidWalls {
    /// Most agents have nothing near them.
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        _: &mut [Self; WIDTH],
        agents: &AgentBlock,
        (surfaces, _): &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        ([l.splat(0.0); 3], requested & !surfaces.near_block(agents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeks_the_point_off_the_wall_and_along_it() {
        // The wall is 2 ahead; 3 out of it and 3 along it is (-1, 3).
        let touch = WallTouch { hit: Vec3::X * 2.0, normal: Vec3::NEG_X, sideways: Vec3::Y };
        let change = avoid_wall(Vec3::X, touch, 3.0, 10.0);
        let requested = Vec3::new(-1.0, 3.0, 0.0).normalize() * 10.0;
        assert!((change - (requested - Vec3::X)).length() < 1e-5, "{change}");
    }

    #[test]
    fn whiskers_are_beside_the_middle_feeler() {
        let walls = AvoidWalls::default();
        let (planar, count) = walls.feelers(SteeringPlane::Xy, Vec3::X, 10.0);
        assert_eq!((count, planar[0].along, planar[0].length), (3, Vec3::X, 10.0));
        assert!(planar[1].along.y > 0.5 && planar[2].along.y < -0.5 && planar[1].length == 6.0);
        assert_eq!(walls.feelers(SteeringPlane::Free, Vec3::X, 10.0).1, 5);
        let single = walls.with_feelers(Feelers::Single);
        assert_eq!(single.feelers(SteeringPlane::Xy, Vec3::X, 10.0).1, 1);
    }
}
