//! [`Card`]: what is shown of a behaviour.

use core::any::TypeId;

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_egui::egui::{self, RichText, collapsing_header::CollapsingState};
use bevy_steer::{Blend, RegisteredBehavior};

use super::{blend, component, forces::name_at};
use crate::{
    accessible::{name_button, name_switch},
    change::{
        behaviors::remove_from, fields::agents_in_scope, history::remember, memento::Memento,
    },
    presets::{code::Language, section::copy_code},
    reset::with_margin,
    style,
};

/// The behaviour that was just added: its card unfolds and scrolls into view.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NewCard(pub(super) Option<(TypeId, Option<usize>)>);

/// What is shown of a behaviour, or of one of several.
pub(super) struct Card<'a> {
    agent: Entity,
    behavior: &'a RegisteredBehavior,
    place: Option<usize>,
    name: String,
    component: TypeId,
}

impl<'a> Card<'a> {
    pub(super) fn new(
        agent: Entity,
        behavior: &'a RegisteredBehavior,
        place: Option<usize>,
    ) -> Self {
        let name = name_at(behavior.name, place);
        let component = if place.is_some() { behavior.several_type_id } else { behavior.type_id };
        Self { agent, behavior, place, name, component }
    }

    pub(super) fn show(
        &self,
        ui: &mut egui::Ui,
        world: &mut World,
        registry: &TypeRegistry,
        color: egui::Color32,
    ) {
        let id = ui.make_persistent_id("card");
        let mut body = CollapsingState::load_with_default_open(ui.ctx(), id, false);
        let new = NewCard(Some((self.component, self.place)));
        let is_new = *world.resource::<NewCard>() == new;
        if is_new {
            body.set_open(true);
        }
        let head = ui.horizontal(|ui| {
            let (symbol, verb) = if body.is_open() { ("⏷", "Hide") } else { ("⏵", "Show") };
            let button = ui.add(egui::Button::new(symbol).small().frame(false));
            name_button(&button, &format!("{verb} {}", self.name));
            if button.on_hover_text(format!("{verb} the parameters")).clicked() {
                body.toggle(ui);
            }
            self.head(ui, world, registry, color);
        });
        body.show_body_unindented(ui, |ui| with_margin(ui, |ui| self.body(ui, world, registry)));
        if is_new {
            ui.scroll_to_rect(head.response.rect, Some(egui::Align::TOP));
            // Until it has unfolded, as before it may not reach the top.
            if body.openness(ui.ctx()) >= 1.0 {
                world.insert_resource(NewCard(None));
            }
        }
    }

    /// The line that is always visible: colour, name with its switch, tier and weight.
    fn head(
        &self,
        ui: &mut egui::Ui,
        world: &mut World,
        registry: &TypeRegistry,
        color: egui::Color32,
    ) {
        let Some(blend) = self.blend(world) else { return };
        let (swatch, _) = ui.allocate_exact_size(egui::Vec2::splat(8.0), egui::Sense::hover());
        ui.painter().rect_filled(swatch, 2.0, color);
        let mut enabled = blend.enabled;
        let text = RichText::new(&self.name);
        let text = if enabled { text.strong() } else { text.color(style::FAINT) };
        let switch = ui
            .checkbox(&mut enabled, text)
            .on_hover_text("Enable or disable; right click to copy it as code");
        name_switch(&switch, blend.enabled, &format!("{} on", self.name));
        switch.context_menu(|ui| {
            for (text, language) in
                [("Copy as Rust", Language::Rust), ("Copy as bsn!", Language::Bsn)]
            {
                if ui.button(text).clicked() {
                    if let Err(problem) =
                        copy_code(ui, world, self.agent, language, Some(self.component))
                    {
                        warn!("{}: {problem}", self.name);
                    }
                    ui.close();
                }
            }
        });
        if switch.changed() {
            self.edit_blend(world, "enabled", |blend| blend.enabled = enabled);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let is_removable = registry.get_type_data::<ReflectComponent>(self.component).is_some();
            let button = ui.add_enabled(is_removable, egui::Button::new("✖").small());
            name_button(&button, &format!("Remove {}", self.name));
            if button.on_hover_text("Remove the behaviour").clicked() {
                let agents = agents_in_scope(world, self.agent, self.component);
                let name = format!("remove {}", self.name);
                remove_from(world, registry, &agents, self.component, self.place, &name);
            }
            let weight = format!("× {}", style::short(blend.weight));
            let tier = blend.priority.unwrap_or(self.behavior.priority);
            ui.label(RichText::new(format!("{tier:?}  {weight}")).small().color(style::FAINT));
        });
    }

    fn body(&self, ui: &mut egui::Ui, world: &mut World, registry: &TypeRegistry) {
        let Self { agent, behavior, component, ref name, .. } = *self;
        let Some(blend) = self.blend(world) else { return };
        if let Some((new, what)) = blend::show(ui, registry, behavior, name, blend) {
            self.edit_blend(world, what, |blend| {
                if what == "weight" {
                    blend.weight = new.weight;
                } else {
                    blend.priority = new.priority;
                }
            });
        }
        let part = self.place.map_or(String::new(), |place| format!("0[{place}]"));
        component::show(ui, world, registry, agent, component, &part, name);
    }

    pub(super) fn blend(&self, world: &World) -> Option<Blend> {
        self.behavior.blend_at(world.get_entity(self.agent).ok()?, self.place).copied()
    }

    fn edit_blend(&self, world: &mut World, what: &str, edit: impl Fn(&mut Blend)) {
        let agents = agents_in_scope(world, self.agent, self.component);
        remember(world, &format!("{}.{what}", self.name), |world| {
            let part = |&agent: &Entity| Memento::of_blend(world, agent, self.behavior, self.place);
            agents.iter().filter_map(part).collect()
        });
        for agent in agents {
            if let Ok(mut entity) = world.get_entity_mut(agent) {
                self.behavior.edit_blend_at(&mut entity, self.place, &edit);
            }
        }
    }
}
