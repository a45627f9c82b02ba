//! The camera that follows the selected agent.

use bevy::prelude::*;
use bevy_steer::Vehicle;

use super::camera::WorldCameras;
use crate::state::inspector::Inspector;

/// The agent that the camera has followed, and its last position.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Followed(Option<(Entity, Vec3)>);

/// Keeps the agent centred on screen and at its distance, so that zooming still works.
pub(crate) fn follow_selected(
    inspector: Res<Inspector>,
    mut followed: ResMut<Followed>,
    agents: Query<&Transform, With<Vehicle>>,
    cameras: WorldCameras,
    mut places: Query<&mut Transform, (With<Camera>, Without<Vehicle>)>,
) {
    let agent = inspector.selected.filter(|_| inspector.follows && inspector.is_open);
    let found = agent.and_then(|agent| Some((agent, agents.get(agent).ok()?.translation)));
    let Some((agent, position)) = found.filter(|(_, position)| position.is_finite()) else {
        followed.0 = None;
        return;
    };
    let before = followed.0.filter(|(last, _)| *last == agent).map(|(_, position)| position);
    followed.0 = Some((agent, position));
    let Some((camera, _)) = cameras.main() else { return };
    let Ok(mut place) = places.get_mut(camera) else { return };
    let shift = shift(&place, before.unwrap_or(position), position);
    place.translation += shift;
}

/// The motion of the camera that puts the agent into the middle at the same distance.
fn shift(camera: &Transform, before: Vec3, position: Vec3) -> Vec3 {
    let forward = *camera.forward();
    let aside = (position - camera.translation).reject_from_normalized(forward);
    aside + (position - before).project_onto_normalized(forward)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn followed_agent_is_centered_at_the_same_distance() {
        let flat = Transform::from_xyz(0.0, 0.0, 999.0);
        let agent = Vec3::new(30.0, -4.0, 2.0);
        assert_eq!(shift(&flat, agent, agent), Vec3::new(30.0, -4.0, 0.0));
        let camera = Transform::from_xyz(0.0, 5.0, 10.0).looking_at(Vec3::ZERO, Vec3::Y);
        let (before, after) = (Vec3::ZERO, Vec3::new(1.0, 0.5, -2.0));
        let moved = camera.translation + shift(&camera, before, after);
        assert!((moved - after).distance(camera.translation - before) < 1e-4);
    }
}
