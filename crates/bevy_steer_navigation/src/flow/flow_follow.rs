//! [`FlowFollow`]: the component and its implementation.

use bevy::{ecs::system::lifetimeless::SQuery, prelude::*};
use bevy_steer::{
    Agent, Arrival, ArriveProfile, Blend, Course, DebugDraw, DebugLayer, Detour, Hold, Length,
    Memory, ParamOf, ParameterRange, Priority, Steering, SteeringBehavior, Surroundings, Unit,
    builders,
};

use crate::{field::FlowField, flow::grid_flow::GridFlow, planar::flat};

/// Follows a [`FlowField`]. Reynolds (1999), "Flow Field Following".
///
/// It requests the velocity of the field where the agent will be in a moment: the direction of the
/// vector there, and its length times top speed. Outside of the field it requests nothing; only to
/// a field that a [`GridFlow`] has built does it go back. Avoidance is added like for any other
/// agent: [`AvoidWalls`](bevy_steer::AvoidWalls) keeps the body out of walls,
/// [`AvoidAgents`](bevy_steer::AvoidAgents) off other agents.
///
/// At a goal of a [`GridFlow`] it comes to rest, triggers [`Arrived`](bevy_steer::Arrived), and
/// does so too where agents at rest occupy the goal.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_navigation::{FlowField, FlowFollow};
/// # fn spawn(mut commands: Commands) {
/// // A river that flows to the right, faster in its middle, and what floats on it.
/// let river = FlowField::from_fn(Vec2::new(0.0, -5.0), 1.0, 60, 10, |place| {
///     Vec2::X * (1.0 - 0.03 * place.y * place.y)
/// });
/// commands.spawn(river.expect("all numbers are finite"));
/// commands.spawn((Vehicle::new(3.0), FlowFollow::default()));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FlowFollow {
    /// The entity with the field. Default `None`: the only one in the world.
    #[entities]
    pub field: Option<Entity>,
    /// How far ahead it looks, in seconds of the agent's motion, but no farther than a cell of the
    /// field. Default 0.2.
    #[reflect(@Unit::Time, @ParameterRange::up_to(2.0))]
    pub look_ahead: f32,
    /// How near a goal of a [`GridFlow`] it has arrived. Default a fifth of the vehicle's radius.
    pub stop_radius: Length,
    /// How far it has come at a goal.
    pub progress: Memory<FlowProgress>,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
}

/// What [`FlowFollow`] keeps from tick to tick.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct FlowProgress {
    /// Whether it has arrived and been reported.
    pub arrived: bool,
    /// The position of the goal at that time.
    pub arrived_at: Vec3,
    /// For how long agents at rest have kept it from the goal, in seconds.
    pub held: f32,
    /// The goal, while it is near it, waits or rests there.
    pub near_goal: Option<Vec3>,
    /// The way round what is between the agent and the goal.
    pub detour: Detour,
}

impl Default for FlowFollow {
    fn default() -> Self {
        Self {
            field: None,
            look_ahead: 0.2,
            stop_radius: Length::Radii(0.2),
            progress: default(),
            blend: Blend::default(),
        }
    }
}

/// The field leads straight to a goal if the cosine between its vector and the way there is at
/// least this.
const STRAIGHT: f32 = 0.5;

/// At most this far from a goal the field does not matter, in cells: it leads to where the goal
/// was.
const MOVED: f32 = 1.5;

impl FlowFollow {
    /// Follows the field of this entity.
    pub fn new(field: Entity) -> Self {
        Self { field: Some(field), ..Self::default() }
    }

    builders! {
        /// Sets the entity with the field.
        with_field(field: impl Into<Option<Entity>>);
        /// Sets how far ahead it looks, in seconds.
        with_look_ahead(look_ahead: f32);
        /// Sets how near a goal it has arrived, in world units or as a [`Length`].
        with_stop_radius(stop_radius: impl Into<Length>);
    }

    /// Whether it rests at a goal.
    pub fn has_arrived(&self) -> bool {
        self.progress.arrived
    }

    /// Where the agent will be in a moment.
    fn place_ahead(&self, agent: &Agent, field: &FlowField) -> Vec3 {
        let step = agent.plane.flatten(agent.velocity) * self.look_ahead.max(0.0);
        agent.position + step.clamp_length_max(field.cell_size())
    }

    /// The velocity of the field for an agent in it, as a fraction of its top speed. One that has
    /// been pushed off a map goes back to it.
    fn flow(&self, agent: &Agent, field: &FlowField, grid: Option<&GridFlow>) -> Option<Vec3> {
        let here = flat(agent.plane, agent.position);
        if !field.contains(here) {
            let back = field.nearest(here).filter(|_| grid.is_some())? - here;
            return Some(agent.plane.point(back.normalize_or_zero()));
        }
        let ahead = flat(agent.plane, self.place_ahead(agent, field));
        let vector = field.sample(ahead).or_else(|| field.sample(here))?;
        Some(agent.plane.point(vector.clamp_length_max(1.0)))
    }

    /// The change of velocity with which it comes to rest at a goal, or waits before it; `None`
    /// while it is on its way.
    fn approach(
        &mut self,
        agent: &Agent,
        surroundings: &Surroundings,
        way: LastWay,
    ) -> Option<Vec3> {
        let LastWay { offset, reach, slows_within, is_straight } = way;
        let progress = &mut *self.progress;
        let stop_radius = agent.reachable(self.stop_radius.in_units(agent.vehicle));
        let is_last = offset.length() <= slows_within.max(stop_radius);
        if !is_straight {
            progress.arrived &= is_last;
            return None;
        }
        let straight = Course { offset, goal: offset, place: offset, is_blocked: false };
        let course = if is_last {
            surroundings.course(agent, offset, &mut progress.detour)
        } else {
            straight
        };
        // Where the body does not fit at the goal, it stops before it.
        let rest = if course.is_blocked {
            course.offset
        } else {
            course.offset - course.offset.clamp_length_max(reach)
        };
        let encounters = &surroundings.encounters;
        let hold =
            agent.hold_before(&mut progress.held, encounters, &course, Vec3::ZERO, stop_radius);
        let goal = agent.position + offset;
        let moved = agent.displacement(progress.arrived_at, goal).length();
        let arrival = Arrival {
            distance: if hold == Hold::Rests { 0.0 } else { rest.length() },
            stop_radius,
            rests: agent.is_at_rest(),
            target_has_moved: progress.arrived && moved > stop_radius,
        };
        if agent.report_arrival(&mut progress.arrived, arrival) {
            progress.arrived_at = goal;
        }
        let waits = hold != Hold::Free;
        let is_near = waits || progress.arrived || agent.is_near_goal(&course, Vec3::ZERO);
        progress.near_goal = is_near.then_some(goal);
        if waits {
            return Some(-agent.velocity);
        }
        let profile = ArriveProfile::SlowRadius(slows_within);
        is_last.then(|| agent.arrive(rest, Vec3::ZERO, profile, stop_radius, None))
    }
}

/// The field that an agent follows, and what built it.
type Fields = SQuery<(&'static FlowField, Option<&'static GridFlow>)>;

impl SteeringBehavior for FlowFollow {
    type Param = (Fields, Surroundings<'static>);
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    bevy_steer::blend_field!();

    fn near_goal(&self) -> Option<Vec3> {
        self.progress.near_goal
    }

    fn steer(&mut self, agent: &Agent, (fields, surroundings): &ParamOf<Self>) -> Steering {
        let was_near = self.progress.near_goal.take().is_some();
        let found = match self.field {
            Some(field) => fields.get(field).ok(),
            None => fields.single().ok(),
        };
        let Some((field, grid)) = found else { return Steering::NONE };
        let Some(flow) = self.flow(agent, field, grid) else { return Steering::NONE };
        let cell_size = field.cell_size();
        let way = grid.and_then(|grid| LastWay::of(agent, flow, grid, cell_size));
        if let Some(mut way) = way {
            // It is not told by its field to leave a wall beside the goal again.
            way.is_straight |= was_near && way.offset.length() <= way.slows_within;
            if let Some(change) = self.approach(agent, surroundings, way) {
                return Steering::linear(change);
            }
        }
        Steering::linear(flow * agent.vehicle.max_speed - agent.velocity)
    }

    /// Draws the vector where the agent will be, as long as a cell.
    fn debug_draw(&self, agent: &Agent, (fields, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        let found = match self.field {
            Some(field) => fields.get(field).ok(),
            None => fields.single().ok(),
        };
        let Some((field, grid)) = found else { return };
        let Some(flow) = self.flow(agent, field, grid) else { return };
        let ahead = self.place_ahead(agent, field);
        draw.line(DebugLayer::Guess, agent.position, ahead).arrow(
            DebugLayer::Path,
            ahead,
            ahead + flow * field.cell_size(),
        );
        if let Some(goal) = self.progress.near_goal {
            draw.way(agent, agent.towards(goal));
        }
    }
}

/// The way of an agent to the nearest goal of its field.
struct LastWay {
    /// The straight offset to the goal.
    offset: Vec3,
    /// How far from the goal the body fits, in units.
    reach: f32,
    /// The distance at which the agent begins to slow down, in units.
    slows_within: f32,
    /// Whether the field leads straight there, and not round something first.
    is_straight: bool,
}

impl LastWay {
    /// `None` if the agent does not stop at a goal.
    fn of(agent: &Agent, flow: Vec3, grid: &GridFlow, cell_size: f32) -> Option<Self> {
        let rest_radius = grid.state.plan.as_ref()?.rest_radius;
        let goal = grid.nearest_goal(agent).filter(|_| rest_radius > 0.0)?;
        let offset = agent.towards(agent.plane.point(goal.position));
        // For an agent in free space the goal is as high as itself.
        let offset = offset - offset.project_onto_normalized(agent.plane.normal());
        let (reach, distance) = (goal.reach?, offset.length());
        let slows_within = reach + rest_radius;
        // A goal may have moved within its cell since the field was built. Close to the obstacle
        // that a goal is in, the field leads away from that.
        let is_straight = distance <= MOVED * cell_size
            || goal.is_inside && distance <= slows_within
            || flow.dot(offset) >= STRAIGHT * flow.length() * distance;
        Some(Self { offset, reach, slows_within, is_straight })
    }
}
