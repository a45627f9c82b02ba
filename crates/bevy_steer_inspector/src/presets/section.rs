//! Presets in the panel: their files, saving and loading.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_steer::Vehicle;

use super::{Preset, PresetError, write};
use crate::{
    inspector::{Inspector, Scope},
    style,
};

/// What the user has typed and chosen, and what came of the last button.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct PresetShelf {
    name: String,
    with_body: bool,
    message: Option<Result<String, String>>,
}

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let folder = world.resource::<Inspector>().presets.clone();
    let mut shelf = world.resource::<PresetShelf>().clone();
    ui.horizontal(|ui| {
        let field =
            egui::TextEdit::singleline(&mut shelf.name).hint_text("name").desired_width(120.0);
        let field = ui.add(field);
        let text = shelf.name.clone();
        field.widget_info(|| {
            let mut info = egui::WidgetInfo::text_edit(true, "", &text, "");
            info.label = Some("Preset name".into());
            info
        });
        files_menu(ui, &folder, &mut shelf.name);
        if button(ui, "Save", "Save preset")
            .on_hover_text("The selected agent's behaviours")
            .clicked()
        {
            shelf.message = Some(save(world, agent, &folder, &shelf.name));
        }
        let for_all = world.resource::<Inspector>().scope == Scope::All;
        let help = if for_all { "Onto all agents" } else { "Onto the selected agent" };
        if button(ui, "Load", "Load preset").on_hover_text(help).clicked() {
            let agents = if for_all { all_agents(world) } else { vec![agent] };
            shelf.message = Some(load(world, &agents, &folder, &shelf.name, shelf.with_body));
        }
    });
    ui.checkbox(&mut shelf.with_body, "load its body too").on_hover_text(
        "On: speed, force and size of the preset too. Off: lengths are scaled to the agent's own body.",
    );
    if let Some(message) = &shelf.message {
        let (text, color) = match message {
            Ok(text) => (text, style::FAINT),
            Err(text) => (text, style::ERROR),
        };
        ui.label(RichText::new(text).color(color));
    }
    world.insert_resource(shelf);
}

fn button(ui: &mut egui::Ui, text: &str, name: &str) -> egui::Response {
    let button = ui.button(text);
    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    button
}

fn files_menu(ui: &mut egui::Ui, folder: &Path, chosen: &mut String) {
    ui.menu_button("⏷", |ui| {
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
}

/// The names of the presets in a folder.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ron"));
    let mut names: Vec<String> =
        files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    names
}

/// The file of a preset. Names are plain, so that none leads out of the folder.
fn file(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let name = name.trim();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    if name.is_empty() {
        return Err("A preset needs a name.".into());
    }
    if !name.chars().all(is_plain) {
        return Err(format!("{name:?}: letters, digits, spaces, _ and - only."));
    }
    Ok(folder.join(format!("{name}.ron")))
}

fn save(world: &mut World, agent: Entity, folder: &Path, name: &str) -> Result<String, String> {
    let file = file(folder, name)?;
    let text = write(world, agent).map_err(|error| error.to_string())?;
    let told = |error: io::Error| format!("{}: {error}", file.display());
    fs::create_dir_all(folder).map_err(told)?;
    fs::write(&file, text + "\n").map_err(told)?;
    Ok(format!("Saved as {}", file.display()))
}

fn load(
    world: &mut World,
    agents: &[Entity],
    folder: &Path,
    name: &str,
    with_body: bool,
) -> Result<String, String> {
    let file = file(folder, name)?;
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let preset = Preset::read(&text, world)
        .map_err(|error: PresetError| format!("{}, {error}", file.display()))?;
    for &agent in agents {
        preset.apply(world, agent, with_body);
    }
    let whom =
        if agents.len() == 1 { String::new() } else { format!(" onto {} agents", agents.len()) };
    Ok(format!("Loaded {}{whom}", name.trim()))
}

fn all_agents(world: &mut World) -> Vec<Entity> {
    world.query_filtered::<Entity, With<Vehicle>>().iter(world).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        let folder = Path::new("presets");
        assert_eq!(file(folder, " shy one-2 "), Ok(folder.join("shy one-2.ron")));
        for bad in ["", "  ", "../secret", "a/b", "a.b", "c:d"] {
            assert!(file(folder, bad).is_err(), "{bad}");
        }
    }
}
