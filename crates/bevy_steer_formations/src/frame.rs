//! [`Frame`] and [`Axes`]: the anchor's frame of reference.

use bevy::prelude::*;
use bevy_steer::{Heading, MAX_MAGNITUDE, SteeringPlane, Velocity};

/// Where an anchor is, and what its heading is derived from: as
/// [`OffsetPursue`](bevy_steer::OffsetPursue) sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) position: Vec3,
    /// Its heading or velocity; zero if it has none.
    facing: Vec3,
    rotation: Quat,
}

impl Frame {
    /// The frame of an entity with these components, whose parent is at `parent` if it has one.
    pub(crate) fn new(
        transform: &Transform,
        heading: Option<&Heading>,
        velocity: Option<&Velocity>,
        parent: Option<&GlobalTransform>,
    ) -> Option<Self> {
        let own = [heading.map(|heading| heading.0), velocity.map(|velocity| velocity.0)];
        let facing = own.into_iter().flatten().find(|facing| facing.try_normalize().is_some());
        let facing = facing.unwrap_or_default();
        let frame = match parent {
            None => Self { position: transform.translation, facing, rotation: transform.rotation },
            Some(parent) => {
                let rotation = parent.rotation();
                Self {
                    position: parent.transform_point(transform.translation),
                    facing: rotation * facing,
                    rotation: rotation * transform.rotation,
                }
            }
        };
        (is_valid(frame.position) && frame.rotation.is_finite()).then_some(frame)
    }

    /// The direction that it faces: a unit vector in this plane.
    pub(crate) fn heading(&self, plane: SteeringPlane) -> Vec3 {
        let facing = plane.flatten(self.facing).try_normalize();
        facing.unwrap_or_else(|| plane.heading(self.rotation))
    }
}

/// Whether it is a legal position or velocity.
pub(crate) fn is_valid(v: Vec3) -> bool {
    // Also false for NaN.
    v.abs().max_element() <= MAX_MAGNITUDE && v.is_finite()
}

/// The axes in which slots are: ahead, to the left, up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    ahead: Vec3,
    left: Vec3,
    up: Vec3,
}

impl Axes {
    /// The axes in the local space of an entity.
    pub(crate) fn local(plane: SteeringPlane) -> Self {
        let ahead = plane.forward();
        Self { ahead, left: plane.left(ahead), up: plane.normal() }
    }

    /// The axes in the world of an entity that faces along `heading`, a unit vector.
    pub(crate) fn of_heading(plane: SteeringPlane, heading: Vec3) -> Self {
        let (rotation, local) = (plane.rotation(heading), Self::local(plane));
        Self { ahead: rotation * local.ahead, left: rotation * local.left, up: rotation * local.up }
    }

    /// The offset of a slot.
    pub(crate) fn offset(&self, slot: Vec2) -> Vec3 {
        self.ahead * slot.x + self.left * slot.y
    }

    /// The coordinates of an offset along these axes.
    pub(crate) fn coordinates(&self, offset: Vec3) -> Vec3 {
        Vec3::new(offset.dot(self.ahead), offset.dot(self.left), offset.dot(self.up))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_turn_with_the_heading_in_every_plane() {
        for plane in SteeringPlane::ALL {
            for angle in [0.0, 0.7, 2.5, -1.9] {
                let heading = plane.direction(angle);
                let axes = Axes::of_heading(plane, heading);
                assert!(axes.offset(Vec2::X).distance(heading) < 1e-5);
                assert!(axes.offset(Vec2::Y).distance(plane.left(heading)) < 1e-5);
                let slot = Vec2::new(-2.0, 3.0);
                let again = axes.coordinates(axes.offset(slot));
                assert!(again.distance(slot.extend(0.0)) < 1e-5, "{plane:?} {again}");
            }
        }
    }

    #[test]
    fn an_anchor_faces_along_its_heading_its_velocity_or_its_rotation() {
        let turned = Transform::from_rotation(SteeringPlane::Xy.rotation(Vec3::Y));
        let heading = |heading: Option<Vec3>, velocity: Option<Vec3>| {
            let (heading, velocity) = (heading.map(Heading), velocity.map(Velocity));
            let frame = Frame::new(&turned, heading.as_ref(), velocity.as_ref(), None);
            frame.unwrap().heading(SteeringPlane::Xy)
        };
        assert!(heading(None, None).distance(Vec3::Y) < 1e-6);
        assert!(heading(Some(Vec3::ZERO), Some(Vec3::ZERO)).distance(Vec3::Y) < 1e-6);
        assert_eq!(heading(None, Some(Vec3::NEG_X * 3.0)), Vec3::NEG_X);
        assert_eq!(heading(Some(Vec3::X), Some(Vec3::NEG_X)), Vec3::X);
        let nowhere = Transform::from_xyz(f32::NAN, 0.0, 0.0);
        assert!(Frame::new(&nowhere, None, None, None).is_none());
        let parent = GlobalTransform::from(turned.with_translation(Vec3::X));
        let child = Transform::from_xyz(2.0, 0.0, 0.0);
        let frame = Frame::new(&child, None, None, Some(&parent)).unwrap();
        assert!(frame.position.distance(Vec3::new(1.0, 2.0, 0.0)) < 1e-6);
        assert!(frame.heading(SteeringPlane::Xy).distance(Vec3::Y) < 1e-6);
    }
}
