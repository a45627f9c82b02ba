//! What happens to an agent at the edge of the world.

use bevy::{math::ops, prelude::*};

use crate::space::bounds::{Bounds, BoundsEdge};

impl Bounds {
    /// Brings a position that has left the box back, and turns the velocity with it.
    #[inline]
    pub fn confine(&self, position: &mut Vec3, velocity: &mut Vec3) {
        for axis in 0..3 {
            let (min, max) = (self.min[axis], self.max[axis]);
            let x = position[axis];
            if !self.has_edge(axis)
                || (x >= min && x <= max && (x < max || self.edge != BoundsEdge::Wrap))
            {
                continue;
            }
            let length = max - min;
            match self.edge {
                BoundsEdge::Wrap => {
                    let wrapped = min + ops::rem_euclid(x - min, length);
                    // Rounding can land on the far edge, which is the near edge of the next period.
                    position[axis] = if wrapped < max { wrapped } else { min };
                }
                BoundsEdge::Bounce => {
                    let inward = if x < min { 1.0 } else { -1.0 };
                    let overshoot = (if x < min { min - x } else { x - max }).min(length);
                    let edge = if x < min { min } else { max };
                    position[axis] = (edge + inward * overshoot).clamp(min, max);
                    velocity[axis] = inward * velocity[axis].abs();
                }
                BoundsEdge::Clamp => {
                    position[axis] = x.clamp(min, max);
                    let outward = if x < min { -1.0 } else { 1.0 };
                    if velocity[axis] * outward > 0.0 {
                        velocity[axis] = 0.0;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confined(edge: BoundsEdge, x: f32, vx: f32) -> (f32, f32) {
        let (mut position, mut velocity) = (Vec3::new(x, 0.0, 1e9), Vec3::new(vx, 1.0, 0.0));
        let square = Bounds::rect(Vec2::splat(-10.0), Vec2::splat(10.0), edge);
        square.confine(&mut position, &mut velocity);
        assert_eq!((position.y, position.z, velocity.y), (0.0, 1e9, 1.0));
        (position.x, velocity.x)
    }

    #[test]
    fn wrap_comes_in_on_the_other_side() {
        assert_eq!(confined(BoundsEdge::Wrap, 11.0, 3.0), (-9.0, 3.0));
        assert_eq!(confined(BoundsEdge::Wrap, -11.0, -3.0), (9.0, -3.0));
        assert_eq!(confined(BoundsEdge::Wrap, 10.0, 3.0), (-10.0, 3.0));
        assert_eq!(confined(BoundsEdge::Wrap, 71.0, 3.0), (-9.0, 3.0));
        let (x, _) = confined(BoundsEdge::Wrap, -10.0 - 1e-7, 0.0);
        assert!((-10.0..10.0).contains(&x));
    }

    #[test]
    fn bounce_reflects_position_and_velocity() {
        assert_eq!(confined(BoundsEdge::Bounce, 11.0, 3.0), (9.0, -3.0));
        assert_eq!(confined(BoundsEdge::Bounce, -11.0, -3.0), (-9.0, 3.0));
        assert_eq!(confined(BoundsEdge::Bounce, 500.0, 3.0), (-10.0, -3.0));
    }

    #[test]
    fn clamp_stops_at_the_edge() {
        assert_eq!(confined(BoundsEdge::Clamp, 11.0, 3.0), (10.0, 0.0));
        assert_eq!(confined(BoundsEdge::Clamp, 11.0, -3.0), (10.0, -3.0));
        assert_eq!(confined(BoundsEdge::Clamp, 3.0, -3.0), (3.0, -3.0));
    }

    #[test]
    fn invalid_boxes_have_no_edges() {
        let inverted = Bounds::rect(Vec2::splat(5.0), Vec2::splat(-5.0), BoundsEdge::Clamp);
        let nan = Bounds::rect(Vec2::splat(f32::NAN), Vec2::splat(1.0), BoundsEdge::Wrap);
        for bounds in [inverted, nan, Bounds::UNBOUNDED] {
            let (mut position, mut velocity) = (Vec3::splat(70.0), Vec3::ONE);
            bounds.confine(&mut position, &mut velocity);
            assert_eq!((position, velocity), (Vec3::splat(70.0), Vec3::ONE));
        }
    }

    #[test]
    fn a_box_may_be_anywhere() {
        let confined = |edge, x: f32, vx: f32| {
            let bounds = Bounds::rect(Vec2::splat(3.0), Vec2::splat(7.0), edge);
            let (mut position, mut velocity) = (Vec3::splat(x), Vec3::X * vx);
            bounds.confine(&mut position, &mut velocity);
            (position.x, velocity.x)
        };
        assert_eq!(confined(BoundsEdge::Wrap, 8.0, 1.0), (4.0, 1.0));
        assert_eq!(confined(BoundsEdge::Wrap, 2.0, -1.0), (6.0, -1.0));
        assert_eq!(confined(BoundsEdge::Wrap, 27.5, 1.0), (3.5, 1.0));
        assert_eq!(confined(BoundsEdge::Bounce, 7.5, 1.0), (6.5, -1.0));
        assert_eq!(confined(BoundsEdge::Bounce, 2.5, -1.0), (3.5, 1.0));
        assert_eq!(confined(BoundsEdge::Clamp, 0.0, -1.0), (3.0, 0.0));
        assert_eq!(confined(BoundsEdge::Clamp, 0.0, 1.0), (3.0, 1.0));
    }

    #[test]
    fn a_flat_axis_has_no_edge() {
        for edge in [BoundsEdge::Wrap, BoundsEdge::Bounce, BoundsEdge::Clamp] {
            let flat = Bounds::cuboid(Vec3::new(-5.0, -5.0, 1.0), Vec3::new(5.0, 5.0, 1.0), edge);
            let (mut position, mut velocity) = (Vec3::new(1.0, 2.0, 7.0), Vec3::Z);
            flat.confine(&mut position, &mut velocity);
            assert_eq!((position, velocity), (Vec3::new(1.0, 2.0, 7.0), Vec3::Z), "{edge:?}");
            assert!(flat.contains(position) && flat.period(2).is_none());
        }
    }

    #[test]
    fn ground_has_no_edges_above_and_below() {
        let ground = Bounds::ground(Vec2::new(-1.0, -2.0), Vec2::new(3.0, 4.0), BoundsEdge::Clamp);
        let (mut position, mut velocity) = (Vec3::new(9.0, 1e6, -9.0), Vec3::ZERO);
        ground.confine(&mut position, &mut velocity);
        assert_eq!(position, Vec3::new(3.0, 1e6, -2.0));
    }
}
