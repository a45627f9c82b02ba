//! [`Body`]: its step among surfaces, at which it stops and along which it slides.

use bevy::prelude::*;

use crate::{
    obstacles::PlacedObstacle,
    space::{SteeringPlane, direction, shortest},
};

/// A round body in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Body {
    pub position: Vec3,
    pub velocity: Vec3,
    pub radius: f32,
    pub max_speed: f32,
}

/// A body touches a surface that is this close to it, in radii: rounding must not press it in.
const TOUCH: f32 = 0.01;
/// How exactly it stops there, in radii.
const EXACT: f32 = 1e-4;
/// A surface does not hold a body of which more than this share of the radius is behind it already,
/// because it was put there: the body could not come out of several that overlap.
const INSIDE: f32 = 0.5;
/// A body goes along a surface that it approaches no faster than this, as a share of both speeds.
const ROUNDING: f32 = 8.0 * f32::EPSILON;
/// A body that touches more surfaces than this in one step is held by them.
const MAX_CONTACTS: usize = 4;
/// Newton's method needs two or three steps, more for those that only graze.
const MAX_STEPS: usize = 12;

/// Where a body touches a surface.
struct Contact {
    /// Seconds from now.
    time: f32,
    /// The unit vector away from the surface.
    normal: Vec3,
    /// The velocity of the surface, in the plane of the body.
    velocity: Vec3,
}

impl Body {
    /// The body `dt` seconds later: at each surface that it touches it loses its velocity into it.
    /// `None` if it touches none.
    pub(super) fn slide(
        mut self,
        surfaces: &[&PlacedObstacle],
        plane: SteeringPlane,
        periods: Vec3,
        dt: f32,
    ) -> Option<Self> {
        let (mut elapsed, mut last_normal) = (0.0, None);
        // A surface that moves pushes the body, but does not make it faster than it can be.
        let top_speed = self.velocity.length().max(self.max_speed);
        for _ in 0..MAX_CONTACTS {
            // Whatever it touches first.
            let contacts = surfaces.iter().filter_map(|surface| {
                let moved = surface.position + surface.velocity * elapsed;
                let from = plane.flatten(shortest(self.position - moved, periods));
                self.contact(surface, from, plane, dt - elapsed)
            });
            let Some(contact) = contacts.min_by(|a, b| a.time.total_cmp(&b.time)) else {
                self.position += self.velocity * (dt - elapsed);
                self.velocity = self.velocity.clamp_length_max(top_speed);
                return last_normal.map(|_| self);
            };
            self.position += self.velocity * contact.time;
            elapsed += contact.time;

            // What remains goes along the surface, or along the edge between this and the last one.
            let Contact { normal, velocity, .. } = contact;
            let mut relative = self.velocity - velocity;
            relative -= normal * relative.dot(normal);
            if let Some(last) = last_normal
                && relative.dot(last) < 0.0
            {
                relative = relative.project_onto_normalized(direction(normal.cross(last)));
            }
            self.velocity = velocity + relative;
            last_normal = Some(normal);
        }
        Some(Self { velocity: Vec3::ZERO, ..self })
    }

    /// Where it first touches a surface within `time` seconds, if it does not move away from it.
    /// `from` leads from the place of the surface to the body.
    ///
    /// The distance from a convex shape is a convex function of time, so that Newton's method never
    /// goes beyond the first contact.
    fn contact(
        &self,
        surface: &PlacedObstacle,
        from: Vec3,
        plane: SteeringPlane,
        time: f32,
    ) -> Option<Contact> {
        let seen = surface.plane(plane);
        let velocity = plane.flatten(surface.velocity_at(from));
        let (from, relative) = (seen.flatten(from), seen.flatten(self.velocity - velocity));
        // What is left of an approach that was removed is no contact, else one would hold the body.
        let rounding = ROUNDING * (self.velocity.length() + velocity.length());
        let mut contact = Contact { time: 0.0, normal: Vec3::ZERO, velocity };
        for step in 0..MAX_STEPS {
            let place = from + relative * contact.time;
            let (distance, normal) = surface.shape.distance(place, &surface.axes, seen);
            contact.normal = direction(plane.flatten(normal));
            let approach = -relative.dot(normal);
            if approach.is_nan() || approach <= rounding {
                return None;
            }
            let gap = distance - self.radius * (1.0 + TOUCH);
            if step == 0 && gap < -INSIDE * self.radius {
                return None;
            }
            if gap <= EXACT * self.radius {
                break;
            }
            contact.time += gap / approach;
            if contact.time > time {
                return None;
            }
        }
        Some(contact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agent::SteeringLayers,
        obstacles::{Obstacle, ObstacleShape},
        space::local_axes,
    };

    const XY: SteeringPlane = SteeringPlane::Xy;

    fn placed(shape: ObstacleShape, position: Vec3, velocity: Vec3) -> PlacedObstacle {
        PlacedObstacle {
            entity: Entity::from_raw_u32(1).unwrap(),
            position,
            velocity,
            spin: Vec3::ZERO,
            shape,
            is_wall: false,
            layers: SteeringLayers::ALL,
            rise: 0.0,
            taller: 0.0,
            axes: local_axes(Quat::IDENTITY),
            bounding_radius: shape.bounding_radius(),
        }
    }

    fn slide(velocity: Vec3, surfaces: &[PlacedObstacle], dt: f32) -> Option<Body> {
        let body = Body { position: Vec3::ZERO, velocity, radius: 0.5, max_speed: 5.0 };
        body.slide(&surfaces.iter().collect::<Vec<_>>(), XY, Vec3::INFINITY, dt)
    }

    fn wall(start: Vec3, end: Vec3) -> PlacedObstacle {
        placed(ObstacleShape::Segment { start, end }, Vec3::ZERO, Vec3::ZERO)
    }

    #[test]
    fn a_body_slides_along_what_it_touches_at_any_speed() {
        let wall = wall(Vec3::new(2.0, -2e2, 0.0), Vec3::new(2.0, 2e2, 0.0));
        for speed in [3.0, 60.0, 400.0] {
            let body = slide(Vec3::new(speed, 0.25 * speed, 0.0), &[wall], 1.0).unwrap();
            assert!((body.position.x - 1.495).abs() < 0.005, "{speed}: {}", body.position);
            assert!((body.position.y - 0.25 * speed).abs() < 1e-3 * speed);
            let along = Vec3::new(0.0, 0.25 * speed, 0.0);
            assert!(body.velocity.distance(along) < 1e-2 * speed, "{speed}: {}", body.velocity);
        }
        assert_eq!(slide(Vec3::new(1.0, 9.0, 0.0), &[wall], 1.0), None, "too short");
        assert_eq!(slide(Vec3::new(-9.0, 0.0, 0.0), &[wall], 1.0), None, "the other way");
    }

    #[test]
    fn a_body_is_held_in_a_corner_and_goes_round_what_is_round() {
        let corner = [
            wall(Vec3::new(2.0, -9.0, 0.0), Vec3::new(2.0, 9.0, 0.0)),
            wall(Vec3::new(-9.0, -3.0, 0.0), Vec3::new(9.0, 3.0, 0.0) + Vec3::Y * 2.0),
        ];
        let body = slide(Vec3::new(50.0, 30.0, 0.0), &corner, 1.0).unwrap();
        assert!(body.velocity.length() < 1e-3, "{}", body.velocity);
        for wall in &corner {
            let gap = wall.shape.distance(body.position, &wall.axes, XY).0;
            assert!(gap > 0.49, "{gap}");
        }
        let ball = placed(Obstacle::sphere(1.0).shape, Vec3::new(3.0, 0.4, 0.0), Vec3::ZERO);
        let body = slide(Vec3::new(8.0, 0.0, 0.0), &[ball], 0.25).unwrap();
        assert!(body.velocity.y < 0.0 && body.velocity.x > 0.0, "{}", body.velocity);
        assert!(body.position.distance(ball.position) > 1.49);
    }

    #[test]
    fn what_moves_pushes_a_body_and_is_not_in_the_way_of_one_behind_it() {
        let truck =
            |x: f32, speed: f32| placed(Obstacle::sphere(1.0).shape, Vec3::X * x, Vec3::X * speed);
        let body = slide(Vec3::ZERO, &[truck(-2.0, 10.0)], 0.1).unwrap();
        assert!((body.velocity.x - 5.0).abs() < 1e-3 && body.position.x > 0.45);
        assert_eq!(slide(Vec3::X * 5.0, &[truck(1.5, 6.0)], 0.1), None);
    }

    #[test]
    fn a_body_within_something_gets_no_deeper_but_comes_out() {
        let stone = placed(Obstacle::sphere(1.0).shape, Vec3::X * 1.3, Vec3::ZERO);
        assert_eq!(slide(Vec3::NEG_X, &[stone], 0.1), None);
        let body = slide(Vec3::X, &[stone], 0.1).unwrap();
        assert!(body.position.length() < 1e-6 && body.velocity.length() < 1e-6);
        assert_eq!(slide(Vec3::NAN, &[stone], 0.1), None);
        let around = placed(Obstacle::sphere(1.0).shape, Vec3::X * 0.8, Vec3::ZERO);
        assert_eq!(slide(Vec3::X, &[around], 0.1), None, "it was put inside");
    }
}
