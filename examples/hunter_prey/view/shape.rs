//! The shapes of bodies, which are files in `assets/bodies`.

use bevy::{math::ops, prelude::*};
use ron::error::SpannedResult;
use serde::Deserialize;

use crate::sheet::{Corner, Sheet};

/// The shapes of all bodies.
#[derive(Resource, Clone, Debug)]
pub(super) struct Shapes {
    /// Of prey.
    pub(super) fish: Shape,
    /// Of hunters.
    pub(super) shark: Shape,
}

/// A body seen from above, in multiples of its radius.
#[derive(Deserialize, Clone, Debug)]
pub(super) struct Shape {
    /// The body from nose to tail.
    spine: Vec<Station>,
    /// The corners of the left fin; the right one mirrors it.
    fin: [(f32, f32); 3],
    /// How far the tail swings.
    swing: f32,
}

/// Half the width of a body at a place of its spine.
#[derive(Deserialize, Clone, Copy, Debug)]
struct Station {
    x: f32,
    half_width: f32,
}

/// Where a body is and how it bends.
pub(super) struct Pose {
    pub(super) center: Vec2,
    pub(super) forward: Vec2,
    pub(super) radius: f32,
    /// Where it is in its stroke, in radians.
    pub(super) stroke: f32,
}

impl Shapes {
    /// Reads the files, which are part of the program.
    fn read() -> SpannedResult<Self> {
        Ok(Self {
            fish: ron::from_str(include_str!("../../../assets/bodies/fish.ron"))?,
            shark: ron::from_str(include_str!("../../../assets/bodies/shark.ron"))?,
        })
    }
}

/// Reads the shapes.
pub(super) fn load(mut commands: Commands) -> Result {
    commands.insert_resource(Shapes::read()?);
    Ok(())
}

impl Shape {
    /// Draws a body whose back has this colour.
    pub(super) fn draw(&self, sheet: &mut Sheet, pose: &Pose, color: LinearRgba) {
        let [back, flank] = [color, shade(color, 0.45)];
        let place = |point: Vec2| {
            let point = point + Vec2::Y * self.bend(point.x, pose.stroke);
            pose.center + pose.forward.rotate(point * pose.radius)
        };
        for side in [1.0, -1.0] {
            let fin = self.fin.map(|point| place(Vec2::from(point) * Vec2::new(1.0, side)));
            sheet.triangle(fin.map(|at| Corner { at, color: flank }));
            for pair in self.spine.windows(2) {
                let [front, rear] = [&pair[0], &pair[1]].map(|station| {
                    let at = |y: f32| place(Vec2::new(station.x, y));
                    let edge = at(station.half_width * side);
                    [Corner { at: at(0.0), color: back }, Corner { at: edge, color: flank }]
                });
                sheet.triangle([front[0], front[1], rear[0]]);
                sheet.triangle([rear[0], front[1], rear[1]]);
            }
        }
    }

    /// How far to the side the spine is at `x`: a wave that grows towards the tail.
    fn bend(&self, x: f32, stroke: f32) -> f32 {
        let behind = ((1.5 - x) / 3.5).max(0.0);
        self.swing * behind * behind * ops::sin(stroke + 0.9 * x)
    }
}

/// A darker colour.
fn shade(color: LinearRgba, share: f32) -> LinearRgba {
    (color * share).with_alpha(color.alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_bodies() {
        let Shapes { fish, shark } = Shapes::read().expect("files that can be read");
        for shape in [fish, shark] {
            assert!(shape.spine.len() > 2, "{shape:?}");
            assert!(shape.spine.is_sorted_by(|front, rear| front.x > rear.x), "{shape:?}");
            assert!(shape.spine.iter().all(|station| station.half_width > 0.0), "{shape:?}");
            let [from, to, last] = shape.fin.map(Vec2::from);
            assert!((to - from).perp_dot(last - from).abs() > 0.1, "a fin has an area: {shape:?}");
            assert!(to.y > from.y.max(last.y), "the left fin points to the left: {shape:?}");
            assert!(shape.swing > 0.0, "{shape:?}");
        }
    }
}
