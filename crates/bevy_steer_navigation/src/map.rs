//! [`NavigationMap`]: the map that agents find their way on.

use core::fmt;
use std::sync::Arc;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_steer::{SteeringLayers, Wall};

use crate::planner::PathPlanner;

/// A map on which agents find their way: a [`PathPlanner`].
///
/// An entity with this component is a map. If there is only one, all agents use it; if there are
/// several, each agent names its own by [`NavigateTo::with_map`](crate::NavigateTo::with_map). A
/// map without a planner, which is the default, has no paths.
///
/// The borders of a map are walls for all agents that avoid walls. Where there is a map for each
/// kind of agent, put the borders of each in a [layer](Self::with_border_layers) of its own.
///
/// When the map is changed by [`set`](Self::set), or replaced, its agents plan their paths again
/// and keep their place.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer_navigation::{GridPlanner, NavigationMap};
/// # fn spawn(mut commands: Commands) {
/// // One cell per unit, and a wall with a gap.
/// let mut grid = GridPlanner::new(Vec2::ZERO, Vec2::splat(40.0), 1.0);
/// grid.block_rect(Vec2::new(19.0, 0.0), Vec2::new(21.0, 30.0));
/// commands.spawn(NavigationMap::new(grid));
/// # }
/// ```
#[derive(Component, Clone)]
pub struct NavigationMap {
    planner: Option<Arc<dyn PathPlanner>>,
    border_height: Option<f32>,
    border_layers: SteeringLayers,
    version: u64,
}

impl Default for NavigationMap {
    fn default() -> Self {
        Self { planner: None, border_height: None, border_layers: SteeringLayers::ALL, version: 0 }
    }
}

impl fmt::Debug for NavigationMap {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("NavigationMap")
            .field("has_planner", &self.planner.is_some())
            .field("border_height", &self.border_height)
            .field("border_layers", &self.border_layers)
            .field("version", &self.version)
            .finish()
    }
}

impl NavigationMap {
    /// A map with this planner.
    pub fn new(planner: impl PathPlanner) -> Self {
        Self { planner: Some(Arc::new(planner)), ..Self::default() }
    }

    /// Sets the height of the walls along the borders of the map, in units: agents above and below
    /// ignore them. Needed if the map has floors above each other. Default `None`: infinite above
    /// and below.
    #[must_use]
    pub fn with_border_height(mut self, height: impl Into<Option<f32>>) -> Self {
        self.border_height = height.into();
        self
    }

    /// Sets the layers of the walls along the borders of the map. An agent regards them if its
    /// [`AvoidWalls`](bevy_steer::AvoidWalls) has one of these layers. Default: all.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_steer::prelude::*;
    /// # use bevy_steer_navigation::{NavigateTo, NavigationMap, PathPlanner};
    /// # fn spawn(mut commands: Commands, narrow: impl PathPlanner, wide: impl PathPlanner) {
    /// const FOOT: SteeringLayers = SteeringLayers::layer(1);
    /// const CART: SteeringLayers = SteeringLayers::layer(2);
    /// let map = commands.spawn(NavigationMap::new(narrow).with_border_layers(FOOT)).id();
    /// // Carts do not fit through every door.
    /// commands.spawn(NavigationMap::new(wide).with_border_layers(CART));
    /// commands.spawn((
    ///     Vehicle::default(),
    ///     NavigateTo::new(Vec2::new(9.0, 4.0)).with_map(map),
    ///     AvoidWalls::default().with_layers(!CART),
    /// ));
    /// # }
    /// ```
    #[must_use]
    pub fn with_border_layers(mut self, layers: SteeringLayers) -> Self {
        self.border_layers = layers;
        self
    }

    /// Replaces the planner: the world has changed.
    pub fn set(&mut self, planner: impl PathPlanner) {
        self.planner = Some(Arc::new(planner));
    }

    /// The planner, if it has one.
    pub fn planner(&self) -> Option<&Arc<dyn PathPlanner>> {
        self.planner.as_ref()
    }

    /// A number that is different after each change of the map; 0 before the first tick.
    pub fn version(&self) -> u64 {
        self.version
    }
}

/// All maps.
#[derive(SystemParam)]
pub(crate) struct Maps<'w, 's> {
    maps: Query<'w, 's, (Entity, &'static NavigationMap)>,
}

/// A map that an agent uses.
#[derive(Clone, Copy)]
pub(crate) struct UsedMap<'a> {
    pub(crate) entity: Entity,
    pub(crate) version: u64,
    pub(crate) planner: &'a Arc<dyn PathPlanner>,
}

impl Maps<'_, '_> {
    /// The map that an agent names; the only one for an agent that names none.
    pub(crate) fn of(&self, named: Option<Entity>) -> Option<UsedMap<'_>> {
        let (entity, map) = match named {
            Some(entity) => self.maps.get(entity).ok()?,
            None => self.maps.single().ok()?,
        };
        Some(UsedMap { entity, version: map.version, planner: map.planner.as_ref()? })
    }

    /// Whether this entity is a map.
    pub(crate) fn has(&self, entity: Entity) -> bool {
        self.maps.contains(entity)
    }
}

/// How many versions of maps there have been. Each number is given once, so that a map that
/// replaces another one on the same entity is told apart from it.
#[derive(Resource, Default)]
pub(crate) struct MapVersions(u64);

/// Numbers the maps that have changed.
pub(crate) fn number_maps(
    mut versions: ResMut<MapVersions>,
    mut maps: Query<(Entity, &mut NavigationMap), Changed<NavigationMap>>,
) {
    let mut changed: Vec<_> = maps.iter_mut().collect();
    changed.sort_unstable_by_key(|&(entity, _)| entity);
    for (_, map) in &mut changed {
        versions.0 += 1;
        map.bypass_change_detection().version = versions.0;
    }
}

/// The wall is a border of this map. Despawned with it, or if it is not a map any more, or if this
/// component is removed. Maps build their borders themselves: do not save these.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[relationship(relationship_target = MapBorders)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct BorderOf(pub Entity);

/// The walls along the borders of a map.
#[derive(Component, Reflect, Debug)]
#[reflect(Component, Debug)]
#[relationship_target(relationship = BorderOf, linked_spawn)]
pub struct MapBorders(Vec<Entity>);

/// Builds walls along the borders of maps that have changed.
pub(crate) fn build_borders(
    mut commands: Commands,
    maps: Query<(Entity, &NavigationMap), Changed<NavigationMap>>,
) {
    for (entity, map) in &maps {
        commands.entity(entity).despawn_related::<MapBorders>();
        let borders = map.planner.as_ref().map_or_else(Vec::new, |planner| planner.borders());
        for border in borders {
            let wall = Wall::new(border.start, border.end)
                .with_height(map.border_height)
                .with_layers(map.border_layers);
            commands.spawn((wall, BorderOf(entity)));
        }
    }
}

/// Despawns the borders of what is no map any more.
pub(crate) fn despawn_borders(
    removed: On<Remove<NavigationMap>>,
    maps: Query<&MapBorders>,
    mut commands: Commands,
) {
    let borders = maps.get(removed.entity).into_iter().flat_map(RelationshipTarget::iter);
    borders.for_each(|border| commands.entity(border).try_despawn());
}

/// Despawns a border without a map, as of one that was not loaded again: nothing else would.
pub(crate) fn despawn_border(removed: On<Remove<BorderOf>>, mut commands: Commands) {
    commands.entity(removed.entity).try_despawn();
}
