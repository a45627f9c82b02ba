//! [`Pen`]: draws debug shapes as lines of Bevy's gizmos.

use bevy::{math::ops, prelude::*};

use crate::{
    behavior::DebugShape,
    debug::gizmos::SteeringGizmos,
    space::{SteeringPlane, direction},
};

/// Draws in the plane of one agent.
pub(crate) struct Pen<'a, 'w, 's> {
    gizmos: &'a mut Gizmos<'w, 's, SteeringGizmos>,
    plane: SteeringPlane,
    /// Half the size of marks; also the maximum size of the tips of arrows.
    mark: f32,
}

/// Segments of a whole circle.
const SEGMENTS: f32 = 48.0;

impl<'a, 'w, 's> Pen<'a, 'w, 's> {
    pub(crate) fn new(
        gizmos: &'a mut Gizmos<'w, 's, SteeringGizmos>,
        plane: SteeringPlane,
        radius: f32,
    ) -> Self {
        Self { gizmos, plane, mark: radius * 0.5 }
    }

    pub(crate) fn draw(&mut self, shape: DebugShape, color: Color) {
        match shape {
            DebugShape::Line(from, to) => self.gizmos.line(from, to, color),
            DebugShape::Arrow(from, to) => self.arrow(from, to, color),
            DebugShape::Circle { center, radius } => self.circle(center, radius, color),
            DebugShape::Sector { center, along, angle, radius } => {
                self.sector(center, along, angle, radius, color);
            }
            DebugShape::Mark(place) => self.mark(place, color),
        }
    }

    pub(crate) fn arrow(&mut self, from: Vec3, to: Vec3, color: Color) {
        let shaft = to - from;
        let length = shaft.length();
        let along = direction(shaft);
        if along == Vec3::ZERO {
            return;
        }
        self.gizmos.line(from, to, color);
        let tip = (length * 0.4).min(self.mark * 1.4);
        for beside in self.beside(along) {
            for side in [beside, -beside] {
                self.gizmos.line(to, to - (along - side * 0.5) * tip, color);
            }
        }
    }

    /// The edge of a half-space, and a mark on the side of its normal.
    pub(crate) fn edge(&mut self, place: Vec3, normal: Vec3, color: Color) {
        for across in self.beside(normal) {
            let arm = across * (3.0 * self.mark);
            self.gizmos.line(place - arm, place + arm, color);
        }
        self.gizmos.line(place, place + normal * self.mark, color);
    }

    pub(crate) fn circle(&mut self, center: Vec3, radius: f32, color: Color) {
        if self.plane.is_planar() {
            let facing = Quat::from_rotation_arc(Vec3::Z, self.plane.normal());
            self.gizmos.circle(Isometry3d::new(center, facing), radius, color);
        } else {
            self.gizmos.sphere(center, radius, color);
        }
    }

    fn mark(&mut self, place: Vec3, color: Color) {
        for axis in Vec3::AXES.map(|axis| self.plane.flatten(axis)) {
            let arm = axis * self.mark;
            self.gizmos.line(place - arm, place + arm, color);
        }
    }

    /// In free space the cone is drawn as two sectors at right angles.
    fn sector(&mut self, center: Vec3, along: Vec3, angle: f32, radius: f32, color: Color) {
        let count = (SEGMENTS * angle.abs() / core::f32::consts::TAU).ceil().clamp(2.0, SEGMENTS);
        for beside in self.beside(along) {
            let rim = |i: f32| {
                let turn = angle * (i / count - 0.5);
                center + (along * ops::cos(turn) + beside * ops::sin(turn)) * radius
            };
            let places = (0..=count as usize).map(|i| rim(i as f32));
            let ends = [center];
            self.gizmos.linestrip(ends.into_iter().chain(places).chain(ends), color);
        }
    }

    /// The directions perpendicular to `along` to draw in: one in a plane, two in free space.
    fn beside(&self, along: Vec3) -> impl Iterator<Item = Vec3> + use<> {
        let left = direction(self.plane.left(along));
        let is_planar = self.plane.is_planar();
        let left =
            if left == Vec3::ZERO && !is_planar { along.any_orthonormal_vector() } else { left };
        [left, along.cross(left)].into_iter().take(if is_planar { 1 } else { 2 })
    }
}
