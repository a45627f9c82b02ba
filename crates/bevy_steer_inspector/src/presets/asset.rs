//! [`PresetAsset`]: a preset as an asset, to spawn agents by it and to tune them in a text editor.

use std::io;

use bevy::{
    asset::{AssetLoader, LoadContext, io::Reader},
    platform::collections::HashSet,
    prelude::*,
};
use bevy_steer::Vehicle;

use super::preset::Preset;

/// The text of a [preset](super), loaded from a file `NAME.preset.ron`.
#[derive(Asset, TypePath, Clone, Debug, Default, PartialEq, Eq)]
pub struct PresetAsset {
    /// As in the file. It is checked when it is applied, as only the app knows its behaviours.
    pub text: String,
}

/// Gives an agent the behaviours of a preset as soon as that is loaded, and again whenever the file
/// changes: with Bevy's feature `file_watcher`, while the game runs.
///
/// Each time it replaces all behaviours of the agent, see [`Preset::apply`]. If the file is wrong
/// the agent keeps what it has, and an error in the log says where.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// use bevy_steer_inspector::presets::UsePreset;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     let preset = assets.load("wolf.preset.ron");
///     commands.spawn((Vehicle::new(5.0), UsePreset { preset, with_body: true }));
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

/// A preset, and the agents that it is to be applied to, each with its `with_body`.
type Change = (AssetId<PresetAsset>, Vec<(Entity, bool)>);

fn changes(
    mut events: MessageReader<AssetEvent<PresetAsset>>,
    agents: Query<(Entity, Ref<UsePreset>)>,
    presets: Res<Assets<PresetAsset>>,
) -> Vec<Change> {
    let loaded = |event: &AssetEvent<PresetAsset>| match *event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(id),
        _ => None,
    };
    let loaded: HashSet<_> = events.read().filter_map(loaded).collect();
    let mut changes: Vec<Change> = Vec::new();
    for (agent, uses) in &agents {
        let id = uses.preset.id();
        if !(loaded.contains(&id) || uses.is_changed() && presets.contains(id)) {
            continue;
        }
        match changes.iter_mut().find(|(other, _)| *other == id) {
            Some((_, agents)) => agents.push((agent, uses.with_body)),
            None => changes.push((id, vec![(agent, uses.with_body)])),
        }
    }
    changes
}

fn apply(In(changes): In<Vec<Change>>, world: &mut World) {
    for (id, agents) in changes {
        let Some(preset) = world.resource::<Assets<PresetAsset>>().get(id) else { continue };
        let text = preset.text.clone();
        match Preset::read(&text, world) {
            Ok(preset) => {
                agents
                    .iter()
                    .for_each(|(agent, with_body)| preset.apply(world, *agent, *with_body));
            }
            Err(problem) => {
                let server = world.get_resource::<AssetServer>();
                let path = server.and_then(|server| server.get_path(id));
                let path = path.map_or_else(|| id.to_string(), |path| path.to_string());
                error!("{path}, {problem}; agents keep the behaviours that they have");
            }
        }
    }
}
