//! [`SteeringInspectorPlugin`], and [`InspectorCorePlugin`], which is what of it needs no window.

use std::path::PathBuf;

use bevy::{gizmos::GizmoPlugin, prelude::*, window::PrimaryWindow};
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass};
use bevy_inspector_egui::DefaultInspectorConfigPlugin;
use bevy_steer::{SteeringDiagnosticsPlugin, SteeringGizmosPlugin};

use crate::{
    agents::list::{self, AgentList},
    dock::{self, Side},
    editors::Editors,
    inspector::Inspector,
    presets::section::PresetShelf,
    sections::gizmos::draw_marked_only,
    selected::history::{self, History},
    selection::{self, Marks},
    world::{click, follow, ring},
};

/// Adds the panel, docked to a side of the primary window.
///
/// The cameras that render to the primary window make room for it: their viewports shrink while it is open and are as
/// they were when it is closed. A click on an agent in the world selects it.
///
/// What it needs and the app has not is added: [`EguiPlugin`], [`SteeringDiagnosticsPlugin`], [`SteeringGizmosPlugin`] (then
/// only the selected agent is drawn). If you add one of these yourself, do so before. The panel is drawn by a camera of its
/// own that carries the primary egui context, so that your egui windows are drawn over the whole window too; who has
/// switched off [`EguiGlobalSettings::auto_create_primary_context`] and has a context keeps it.
#[derive(Clone, Debug)]
pub struct SteeringInspectorPlugin {
    /// The key that opens and closes the panel; `None` for no key. Default F1.
    pub toggle_key: Option<KeyCode>,
    /// Whether the panel is open in the beginning. Default true.
    pub open: bool,
    /// Where it is docked. Default right; a button in the panel changes it.
    pub side: Side,
    /// Whether the cameras of the primary window make room for it. Default true.
    pub fit_cameras: bool,
    /// The folder of the presets. Default `assets/presets`, from where the game is started.
    pub presets: PathBuf,
}

impl Default for SteeringInspectorPlugin {
    fn default() -> Self {
        let Inspector { is_open, side, fits_cameras, presets, .. } = Inspector::default();
        Self {
            toggle_key: Some(KeyCode::F1),
            open: is_open,
            side,
            fit_cameras: fits_cameras,
            presets,
        }
    }
}

impl SteeringInspectorPlugin {
    /// Opened and closed with this key.
    #[must_use]
    pub fn with_key(mut self, key: KeyCode) -> Self {
        self.toggle_key = Some(key);
        self
    }

    /// Closed in the beginning.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.open = false;
        self
    }

    /// Docked to this side.
    #[must_use]
    pub fn on(mut self, side: Side) -> Self {
        self.side = side;
        self
    }

    /// Drawn over the scene: no camera makes room.
    #[must_use]
    pub fn over_the_scene(mut self) -> Self {
        self.fit_cameras = false;
        self
    }

    /// With the presets in this folder.
    #[must_use]
    pub fn with_presets(mut self, folder: impl Into<PathBuf>) -> Self {
        self.presets = folder.into();
        self
    }
}

impl Plugin for SteeringInspectorPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        let mut egui = app.world_mut().resource_mut::<EguiGlobalSettings>();
        if egui.auto_create_primary_context {
            egui.auto_create_primary_context = false;
            app.add_systems(PreStartup, dock::spawn_camera)
                .add_systems(PostUpdate, dock::match_msaa);
        }
        if !app.is_plugin_added::<SteeringGizmosPlugin>() {
            app.add_plugins(SteeringGizmosPlugin).add_systems(
                PreStartup,
                draw_marked_only.run_if(resource_exists::<GizmoConfigStore>),
            );
        }
        app.insert_resource(Inspector {
            is_open: self.open,
            side: self.side,
            fits_cameras: self.fit_cameras,
            presets: self.presets.clone(),
            ..default()
        });
        app.add_plugins(InspectorCorePlugin)
            .init_resource::<click::Press>()
            .init_resource::<follow::Followed>();
        if let Some(key) = self.toggle_key {
            app.add_systems(
                Update,
                move |keys: Res<ButtonInput<KeyCode>>, mut inspector: ResMut<Inspector>| {
                    if keys.just_pressed(key) {
                        inspector.is_open = !inspector.is_open;
                    }
                },
            );
        }
        app.add_systems(Update, click::click_in_window)
            .add_systems(EguiPrimaryContextPass, dock::show_panel)
            .add_systems(
                PostUpdate,
                (dock::fit_cameras, follow::follow_selected)
                    .chain()
                    .before(TransformSystems::Propagate)
                    .run_if(any_with_component::<PrimaryWindow>),
            );
    }

    // Not before: Bevy's plugin may be added after this one.
    fn finish(&self, app: &mut App) {
        if app.is_plugin_added::<GizmoPlugin>() {
            app.init_gizmo_group::<ring::SelectionGizmos>()
                .add_systems(PostUpdate, ring::draw_ring.after(TransformSystems::Propagate));
        }
    }
}

/// The state of the panel and what keeps it true, without egui's plugin, a window or anything drawn.
///
/// For tests, and for those who show [`inspector_ui`](crate::inspector_ui) in a window of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct InspectorCorePlugin;

impl Plugin for InspectorCorePlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<DefaultInspectorConfigPlugin>() {
            app.add_plugins(DefaultInspectorConfigPlugin);
        }
        if !app.is_plugin_added::<SteeringDiagnosticsPlugin>() {
            app.add_plugins(SteeringDiagnosticsPlugin);
        }
        app.init_resource::<Inspector>()
            .init_resource::<AgentList>()
            .init_resource::<Editors>()
            .init_resource::<History>()
            .init_resource::<Marks>()
            .init_resource::<PresetShelf>()
            .add_systems(PreUpdate, selection::keep_marks)
            .add_systems(PostUpdate, history::record);
        list::watch(app);
    }
}
