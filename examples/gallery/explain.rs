//! The steering gizmos of each scene, and of the agent that a click selects.

use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};
use bevy_egui::input::EguiWantsInput;
use bevy_steer::{Paint, ShowSteeringGizmos, Shown, prelude::*};
use bevy_steer_inspector::{Inspector, Sight, nearest_to_ray};

use super::{camera::SceneCamera, stage::CurrentScene};
use crate::{gizmos::draw_nothing, palette};

/// The colour of the steering force.
pub(super) const FORCE: Option<Color> = Some(palette::RED);
/// The colour of the velocity.
pub(super) const VELOCITY: Option<Color> = Some(Color::srgba(0.87, 0.90, 0.94, 0.35));
/// The colour of the ring around an agent that is explained, where it is hard to find otherwise.
pub(super) const SELECTED: Option<Color> = Some(palette::TEXT);
/// Agents this near to the pointer are hit, in pixels.
const REACH: f32 = 8.0;

pub(super) fn set_up(mut store: ResMut<GizmoConfigStore>) {
    let (config, _) = store.config_mut::<SteeringGizmos>();
    config.line.width = 1.6;
}

/// Turns on the gizmos of a new scene. Until the next one, changes in the inspector are kept.
pub(super) fn explain(
    current: Res<CurrentScene>,
    mut store: ResMut<GizmoConfigStore>,
    mut last: Local<&'static str>,
) {
    if *last != current.0.name {
        *last = current.0.name;
        let (_, gizmos) = store.config_mut::<SteeringGizmos>();
        draw_nothing(gizmos);
        gizmos.reach = SteeringGizmos::default().reach;
        (current.0.explain)(gizmos);
        if gizmos.shown == Shown::Marked {
            // Few enough that lines to what they are after cover nothing.
            gizmos.targets = Paint::Own;
        }
    }
}

/// Whether a click on an agent explains it: in scenes that explain only some of their agents.
pub(super) fn takes_clicks(world: &World) -> bool {
    let store = world.get_resource::<GizmoConfigStore>();
    let config = store.and_then(|store| store.get_config::<SteeringGizmos>());
    config.is_some_and(|(config, gizmos)| config.enabled && gizmos.shown == Shown::Marked)
}

/// The mouse over the scene.
#[derive(SystemParam)]
pub(super) struct Pointer<'w, 's> {
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<SceneCamera>>,
    egui: Res<'w, EguiWantsInput>,
}

impl Pointer<'_, '_> {
    /// What is under the pointer; `None` if it is not over the scene.
    fn sight(&self) -> Option<Sight> {
        if self.egui.is_pointer_over_area() || self.egui.is_using_pointer() {
            return None;
        }
        let (camera, place) = *self.camera;
        let view = camera.logical_viewport_rect()?;
        let at = self.window.cursor_position().filter(|at| view.contains(*at))?;
        let ray = |at| camera.viewport_to_world(place, at).ok();
        Some(Sight { ray: ray(at)?, beside: ray(at + Vec2::X * REACH)? })
    }
}

/// Explains the agent under the pointer and no other. The scene does not get that click.
pub(super) fn click(
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut store: ResMut<GizmoConfigStore>,
    pointer: Pointer,
    inspector: Res<Inspector>,
    agents: Query<(Entity, &Transform, &Vehicle)>,
    marked: Query<Entity, With<ShowSteeringGizmos>>,
    mut commands: Commands,
) {
    // While the inspector is open, a click selects an agent there.
    if !buttons.just_pressed(MouseButton::Left) || inspector.is_open {
        return;
    }
    let bodies = agents.iter().map(|(agent, at, body)| (agent, at.translation, body.radius));
    let hit = pointer.sight().and_then(|sight| nearest_to_ray(&sight, bodies));
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    let Some(agent) = hit else { return };
    marked.iter().for_each(|old| _ = commands.entity(old).remove::<ShowSteeringGizmos>());
    commands.entity(agent).insert(ShowSteeringGizmos);
    gizmos.body = SELECTED;
    buttons.reset(MouseButton::Left);
}
