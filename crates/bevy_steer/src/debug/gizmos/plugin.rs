//! [`SteeringGizmosPlugin`]: draws how agents are steered over the scene.

use bevy::{gizmos::GizmoPlugin, prelude::*, transform::TransformSystems};

use crate::{
    behavior::DebugLayer,
    debug::gizmos::{
        agents::{draw_agents, draw_limits, draw_traces},
        config::{Paint, ShowSteeringGizmos, Shown, SteeringGizmos},
        shapes::Pen,
        world::draw_surroundings,
    },
    pipeline::{
        drawings::{CollectDrawings, DebugDrawings},
        registry::BehaviorRegistry,
    },
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
        let registered: Vec<_> = registry.iter().copied().collect();
        for behavior in registered {
            behavior.collect_drawings(app);
        }
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
