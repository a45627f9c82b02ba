//! The presets section of the panel: saving and loading files.

use core::any::TypeId;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_steer::{Arbitration, BehaviorRegistry, RegisteredBehavior, Vehicle};

use super::{
    code::{Language, write_code},
    preset::{Preset, PresetError},
    write::write,
};
use crate::{
    accessible::{name_button, name_text_field},
    change::{
        fields::agents_to_extend,
        history::{EditHistory, remember},
        memento::Memento,
    },
    editors::registry::Editors,
    state::inspector::{Inspector, Scope},
    style,
};

/// What the user has typed and chosen, and the result of the last button.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct PresetForm {
    name: String,
    with_body: bool,
    message: Option<Result<String, String>>,
}

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let folder = world.resource::<Inspector>().presets.clone();
    let mut form = world.resource::<PresetForm>().clone();
    ui.horizontal(|ui| {
        let field =
            egui::TextEdit::singleline(&mut form.name).hint_text("name").desired_width(120.0);
        let field = ui.add(field);
        name_text_field(&field, &form.name, "Preset name");
        files_menu(ui, &folder, &mut form.name);
        if button(ui, "Save", "Save preset")
            .on_hover_text("Save the behaviours of the selected agent")
            .clicked()
        {
            form.message = Some(save(world, agent, &folder, &form.name));
        }
        let for_all = world.resource::<Inspector>().scope == Scope::All;
        let help = if for_all { "Apply to all agents" } else { "Apply to the selected agents" };
        if button(ui, "Load", "Load preset").on_hover_text(help).clicked() {
            let agents = agents_to_extend(world, agent);
            form.message = Some(load(world, &agents, &folder, &form.name, form.with_body));
        }
    });
    ui.checkbox(&mut form.with_body, "also load Vehicle").on_hover_text(
        "On: the agent gets the Vehicle of the preset. \
         Off: it keeps its own, and lengths are scaled to its radius.",
    );
    ui.horizontal(|ui| {
        ui.label(RichText::new("Copy as").color(style::FAINT));
        for (text, language) in [("Rust", Language::Rust), ("bsn!", Language::Bsn)] {
            let copy = button(ui, text, &format!("Copy as {text}"));
            if copy.on_hover_text("Copy code that spawns this agent").clicked() {
                form.message = Some(copy_code(ui, world, agent, language, None));
            }
        }
    });
    if let Some(message) = &form.message {
        let (text, color) = match message {
            Ok(text) => (text, style::FAINT),
            Err(text) => (text, style::ERROR),
        };
        ui.label(RichText::new(text).color(color));
    }
    world.insert_resource(form);
}

/// Copies the code of an agent, or of one behaviour, to the clipboard, and writes it to the log:
/// there is a clipboard only with the feature `manage_clipboard` of `bevy_egui`.
pub(crate) fn copy_code(
    ui: &egui::Ui,
    world: &mut World,
    agent: Entity,
    language: Language,
    only: Option<TypeId>,
) -> Result<String, String> {
    let code = write_code(world, agent, language, only).map_err(|error| error.to_string())?;
    info!("{code}");
    ui.ctx().copy_text(code);
    Ok("Written to the log, and copied if there is a clipboard.".into())
}

fn button(ui: &mut egui::Ui, text: &str, name: &str) -> egui::Response {
    let button = ui.button(text);
    name_button(&button, name);
    button
}

fn files_menu(ui: &mut egui::Ui, folder: &Path, chosen: &mut String) {
    let menu = ui.menu_button("⏷", |ui| {
        let files = names(folder);
        if files.is_empty() {
            ui.label(format!("No presets in {}", folder.display()));
        }
        for name in files {
            if ui.button(&name).clicked() {
                *chosen = name;
                ui.close();
            }
        }
    });
    name_button(&menu.response, "Preset files");
}

/// The names of the presets in a folder.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let names = files.filter_map(|file| preset_name(&file).map(str::to_owned));
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The name of the preset in a file `NAME.preset.ron` or `NAME.ron`; other files have none.
fn preset_name(file: &str) -> Option<&str> {
    let name = file.strip_suffix(".preset.ron").or_else(|| file.strip_suffix(".ron"))?;
    let is_plain = !(name.is_empty() || name.contains('.'));
    is_plain.then_some(name)
}

/// The file of a preset, as assets name it. Rejects names with special characters, which could lead
/// out of the folder.
fn file(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let name = name.trim();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    if name.is_empty() {
        return Err("The preset needs a name.".into());
    }
    if !name.chars().all(is_plain) {
        return Err(format!(
            "{name:?} is not a valid preset name: use letters, digits, spaces, _ and -."
        ));
    }
    Ok(folder.join(format!("{name}.preset.ron")))
}

fn save(world: &mut World, agent: Entity, folder: &Path, name: &str) -> Result<String, String> {
    let file = file(folder, name)?;
    let text = write(world, agent).map_err(|error| error.to_string())?;
    let with_path = |error: io::Error| format!("{}: {error}", file.display());
    fs::create_dir_all(folder).map_err(with_path)?;
    fs::write(&file, text + "\n").map_err(with_path)?;
    let left_out = mark_saved(world, agent);
    let mut message = format!("Saved as {}", file.display());
    if !left_out.is_empty() {
        let names = left_out.into_iter().collect::<Vec<_>>().join(", ");
        message += &format!(". Not part of a preset: {names}");
    }
    Ok(message)
}

/// Notes that the agent has been saved. Returns the edits that presets leave out: those of layers,
/// and targets that are entities.
fn mark_saved(world: &mut World, agent: Entity) -> BTreeSet<String> {
    let components = components(world, |behavior| behavior.in_presets);
    world.resource_scope(|world, mut history: Mut<EditHistory>| {
        let registry = &world.resource::<Editors>().registry;
        history.mark_saved(agent, |memento| memento.is_in_preset(world, registry, &components))
    })
}

fn load(
    world: &mut World,
    agents: &[Entity],
    folder: &Path,
    name: &str,
    with_body: bool,
) -> Result<String, String> {
    let mut file = file(folder, name)?;
    let plain = folder.join(format!("{}.ron", name.trim()));
    if !file.exists() && plain.exists() {
        file = plain;
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let preset = Preset::read(&text, world)
        .map_err(|error: PresetError| format!("{}, {error}", file.display()))?;
    apply(world, &preset, agents, with_body, &format!("load {}", name.trim()));
    let count = agents.len();
    let suffix = if count == 1 { String::new() } else { format!(" for {count} agents") };
    Ok(format!("Loaded {}{suffix}", name.trim()))
}

/// Applies a preset to agents. The change gets a `name` in the history.
fn apply(world: &mut World, preset: &Preset, agents: &[Entity], with_body: bool, name: &str) {
    let mut before = parts(world, agents);
    for &agent in agents {
        preset.apply(world, agent, with_body);
    }
    before.retain(|memento| !memento.is_of_nothing(world));
    world.resource_mut::<EditHistory>().seal();
    remember(world, name, |_| before);
}

/// What a preset can change of agents, as it is now.
fn parts(world: &World, agents: &[Entity]) -> Vec<Memento> {
    let registry = &world.resource::<Editors>().registry;
    let components = components(world, |_| true);
    let part = |(&agent, &component): (&Entity, &TypeId)| {
        Memento::of_component(world, registry, agent, component)
    };
    agents
        .iter()
        .flat_map(|agent| components.iter().map(move |one| (agent, one)))
        .filter_map(part)
        .collect()
}

/// The components that presets have, with those behaviours that count.
fn components(world: &World, counts: impl Fn(&RegisteredBehavior) -> bool) -> Vec<TypeId> {
    let known = world.get_resource::<BehaviorRegistry>();
    let behaviors = known.into_iter().flat_map(BehaviorRegistry::iter);
    let behaviors = behaviors.filter(|one| counts(one));
    let behaviors = behaviors.flat_map(|one| [one.type_id, one.several_type_id]);
    behaviors.chain([TypeId::of::<Vehicle>(), TypeId::of::<Arbitration>()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        let folder = Path::new("presets");
        assert_eq!(file(folder, " shy one-2 "), Ok(folder.join("shy one-2.preset.ron")));
        for bad in ["", "  ", "../secret", "a/b", "a.b", "c:d"] {
            assert!(file(folder, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn files_of_other_assets_have_no_name() {
        assert_eq!(["wolf.preset.ron", "wolf.ron"].map(preset_name), [Some("wolf"); 2]);
        for other in ["scouts.formation.ron", "wolf.preset.ron.bak", "notes.txt", "ron"] {
            assert_eq!(preset_name(other), None, "{other}");
        }
    }
}
