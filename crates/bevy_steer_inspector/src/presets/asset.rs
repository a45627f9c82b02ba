//! [`PresetAsset`]: a preset as an asset, to spawn agents by it and to tune them in a text editor.

use std::io;

use bevy::{
    asset::{AssetLoader, LoadContext, io::Reader},
    platform::collections::{HashMap, HashSet},
    prelude::*,
};
use bevy_steer::{Memory, Vehicle};

use super::preset::{Preset, PresetError};

/// The text of a [preset](super), loaded from a file `NAME.preset.ron`.
#[derive(Asset, TypePath, Clone, Debug, Default, PartialEq, Eq)]
pub struct PresetAsset {
    /// As in the file. It is checked when it is applied, as only the app knows its behaviours.
    pub text: String,
}

/// Gives an agent the behaviours of a preset as soon as that is loaded, and again whenever the file
/// changes: with Bevy's feature `file_watcher`, while the game runs.
///
/// Each time it replaces the behaviours of the agent, see [`Preset::apply`]. If the file is wrong
/// the agent keeps what it has, an error in the log says where, and agents that are spawned get
/// what was in the file before.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// use bevy_steer_inspector::presets::UsePreset;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     let preset = assets.load("wolf.preset.ron");
///     commands.spawn((Vehicle::new(5.0), UsePreset { preset, with_body: true, ..default() }));
/// }
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Vehicle)]
pub struct UsePreset {
    /// The preset.
    pub preset: Handle<PresetAsset>,
    /// Whether the agent gets the vehicle of the preset, too. Otherwise it keeps its own, and
    /// lengths are scaled to that. Default false.
    pub with_body: bool,
    /// What the agent has got. One that is loaded with a saved game keeps what it had then.
    pub used: Memory<String>,
}

impl UsePreset {
    /// The path of the file, which is the same in each run, or else the id; and whether it is used
    /// with the vehicle.
    fn name(&self) -> String {
        let path = self.preset.path();
        let preset = path.map_or_else(|| self.preset.id().to_string(), ToString::to_string);
        if self.with_body { preset + ", with its vehicle" } else { preset }
    }
}

/// Loads presets as assets and applies them to agents with [`UsePreset`]. Needs Bevy's
/// `AssetPlugin`. A game can have it without the panel.
#[derive(Clone, Copy, Debug, Default)]
pub struct PresetAssetPlugin;

impl Plugin for PresetAssetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<PresetAsset>()
            .init_asset_loader::<PresetLoader>()
            .register_type::<UsePreset>()
            .add_systems(Update, changes.pipe(apply));
    }
}

#[derive(Default, TypePath)]
struct PresetLoader;

impl AssetLoader for PresetLoader {
    type Asset = PresetAsset;
    type Settings = ();
    type Error = io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> io::Result<PresetAsset> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        Ok(PresetAsset { text })
    }

    fn extensions(&self) -> &[&str] {
        &["preset.ron"]
    }
}

/// What has happened to presets and agents in a frame.
#[derive(Default)]
struct Changes {
    /// The presets that have been loaded or have changed.
    loaded: HashSet<AssetId<PresetAsset>>,
    /// The presets that are no longer there.
    gone: Vec<AssetId<PresetAsset>>,
    /// The agents that may get a preset now.
    uses: Vec<Use>,
}

/// An agent that may get a preset.
struct Use {
    agent: Entity,
    preset: AssetId<PresetAsset>,
    with_body: bool,
    /// Whether it is the agent that is new, or uses another preset than before.
    is_new: bool,
}

fn changes(
    mut events: MessageReader<AssetEvent<PresetAsset>>,
    mut agents: Query<(Entity, &mut UsePreset)>,
    presets: Res<Assets<PresetAsset>>,
) -> Changes {
    let mut changes = Changes::default();
    let mut modified = HashSet::new();
    for event in events.read() {
        match *event {
            AssetEvent::Added { id } => _ = changes.loaded.insert(id),
            AssetEvent::Modified { id } => {
                changes.loaded.insert(id);
                modified.insert(id);
            }
            AssetEvent::Removed { id } | AssetEvent::Unused { id } => changes.gone.push(id),
            AssetEvent::LoadedWithDependencies { .. } => {}
        }
    }
    for (agent, mut uses) in &mut agents {
        // One that is restored as it was has changed, and uses the same preset.
        let is_new = uses.used.is_empty() || uses.is_changed() && *uses.used != uses.name();
        let (preset, with_body) = (uses.preset.id(), uses.with_body);
        if !is_new && !modified.contains(&preset) {
            continue;
        }
        let mut name = String::new();
        if presets.contains(preset) {
            name = uses.name();
            changes.uses.push(Use { agent, preset, with_body, is_new });
        }
        *uses.bypass_change_detection().used = name;
    }
    changes
}

/// Applies presets. While the text of one is wrong, new agents get what it was before.
fn apply(
    In(Changes { loaded, gone, uses }): In<Changes>,
    world: &mut World,
    mut presets: Local<HashMap<AssetId<PresetAsset>, Preset>>,
) {
    for id in gone {
        presets.remove(&id);
    }
    // New agents may use one whose event is still to come.
    let used = uses.iter().map(|one| one.preset);
    let unread = used.filter(|id| !loaded.contains(id) && !presets.contains_key(id));
    let unread: HashSet<_> = unread.collect();
    let mut read = HashSet::new();
    for &id in loaded.iter().chain(&unread) {
        let Some(asset) = world.resource::<Assets<PresetAsset>>().get(id) else { continue };
        let text = asset.text.clone();
        match Preset::read(&text, world) {
            Ok(preset) => {
                presets.insert(id, preset);
                read.insert(id);
            }
            Err(problem) if loaded.contains(&id) => report(world, id, &problem),
            Err(_) => {}
        }
    }
    for Use { agent, preset, with_body, is_new } in uses {
        let preset = presets.get(&preset).filter(|_| is_new || read.contains(&preset));
        if let Some(preset) = preset {
            preset.apply(world, agent, with_body);
        }
    }
}

fn report(world: &World, id: AssetId<PresetAsset>, problem: &PresetError) {
    let server = world.get_resource::<AssetServer>();
    let path = server.and_then(|server| server.get_path(id));
    let path = path.map_or_else(|| id.to_string(), |path| path.to_string());
    error!("{path}, {problem}; agents keep the behaviours that they have");
}
