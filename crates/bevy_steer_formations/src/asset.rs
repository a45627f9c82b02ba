//! [`UsePattern`]: patterns from files.

use std::io;

use bevy::{
    asset::{AssetLoader, LoadContext, io::Reader},
    platform::collections::HashSet,
    prelude::*,
};

use bevy_steer::Memory;

use crate::{formation::Formation, pattern::Pattern};

/// Gives a [`Formation`] a pattern from a file `NAME.formation.ron` as soon as that is loaded, and
/// again whenever the file changes: with Bevy's feature `file_watcher`, while the game runs.
///
/// The file has a [`Pattern`] in RON: `Wedge`, `Block(columns: 4)`, `Slots([(1.0, 0.0), (0.0,
/// 2.0)])`. If it is wrong the formation keeps its pattern, and an error in the log names the file,
/// the line and the column.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// use bevy_steer_formations::UsePattern;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     let pattern = assets.load("honour_guard.formation.ron");
///     commands.spawn((Vehicle::default(), UsePattern::new(pattern)));
/// }
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(Formation)]
pub struct UsePattern {
    /// The pattern.
    pub pattern: Handle<Pattern>,
    /// The name of the pattern that the formation has got. One that is loaded with a saved game
    /// keeps what it had then.
    pub used: Memory<String>,
}

impl UsePattern {
    /// Uses this pattern.
    pub fn new(pattern: Handle<Pattern>) -> Self {
        Self { pattern, ..Self::default() }
    }

    /// The path of the file, which is the same in each run, or else the id.
    fn name(&self) -> String {
        let path = self.pattern.path();
        path.map_or_else(|| self.pattern.id().to_string(), ToString::to_string)
    }
}

/// Loads patterns as assets, and gives them to formations with [`UsePattern`]. Needs Bevy's
/// `AssetPlugin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormationAssetPlugin;

impl Plugin for FormationAssetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<Pattern>()
            .init_asset_loader::<PatternLoader>()
            .register_type::<UsePattern>()
            .add_systems(PreUpdate, use_patterns);
    }
}

#[derive(Default, TypePath)]
struct PatternLoader;

impl AssetLoader for PatternLoader {
    type Asset = Pattern;
    type Settings = ();
    type Error = io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> io::Result<Pattern> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        ron::de::from_bytes(&bytes).map_err(|error| {
            let at = error.span.start;
            io::Error::other(format!("line {}, column {}: {}", at.line, at.col, error.code))
        })
    }

    fn extensions(&self) -> &[&str] {
        &["formation.ron"]
    }
}

/// Copies patterns that have been loaded or have changed to the formations that use them.
fn use_patterns(
    mut events: MessageReader<AssetEvent<Pattern>>,
    mut formations: Query<(&mut UsePattern, &mut Formation)>,
    patterns: Res<Assets<Pattern>>,
) {
    let modified = events.read().filter_map(|event| match *event {
        AssetEvent::Modified { id } => Some(id),
        _ => None,
    });
    let modified: HashSet<_> = modified.collect();
    for (mut uses, mut formation) in &mut formations {
        // One that is restored as it was has changed, and uses the same pattern.
        let is_new = uses.used.is_empty() || uses.is_changed() && *uses.used != uses.name();
        let id = uses.pattern.id();
        if !is_new && !modified.contains(&id) {
            continue;
        }
        let name = patterns.get(id).map_or_else(String::new, |pattern| {
            formation.pattern.clone_from(pattern);
            uses.name()
        });
        *uses.bypass_change_detection().used = name;
    }
}
