//! [`UseFlowField`]: a flow field that is loaded from a file.

use std::io;

use bevy::{
    asset::{AssetEventSystems, AssetLoader, LoadContext, io::Reader},
    platform::collections::HashSet,
    prelude::*,
};

use crate::field::FlowField;

/// Copies a [`FlowField`] from a file `NAME.flow.ron` to the one of its entity as soon as it is
/// loaded, and again whenever the file changes: with Bevy's feature `file_watcher`, while the game
/// runs.
///
/// If the file is wrong the entity keeps the field that it has, and an error in the log says in
/// which line.
///
/// ```ron
/// // Three columns, two rows, each cell two units wide. The lowest row is the first.
/// (
///     min: (-3.0, -2.0),
///     cell_size: 2.0,
///     columns: 3,
///     rows: 2,
///     vectors: [
///         (1.0, 0.0), (1.0, 0.0), (0.0, 1.0),
///         (1.0, 0.0), (1.0, 0.0), (0.0, 0.0),
///     ],
/// )
/// ```
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_steer_navigation::UseFlowField;
///
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(UseFlowField { field: assets.load("river.flow.ron") });
/// }
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[require(FlowField)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct UseFlowField {
    /// The field.
    pub field: Handle<FlowField>,
}

/// Loads flow fields as assets, for [`UseFlowField`]. Needs Bevy's `AssetPlugin`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_navigation::{FlowFieldAssetPlugin, NavigationPlugin};
/// App::new().add_plugins((
///     (MinimalPlugins, AssetPlugin::default()),
///     (SteeringPlugin::default(), NavigationPlugin::default(), FlowFieldAssetPlugin),
/// ));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowFieldAssetPlugin;

impl Plugin for FlowFieldAssetPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<FlowField>()
            .init_asset_loader::<FlowFieldLoader>()
            .register_type::<UseFlowField>()
            .add_systems(PostUpdate, copy_fields.after(AssetEventSystems));
    }
}

#[derive(Default, TypePath)]
struct FlowFieldLoader;

impl AssetLoader for FlowFieldLoader {
    type Asset = FlowField;
    type Settings = ();
    type Error = io::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> io::Result<FlowField> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        ron::de::from_bytes(&bytes).map_err(|error| {
            let at = error.span.start;
            io::Error::other(format!("line {}, column {}: {}", at.line, at.col, error.code))
        })
    }

    fn extensions(&self) -> &[&str] {
        &["flow.ron"]
    }
}

/// Copies fields that have been loaded, or are used for the first time.
fn copy_fields(
    mut events: MessageReader<AssetEvent<FlowField>>,
    mut users: Query<(Ref<UseFlowField>, &mut FlowField)>,
    fields: Res<Assets<FlowField>>,
) {
    let loaded = events.read().filter_map(|event| match *event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(id),
        _ => None,
    });
    let loaded: HashSet<AssetId<FlowField>> = loaded.collect();
    for (uses, mut field) in &mut users {
        let id = uses.field.id();
        if !loaded.contains(&id) && !uses.is_changed() {
            continue;
        }
        if let Some(asset) = fields.get(id) {
            field.set_if_neq(asset.clone());
        }
    }
}
