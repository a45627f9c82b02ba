//! The file that the movie is made from.

use bevy::prelude::*;
use ron::error::SpannedResult;
use serde::Deserialize;

/// What is where when the movie begins, and where the mouse goes.
#[derive(Resource, Deserialize, Clone, Debug)]
pub(super) struct Script {
    pub(super) stones: Vec<Stone>,
    pub(super) schools: Vec<School>,
    pub(super) trios: Vec<Trio>,
    pub(super) mouse: Mouse,
}

/// A place of the arena, in units.
pub(super) type Place = (f32, f32);

#[derive(Deserialize, Clone, Copy, Debug)]
pub(super) struct Stone {
    pub(super) at: Place,
    pub(super) radius: f32,
}

#[derive(Deserialize, Clone, Copy, Debug)]
pub(super) struct School {
    pub(super) at: Place,
    /// A point that it swims to.
    pub(super) towards: Place,
    pub(super) members: u32,
    pub(super) radius: f32,
}

#[derive(Deserialize, Clone, Copy, Debug)]
pub(super) struct Trio {
    pub(super) at: Place,
    /// A point that it swims to.
    pub(super) towards: Place,
    /// Seconds since it has begun to hunt.
    pub(super) seconds: f32,
}

/// The path of the mouse pointer: a smooth curve from the second of some points to the last but one.
#[derive(Deserialize, Clone, Debug)]
pub(super) struct Mouse {
    /// In units a second.
    pub(super) speed: f32,
    points: Vec<Place>,
}

impl Script {
    /// Reads the file, which is a part of the program.
    pub(super) fn read() -> SpannedResult<Self> {
        ron::from_str(include_str!("../../../assets/movie.ron"))
    }
}

impl Mouse {
    /// The place this far along the curve, where 1 is the distance between two points, and the
    /// change of place with `along`. `None` past the end.
    pub(super) fn at(&self, along: f32) -> Option<(Vec2, Vec2)> {
        let first = along.max(0.0) as usize;
        let points = self.points.get(first..first + 4)?;
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| Vec2::from(points[index]));
        // A segment of a Catmull-Rom curve, from `b` to `c`.
        let linear = 0.5 * (c - a);
        let square = a - 2.5 * b + 2.0 * c - 0.5 * d;
        let cube = 1.5 * (b - c) + 0.5 * (d - a);
        let t = along - first as f32;
        let place = b + t * (linear + t * (square + t * cube));
        Some((place, linear + t * (2.0 * square + 3.0 * t * cube)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunter_prey::{
        game::{ARENA, Prey},
        movie::record::{BEFORE, LENGTH},
    };

    #[test]
    fn the_mouse_leads_past_stones_to_the_end() {
        const STEP: f32 = 0.01;
        let script = Script::read().expect("a file that can be read");
        let mut along = 0.0;
        let mut seconds = 0.0;
        let mut path = Vec::new();
        while let Some((place, change)) = script.mouse.at(along) {
            path.push(place);
            along += STEP;
            seconds += STEP * change.length() / script.mouse.speed;
        }
        assert!(seconds > BEFORE + LENGTH, "the path of the mouse lasts {seconds} s");
        assert!(script.mouse.speed < Prey::STROLL, "prey can follow");
        let is_inside = |place: &Vec2| place.abs().cmplt(ARENA - Prey::SLOW).all();
        assert!(path.iter().all(is_inside), "the path of the mouse leaves the arena");
        let is_passed = |stone: &&Stone| {
            let from_stone = |place: &Vec2| place.distance(Vec2::from(stone.at)) - stone.radius;
            path.iter().any(|place| from_stone(place) < 2.0 * Prey::SCHOOL)
        };
        let passed = script.stones.iter().filter(is_passed).count();
        assert!(passed > 2, "the mouse passes {passed} stones");
    }
}
