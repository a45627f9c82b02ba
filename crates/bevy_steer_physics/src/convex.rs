//! Convex shapes, polygons and triangles as parts.

use bevy::prelude::*;
use bevy_steer::ObstacleShape;

#[cfg(feature = "3d")]
use crate::ground::Ground;
use crate::part::Part;

/// A shape that fills this share of a circle, rectangle or capsule around it is replaced by that.
const FILLED: f32 = 0.8;

/// The parts of a convex polygon with rounded edges, given by its corners in order: the circle,
/// rectangle or capsule around it that it fills best, or its edges.
#[cfg(feature = "2d")]
pub(crate) fn polygon(corners: &[Vec2], round: f32) -> Vec<Part> {
    let count = corners.len();
    let edges = || (0..count).map(|i| (corners[i], corners[(i + 1) % count]));
    let area = 0.5 * edges().map(|(a, b)| a.perp_dot(b)).sum::<f32>().abs();
    let frames = edges().filter_map(|(a, b)| (b - a).try_normalize());
    let boxes = frames.map(|along| BoxAround::of(corners, along));
    let Some(around) = boxes.min_by(|a, b| a.area().total_cmp(&b.area())) else {
        return Vec::new();
    };
    let candidates = [around.as_box(), around.as_circle(corners), around.as_capsule(corners)];
    let best = candidates.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((part, room)) = best
        && area >= FILLED * room
    {
        return vec![part.inflated(round)];
    }
    edges().map(|(a, b)| Part::around_line(a.extend(0.0), b.extend(0.0), round)).collect()
}

/// A rectangle around a polygon.
#[cfg(feature = "2d")]
#[derive(Clone, Copy)]
struct BoxAround {
    center: Vec2,
    /// Half its size along and across `along`.
    half_size: Vec2,
    along: Vec2,
}

#[cfg(feature = "2d")]
impl BoxAround {
    fn of(corners: &[Vec2], along: Vec2) -> Self {
        let locals =
            corners.iter().map(|corner| Vec2::new(along.dot(*corner), along.perp_dot(*corner)));
        let (min, max) = locals.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(min, max), local| {
            (min.min(local), max.max(local))
        });
        let center = along.rotate((min + max) * 0.5);
        Self { center, half_size: (max - min) * 0.5, along }
    }

    fn area(&self) -> f32 {
        4.0 * self.half_size.x * self.half_size.y
    }

    /// As a part, and its area.
    fn as_box(&self) -> (Part, f32) {
        let part = Part::aligned_box(Vec3::ZERO, self.half_size.extend(0.0));
        let turn = Quat::from_rotation_z(self.along.to_angle());
        (part.moved(self.center.extend(0.0), turn), self.area())
    }

    fn as_circle(&self, corners: &[Vec2]) -> (Part, f32) {
        let distances = corners.iter().map(|corner| corner.distance(self.center));
        let radius = distances.fold(0.0, f32::max);
        let part = Part::centered(ObstacleShape::Sphere { radius });
        let area = core::f32::consts::PI * radius * radius;
        (part.moved(self.center.extend(0.0), Quat::IDENTITY), area)
    }

    fn as_capsule(&self, corners: &[Vec2]) -> (Part, f32) {
        let Vec2 { x, y } = self.half_size;
        let along = if x >= y { self.along } else { self.along.perp() };
        let end = along * (x - y).abs();
        let distances = corners.iter().map(|corner| {
            let from = corner - self.center;
            let nearest = along * from.dot(along).clamp(-end.length(), end.length());
            from.distance(nearest)
        });
        let radius = distances.fold(0.0, f32::max);
        let [start, end] = [self.center - end, self.center + end].map(|end| end.extend(0.0));
        let area = radius * (core::f32::consts::PI * radius + 2.0 * start.distance(end));
        (Part::around_line(start, end, radius), area)
    }
}

/// The convex hull of some points as boxes aligned with the collider: one, or slices along its
/// longest side where one would be nearly empty.
#[cfg(feature = "3d")]
pub(crate) fn hull(points: &[Vec3], round: f32) -> Vec<Part> {
    const SLICES: usize = 6;
    let whole = bounds(points.iter().copied());
    let size = whole.max - whole.min;
    if !(size.cmpge(Vec3::ZERO).all() && size.is_finite()) {
        return Vec::new();
    }
    let longest = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b])).unwrap_or(0);
    let cut = |i: usize| whole.min[longest] + size[longest] * (i as f32 / SLICES as f32);
    let slices: Vec<_> = (0..SLICES).map(|i| slice(points, longest, cut(i), cut(i + 1))).collect();
    let filled: f32 = slices.iter().map(Extent::volume).sum();
    let boxes = if filled >= FILLED * whole.volume() { vec![whole] } else { slices };
    boxes.into_iter().map(|part| part.part().inflated(round)).collect()
}

/// A box between two corners.
#[cfg(feature = "3d")]
#[derive(Clone, Copy)]
struct Extent {
    min: Vec3,
    max: Vec3,
}

#[cfg(feature = "3d")]
impl Extent {
    fn volume(&self) -> f32 {
        (self.max - self.min).element_product()
    }

    fn part(&self) -> Part {
        // A box without height would be a rectangle, of which agents see a line.
        let size = self.max - self.min;
        let half_size = (size * 0.5).max(Vec3::splat(THIN * size.max_element()));
        Part::aligned_box((self.min + self.max) * 0.5, half_size)
    }
}

/// The least half thickness of a box, as a share of its size.
#[cfg(feature = "3d")]
const THIN: f32 = 1e-4;

#[cfg(feature = "3d")]
fn bounds(points: impl Iterator<Item = Vec3>) -> Extent {
    let nothing = Extent { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
    points.fold(nothing, |Extent { min, max }, point| Extent {
        min: min.min(point),
        max: max.max(point),
    })
}

/// The box around what lies between two cuts through the hull of some points. All edges of the hull
/// are among the lines between two points, and no line leaves the hull.
#[cfg(feature = "3d")]
fn slice(points: &[Vec3], axis: usize, low: f32, high: f32) -> Extent {
    let inside = points.iter().copied().filter(|point| (low..=high).contains(&point[axis]));
    let cuts = points.iter().enumerate().flat_map(|(i, &a)| {
        points[i + 1..].iter().flat_map(move |&b| {
            [low, high].into_iter().filter_map(move |at| {
                let share = (at - a[axis]) / (b[axis] - a[axis]);
                (0.0..=1.0).contains(&share).then(|| a.lerp(b, share))
            })
        })
    });
    bounds(inside.chain(cuts))
}

/// The rectangle around a triangle as a thin box, with two edges horizontal; `None` if it is ground
/// or has no area.
#[cfg(feature = "3d")]
pub(crate) fn triangle(corners: [Vec3; 3], ground: Option<Ground>) -> Option<Part> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).try_normalize()?;
    if ground.is_some_and(|ground| ground.is(normal)) {
        return None;
    }
    let up = ground.map_or(Vec3::Y, |ground| ground.up);
    let along = up.cross(normal).try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector());
    let axes = Mat3::from_cols(along, normal.cross(along), normal);
    let flat = bounds(corners.into_iter().map(|corner| axes.transpose() * corner));
    Some(flat.part().moved(Vec3::ZERO, Quat::from_mat3(&axes)))
}

#[cfg(all(test, feature = "2d", feature = "3d"))]
mod tests {
    use super::*;

    fn regular(sides: usize) -> Vec<Vec2> {
        let corner = |i| Vec2::from_angle(core::f32::consts::TAU * i as f32 / sides as f32);
        (0..sides).map(corner).collect()
    }

    #[test]
    fn a_polygon_is_what_it_fills_best() {
        let rect = [Vec2::ZERO, Vec2::new(4.0, 4.0), Vec2::new(3.0, 5.0), Vec2::new(-1.0, 1.0)];
        let [part] = polygon(&rect, 0.0)[..] else { panic!("one box") };
        let ObstacleShape::Box { half_size } = part.shape else { panic!("{part:?}") };
        assert!((half_size.max_element() - 8f32.sqrt()).abs() < 1e-5, "{half_size}");
        assert!(part.offset.distance(Vec3::new(1.5, 2.5, 0.0)) < 1e-5);
        let round = polygon(&regular(12), 0.5);
        assert!(matches!(round[..], [Part { shape: ObstacleShape::Sphere { .. }, .. }]));
        let long: Vec<_> = regular(16).iter().map(|corner| corner * Vec2::new(3.0, 1.0)).collect();
        assert!(matches!(
            polygon(&long, 0.0)[..],
            [Part { shape: ObstacleShape::Capsule { .. }, .. }]
        ));
        assert_eq!(polygon(&regular(3), 0.0).len(), 3, "a triangle is its edges");
        assert!(polygon(&[], 0.0).is_empty() && polygon(&[Vec2::X], 0.0).is_empty());
    }

    #[test]
    fn a_hull_is_a_box_or_slices() {
        let corners: Vec<Vec3> = [-1.0, 1.0]
            .into_iter()
            .flat_map(|x| [-2.0, 2.0].map(|y| Vec3::new(x, y, 0.5)))
            .flat_map(|corner| [corner, -corner])
            .collect();
        assert_eq!(hull(&corners, 0.0).len(), 1);
        let pyramid: Vec<_> = regular(4)
            .iter()
            .map(|corner| Vec3::new(corner.x, 0.0, corner.y))
            .chain([Vec3::Y * 4.0])
            .collect();
        let slices = hull(&pyramid, 0.0);
        assert_eq!(slices.len(), 6);
        let width = |part: &Part| match part.shape {
            ObstacleShape::Box { half_size } => half_size.x,
            _ => f32::NAN,
        };
        assert!(width(&slices[0]) == 1.0 && width(&slices[5]) < 0.2);
        assert!(hull(&[], 0.0).is_empty() && hull(&[Vec3::NAN], 0.0).is_empty());
    }

    #[test]
    fn a_steep_triangle_is_a_thin_box_and_a_flat_one_is_ground() {
        let ground = Ground { up: Vec3::Y, cos_slope: 0.7 };
        let upright = [Vec3::ZERO, Vec3::X * 4.0, Vec3::new(4.0, 2.0, 0.0)];
        let part = triangle(upright, Some(ground)).unwrap();
        let ObstacleShape::Box { half_size } = part.shape else { panic!("{part:?}") };
        assert!((half_size.x - 2.0).abs() < 1e-5 && (half_size.y - 1.0).abs() < 1e-5);
        assert!(half_size.z > 0.0 && half_size.z < 0.01);
        assert!(part.offset.distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-5);
        let flat = [Vec3::ZERO, Vec3::X, Vec3::Z];
        assert_eq!(triangle(flat, Some(ground)), None);
        assert!(triangle(flat, None).is_some());
        assert_eq!(triangle([Vec3::X; 3], None), None);
    }
}
