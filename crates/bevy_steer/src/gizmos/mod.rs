//! [`SteeringGizmosPlugin`]: what steers whom, drawn over the scene.

mod agents;
mod config;
mod pen;
mod surroundings;

use bevy::{
    ecs::system::StaticSystemParam, gizmos::GizmoPlugin, prelude::*, transform::TransformSystems,
};

pub use config::{Paint, ShowSteeringGizmos, Shown, SteeringGizmos};

use self::pen::Pen;
use crate::{
    agent::{AgentData, AgentParts},
    behavior::SteeringBehavior,
    contributions::Contributions,
    events::Notices,
    register::BehaviorRegistry,
    sketch::{Part, Sketch},
    tick::{Tick, TickRef},
};

/// Draws forces, velocities and what each behaviour is about, with Bevy's gizmos. What, and in which colours, is in the gizmo
/// config group [`SteeringGizmos`].
///
/// Every behaviour draws itself, see [`SteeringBehavior::sketch`]: yours too. Agents are drawn where their `Transform` is when the
/// frame is drawn, so also between two ticks if something interpolates it. While the group is switched off nothing is computed.
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
/// Needs Bevy's `GizmoPlugin`, which is part of `DefaultPlugins`; where that is missing it says so in the log and draws nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SteeringGizmosPlugin;

/// All that draws, switched together.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct DrawSteering;

/// Says that behaviours are drawn, also those that are registered later.
#[derive(Resource)]
struct Drawn;

impl Plugin for SteeringGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<ShowSteeringGizmos>().register_type::<SteeringGizmos>();
    }

    // Not before: Bevy's plugin may be added after this one.
    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<GizmoPlugin>() {
            log::warn!(
                "bevy_steer: there is no GizmoPlugin, so SteeringGizmosPlugin draws nothing"
            );
            return;
        }
        app.init_gizmo_group::<SteeringGizmos>()
            .insert_resource(Drawn)
            .configure_sets(
                PostUpdate,
                DrawSteering.after(TransformSystems::Propagate).run_if(is_switched_on),
            )
            .add_systems(
                PostUpdate,
                (agents::draw_agents, agents::draw_traces, surroundings::draw_surroundings)
                    .in_set(DrawSteering),
            );
        let Some(registry) = app.world().get_resource::<BehaviorRegistry>() else { return };
        let registered: Vec<_> = registry.iter().copied().collect();
        for behavior in registered {
            behavior.draw_in(app);
        }
    }
}

fn is_switched_on(store: Res<GizmoConfigStore>) -> bool {
    store.get_config::<SteeringGizmos>().is_some_and(|(config, _)| config.enabled)
}

/// Whether behaviours are to be drawn.
pub(crate) fn are_drawn(app: &App) -> bool {
    app.world().contains_resource::<Drawn>()
}

/// Has a behaviour drawn.
pub(crate) fn draw_behavior<B: SteeringBehavior>(app: &mut App) {
    app.add_systems(PostUpdate, sketch_agents::<B>.in_set(DrawSteering));
}

/// An agent as the gizmos see it.
type Seen = (AgentData, &'static Contributions, Has<ShowSteeringGizmos>);

/// The time step of a sketch while none passes, in seconds.
const STILL: f32 = 1.0 / 64.0;

fn sketch_agents<B: SteeringBehavior>(
    agents: Query<(Seen, &B)>,
    world: StaticSystemParam<B::World>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
    mut sketch: Local<Sketch>,
    mut unheard: Local<Notices>,
) {
    let config = gizmos.config_ext;
    let index = registry.index_of::<B>();
    let Some(own) = config.color_of(&registry, index) else { return };
    *sketch = Sketch::of(Part::ALL.into_iter().filter(|&part| config.paint(part) != Paint::Off));
    let world = world.into_inner();
    let told = tick.borrow();
    let dt = if told.dt > 0.0 { told.dt } else { STILL };
    for ((parts, contributions, is_marked), behavior) in &agents {
        if !(behavior.blend().enabled && contributions.is_sane() && config.shows(is_marked)) {
            continue;
        }
        let parts = AgentParts::from(parts);
        let agent = parts.agent(index, TickRef { dt, notices: &unheard, ..told });
        behavior.sketch(&agent, &world, &mut sketch);
        let mut pen = Pen::new(&mut gizmos, &agent);
        for &(part, stroke) in sketch.strokes() {
            if let Some(color) = config.paint(part).color(own) {
                pen.draw(stroke, config.strength(part, color));
            }
        }
        sketch.clear();
    }
    // What a sketch tells is nobody's business.
    *unheard = Notices::default();
}
