//! [`SteeringInspectorPlugin`], and [`InspectorCorePlugin`], its part without a window.

use std::path::PathBuf;

use bevy::{
    gizmos::GizmoPlugin,
    input::keyboard::KeyboardInput,
    prelude::*,
    render::{ExtractSchedule, RenderApp},
    window::PrimaryWindow,
};
use bevy_egui::{
    EguiGlobalSettings, EguiInputSet, EguiPlugin, EguiPrimaryContextPass, input::EguiWantsInput,
};
use bevy_inspector_egui::DefaultInspectorConfigPlugin;
use bevy_steer::{SteeringDiagnosticsPlugin, SteeringGizmosPlugin};

use crate::{
    agents::list::{self, AgentList},
    change::history::EditHistory,
    editors::registry::Editors,
    presets::section::PresetForm,
    sections::{
        gizmos::draw_marked_only,
        leave::{self, Question},
    },
    selected::{
        card::NewCard,
        history::{self, History},
    },
    state::{
        aim::Aim,
        inspector::{Inspector, Side},
        selection::{self, Marks},
        time::RecordsAll,
    },
    window::{dock, fit, overlay, render},
    world::{aim, click, follow, ring},
};

/// Adds the panel, docked to a side of the primary window.
///
/// The viewports of the cameras that render to the primary window shrink while the panel is open
/// and are restored when it is closed. A click on an agent in the world selects it.
///
/// # Plugins that it adds
///
/// [`EguiPlugin`], [`SteeringDiagnosticsPlugin`] and [`SteeringGizmosPlugin`], unless the app has
/// them. Add your own before this one. Gizmos that it adds itself draw the selected agent only.
///
/// # Cameras and egui
///
/// It adds no camera: a game's `Single<&Camera>` still works. The primary egui context is on an
/// entity without a `Camera` and covers the whole window, so the egui windows of a game are drawn
/// over the whole window too. If a game has disabled
/// [`EguiGlobalSettings::auto_create_primary_context`] and creates its own primary context, the
/// panel is shown in that one.
///
/// Systems of the game also see clicks on the panel and letters typed into its fields. To prevent
/// that, run them only if
/// [`egui_wants_any_pointer_input`](bevy_egui::input::egui_wants_any_pointer_input) or
/// [`egui_wants_any_keyboard_input`](bevy_egui::input::egui_wants_any_keyboard_input) is false.
#[derive(Clone, Debug)]
pub struct SteeringInspectorPlugin {
    /// The key that opens and closes the panel; `None` for no key. Default: F1. A key that types
    /// text does nothing while a text field has the keyboard.
    pub toggle_key: Option<KeyCode>,
    /// Whether the panel is open at the start. Default: true.
    pub open: bool,
    /// The side that it is docked to. Default: right. A button in the panel changes it.
    pub side: Side,
    /// Whether the cameras of the primary window make room for it. Default: true.
    pub fit_cameras: bool,
    /// The folder of the presets, relative to the working directory. Default: `assets/presets`.
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
    /// Sets the key that opens and closes the panel; `None` for no key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<Option<KeyCode>>) -> Self {
        self.toggle_key = key.into();
        self
    }

    /// Starts with the panel closed.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.open = false;
        self
    }

    /// Sets the side that the panel is docked to.
    #[must_use]
    pub fn on(mut self, side: Side) -> Self {
        self.side = side;
        self
    }

    /// Draws the panel over the scene, without shrinking the viewports of cameras.
    #[must_use]
    pub fn over_the_scene(mut self) -> Self {
        self.fit_cameras = false;
        self
    }

    /// Sets the folder of the presets.
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
            app.add_systems(PreStartup, overlay::spawn_overlay).add_systems(
                PreUpdate,
                overlay::read_input
                    .after(EguiInputSet::ReadBevyMessages)
                    .before(EguiInputSet::WriteEguiEvents),
            );
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
            .init_resource::<dock::PanelWidth>()
            .init_resource::<follow::Followed>();
        if let Some(key) = self.toggle_key {
            app.add_systems(
                Update,
                move |mut presses: MessageReader<KeyboardInput>,
                      egui: Res<EguiWantsInput>,
                      mut inspector: ResMut<Inspector>| {
                    for press in presses.read().filter(|press| press.key_code == key) {
                        // A letter that is typed into a text field is not a shortcut.
                        let is_typed = press.text.is_some() && egui.wants_any_keyboard_input();
                        if press.state.is_pressed() && !press.repeat && !is_typed {
                            inspector.is_open = !inspector.is_open;
                        }
                    }
                },
            );
        }
        app.add_systems(Update, click::click_in_window)
            .add_systems(EguiPrimaryContextPass, dock::show_panel)
            .add_systems(
                PostUpdate,
                (fit::fit_cameras, follow::follow_selected)
                    .chain()
                    .before(TransformSystems::Propagate)
                    .run_if(any_with_component::<PrimaryWindow>),
            );
    }

    // In `finish`, because the plugins of Bevy may be added after this one.
    fn finish(&self, app: &mut App) {
        if app.is_plugin_added::<GizmoPlugin>() {
            app.init_gizmo_group::<ring::SelectionGizmos>().add_systems(
                PostUpdate,
                (ring::draw_ring, aim::draw_aim).after(TransformSystems::Propagate),
            );
        }
        if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
            render_app.add_systems(ExtractSchedule, render::extract_overlay);
        }
    }
}

/// The state of the panel and the systems that update it, without `EguiPlugin`, window or gizmos.
///
/// For tests, and for apps that show [`inspector_ui`](crate::inspector_ui) in a window of their
/// own.
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
            .init_resource::<EditHistory>()
            .init_resource::<History>()
            .init_resource::<Aim>()
            .init_resource::<Marks>()
            .init_resource::<NewCard>()
            .init_resource::<Question>()
            .init_resource::<RecordsAll>()
            .init_resource::<PresetForm>()
            // After the keys of the frame, before its ticks.
            .add_systems(
                RunFixedMainLoop,
                selection::update_marks.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
            )
            .add_systems(PostUpdate, (history::record, leave::withdraw));
        list::watch(app);
    }
}
