//! [`FormationPlugin`].

use bevy::prelude::*;
use bevy_steer::{SteeringAppExt, SteeringSchedule, SteeringSystems};

use crate::{
    events::{FormationBroken, FormationFormed},
    form_up::form_up,
    formation::Formation,
    members::{FormationMembers, FormationSlot, MemberOf, disband, leave},
    wait::{WaitForMembers, add_waiting},
};

/// Adds formations to an app that has [`SteeringPlugin`](bevy_steer::SteeringPlugin).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_formations::FormationPlugin;
/// App::new().add_plugins((MinimalPlugins, SteeringPlugin::default(), FormationPlugin));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FormationPlugin;

/// The system that assigns slots and tells members where to go, in [`SteeringSystems::Decide`].
/// Order your own systems, which choose patterns or move anchors, before it.
#[derive(SystemSet, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FormUp;

impl Plugin for FormationPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Formation>()
            .register_type::<MemberOf>()
            .register_type::<FormationMembers>()
            .register_type::<FormationSlot>()
            .register_type::<FormationFormed>()
            .register_type::<FormationBroken>()
            .add_steering_behavior::<WaitForMembers>()
            .add_observer(leave)
            .add_observer(disband)
            .add_systems(
                SteeringSchedule,
                (
                    add_waiting.in_set(SteeringSystems::Prepare),
                    form_up.in_set(FormUp).in_set(SteeringSystems::Decide),
                ),
            );
    }
}
