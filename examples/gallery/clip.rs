//! Cuts the lines of all gizmos off at the edges of the scene: predictions, circles and trails do
//! not run over the frame, however the view is zoomed.

use bevy::{
    gizmos::{GizmoAsset, GizmoHandles},
    prelude::*,
};

use super::{
    scene::View,
    stage::{ARENA, CurrentScene, GROUND, TANK},
};

/// Half the extents of the part of the world that a scene draws in.
pub fn extents(view: View) -> Vec3 {
    match view {
        View::Flat => ARENA.extend(f32::MAX),
        View::Ground => GROUND.extend(f32::MAX).xzy(),
        View::Space => TANK,
    }
}

/// Runs after the lines of a frame have been collected.
pub(super) fn clip(
    current: Res<CurrentScene>,
    handles: Res<GizmoHandles>,
    mut assets: ResMut<Assets<GizmoAsset>>,
) {
    let half = extents(current.0.view);
    for handle in handles.handles().values().flatten() {
        let Some(mut lines) = assets.get_mut(handle) else { continue };
        let buffer = &mut **lines;
        clip_list(&mut buffer.list_positions, &mut buffer.list_colors, half);
        clip_strips(&mut buffer.strip_positions, &mut buffer.strip_colors, half);
    }
}

/// The part of a line that is inside a box around the origin, from 0 at its start to 1 at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Inside {
    from: f32,
    to: f32,
}

impl Inside {
    const ALL: Self = Self { from: 0.0, to: 1.0 };

    /// By Liang and Barsky (1984); `None` if all of the line is outside.
    fn of(start: Vec3, end: Vec3, half: Vec3) -> Option<Self> {
        if !(start.is_finite() && end.is_finite()) {
            return None;
        }
        let mut inside = Self::ALL;
        for axis in 0..3 {
            let (at, along, edge) = (start[axis], end[axis] - start[axis], half[axis]);
            if along == 0.0 {
                if at.abs() > edge {
                    return None;
                }
                continue;
            }
            let (a, b) = ((-edge - at) / along, (edge - at) / along);
            inside.from = inside.from.max(a.min(b));
            inside.to = inside.to.min(a.max(b));
        }
        (inside.from < inside.to).then_some(inside)
    }
}

/// An end of a line, with its colour.
#[derive(Clone, Copy)]
struct End {
    place: Vec3,
    color: LinearRgba,
}

impl End {
    /// What ends a strip.
    const OF_STRIP: Self = Self { place: Vec3::NAN, color: LinearRgba::NAN };

    fn between(self, other: Self, share: f32) -> Self {
        // Not by interpolation where nothing is cut: rounding would open strips.
        match share {
            0.0 => self,
            1.0 => other,
            _ => Self {
                place: self.place.lerp(other.place, share),
                color: self.color.mix(&other.color, share),
            },
        }
    }
}

fn ends(places: &[Vec3], colors: &[LinearRgba]) -> Vec<End> {
    places.iter().zip(colors).map(|(&place, &color)| End { place, color }).collect()
}

/// Lines of two ends each.
fn clip_list(places: &mut Vec<Vec3>, colors: &mut Vec<LinearRgba>, half: Vec3) {
    if places.iter().all(|place| place.abs().cmple(half).all()) {
        return;
    }
    let all = ends(places, colors);
    let kept: Vec<End> = all
        .chunks_exact(2)
        .filter_map(|pair| {
            let Inside { from, to } = Inside::of(pair[0].place, pair[1].place, half)?;
            Some([from, to].map(|share| pair[0].between(pair[1], share)))
        })
        .flatten()
        .collect();
    *places = kept.iter().map(|end| end.place).collect();
    *colors = kept.iter().map(|end| end.color).collect();
}

/// Strips of lines, each of which ends with a place that is not a number.
fn clip_strips(places: &mut Vec<Vec3>, colors: &mut Vec<LinearRgba>, half: Vec3) {
    if places.iter().all(|place| place.is_nan() || place.abs().cmple(half).all()) {
        return;
    }
    let all = ends(places, colors);
    let mut kept: Vec<End> = Vec::new();
    let mut is_open = false;
    for pair in all.windows(2) {
        let inside = Inside::of(pair[0].place, pair[1].place, half);
        if is_open && inside.is_none_or(|inside| inside.from > 0.0) {
            kept.push(End::OF_STRIP);
            is_open = false;
        }
        let Some(Inside { from, to }) = inside else { continue };
        if !is_open {
            kept.push(pair[0].between(pair[1], from));
        }
        kept.push(pair[0].between(pair[1], to));
        is_open = to == 1.0;
        if !is_open {
            kept.push(End::OF_STRIP);
        }
    }
    if is_open {
        kept.push(End::OF_STRIP);
    }
    *places = kept.iter().map(|end| end.place).collect();
    *colors = kept.iter().map(|end| end.color).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Vec3 = Vec3::new(10.0, 5.0, f32::MAX);

    fn clipped(
        clip: fn(&mut Vec<Vec3>, &mut Vec<LinearRgba>, Vec3),
        places: &[Vec2],
    ) -> (Vec<Vec3>, Vec<LinearRgba>) {
        let mut places: Vec<Vec3> = places.iter().map(|place| place.extend(0.0)).collect();
        let black_to_white = |i: usize| LinearRgba::gray(i as f32 / (places.len() - 1) as f32);
        let mut colors = (0..places.len()).map(black_to_white).collect();
        clip(&mut places, &mut colors, HALF);
        (places, colors)
    }

    #[test]
    fn lines_end_at_the_edge_where_they_cross_it() {
        let crossing = [Vec2::ZERO, vec2(20.0, 5.0)];
        let (places, colors) = clipped(clip_list, &crossing);
        assert_eq!(places, [Vec3::ZERO, Vec3::new(10.0, 2.5, 0.0)]);
        assert_eq!(colors, [LinearRgba::gray(0.0), LinearRgba::gray(0.5)]);
        let through = [vec2(-30.0, 1.0), vec2(30.0, 1.0)];
        let (places, _) = clipped(clip_list, &through);
        assert!(places[0].distance(Vec3::new(-10.0, 1.0, 0.0)) < 1e-4, "{places:?}");
        assert!(places[1].distance(Vec3::new(10.0, 1.0, 0.0)) < 1e-4, "{places:?}");
        for outside in [[vec2(11.0, 0.0), vec2(30.0, 0.0)], [vec2(0.0, 9.0), vec2(14.0, 5.0)]] {
            assert!(clipped(clip_list, &outside).0.is_empty(), "{outside:?}");
        }
    }

    #[test]
    fn the_frame_itself_is_kept() {
        let edge = [vec2(-10.0, 5.0), vec2(10.0, 5.0)];
        assert_eq!(clipped(clip_list, &edge).0.len(), 2);
    }

    #[test]
    fn a_strip_that_leaves_and_comes_back_becomes_two() {
        let strip = [
            vec2(0.0, 0.0),
            vec2(4.0, 0.0),
            vec2(16.0, 0.0),
            vec2(16.0, 2.0),
            vec2(4.0, 2.0),
            vec2(0.0, 2.0),
            Vec2::NAN,
            vec2(1.0, 1.0),
            vec2(2.0, 1.0),
            Vec2::NAN,
        ];
        let (places, colors) = clipped(clip_strips, &strip);
        assert_eq!(colors.len(), places.len());
        let strips: Vec<Vec<Vec2>> = places
            .split(|place| place.is_nan())
            .map(|strip| strip.iter().map(|place| place.truncate()).collect())
            .collect();
        let expected = [
            vec![vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(10.0, 0.0)],
            vec![vec2(10.0, 2.0), vec2(4.0, 2.0), vec2(0.0, 2.0)],
            vec![vec2(1.0, 1.0), vec2(2.0, 1.0)],
            vec![],
        ];
        assert_eq!(strips, expected);
    }
}
