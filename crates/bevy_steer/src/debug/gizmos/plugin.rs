//! [`SteeringGizmosPlugin`]: draws how agents are steered over the scene: the shapes of behaviours,
//! the agents, what limits took of their requests, and the world.

use bevy::{ecs::query::QueryItem, gizmos::GizmoPlugin, prelude::*, transform::TransformSystems};

use crate::{
    agent::{
        AgentData, Contributions, SteeringForce, SteeringSettings, Tick, TickRef, Vehicle,
        VelocityLimits,
    },
    behavior::{Agent, DebugLayer, DebugShape},
    debug::gizmos::{
        config::{HideSteeringTrace, Paint, ShowSteeringGizmos, Shown, SteeringGizmos},
        shapes::Pen,
    },
    obstacles::{ObstacleIndex, ObstacleShape, PlacedObstacle},
    pipeline::{
        drawings::{CollectDrawings, DebugDrawings},
        registry::BehaviorRegistry,
        trace::{SteeringTrace, TracedLimit, limit_parts},
    },
    space::{SteeringPlane, WorldBounds},
};

/// Draws forces, velocities and the debug shapes of each behaviour with Bevy's gizmos. The gizmo
/// config group [`SteeringGizmos`] selects what is drawn, and in which colours.
///
/// Every behaviour draws itself, yours too: see
/// [`debug_draw`](crate::SteeringBehavior::debug_draw). Agents are drawn at their `Transform` in
/// this frame, so between two ticks if it is interpolated. While the group is disabled nothing is
/// computed.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// App::new()
///     .add_plugins((DefaultPlugins, SteeringPlugin::default(), SteeringGizmosPlugin))
///     .add_systems(Update, toggle)
///     .run();
///
/// fn toggle(keys: Res<ButtonInput<KeyCode>>, mut store: ResMut<GizmoConfigStore>) {
///     if keys.just_pressed(KeyCode::KeyG) {
///         let (config, _) = store.config_mut::<SteeringGizmos>();
///         config.enabled = !config.enabled;
///     }
/// }
/// ```
///
/// Needs Bevy's `GizmoPlugin`, which is part of `DefaultPlugins`; without it this plugin logs a
/// warning and draws nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SteeringGizmosPlugin;

/// All systems that draw.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct DrawSteering;

impl Plugin for SteeringGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<SteeringGizmos>();
    }

    // Not before: Bevy's plugin may be added after this one.
    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<GizmoPlugin>() {
            log::warn!("bevy_steer: SteeringGizmosPlugin draws nothing; add GizmoPlugin");
            return;
        }
        app.init_gizmo_group::<SteeringGizmos>()
            .init_resource::<DebugDrawings>()
            .configure_sets(
                PostUpdate,
                (
                    DrawSteering.after(TransformSystems::Propagate).run_if(is_switched_on),
                    CollectDrawings
                        .in_set(DrawSteering)
                        .after(begin_drawings)
                        .before(draw_drawings),
                ),
            )
            .add_systems(
                PostUpdate,
                (
                    begin_drawings,
                    draw_drawings,
                    draw_agents,
                    draw_traces,
                    draw_limits,
                    draw_surroundings,
                )
                    .in_set(DrawSteering),
            );
        let Some(registry) = app.world().get_resource::<BehaviorRegistry>() else { return };
        let collect: Vec<_> = registry.iter().map(|behavior| behavior.collect_drawings).collect();
        collect.into_iter().for_each(|collect| collect(app));
    }
}

fn is_switched_on(store: Res<GizmoConfigStore>) -> bool {
    store.get_config::<SteeringGizmos>().is_some_and(|(config, _)| config.enabled)
}

/// Selects the layers that are displayed, so that behaviours draw nothing else.
fn begin_drawings(
    store: Res<GizmoConfigStore>,
    registry: Res<BehaviorRegistry>,
    marked: Query<Entity, With<ShowSteeringGizmos>>,
    mut drawings: ResMut<DebugDrawings>,
) {
    let Some((_, config)) = store.get_config::<SteeringGizmos>() else { return };
    drawings.shapes.clear();
    drawings.parts.clear();
    drawings
        .parts
        .extend(DebugLayer::ALL.into_iter().filter(|&part| config.paint(part) != Paint::Off));
    let is_hidden = |&index: &usize| config.color_of(&registry, index).is_none();
    drawings.hidden = (0..registry.iter().count()).filter(is_hidden).collect();
    drawings.only = (config.shown == Shown::Marked).then(|| marked.iter().collect());
}

fn draw_drawings(
    drawings: Res<DebugDrawings>,
    registry: Res<BehaviorRegistry>,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    let behaviors = 0..registry.iter().count();
    let colors: Vec<_> = behaviors.map(|index| config.color_of(&registry, index)).collect();
    for drawn in &drawings.shapes {
        let own = colors.get(drawn.behavior).copied().flatten();
        if let Some(color) = own.and_then(|own| config.paint(drawn.part).color(own)) {
            let mut pen = Pen::new(&mut gizmos, drawn.plane, drawn.radius);
            pen.draw(drawn.shape, config.strength(drawn.part, color));
        }
    }
}

/// An agent as the gizmos see it.
type DrawnAgent = (AgentData, &'static Contributions, Has<ShowSteeringGizmos>);

/// This agent, if its gizmos are drawn.
fn drawn<'a>(
    (data, contributions, is_marked): QueryItem<'a, '_, DrawnAgent>,
    config: &SteeringGizmos,
    tick: TickRef<'a>,
) -> Option<Agent<'a>> {
    if !contributions.is_valid() || config.shown == Shown::Marked && !is_marked {
        return None;
    }
    let agent = Agent::new(&data.into(), usize::MAX, tick);
    agent.position.is_finite().then_some(agent)
}

fn draw_agents(
    agents: Query<(DrawnAgent, &SteeringForce)>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    let &SteeringGizmos { force, velocity, heading, body, reach, .. } = config;
    if [force, velocity, heading, body].iter().all(Option::is_none) {
        return;
    }
    let tick = tick.borrow();
    for (agent, steering) in &agents {
        let Some(agent) = drawn(agent, config, tick) else { continue };
        let (from, vehicle) = (agent.position, agent.vehicle);
        let mut pen = Pen::new(&mut gizmos, agent.plane, vehicle.radius);
        if let Some(color) = body {
            pen.circle(from, vehicle.radius, color);
        }
        if let Some(color) = heading {
            pen.arrow(from, from + agent.heading() * (2.0 * vehicle.radius), color);
        }
        if let Some(color) = velocity {
            pen.arrow(from, from + agent.velocity * reach, color);
        }
        if let Some(color) = force {
            pen.arrow(from, from + steering.linear * force_scale(vehicle, reach), color);
        }
    }
}

/// Draws the part of each request that got through arbitration.
fn draw_traces(
    agents: Query<(DrawnAgent, &SteeringTrace), Without<HideSteeringTrace>>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    let tick = tick.borrow();
    for (agent, trace) in &agents {
        let Some(agent) = drawn(agent, config, tick) else { continue };
        let scale = force_scale(agent.vehicle, config.reach);
        let mut pen = Pen::new(&mut gizmos, agent.plane, agent.vehicle.radius);
        for contribution in trace.iter() {
            let own = config.color_of(&registry, contribution.behavior);
            if let Some(color) = own.and_then(|own| config.requests.color(own)) {
                let tip = agent.position + contribution.passed * scale;
                if tip.is_finite() {
                    pen.arrow(agent.position, tip, color);
                }
            }
        }
    }
}

/// Units of length per unit of force.
fn force_scale(vehicle: &Vehicle, reach: f32) -> f32 {
    let Vehicle { max_speed, max_force, .. } = *vehicle;
    if max_force > 0.0 { reach * max_speed / max_force } else { 0.0 }
}

/// The colour of parts that do not belong to a single behaviour.
const LIMITED: Color = Color::srgb(0.94, 0.70, 0.24);

/// The opacity of faint parts.
const FAINT: f32 = 0.4;

fn draw_limits(
    agents: Query<(DrawnAgent, &VelocityLimits, Option<&SteeringTrace>, Has<HideSteeringTrace>)>,
    places: Query<&GlobalTransform>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    if config.limits == Paint::Off {
        return;
    }
    let tick = tick.borrow();
    let paint = |own: Color, share: f32| {
        let color = config.strength(DebugLayer::Limit, config.limits.color(own)?);
        Some(color.with_alpha(color.alpha() * share))
    };
    for (agent, limits, trace, is_hidden) in &agents {
        let Some(agent) = drawn(agent, config, tick) else { continue };
        let from = agent.position;
        let mut all = match trace.filter(|_| !is_hidden) {
            Some(trace) => trace.limits().copied().collect(),
            None => limit_parts(limits, agent.vehicle.max_speed),
        };
        all.retain(|limit| limit.taken != Vec3::ZERO);
        if all.is_empty() {
            continue;
        }
        let mut pen = Pen::new(&mut gizmos, agent.plane, agent.vehicle.radius);
        let tip = |velocity: Vec3| from + velocity * config.reach;
        let permitted = limits.permitted();
        for (velocity, share) in [(limits.requested(), FAINT), (permitted, 1.0)] {
            if let Some(color) = paint(LIMITED, share).filter(|_| tip(velocity).is_finite()) {
                pen.arrow(from, tip(velocity), color);
            }
        }
        for TracedLimit { behavior, source, normal, bound, is_hard, .. } in all {
            let is_known = registry.get(behavior).is_some();
            let own = if is_known { config.color_of(&registry, behavior) } else { Some(LIMITED) };
            let edge = tip(permitted + normal * (bound - normal.dot(permitted)));
            let Some(own) = own.filter(|_| edge.is_finite()) else { continue };
            if let Some(color) = paint(own, if is_hard { 1.0 } else { FAINT }) {
                pen.edge(edge, normal, color);
            }
            let place = source.and_then(|source| places.get(source).ok());
            let place = place.map(GlobalTransform::translation).filter(|place| place.is_finite());
            if let Some((place, color)) = place.zip(paint(own, FAINT)) {
                pen.draw(DebugShape::Line(from, place), color);
            }
        }
    }
}

/// Draws obstacles and walls as agents see them, and the edges of the world.
fn draw_surroundings(
    index: Res<ObstacleIndex>,
    bounds: Option<Res<WorldBounds>>,
    settings: Res<SteeringSettings>,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    for placed in index.iter() {
        if let Some(color) = if placed.is_wall { config.walls } else { config.obstacles } {
            draw_obstacle(placed, settings.plane, color, &mut gizmos);
        }
    }
    if let (Some(bounds), Some(color)) = (bounds, config.bounds) {
        let size = bounds.max - bounds.min;
        // Without edges there is nothing to draw.
        let flat = Vec3::select(size.is_finite_mask(), size, Vec3::ZERO);
        if settings.plane.flatten(size).is_finite() {
            let middle = (bounds.min + bounds.max) * 0.5;
            let middle = Vec3::select(size.is_finite_mask(), middle, Vec3::ZERO);
            gizmos.cube(Transform::from_translation(middle).with_scale(flat), color);
        }
    }
}

fn draw_obstacle(
    placed: &PlacedObstacle,
    plane: SteeringPlane,
    color: Color,
    gizmos: &mut Gizmos<SteeringGizmos>,
) {
    let [x, y, z] = placed.axes;
    let center = placed.position;
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z));
    let place = Isometry3d::new(center, rotation);
    if !(center.is_finite() && rotation.is_finite()) {
        return;
    }
    match placed.shape {
        ObstacleShape::Sphere { radius } => {
            Pen::new(gizmos, plane, radius).circle(center, radius, color);
        }
        ObstacleShape::Box { half_size } => {
            let scale = Vec3::select(half_size.is_finite_mask(), half_size * 2.0, Vec3::ZERO);
            gizmos.cube(Transform { translation: center, rotation, scale }, color);
        }
        ObstacleShape::Capsule { radius, half_length } => {
            gizmos.primitive_3d(&Capsule3d { radius, half_length }, place, color);
        }
        ObstacleShape::Segment { start, end } => {
            gizmos.line(place * start, place * end, color);
        }
    }
}
