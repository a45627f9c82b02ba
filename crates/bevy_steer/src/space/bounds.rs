//! [`Bounds`]: the edges of the world, what happens to an agent there, and distances in a world
//! that wraps.

use bevy::{math::ops, prelude::*, shape::Aabb3d};

use crate::simd::{Arithmetic, One};

/// What happens at the edge of the world.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum BoundsEdge {
    /// An agent that leaves on one side enters on the other; distances, neighbours and predictions
    /// use the shortest path across the edges.
    #[default]
    Wrap,
    /// An agent that reaches the edge is reflected.
    Bounce,
    /// An agent that reaches the edge stops there and slides along it.
    Clamp,
}

/// The box in which agents move. As a component: the bounds of one agent; for the whole world
/// insert [`WorldBounds`].
///
/// It bounds the centres of agents. An axis has no edge if its `max` is not above its `min`, or if
/// one of them is infinite.
///
/// ```
/// # use bevy::{prelude::*, shape::Aabb3d};
/// # use bevy_steer::prelude::*;
/// let torus = Bounds::rect(Vec2::new(-100.0, -50.0), Vec2::new(100.0, 50.0), BoundsEdge::Wrap);
/// assert_eq!(torus.shortest(Vec3::new(190.0, 0.0, 0.0)), Vec3::new(-10.0, 0.0, 0.0));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    #[cfg_attr(feature = "serialize", serde(with = "crate::space::unbounded"))]
    pub min: Vec3,
    /// The corner with the largest coordinates.
    #[cfg_attr(feature = "serialize", serde(with = "crate::space::unbounded"))]
    pub max: Vec3,
    /// The behaviour of its edges. Default [`BoundsEdge::Wrap`].
    pub edge: BoundsEdge,
}

impl Default for Bounds {
    /// No edges.
    fn default() -> Self {
        Self::UNBOUNDED
    }
}

/// The edges of the world, as a resource. An agent with a [`Bounds`] component uses that instead.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct WorldBounds(pub Bounds);

impl Bounds {
    /// No edges on any axis.
    pub const UNBOUNDED: Self = Self {
        min: Vec3::splat(f32::NEG_INFINITY),
        max: Vec3::splat(f32::INFINITY),
        edge: BoundsEdge::Wrap,
    };

    /// A box, for agents in free space.
    pub fn cuboid(min: Vec3, max: Vec3, edge: BoundsEdge) -> Self {
        Self { min, max, edge }
    }

    /// A rectangle of the `Xy` plane, without edges in `z`.
    pub fn rect(min: Vec2, max: Vec2, edge: BoundsEdge) -> Self {
        Self { min: min.extend(f32::NEG_INFINITY), max: max.extend(f32::INFINITY), edge }
    }

    /// A rectangle of the ground (`x` and `z`), without edges in `y`.
    pub fn ground(min: Vec2, max: Vec2, edge: BoundsEdge) -> Self {
        Self {
            min: Vec3::new(min.x, f32::NEG_INFINITY, min.y),
            max: Vec3::new(max.x, f32::INFINITY, max.y),
            edge,
        }
    }

    /// Sets the behaviour of its edges.
    #[must_use]
    pub fn with_edge(mut self, edge: BoundsEdge) -> Self {
        self.edge = edge;
        self
    }

    /// The distance after which the world repeats on an axis (0 to 2), if it does.
    #[inline]
    pub fn period(&self, axis: usize) -> Option<f32> {
        let repeats = self.edge == BoundsEdge::Wrap && self.has_edge(axis);
        repeats.then(|| self.max[axis] - self.min[axis])
    }

    /// The [`period`](Self::period) of each axis, infinite where it does not repeat.
    #[inline]
    pub(crate) fn periods(&self) -> Vec3 {
        Vec3::from_array(core::array::from_fn(|axis| self.period(axis).unwrap_or(f32::INFINITY)))
    }

    /// The shortest offset between two positions whose difference is `offset`. In a world that does
    /// not wrap it is `offset` itself.
    #[inline]
    pub fn shortest(&self, offset: Vec3) -> Vec3 {
        shortest(offset, self.periods())
    }

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

    /// Whether a position is inside, edges included.
    pub fn contains(&self, point: Vec3) -> bool {
        (0..3).all(|axis| {
            !self.has_edge(axis) || (self.min[axis]..=self.max[axis]).contains(&point[axis])
        })
    }

    #[inline]
    pub(crate) fn has_edge(&self, axis: usize) -> bool {
        let length = self.max[axis] - self.min[axis];
        length > 0.0 && length.is_finite()
    }
}

impl From<Rect> for Bounds {
    /// [`Bounds::rect`] that wraps.
    fn from(Rect { min, max }: Rect) -> Self {
        Self::rect(min, max, BoundsEdge::default())
    }
}

impl From<Aabb3d> for Bounds {
    /// [`Bounds::cuboid`] that wraps.
    fn from(Aabb3d { min, max }: Aabb3d) -> Self {
        Self::cuboid(min.into(), max.into(), BoundsEdge::default())
    }
}

/// [`Bounds::shortest`], given the [`periods`](Bounds::periods).
#[inline]
pub(crate) fn shortest(offset: Vec3, periods: Vec3) -> Vec3 {
    Vec3::new(around(offset.x, periods.x), around(offset.y, periods.y), around(offset.z, periods.z))
}

/// The short way round on one axis.
#[inline]
pub(crate) fn around(offset: f32, period: f32) -> f32 {
    shortest_on_axis(One, offset, period)
}

/// The shortest offset on one axis. An infinite period never repeats.
#[inline(always)]
pub(crate) fn shortest_on_axis<L: Arithmetic>(l: L, offset: L::F, period: f32) -> L::F {
    /// Up to this fraction of a period, subtracting one period is enough.
    const ONCE_ROUND: f32 = 1.25;
    let distance = l.abs(offset);
    let once_round = l.sub(offset, l.copysign(l.splat(period), offset));
    let short = l.select(l.lt(l.splat(0.5 * period), distance), once_round, offset);
    // Larger offsets are rare, and a division is expensive.
    let is_far = l.lt(l.splat(ONCE_ROUND * period), distance);
    if !l.any(is_far) {
        return short;
    }
    let period = l.splat(period);
    let turns = l.round(l.div(offset, period));
    l.select(is_far, l.sub(offset, l.mul(period, turns)), short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(edge: BoundsEdge) -> Bounds {
        Bounds::rect(Vec2::splat(-10.0), Vec2::splat(10.0), edge)
    }

    #[test]
    fn shortest_crosses_the_seam_of_a_wrapping_world() {
        let far = Vec3::new(18.0, -18.0, 18.0);
        assert_eq!(square(BoundsEdge::Wrap).shortest(far), Vec3::new(-2.0, 2.0, 18.0));
        assert_eq!(square(BoundsEdge::Clamp).shortest(far), far);
        assert_eq!(Bounds::UNBOUNDED.shortest(far), far);
    }

    #[test]
    fn shortest_works_at_every_scale() {
        for width in [0.5, 20.0, 1e6] {
            let bounds = Bounds::rect(Vec2::ZERO, Vec2::splat(width), BoundsEdge::Wrap);
            for turns in [-7.0, -1.0, 0.0, 1.0, 2.0, 7.0] {
                for share in [-0.375, 0.25, 0.5] {
                    let offset = Vec3::X * (width * (turns + share));
                    let short = bounds.shortest(offset).x;
                    // From just half way round both ways are equally short.
                    let short = if share == 0.5 { short.abs() } else { short };
                    assert!((short - width * share).abs() <= 1e-6 * width, "{offset} {short}");
                }
            }
        }
    }

    #[test]
    fn contains_what_is_between_the_edges() {
        let bounds = square(BoundsEdge::Clamp);
        assert!(bounds.contains(Vec3::ZERO) && bounds.contains(Vec3::new(10.0, 10.0, 0.0)));
        assert!(!bounds.contains(Vec3::X * 10.1) && !bounds.contains(Vec3::Y * -10.1));
        assert!(bounds.contains(Vec3::Z * 1e9) && !bounds.contains(Vec3::new(99.0, 0.0, 1e9)));
        assert!(Bounds::UNBOUNDED.contains(Vec3::splat(1e30)));
    }

    fn confined(edge: BoundsEdge, x: f32, vx: f32) -> (f32, f32) {
        let (mut position, mut velocity) = (Vec3::new(x, 0.0, 1e9), Vec3::new(vx, 1.0, 0.0));
        square(edge).confine(&mut position, &mut velocity);
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
