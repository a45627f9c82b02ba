//! The behaviours of the selected agent: a card for each, and a menu that adds more.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{TypeInfo, TypeRegistry, Typed},
};
use bevy_egui::egui::{self, RichText, collapsing_header::CollapsingState};
use bevy_steer::{BehaviorRegistry, Blend, Priority, RegisteredBehavior};

use super::{component, forces::name_at};
use crate::{
    accessible::{name_button, name_switch},
    change::{
        behaviors::{add, can_be_added, remove},
        fields::agents_in_scope,
    },
    editors::{
        number::{FieldName, slider},
        registry::Editors,
    },
    reflection::{describe::describe, kinds::help, parameter::Parameter},
    sections::gizmos::behavior_color,
    style,
};

pub(super) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let Some(known) = world.get_resource::<BehaviorRegistry>() else {
        ui.label("The app has no SteeringPlugin: add it to see behaviours.");
        return;
    };
    let known: Vec<RegisteredBehavior> = known.iter().copied().collect();
    world.resource_scope(|world, editors: Mut<Editors>| {
        for (index, behavior) in known.iter().enumerate() {
            let places = [None].into_iter().chain((0..several(world, agent, behavior)).map(Some));
            for place in places {
                let card = Card::new(agent, behavior, place);
                if card.blend(world).is_some() {
                    ui.push_id((behavior.type_id, place), |ui| {
                        card.show(ui, world, &editors.registry, behavior_color(world, index));
                    });
                }
            }
        }
        add_menu(ui, world, &editors.registry, agent, &known);
    });
}

/// How many of [`Several`](bevy_steer::Several) an agent has.
fn several(world: &World, agent: Entity, behavior: &RegisteredBehavior) -> usize {
    let Ok(entity) = world.get_entity(agent) else { return 0 };
    (0..).take_while(|&place| behavior.blend_at(entity, Some(place)).is_some()).count()
}

/// What is shown of a behaviour, or of one of several.
struct Card<'a> {
    agent: Entity,
    behavior: &'a RegisteredBehavior,
    place: Option<usize>,
    name: String,
    component: TypeId,
}

impl<'a> Card<'a> {
    fn new(agent: Entity, behavior: &'a RegisteredBehavior, place: Option<usize>) -> Self {
        let name = name_at(behavior.name, place);
        let component = if place.is_some() { behavior.several_type_id } else { behavior.type_id };
        Self { agent, behavior, place, name, component }
    }

    fn show(
        &self,
        ui: &mut egui::Ui,
        world: &mut World,
        registry: &TypeRegistry,
        color: egui::Color32,
    ) {
        let id = ui.make_persistent_id("card");
        let mut body = CollapsingState::load_with_default_open(ui.ctx(), id, false);
        ui.horizontal(|ui| {
            let (symbol, verb) = if body.is_open() { ("⏷", "Hide") } else { ("⏵", "Show") };
            let button = ui.add(egui::Button::new(symbol).small().frame(false));
            name_button(&button, &format!("{verb} {}", self.name));
            if button.on_hover_text(format!("{verb} the parameters")).clicked() {
                body.toggle(ui);
            }
            self.head(ui, world, registry, color);
        });
        body.show_body_unindented(ui, |ui| {
            let margin = egui::Margin { left: 14, bottom: 4, ..default() };
            egui::Frame::new().inner_margin(margin).show(ui, |ui| {
                self.weight_and_priority(ui, world);
                let part = self.place.map_or(String::new(), |place| format!("0[{place}]"));
                let Self { agent, component, ref name, .. } = *self;
                component::show(ui, world, registry, agent, component, &part, name);
            });
        });
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
        let switch = ui.checkbox(&mut enabled, text).on_hover_text("Enable or disable");
        name_switch(&switch, blend.enabled, &format!("{} on", self.name));
        if switch.changed() {
            self.edit_blend(world, |blend| blend.enabled = enabled);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let is_removable = registry.get_type_data::<ReflectComponent>(self.component).is_some();
            let button = ui.add_enabled(is_removable, egui::Button::new("✖").small());
            name_button(&button, &format!("Remove {}", self.name));
            if button.on_hover_text("Remove the behaviour").clicked() {
                for agent in agents_in_scope(world, self.agent, self.component) {
                    remove(world, registry, agent, self.component, self.place);
                }
            }
            let weight = format!("× {}", style::short(blend.weight));
            let tier = blend.priority.unwrap_or(self.behavior.priority);
            ui.label(RichText::new(format!("{tier:?}  {weight}")).small().color(style::FAINT));
        });
    }

    fn weight_and_priority(&self, ui: &mut egui::Ui, world: &mut World) {
        let Some(blend) = self.blend(world) else { return };
        let (weight_help, parameter) = weight_parameter();
        let mut weight = blend.weight;
        let name = FieldName(format!("{}.weight", self.name));
        ui.data_mut(|data| data.insert_temp(egui::Id::NULL, name));
        let id = ui.id().with("weight");
        if style::row(ui, "weight", weight_help, |ui| slider(ui, &mut weight, parameter, id)) {
            self.edit_blend(world, |blend| blend.weight = weight);
        }
        ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));

        let priority_help = "The tier in arbitration. Higher tiers get their force first.";
        let mut priority = blend.priority;
        let own = format!("default ({:?})", self.behavior.priority);
        style::row(ui, "priority", Some(priority_help), |ui| {
            let text = |priority: Option<Priority>| match priority {
                Some(priority) => format!("{priority:?}"),
                None => own.clone(),
            };
            let choice =
                egui::ComboBox::from_id_salt("priority").selected_text(text(blend.priority));
            let choice = choice.show_ui(ui, |ui| {
                for other in [None].into_iter().chain(Priority::ALL.map(Some)) {
                    ui.selectable_value(&mut priority, other, text(other));
                }
            });
            let name = format!("{}.priority", self.name);
            choice
                .response
                .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, &name));
        });
        if priority != blend.priority {
            self.edit_blend(world, |blend| blend.priority = priority);
        }
    }

    fn blend(&self, world: &World) -> Option<Blend> {
        self.behavior.blend_at(world.get_entity(self.agent).ok()?, self.place).copied()
    }

    fn edit_blend(&self, world: &mut World, edit: impl Fn(&mut Blend)) {
        for agent in agents_in_scope(world, self.agent, self.component) {
            if let Ok(mut entity) = world.get_entity_mut(agent) {
                self.behavior.edit_blend_at(&mut entity, self.place, &edit);
            }
        }
    }
}

/// The help, unit and range of [`Blend::weight`].
fn weight_parameter() -> (Option<&'static str>, Parameter) {
    let TypeInfo::Struct(info) = Blend::type_info() else { return (None, Parameter::default()) };
    let Some(field) = info.field("weight") else { return (None, Parameter::default()) };
    (help(field), describe(field.custom_attributes()).unwrap_or_default())
}

/// The menu of behaviours to add. If the agent already has a behaviour it gets another one.
fn add_menu(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    known: &[RegisteredBehavior],
) {
    ui.menu_button("+ Add behaviour", |ui| {
        for behavior in known {
            let has = world.get_entity(agent).is_ok_and(|entity| behavior.has(entity));
            let name = behavior.name;
            let text = if has { format!("{name}, another") } else { name.to_owned() };
            let is_possible = can_be_added(registry, behavior);
            let button = ui.add_enabled(is_possible, egui::Button::new(text));
            if button.clicked() {
                add(world, registry, agent, behavior);
                ui.close();
            }
            button.on_disabled_hover_text(
                "Cannot be added here: its type needs #[reflect(Component, Default)].",
            );
        }
    });
}
