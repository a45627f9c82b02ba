//! [`DebugDraw`]: the shapes with which a behaviour draws itself.

use bevy::prelude::*;

use crate::{
    behavior::{agent::Agent, target::TargetView},
    space::direction,
};

/// The kind of a shape of a [`DebugDraw`]. Each layer can have its own colour, or not be drawn.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Debug, PartialEq, Clone)]
pub enum DebugLayer {
    /// The target and the line to it.
    Target,
    /// Distances within which the behaviour acts.
    Range,
    /// Predictions: expected positions, the closest approach of another agent.
    Guess,
    /// The circle of [`Wander`](crate::Wander) and the point on it.
    WanderCircle,
    /// A path and the progress of the agent.
    Path,
    /// Feelers and swept bodies.
    Feeler,
    /// The field of view.
    View,
    /// The other agents that are considered.
    Link,
    /// Velocity limits.
    Limit,
}

impl DebugLayer {
    /// All layers.
    pub const ALL: [Self; 9] = [
        Self::Target,
        Self::Range,
        Self::Guess,
        Self::WanderCircle,
        Self::Path,
        Self::Feeler,
        Self::View,
        Self::Link,
        Self::Limit,
    ];
}

/// A shape of a [`DebugDraw`]. All lengths are in units, all positions in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DebugShape {
    /// A straight line.
    Line(Vec3, Vec3),
    /// A line with a tip at its second end.
    Arrow(Vec3, Vec3),
    /// A circle in the agent's plane; in free space a sphere.
    Circle {
        /// Its centre.
        center: Vec3,
        /// Its radius.
        radius: f32,
    },
    /// A sector in the agent's plane; in free space a cone.
    Sector {
        /// Its apex.
        center: Vec3,
        /// The unit vector along its middle.
        along: Vec3,
        /// The whole angle, in radians.
        angle: f32,
        /// Its radius.
        radius: f32,
    },
    /// A small mark at a position.
    Mark(Vec3),
}

/// Collects the shapes of a behaviour, see
/// [`SteeringBehavior::debug_draw`](crate::SteeringBehavior::debug_draw).
///
/// `SteeringGizmosPlugin` (feature `gizmos`) draws them; tests and other renderers can read them.
#[derive(Clone, Debug, Default)]
pub struct DebugDraw {
    shapes: Vec<(DebugLayer, DebugShape)>,
    hidden: u32,
}

impl DebugDraw {
    /// Collects only shapes of these layers.
    pub fn of(layers: impl IntoIterator<Item = DebugLayer>) -> Self {
        let shown = layers.into_iter().fold(0, |shown, layer| shown | bit(layer));
        Self { shapes: Vec::new(), hidden: !shown }
    }

    /// Whether this layer is drawn. Check it before expensive computations.
    pub fn shows(&self, layer: DebugLayer) -> bool {
        self.hidden & bit(layer) == 0
    }

    /// The shapes so far. All of them are finite.
    pub fn shapes(&self) -> &[(DebugLayer, DebugShape)] {
        &self.shapes
    }

    /// Removes all shapes.
    pub fn clear(&mut self) {
        self.shapes.clear();
    }

    /// Adds a shape. A shape that is not finite is ignored.
    pub fn add(&mut self, layer: DebugLayer, shape: DebugShape) -> &mut Self {
        if self.shows(layer) && shape.is_finite() {
            self.shapes.push((layer, shape));
        }
        self
    }

    /// Adds a straight line.
    pub fn line(&mut self, layer: DebugLayer, from: Vec3, to: Vec3) -> &mut Self {
        self.add(layer, DebugShape::Line(from, to))
    }

    /// Adds a line with a tip at its second end.
    pub fn arrow(&mut self, layer: DebugLayer, from: Vec3, to: Vec3) -> &mut Self {
        self.add(layer, DebugShape::Arrow(from, to))
    }

    /// Adds a circle; nothing if the radius is not positive.
    pub fn circle(&mut self, layer: DebugLayer, center: Vec3, radius: f32) -> &mut Self {
        if radius > 0.0 {
            self.add(layer, DebugShape::Circle { center, radius });
        }
        self
    }

    /// Adds a small mark at a position.
    pub fn mark(&mut self, layer: DebugLayer, place: Vec3) -> &mut Self {
        self.add(layer, DebugShape::Mark(place))
    }

    /// Adds the predicted position of a target after `time` seconds.
    pub fn guess(&mut self, agent: &Agent, view: &TargetView, time: f32) -> &mut Self {
        let place = agent.position + view.offset;
        let expected = place + view.velocity * time;
        self.line(DebugLayer::Guess, place, expected).mark(DebugLayer::Guess, expected)
    }

    /// Adds the direction that an agent turns to.
    pub fn gaze(&mut self, agent: &Agent, along: Vec3) -> &mut Self {
        const LENGTH_IN_RADII: f32 = 4.0;
        let gaze = direction(along) * (LENGTH_IN_RADII * agent.vehicle.radius);
        self.arrow(DebugLayer::Target, agent.position, agent.position + gaze)
    }

    /// Adds the line from an agent to its target at `offset`.
    pub fn way(&mut self, agent: &Agent, offset: Vec3) -> &mut Self {
        let place = agent.position + offset;
        self.line(DebugLayer::Target, agent.position, place).mark(DebugLayer::Target, place)
    }
}

impl DebugShape {
    fn is_finite(&self) -> bool {
        match *self {
            Self::Line(from, to) | Self::Arrow(from, to) => from.is_finite() && to.is_finite(),
            Self::Circle { center, radius } => center.is_finite() && radius.is_finite(),
            Self::Sector { center, along, angle, radius } => {
                center.is_finite() && along.is_finite() && (angle + radius).is_finite()
            }
            Self::Mark(place) => place.is_finite(),
        }
    }
}

fn bit(layer: DebugLayer) -> u32 {
    1 << layer as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_shown_and_finite_shapes() {
        let mut draw = DebugDraw::of([DebugLayer::Target, DebugLayer::Range]);
        draw.mark(DebugLayer::Target, Vec3::X)
            .mark(DebugLayer::Link, Vec3::X)
            .circle(DebugLayer::Range, Vec3::ZERO, f32::INFINITY)
            .circle(DebugLayer::Range, Vec3::ZERO, 0.0)
            .line(DebugLayer::Range, Vec3::ZERO, Vec3::NAN)
            .circle(DebugLayer::Range, Vec3::Y, 2.0);
        let circle = DebugShape::Circle { center: Vec3::Y, radius: 2.0 };
        assert_eq!(
            draw.shapes(),
            [(DebugLayer::Target, DebugShape::Mark(Vec3::X)), (DebugLayer::Range, circle)]
        );
        assert!(draw.shows(DebugLayer::Range) && !draw.shows(DebugLayer::View));
        draw.clear();
        assert_eq!(draw.shapes(), []);
    }

    #[test]
    fn one_bad_number_makes_a_shape_not_finite() {
        let bad = Vec3::Y * f32::NAN;
        for vector in [Vec3::X, bad] {
            let good = vector == Vec3::X;
            let radius = if good { 1.0 } else { f32::INFINITY };
            assert_eq!(DebugShape::Line(vector, Vec3::X).is_finite(), good);
            assert_eq!(DebugShape::Arrow(Vec3::X, vector).is_finite(), good);
            assert_eq!(DebugShape::Circle { center: vector, radius: 1.0 }.is_finite(), good);
            assert_eq!(DebugShape::Circle { center: Vec3::X, radius }.is_finite(), good);
            let sector =
                DebugShape::Sector { center: Vec3::X, along: vector, angle: 1.0, radius: 1.0 };
            assert_eq!(sector.is_finite(), good);
            let sector = DebugShape::Sector { center: vector, along: Vec3::X, angle: 1.0, radius };
            assert_eq!(sector.is_finite(), good);
            assert_eq!(DebugShape::Mark(vector).is_finite(), good);
        }
    }
}
