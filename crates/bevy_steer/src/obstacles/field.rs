//! [`Field`]: what stands between an agent and its goal, and the [`Way`] round that; [`Outline`]:
//! what a surface looks like in the plane of the way.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    obstacles::{geometry::counted_axes, shape::ObstacleShape},
    space::{
        SteeringPlane, segment_gap,
        vector::{self},
    },
};

/// A way is free if the body keeps all but this share of the distance that it wants.
pub(crate) const SLACK: f32 = 1e-2;
/// It goes round something on the side that it has chosen, unless the way there has become this
/// many times as long as on the other side.
const TURNS_ROUND: f32 = 2.0;
/// The maximum number of corners round which a way is followed to see how long it is.
const CORNERS: usize = 16;
/// At this number of places with two ways on it follows both.
const CHOICES: u32 = 3;
/// At a corner it turns right by at most the angle with this cosine and sine at a time: an eighth
/// of a circle.
const STEP: Vec2 = Vec2::new(core::f32::consts::FRAC_1_SQRT_2, -core::f32::consts::FRAC_1_SQRT_2);
/// The maximum number of things that a way passes on alternate sides to get past the first one.
const SLALOM: u32 = 4;
/// An agent that has to turn farther than this is in a dead end; a whole turn is 4.
const DEAD_END: f32 = 3.0;

/// What stands between an agent, at the origin, and its goal, which is on the x axis.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    /// At most 64: each has a bit in a number.
    pub outlines: &'a [Outline],
    pub goal: Vec2,
    /// How far clear of them the way is, in units.
    pub room: f32,
}

impl Field<'_> {
    /// How far clear of an outline a way from here has to be: no farther than it is here, and at
    /// the goal.
    fn room_from(&self, outline: &Outline, here: Vec2) -> f32 {
        let ends = outline.distance(here, here).min(outline.distance(self.goal, self.goal));
        self.room.min(ends)
    }

    fn blocks(&self, outline: &Outline, from: Vec2, to: Vec2) -> bool {
        // Most are farther off than any room.
        outline.may_touch(from, to, self.room) && {
            let distance = outline.distance(from, to);
            let is_near = |room: f32| distance < room * (1.0 - SLACK);
            is_near(self.room) && is_near(self.room_from(outline, from))
        }
    }

    /// Whether the straight way to the goal is free.
    pub(crate) fn is_straight(&self) -> bool {
        !self.outlines.iter().any(|outline| self.blocks(outline, Vec2::ZERO, self.goal))
    }

    /// The outline that is touched first on the straight way between two places.
    fn first_touched(&self, from: Vec2, to: Vec2) -> Option<usize> {
        let outlines = 0..self.outlines.len();
        let blocking: SmallVec<[usize; 8]> =
            outlines.filter(|i| self.blocks(&self.outlines[*i], from, to)).collect();
        if let [] | [_] = *blocking {
            return blocking.first().copied();
        }
        let (mut first, mut until) = (blocking[0], 1.0);
        for i in blocking {
            let outline = &self.outlines[i];
            let room = self.room_from(outline, from) * (1.0 - SLACK);
            if let Some(share) = outline.reach(from, to, room, until) {
                (first, until) = (i, share);
            }
        }
        Some(first)
    }

    /// What is touched first on the straight way to the goal. `None` if that is free.
    pub(crate) fn first_in_the_way(&self) -> Option<usize> {
        self.first_touched(Vec2::ZERO, self.goal)
    }

    /// The way to the goal past what is first in the way: on the side that was chosen before (the
    /// sign of `before`) unless that is much longer, else on the shorter one. `None` if there is no
    /// way.
    pub(crate) fn way_past(&self, first: usize, before: f32) -> Option<Way> {
        let side = if before < 0.0 { Side::Right } else { Side::Left };
        let longer = if before == 0.0 { 1.0 } else { TURNS_ROUND };
        let kept = self.way_on(first, side, f32::INFINITY);
        // The other one counts only if it is shorter than this.
        let most = kept.map_or(f32::INFINITY, |way| way.length / longer);
        self.way_on(first, side.other(), most).or(kept)
    }

    /// The way to the goal that passes what is touched first on this side, if it is shorter than
    /// `most` units.
    fn way_on(&self, first: usize, side: Side, most: f32) -> Option<Way> {
        // None is shorter than the straight one.
        if most <= self.goal.x {
            return None;
        }
        let turn = self.turn_to(Vec2::ZERO, self.goal, first, side, SLALOM)?;
        let length = self.length_from(Vec2::ZERO, turn, CHOICES, most)?;
        let Tangent { heading, length: straight, .. } = turn.tangent;
        let straight = straight.max(SLACK * self.room);
        Some(Way { heading, straight, length, side: side.sign() })
    }

    /// The length of the way to the goal that turns off so at `place`, if it is shorter than `most`
    /// units. The next things it passes on the better side, those after them where it turns less.
    fn length_from(
        &self,
        mut place: Vec2,
        mut turn: Turn,
        choices: u32,
        mut most: f32,
    ) -> Option<f32> {
        let mut length = 0.0;
        for _ in 0..CORNERS {
            let next = self.next_place(place, &turn);
            length += next.distance(place);
            place = next;
            if length + place.distance(self.goal) >= most {
                return None;
            }
            let Some(first) = self.first_touched(place, self.goal) else { break };
            // Round what is in the way now, but not back round the last thing.
            let goes_on =
                |next: &Turn| next.side == turn.side || turn.barrier & 1 << next.first == 0;
            let turns = [turn.side, turn.side.other()]
                .map(|side| self.turn_to(place, self.goal, first, side, SLALOM));
            let mut turns: SmallVec<[Turn; 2]> =
                turns.into_iter().flatten().filter(goes_on).collect();
            turns.sort_by(|a, b| a.angle.total_cmp(&b.angle));
            if turns.len() > 1 && choices > 0 {
                let mut least = None;
                for next in turns {
                    let rest = self.length_from(place, next, choices - 1, most - length);
                    if let Some(rest) = rest {
                        most = length + rest;
                        least = Some(most);
                    }
                }
                return least;
            }
            turn = *turns.first()?;
        }
        Some(length + place.distance(self.goal))
    }

    /// How a way to a goal turns off at `place` to pass what is touched first on this side. If
    /// something else is in the way there, with a gap between the two, it first passes that on the
    /// other side.
    fn turn_to(
        &self,
        place: Vec2,
        goal: Vec2,
        first: usize,
        side: Side,
        slalom: u32,
    ) -> Option<Turn> {
        let turn = self.turn_past(place, goal, first, side)?;
        let end = turn.end.filter(|_| slalom > 0);
        let between = end.and_then(|end| {
            let first = self.first_touched(place, end)?;
            self.turn_to(place, end, first, side.other(), slalom - 1)
        });
        Some(between.map_or(turn, |between| Turn { angle: turn.angle, ..between }))
    }

    /// Where a way that turns off at `place` turns next.
    fn next_place(&self, place: Vec2, turn: &Turn) -> Vec2 {
        let Tangent { heading, length, corner } = turn.tangent;
        if length <= SLACK * self.room {
            self.round_corner(place, corner, turn.side)
        } else {
            place + heading * length
        }
    }

    /// The next place on a way round a corner that is on its right if it goes on the left: where it
    /// turns off straight to the goal, if that is not far round.
    fn round_corner(&self, place: Vec2, corner: Vec2, side: Side) -> Vec2 {
        let (from, to_goal) = (place - corner, self.goal - corner);
        let cosine = (from.length() / to_goal.length().max(f32::MIN_POSITIVE)).min(1.0);
        let sine = (1.0 - cosine * cosine).sqrt();
        let leaves = Vec2::new(cosine, sine * side.sign()).rotate(to_goal) * cosine;
        let squared = from.length_squared();
        let is_ahead = from.perp_dot(leaves) * side.sign() < -SLACK * squared;
        let is_next = is_ahead && from.dot(leaves) > STEP.x * squared;
        let step = Vec2::new(STEP.x, STEP.y * side.sign());
        corner + if is_next { leaves } else { step.rotate(from) }
    }

    /// How a way to a goal turns off at `place` to pass what is touched first on this side: along
    /// the outline that is farthest to that side of all that form one barrier.
    fn turn_past(&self, place: Vec2, goal: Vec2, first: usize, side: Side) -> Option<Turn> {
        let past = |i: usize, heading: Vec2| {
            let outline = &self.outlines[i];
            let tangent = outline.tangent(place, self.room_from(outline, place), side);
            let angle = outline.turn(place, heading, tangent.heading, side);
            Turn { tangent, side, angle, first: i, barrier: 1 << i, end: None }
        };
        let mut turn = past(first, (goal - place).normalize_or(Vec2::X));
        while turn.angle <= DEAD_END {
            // What is in the way past it belongs to the barrier as well, unless a gap is between.
            let end = self.next_place(place, &turn);
            let mut farther: Option<Turn> = None;
            turn.end = None;
            for (i, outline) in self.outlines.iter().enumerate() {
                if turn.barrier & 1 << i != 0 || !self.blocks(outline, place, end) {
                    continue;
                }
                if self.is_gap(turn.barrier, i) {
                    turn.end = Some(end);
                    continue;
                }
                turn.barrier |= 1 << i;
                let next = past(i, turn.tangent.heading);
                if next.angle > farther.map_or(0.0, |most| most.angle) {
                    farther = Some(next);
                }
            }
            let Some(next) = farther else { return Some(turn) };
            (turn.tangent, turn.angle) = (next.tangent, turn.angle + next.angle);
        }
        None
    }

    /// Whether there is room between each outline of a barrier and another one.
    fn is_gap(&self, barrier: u64, other: usize) -> bool {
        let wide = 2.0 * self.room * (1.0 - SLACK);
        let mut members = (0..self.outlines.len()).filter(|i| barrier & 1 << i != 0);
        members.all(|i| self.outlines[i].is_apart(&self.outlines[other], wide))
    }
}

/// A way round something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    /// The unit vector of its beginning.
    pub heading: Vec2,
    /// How far it is straight, in units; above zero.
    pub straight: f32,
    /// The length of all of it, in units.
    pub length: f32,
    /// 1 to the left, -1 to the right.
    pub side: f32,
}

/// How a way turns off.
#[derive(Clone, Copy)]
struct Turn {
    tangent: Tangent,
    side: Side,
    /// How far it turns, as [`Outline::turn`].
    angle: f32,
    /// The outline that is first in its way.
    first: usize,
    /// All that it passes, one bit each.
    barrier: u64,
    /// Where it leads first, if something beside the barrier is in the way there.
    end: Option<Vec2>,
}

/// The outline of a surface in a plane: all that is within `radius` of the hull of some corners.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    corners: SmallVec<[Vec2; 8]>,
    center: Vec2,
    radius: f32,
    /// Of the circle around it, in units.
    bounding_radius: f32,
}

impl Outline {
    /// The shadow of a shape in a plane. `project` tells where a place relative to the shape is in
    /// that.
    pub(crate) fn of(
        shape: &ObstacleShape,
        axes: &[Vec3; 3],
        plane: SteeringPlane,
        project: impl Fn(Vec3) -> Vec2,
    ) -> Self {
        let mut corners = SmallVec::<[Vec2; 8]>::new();
        let mut radius = 0.0;
        match *shape {
            ObstacleShape::Sphere { radius: of_sphere } => {
                radius = of_sphere;
                corners.push(project(Vec3::ZERO));
            }
            ObstacleShape::Capsule { radius: of_capsule, half_length } => {
                radius = of_capsule;
                let end = axes[1] * half_length;
                corners.extend([project(end), project(-end)]);
            }
            ObstacleShape::Box { half_size } => {
                corners.push(project(Vec3::ZERO));
                for axis in counted_axes(axes, plane) {
                    let edge = project(axes[axis] * half_size[axis]) - project(Vec3::ZERO);
                    let others: SmallVec<[Vec2; 8]> =
                        corners.iter().map(|corner| *corner - edge).collect();
                    corners.iter_mut().for_each(|corner| *corner += edge);
                    corners.extend(others);
                }
            }
            ObstacleShape::Segment { start, end } => {
                corners.extend([start, end].map(|end| project(vector::to_world(axes, end))));
            }
        }
        let center = corners.iter().sum::<Vec2>() / corners.len() as f32;
        let farthest = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f32::max);
        Self { corners, center, radius, bounding_radius: farthest + radius }
    }

    /// Whether a body of this radius may touch it on the straight way between two places. If not,
    /// it surely does not.
    fn may_touch(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let reach = self.bounding_radius + radius;
        point_gap(self.center, from, to).length_squared() <= reach * reach
    }

    /// The distance of the straight way between two places from it, in units; zero if it leads
    /// through it.
    fn distance(&self, from: Vec2, to: Vec2) -> f32 {
        let least = match *self.corners {
            [corner] => point_gap(corner, from, to).length(),
            _ => {
                let way = between(from, to);
                let gaps = self.lines().map(|(a, b)| segment_gap(way, between(a, b)).length());
                gaps.fold(f32::INFINITY, f32::min)
            }
        };
        (least - self.radius).max(0.0)
    }

    /// The corners, and the lines between two of them, with all edges. The gap between lines that
    /// are almost parallel is not exact; that between a line and a corner is.
    fn lines(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let corners = self.corners.iter().enumerate();
        corners.flat_map(move |(i, &a)| self.corners[i..].iter().map(move |&b| (a, b)))
    }

    /// Whether two outlines are at least as far apart as this, in units.
    fn is_apart(&self, other: &Self, gap: f32) -> bool {
        let farthest = gap + self.bounding_radius + other.bounding_radius;
        self.center.distance_squared(other.center) >= farthest * farthest
            || self.lines().all(|(a, b)| other.distance(a, b) - self.radius >= gap)
    }

    /// How far a body surely comes on the straight way between two places before it is nearer than
    /// `room` units, as a share of the way: as exactly as it takes to tell which of two is touched
    /// first. `None` if it is not that near at the share `until` of the way.
    fn reach(&self, from: Vec2, to: Vec2, room: f32, until: f32) -> Option<f32> {
        let is_reached = |share: f32| self.distance(from, from.lerp(to, share)) < room;
        if !is_reached(until) {
            return None;
        }
        let (mut low, mut high) = (0.0, until);
        for _ in 0..12 {
            let middle = f32::midpoint(low, high);
            if is_reached(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(low)
    }

    /// The straight way from `place` past it on this side, `room` units clear of it.
    fn tangent(&self, place: Vec2, room: f32, side: Side) -> Tangent {
        let radius = self.radius + room;
        let to_center = self.center - place;
        let tangents = self.corners.iter().map(|&corner| {
            let to_corner = corner - place;
            let distance = to_corner.length().max(f32::MIN_POSITIVE);
            let sine = (radius / distance).min(1.0);
            let cosine = (1.0 - sine * sine).sqrt();
            let turned = Vec2::new(cosine, sine * side.sign());
            let heading = turned.rotate(to_corner / distance);
            Tangent { heading, length: distance * cosine, corner }
        });
        let turn = |tangent: &Tangent| side.angle(to_center, tangent.heading);
        let best =
            tangents.reduce(|best, other| if turn(&other) > turn(&best) { other } else { best });
        best.unwrap_or(Tangent { heading: Vec2::X, length: 0.0, corner: self.center })
    }

    /// How far an agent at `place` with this heading turns to this side to head for `other`, past
    /// this outline, which is between the two: a whole turn is 4.
    fn turn(&self, place: Vec2, heading: Vec2, other: Vec2, side: Side) -> f32 {
        let to_center = self.center - place;
        side.angle(heading, to_center) + side.angle(to_center, other)
    }
}

/// The shortest vector from the straight way between two places to a point.
fn point_gap(point: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    let (way, between) = (to - from, point - from);
    let squared = way.length_squared().max(f32::MIN_POSITIVE);
    between - way * (way.dot(between) / squared).clamp(0.0, 1.0)
}

fn between(from: Vec2, to: Vec2) -> (Vec3, Vec3) {
    (from.extend(0.0), (to - from).extend(0.0))
}

/// The straight beginning of a way past an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tangent {
    /// The unit vector of the way.
    heading: Vec2,
    /// How far it is straight, in units.
    length: f32,
    /// The corner that it goes round then.
    corner: Vec2,
}

/// On which side of something a way leads past it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// That of an angle to this side.
    fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The angle from one vector to another, to this side, between -2 and 2 (half a turn). Grows
    /// with the angle, though not in proportion; in plain arithmetic, which is the same on every
    /// platform.
    fn angle(self, from: Vec2, to: Vec2) -> f32 {
        let turned = Vec2::new(from.dot(to), from.perp_dot(to) * self.sign());
        let sum = turned.x.abs() + turned.y.abs();
        if sum == 0.0 {
            return 0.0;
        }
        let share = turned.y / sum;
        match (turned.x >= 0.0, turned.y >= 0.0) {
            (true, _) => share,
            (false, true) => 2.0 - share,
            (false, false) => -2.0 - share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        obstacles::{Obstacle, ObstacleShape},
        space::{SteeringPlane::Xy, local_axes},
    };
    use bevy::math::ops;

    /// The way that an agent at `from` finds to `goal`, past shapes at these places.
    fn way(from: Vec2, goal: Vec2, shapes: &[(ObstacleShape, Vec2)], before: f32) -> Option<Way> {
        let (heading, length) = (goal - from).normalize_and_length();
        let axes = local_axes(Quat::IDENTITY);
        let outlines = shapes.iter().map(|(shape, place)| {
            Outline::of(shape, &axes, Xy, |corner| {
                let seen = corner.truncate() + *place - from;
                Vec2::new(seen.dot(heading), heading.perp_dot(seen))
            })
        });
        let outlines: Vec<Outline> = outlines.collect();
        let field = Field { outlines: &outlines, goal: Vec2::X * length, room: 0.525 };
        field.first_in_the_way().and_then(|first| field.way_past(first, before))
    }

    fn row(count: usize) -> Vec<(ObstacleShape, Vec2)> {
        let y = |i: usize| (i as f32 - 0.5 * (count - 1) as f32) * 1.2;
        (0..count).map(|i| (Obstacle::sphere(0.5).shape, Vec2::Y * y(i))).collect()
    }

    #[test]
    fn a_row_without_gaps_is_passed_at_its_end() {
        for count in [2, 3, 8, 15] {
            let half = 0.6 * (count - 1) as f32;
            for x in [-10.0, -3.0, -1.1] {
                for y in [0.0, 0.3, 0.9 * half] {
                    let least = Vec2::new(x, y).distance(Vec2::Y * half)
                        + (Vec2::Y * half).distance(Vec2::X * 10.0);
                    for before in [1.0, -1.0, 0.0] {
                        let way = way(Vec2::new(x, y), Vec2::X * 10.0, &row(count), before);
                        let way = way.expect("a way");
                        assert!(before * way.side >= 0.0, "{count} {x} {y}: {way:?}");
                        if way.side > 0.0 {
                            let expected = least - 0.1..least + 3.0;
                            assert!(
                                expected.contains(&way.length),
                                "{count} {x} {y}: {way:?} {least}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_way_round_ends_where_it_leads_straight_to_the_goal() {
        let stone = [(Obstacle::sphere(3.0).shape, Vec2::ZERO)];
        for from in (0..24).map(|i| Vec2::from_angle(i as f32 * 0.26) * 12.0) {
            for off in [3.53, 3.7, 5.0, 12.0] {
                let goal = Vec2::from_angle(0.7) * off;
                let Some(way) = way(from, goal, &stone, 0.0) else { continue };
                // Two tangents to a circle, and the arc between them.
                let radius = 3.525_f32;
                let straight = [12.0, off].map(|far: f32| (far * far - radius * radius).sqrt());
                let bent = [12.0, off].map(|far| ops::acos(radius / far));
                let arc = from.angle_to(goal).abs() - bent[0] - bent[1];
                let least = straight[0] + straight[1] + radius * arc.max(0.0);
                let case = format!("{from} {goal}: {way:?} {least}");
                assert!((0.97 * least..1.05 * least).contains(&way.length), "{case}");
            }
        }
    }

    #[test]
    fn a_way_leads_through_a_door_whose_posts_are_on_both_sides() {
        let wall = |from: f32, to: f32| {
            let [start, end] = [from, to].map(|y| Vec3::Y * y);
            (ObstacleShape::Segment { start, end }, Vec2::ZERO)
        };
        let walls = [wall(0.6, 30.0), wall(-30.0, -0.6)];
        for angle in [-1.3, -0.9, 0.0, 0.4, 1.1, 1.4_f32] {
            for other in [-1.4, -1.1, -0.5, 0.2, 1.1, 1.4_f32] {
                let from = Vec2::from_angle(angle) * -8.0;
                let goal = Vec2::from_angle(other) * 8.0;
                for before in [1.0, -1.0, 0.0] {
                    let Some(way) = way(from, goal, &walls, before) else { continue };
                    assert!(way.length < 17.0, "{from} {goal} {before}: {way:?}");
                }
            }
        }
    }

    #[test]
    fn it_turns_round_only_for_a_much_shorter_way() {
        let wall = |y: f32| {
            let (start, end) = (Vec3::Y * -5.0, Vec3::Y * 5.0);
            [(ObstacleShape::Segment { start, end }, Vec2::Y * y)]
        };
        // The left end is 5 away, the right one 5, 8 and 30.
        for (y, keeps) in [(0.0, true), (1.5, true), (4.0, false)] {
            let side = |before| {
                let way = way(Vec2::X * -2.0, Vec2::X * 2.0, &wall(y), before);
                way.expect("a way").side
            };
            assert_eq!(side(1.0) > 0.0, keeps, "{y}");
            assert!(side(-1.0) < 0.0, "{y}");
        }
    }

    fn outline(shape: ObstacleShape, place: Vec2) -> Outline {
        let axes = local_axes(Quat::IDENTITY);
        Outline::of(&shape, &axes, Xy, |corner| place + corner.truncate())
    }

    #[test]
    fn a_tangent_passes_a_shape_on_its_side() {
        let place = Vec2::new(10.0, 1.0);
        let shapes = [
            Obstacle::sphere(2.0).shape,
            Obstacle::cuboid(Vec3::new(4.0, 2.0, 2.0)).shape,
            Obstacle::capsule(1.0, 2.0).shape,
            ObstacleShape::Segment { start: Vec3::Y * -3.0, end: Vec3::Y * 3.0 },
        ];
        for (shape, reaches) in shapes.into_iter().zip([2.0, 1.0, 2.0, 3.0]) {
            let outline = outline(shape, place);
            let Tangent { heading, length, .. } = outline.tangent(Vec2::ZERO, 0.5, Side::Left);
            let gap = outline.distance(Vec2::ZERO, heading * 30.0);
            assert!((gap - 0.5).abs() < 1e-3, "{shape:?}: {gap}");
            assert!(heading.y > 0.0 && heading.x > 0.0 && length > 7.0, "{shape:?} {heading}");
            let touched = heading * length;
            assert!(touched.y > 1.0 + reaches - 0.5 && touched.y < 1.6 + reaches, "{touched}");
            let right = outline.tangent(Vec2::ZERO, 0.5, Side::Right).heading;
            assert!(right.y < heading.y && outline.distance(Vec2::ZERO, right * 30.0) > 0.499);
        }
    }

    #[test]
    fn ways_through_and_past_it() {
        let outline = outline(Obstacle::cuboid(Vec3::new(4.0, 2.0, 2.0)).shape, Vec2::X * 9.0);
        assert_eq!(outline.distance(Vec2::ZERO, Vec2::X * 20.0), 0.0);
        assert_eq!(outline.distance(Vec2::ZERO, Vec2::X * 6.0), 1.0);
        let past = (Vec2::new(0.0, 3.0), Vec2::new(20.0, 3.0));
        assert_eq!(outline.distance(past.0, past.1), 2.0);
        assert!(outline.may_touch(past.0, past.1, 2.5) && !outline.may_touch(past.0, past.1, 0.5));
    }

    #[test]
    fn at_a_corner_it_goes_along_and_out_of_what_is_too_near() {
        let outline = outline(Obstacle::sphere(1.0).shape, Vec2::X * 1.2);
        let tangent = outline.tangent(Vec2::ZERO, 0.5, Side::Left);
        assert!(tangent.length == 0.0 && tangent.heading.distance(Vec2::Y) < 1e-6);
    }

    #[test]
    fn angles_grow_with_the_turn() {
        let from = Vec2::new(3.0, 4.0);
        let to: Vec<Vec2> =
            (-31..=31).map(|i| Vec2::from_angle(0.1 * i as f32 + 0.927_295)).collect();
        let angles: Vec<f32> = to.iter().map(|to| Side::Left.angle(from, *to)).collect();
        assert!(angles.windows(2).all(|pair| pair[0] < pair[1]), "{angles:?}");
        assert!(angles[31].abs() < 1e-5 && angles[62] > 1.9 && angles[0] < -1.9);
        for (to, left) in to.iter().zip(angles) {
            assert_eq!(Side::Right.angle(from, *to), -left);
        }
    }
}
