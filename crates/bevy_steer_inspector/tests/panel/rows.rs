//! The rows of each behaviour: no wider than the panel, no runtime state among the parameters, and
//! steady while the game runs.

use core::any::TypeId;
use std::collections::BTreeSet;

use bevy::{
    prelude::*,
    reflect::{
        GetPath, NamedField, PartialReflect, ReflectRef, TypeInfo, std_traits::ReflectDefault,
    },
};
use bevy_egui::egui::accesskit::Role;
use bevy_steer::{BehaviorRegistry, RegisteredBehavior, RuntimeState, prelude::*};
use bevy_steer_inspector::Inspector;
use egui_kittest::kittest::{By, NodeT, Queryable};

use crate::common::{Panel, app};

const PREY: SteeringLayers = SteeringLayers::layer(3);

/// A world that moves, and in which every behaviour has something to do.
fn lively_app() -> App {
    let mut app = app();
    let edges = Bounds::rect(Vec2::splat(-20.0), Vec2::splat(20.0), BoundsEdge::Bounce);
    app.insert_resource(WorldBounds(edges));
    let world = app.world_mut();
    for i in 0..12_u16 {
        let at = Vec2::from_angle(f32::from(i)) * (2.0 + f32::from(i));
        let place = Transform::from_translation(at.extend(0.0));
        world.spawn((Vehicle::default(), Wander::default(), PREY, place));
        let stone = Transform::from_translation((at * 1.5).yx().extend(0.0));
        world.spawn((Obstacle::sphere(0.6), stone));
    }
    world.spawn(Wall::new(Vec2::new(-20.0, 9.0), Vec2::new(20.0, 9.0)));
    app
}

/// The behaviours that the panel can add: all but the requests of the game.
fn known(app: &App) -> Vec<RegisteredBehavior> {
    let all = app.world().resource::<BehaviorRegistry>().iter().copied();
    all.filter(|one| one.name != "Wish").collect()
}

/// The panel with the unfolded behaviour, as the component or as one of several.
fn unfolded(behavior: &RegisteredBehavior, is_one_of_several: bool) -> (Panel, Entity, String) {
    let mut app = lively_app();
    let wander = Wander::default();
    let agent = app.world_mut().spawn((Name::new("Ada"), Vehicle::default(), wander)).id();
    let mut panel = Panel::about(app, agent);
    panel.frame();
    let mut name = behavior.name.to_owned();
    if behavior.type_id != TypeId::of::<Wander>() {
        add(&mut panel, behavior.name);
    }
    if is_one_of_several {
        add(&mut panel, &format!("{name}, another"));
        name += " 1";
    } else if behavior.type_id == TypeId::of::<Wander>() {
        panel.click("Show Wander");
    }
    let target = Target::nearest(PREY, 40.0);
    let Some(path) = set_target(&mut panel, agent, behavior, target) else {
        return (panel, agent, name);
    };
    assert!(!path.is_empty());
    panel.world().resource_mut::<Inspector>().pick = None;
    panel.frame();
    (panel, agent, name)
}

fn add(panel: &mut Panel, entry: &str) {
    panel.click("+ Add behaviour");
    panel.click_button(entry);
}

/// Gives the behaviours of this kind something to do. Returns the name of the field.
fn set_target(
    panel: &mut Panel,
    agent: Entity,
    behavior: &RegisteredBehavior,
    target: Target,
) -> Option<String> {
    let types = panel.world().resource::<AppTypeRegistry>().clone();
    let types = types.read();
    let mut found = None;
    for (component, part) in [(behavior.type_id, ""), (behavior.several_type_id, "0[0].")] {
        let reflect = types.get_type_data::<ReflectComponent>(component)?;
        let default = types.get_type_data::<ReflectDefault>(behavior.type_id)?.default();
        let ReflectRef::Struct(fields) = default.reflect_ref() else { continue };
        let is_target =
            |(_, field): &(&str, &dyn PartialReflect)| field.try_downcast_ref::<Target>().is_some();
        let Some((name, _)) = fields.iter_fields().find(is_target) else { continue };
        let entity = panel.world().get_entity_mut(agent).ok()?;
        let Some(mut value) = reflect.reflect_mut(entity) else { continue };
        if let Ok(field) = value.path_mut::<Target>(format!("{part}{name}").as_str()) {
            *field = target;
            found = Some(name.to_owned());
        }
    }
    found
}

/// Runs a check for every behaviour, alone and as one of several.
fn for_each(mut check: impl FnMut(&mut Panel, Entity, &RegisteredBehavior, &str)) {
    let known = known(&app());
    assert!(known.len() > 15, "{} behaviours", known.len());
    for behavior in &known {
        for is_one_of_several in [false, true] {
            let (mut panel, agent, name) = unfolded(behavior, is_one_of_several);
            assert!(panel.has(&format!("Hide {name}")), "{name} is unfolded");
            check(&mut panel, agent, behavior, &name);
        }
    }
}

/// A row that is too wide would push the buttons at the right out of reach.
#[test]
fn no_row_is_wider_than_the_panel() {
    for_each(|panel, _, _, name| {
        panel.click("Body");
        for _ in 0..3 {
            panel.ticks(20);
            panel.frame();
            let right = panel.right_end();
            assert!(right <= Panel::RIGHT, "{name}: up to {right} of {}", Panel::RIGHT);
        }
        let state = panel.harness.query_all_by_label("state").last();
        if let Some(state) = state {
            state.click();
            panel.harness.run_steps(4);
            let remove = format!("Remove {name}");
            let right = panel.harness.get_by_label(&remove).rect().right();
            assert!(right <= Panel::RIGHT, "{name} with its state: {right}");
        }
    });
}

/// The names of the fields that say themselves that they are state.
fn marked_as_state(info: &TypeInfo) -> Vec<&'static str> {
    let TypeInfo::Struct(info) = info else { return Vec::new() };
    let marks = |field: &&NamedField| {
        let of_type = match field.type_info() {
            Some(TypeInfo::Struct(info)) => info.custom_attributes().contains::<RuntimeState>(),
            Some(TypeInfo::TupleStruct(info)) => {
                info.custom_attributes().contains::<RuntimeState>()
            }
            Some(TypeInfo::Enum(info)) => info.custom_attributes().contains::<RuntimeState>(),
            _ => false,
        };
        of_type || field.has_attribute::<RuntimeState>()
    };
    info.iter().filter(marks).map(NamedField::name).collect()
}

/// The fields of a behaviour with their values.
fn values(
    panel: &mut Panel,
    agent: Entity,
    behavior: &RegisteredBehavior,
) -> Vec<(String, String)> {
    let types = panel.world().resource::<AppTypeRegistry>().clone();
    let types = types.read();
    let component = types.get_type_data::<ReflectComponent>(behavior.type_id).expect("reflected");
    let entity = panel.world().entity(agent);
    let Some(value) = component.reflect(entity) else { return Vec::new() };
    let ReflectRef::Struct(fields) = value.reflect_ref() else { return Vec::new() };
    let text = |(name, value): (&str, &dyn PartialReflect)| (name.to_owned(), format!("{value:?}"));
    fields.iter_fields().map(text).collect()
}

#[test]
fn no_runtime_state_is_among_the_parameters() {
    let mut states = 0;
    for_each(|panel, agent, behavior, name| {
        let types = panel.world().resource::<AppTypeRegistry>().clone();
        let marked = marked_as_state(types.read().get_type_info(behavior.type_id).expect("a type"));
        let mut state: BTreeSet<String> = marked.into_iter().map(str::to_owned).collect();
        // What changes by itself is state as well, whatever it says.
        let before = values(panel, agent, behavior);
        for _ in 0..6 {
            panel.ticks(20);
            let after = values(panel, agent, behavior);
            let changed = before.iter().zip(after).filter(|(before, after)| *before != after);
            state.extend(changed.map(|(before, _)| before.0.clone()));
        }
        panel.frame();
        states += state.len();
        for field in state {
            assert!(!panel.has(&field.replace('_', " ")), "{name} shows {field}");
            let nested = format!("{name}.{field}");
            let is_inside = |label: &str| label.strip_prefix(&nested).is_some_and(starts_a_name);
            let inside = panel.labels().into_iter().find(|label| is_inside(label));
            assert_eq!(inside, None, "{name} shows a part of {field}");
        }
    });
    assert!(states > 10, "{states} fields with state");
}

fn starts_a_name(rest: &str) -> bool {
    rest.starts_with(['.', '['])
}

/// The buttons of the panel and where they are.
fn buttons(panel: &Panel) -> Vec<(String, i64)> {
    let nodes = panel.harness.query_all(By::new().role(Role::Button));
    let place = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        Some((node.label()?, node.bounding_box()?.y0.round() as i64))
    };
    nodes.filter_map(place).collect()
}

#[test]
fn rows_stay_where_they_are_while_the_game_runs() {
    for_each(|panel, _, _, name| {
        panel.ticks(1);
        panel.frame();
        let before = buttons(panel);
        assert!(before.iter().any(|(label, _)| label == "Diagnostics"), "{before:?}");
        for tick in 0..8 {
            panel.ticks(13);
            panel.frame();
            assert_eq!(buttons(panel), before, "{name}, sample {tick}");
        }
    });
}

#[test]
fn rows_stay_where_they_are_while_the_state_is_shown() {
    let known = known(&app());
    for behavior in known.iter().filter(|one| ["Flee", "AvoidObstacles"].contains(&one.name)) {
        let (mut panel, ..) = unfolded(behavior, false);
        panel.click("state");
        panel.ticks(1);
        panel.frame();
        let sections = |panel: &Panel| -> Vec<_> {
            let names = ["Body", "Presets", "Diagnostics"];
            let all = buttons(panel).into_iter();
            all.filter(|(label, _)| names.contains(&label.as_str())).collect()
        };
        let before = sections(&panel);
        assert_eq!(before.len(), 3, "{before:?}");
        for _ in 0..8 {
            panel.ticks(13);
            panel.frame();
            assert_eq!(sections(&panel), before, "{}", behavior.name);
        }
    }
}
