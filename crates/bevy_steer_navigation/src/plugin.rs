//! [`NavigationPlugin`].

use bevy::prelude::*;
use bevy_steer::{SteeringAppExt, SteeringSchedule, SteeringSystems};

use crate::{
    events::{NavigationFailed, NavigationFinished},
    field::FlowField,
    flow::{FlowFollow, FlowJobs, GridFlow, build_grid_flows},
    grid::{ObstacleGrid, build_obstacle_grids},
    jobs::PlanJobs,
    map::{
        BorderOf, MapBorders, MapVersions, build_borders, despawn_border, despawn_borders,
        number_maps,
    },
    navigate::navigate,
    navigate_to::NavigateTo,
    settings::{NavigationSettings, PlanTiming},
    stand_on_map::{StandOnMap, stand_on_map},
};

/// Adds navigation to an app that has [`SteeringPlugin`](bevy_steer::SteeringPlugin): paths, and
/// flow fields with the behaviour [`FlowFollow`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_navigation::NavigationPlugin;
/// App::new().add_plugins((
///     MinimalPlugins,
///     SteeringPlugin::default(),
///     NavigationPlugin::default().with_max_running(8),
/// ));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NavigationPlugin {
    settings: NavigationSettings,
}

/// The system that plans paths and gives them to agents, in
/// [`SteeringSystems::Decide`]. Order your own systems, which choose targets, before it.
#[derive(SystemSet, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Navigate;

impl NavigationPlugin {
    /// With these settings.
    pub fn new(settings: NavigationSettings) -> Self {
        Self { settings }
    }

    /// Sets when the result of planning is used.
    #[must_use]
    pub fn with_timing(mut self, timing: PlanTiming) -> Self {
        self.settings.timing = timing;
        self
    }

    /// Sets the maximum number of paths that are planned at the same time.
    #[must_use]
    pub fn with_max_running(mut self, max_running: usize) -> Self {
        self.settings.max_running = max_running;
        self
    }
}

impl Plugin for NavigationPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.settings)
            .init_resource::<FlowJobs>()
            .init_resource::<PlanJobs>()
            .init_resource::<MapVersions>()
            .register_type::<NavigateTo>()
            .register_type::<NavigationSettings>()
            .register_type::<FlowField>()
            .register_type::<GridFlow>()
            .register_type::<ObstacleGrid>()
            .register_type::<StandOnMap>()
            .register_type::<BorderOf>()
            .register_type::<MapBorders>()
            .register_type::<NavigationFailed>()
            .register_type::<NavigationFinished>()
            .add_steering_behavior::<FlowFollow>()
            .add_observer(despawn_borders)
            .add_observer(despawn_border)
            .add_systems(
                SteeringSchedule,
                (
                    (build_obstacle_grids, number_maps, build_borders, build_grid_flows)
                        .chain()
                        .in_set(SteeringSystems::Prepare),
                    navigate.in_set(Navigate).in_set(SteeringSystems::Decide),
                    stand_on_map.after(SteeringSystems::Integrate).before(SteeringSystems::Notify),
                ),
            );
        #[cfg(feature = "vleue_navigator")]
        app.add_systems(
            PostUpdate,
            crate::mesh::follow_nav_meshes
                .after(bevy::asset::AssetEventSystems)
                .run_if(resource_exists::<Assets<vleue_navigator::NavMesh>>),
        );
    }
}
