//! The panel without a window, and functions that operate it.

use bevy::{
    app::PluginGroupBuilder,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::ExitCondition,
    winit::WinitPlugin,
};
use bevy_egui::egui::{
    self, Event,
    accesskit::{Action, ActionData, ActionRequest, Role},
};
use bevy_steer::{Help, ParameterRange, RuntimeState, Unit, prelude::*};
use bevy_steer_inspector::{Inspector, InspectorCorePlugin, inspector_ui};
use egui_kittest::{
    Harness,
    kittest::{By, NodeT, Queryable},
};

/// An app with the state of the panel that runs one fixed tick per frame.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default(), InspectorCorePlugin));
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    // The first update starts the clock of Bevy.
    app.update();
    app
}

/// Bevy without a graphics device and without an event loop; the window is an entity only.
pub(crate) fn headless() -> PluginGroupBuilder {
    let settings = WgpuSettings { backends: None, ..default() };
    DefaultPlugins
        .set(RenderPlugin { render_creation: settings.into(), ..default() })
        .set(WindowPlugin { exit_condition: ExitCondition::DontExit, ..default() })
        .disable::<WinitPlugin>()
}

/// The panel of an app, as wide as it is docked at the start, and so high that no widget is
/// scrolled out of view.
pub(crate) struct Panel {
    pub(crate) harness: Harness<'static, App>,
}

impl Panel {
    pub(crate) const WIDTH: f32 = 340.0;
    /// Where the contents end at the right: the panel has a margin.
    pub(crate) const RIGHT: f32 = Self::WIDTH - 8.0;

    pub(crate) fn new(app: App) -> Self {
        Self::of_height(app, 2400.0)
    }

    pub(crate) fn of_height(app: App, height: f32) -> Self {
        let harness = Harness::builder()
            .with_size(egui::vec2(Self::WIDTH, height))
            .build_ui_state(|ui, app: &mut App| inspector_ui(ui, app.world_mut()), app);
        Self { harness }
    }

    /// The panel of an app in which this agent is selected.
    pub(crate) fn about(mut app: App, agent: Entity) -> Self {
        app.world_mut().resource_mut::<Inspector>().select(Some(agent));
        Self::new(app)
    }

    pub(crate) fn world(&mut self) -> &mut World {
        self.harness.state_mut().world_mut()
    }

    pub(crate) fn get<C: Component + Clone>(&mut self, entity: Entity) -> Option<C> {
        self.world().get::<C>(entity).cloned()
    }

    pub(crate) fn selected(&mut self) -> Option<Entity> {
        self.world().resource::<Inspector>().selected
    }

    /// A frame of the game and some of the panel, so that animations have ended.
    pub(crate) fn frame(&mut self) {
        self.harness.state_mut().update();
        self.harness.run_steps(4);
    }

    pub(crate) fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    pub(crate) fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run_steps(4);
    }

    /// Clicks the button with this text, where other widgets have it too.
    pub(crate) fn click_button(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::Button, label).click();
        self.harness.run_steps(4);
    }

    /// The labels of all widgets.
    pub(crate) fn labels(&self) -> Vec<String> {
        let widgets = self.harness.query_all(By::new());
        widgets.filter_map(|widget| widget.accesskit_node().label()).collect()
    }

    /// How far to the right the widgets reach.
    pub(crate) fn right_end(&self) -> f32 {
        let widgets = self.harness.query_all(By::new());
        let ends = widgets.filter_map(|widget| widget.accesskit_node().bounding_box());
        ends.map(|bounds| bounds.x1 as f32).fold(0.0, f32::max)
    }

    pub(crate) fn type_into(&mut self, label: &str, text: &str) {
        self.harness.get_by_label(label).focus();
        self.harness.run_steps(2);
        self.harness.get_by_label(label).type_text(text);
        self.harness.run_steps(4);
    }

    /// Sets a slider to a value, in the unit that it shows.
    pub(crate) fn slide(&mut self, label: &str, value: f64) {
        let node = self.harness.get_by_label(label);
        let (target_node, target_tree) = node.accesskit_node().locate();
        let data = Some(ActionData::NumericValue(value));
        let request = ActionRequest { action: Action::SetValue, target_node, target_tree, data };
        self.harness.event(Event::AccessKitActionRequest(request));
        self.harness.run_steps(4);
    }

    /// The ends of a slider, and its value.
    pub(crate) fn slider(&self, label: &str) -> [Option<f64>; 3] {
        let mut nodes = self.harness.query_all_by_label(label);
        let slider = nodes.find(|node| node.accesskit_node().role() == Role::Slider);
        let slider = slider.expect("a slider");
        let node = slider.accesskit_node();
        [node.min_numeric_value(), node.max_numeric_value(), node.numeric_value()]
    }

    /// Moves the pointer onto a label and waits for its tooltip.
    pub(crate) fn hover(&mut self, label: &str) {
        self.harness.get_by_label(label).hover();
        self.harness.run_steps(60);
    }

    /// The text of the label that contains this.
    pub(crate) fn text_with(&self, part: &str) -> String {
        let node = self.harness.get_by_label_contains(part);
        let node = node.accesskit_node();
        node.label().or_else(|| node.value()).unwrap_or_default()
    }

    /// Runs a number of ticks without showing the panel.
    pub(crate) fn ticks(&mut self, count: usize) {
        for _ in 0..count {
            self.harness.state_mut().update();
        }
    }
}

/// A behaviour of a game, with attributes on its fields.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default)]
pub(crate) struct Orbit {
    /// The centre.
    pub(crate) target: Target,
    /// Distance from the centre, in units.
    #[reflect(@Unit::Length)]
    pub(crate) distance: f32,
    /// In seconds.
    #[reflect(@Unit::Time, @ParameterRange::between(1.0, 60.0), @Help("Time of one revolution."))]
    pub(crate) period: f32,
    /// Inclination, in radians.
    #[reflect(@Unit::Angle, @ParameterRange::between(-90.0, 90.0).degrees())]
    pub(crate) tilt: f32,
    /// Angle so far, in radians.
    #[reflect(@RuntimeState)]
    pub(crate) angle: f32,
    /// Weight, priority and switch.
    pub(crate) blend: Blend,
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            target: Target::default(),
            distance: 3.0,
            period: 8.0,
            tilt: core::f32::consts::FRAC_PI_6,
            angle: 0.0,
            blend: Blend::default(),
        }
    }
}

impl SteeringBehavior for Orbit {
    type Param = ();
    const PRIORITY: Priority = Priority::High;
    fn blend(&self) -> &Blend {
        &self.blend
    }
    fn blend_mut(&mut self) -> &mut Blend {
        &mut self.blend
    }
    fn steer(&mut self, agent: &Agent, (): &()) -> Steering {
        Steering::linear(Vec3::Y * self.distance - agent.velocity)
    }
}

/// An agent with these components.
pub(crate) fn agent(app: &mut App, behaviors: impl Bundle) -> Entity {
    app.world_mut().spawn((Vehicle::default(), behaviors)).id()
}

/// The behaviours of an agent, in the order of their registration.
pub(crate) fn names(app: &App, agent: Entity) -> Vec<&'static str> {
    let entity = app.world().entity(agent);
    let registry = app.world().resource::<bevy_steer::BehaviorRegistry>();
    registry.iter().filter(|one| one.has(entity)).map(|one| one.name).collect()
}
