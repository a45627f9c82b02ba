//! The panel without a window, and hands to use it.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_egui::egui::{
    self, Event,
    accesskit::{Action, ActionData, ActionRequest},
};
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, InspectorCorePlugin, inspector_ui};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

/// An app that steers in fixed ticks, one a frame, and has the panel's state.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default(), InspectorCorePlugin));
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    // Bevy's clock starts with the first update.
    app.update();
    app
}

/// The panel of an app, large enough for everything in it to be seen.
pub struct Panel {
    pub harness: Harness<'static, App>,
}

impl Panel {
    pub fn new(app: App) -> Self {
        let harness = Harness::builder()
            .with_size(egui::vec2(380.0, 2400.0))
            .build_ui_state(|ui, app: &mut App| inspector_ui(ui, app.world_mut()), app);
        Self { harness }
    }

    /// The panel of an app in which this agent is selected.
    pub fn about(mut app: App, agent: Entity) -> Self {
        app.world_mut().resource_mut::<Inspector>().select(Some(agent));
        Self::new(app)
    }

    pub fn world(&mut self) -> &mut World {
        self.harness.state_mut().world_mut()
    }

    pub fn get<C: Component + Clone>(&mut self, entity: Entity) -> Option<C> {
        self.world().get::<C>(entity).cloned()
    }

    pub fn selected(&mut self) -> Option<Entity> {
        self.world().resource::<Inspector>().selected
    }

    /// A frame of the game and some of the panel, so that what unfolds has unfolded.
    pub fn frame(&mut self) {
        self.harness.state_mut().update();
        self.harness.run_steps(4);
    }

    pub fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run_steps(4);
    }

    pub fn type_into(&mut self, label: &str, text: &str) {
        self.harness.get_by_label(label).focus();
        self.harness.run_steps(2);
        self.harness.get_by_label(label).type_text(text);
        self.harness.run_steps(4);
    }

    /// Moves a slider to a value, in the unit that it shows.
    pub fn slide(&mut self, label: &str, value: f64) {
        let node = self.harness.get_by_label(label);
        let (target_node, target_tree) = node.accesskit_node().locate();
        let data = Some(ActionData::NumericValue(value));
        let request = ActionRequest { action: Action::SetValue, target_node, target_tree, data };
        self.harness.event(Event::AccessKitActionRequest(request));
        self.harness.run_steps(4);
    }

    /// The text of the one label that contains this.
    pub fn text_with(&self, part: &str) -> String {
        let node = self.harness.get_by_label_contains(part);
        let node = node.accesskit_node();
        node.label().or_else(|| node.value()).unwrap_or_default()
    }

    /// Advances by so many ticks of the game without looking.
    pub fn ticks(&mut self, count: usize) {
        for _ in 0..count {
            self.harness.state_mut().update();
        }
    }
}

/// A behaviour as a game would have one of its own.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default)]
pub struct Orbit {
    /// Around what.
    pub target: Target,
    /// How far from it, in units.
    pub distance: f32,
    /// Its part in arbitration.
    pub blend: Blend,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { target: Target::default(), distance: 3.0, blend: Blend::default() }
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
