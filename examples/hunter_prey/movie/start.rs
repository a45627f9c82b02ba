//! What is in the arena when the movie begins.

use bevy::prelude::*;

use super::script::{Place, Script};
use crate::hunter_prey::{
    game::Dice,
    options::Options,
    spawn::{School, TRIO, Taken, Trio, obstacle, spawn_school, spawn_trio},
};

/// These options, for a game that does not fill the arena itself.
pub(in crate::hunter_prey) fn empty_arena(options: &Options) -> Options {
    Options { hunters: 0, prey: 0, obstacles: 0, ..options.clone() }
}

/// Fills the arena.
pub(super) fn populate(mut commands: Commands, mut dice: ResMut<Dice>) -> Result {
    let script = Script::read()?;
    for stone in &script.stones {
        commands.spawn(obstacle(stone.radius, place(stone.at), Vec3::ZERO));
    }
    for (number, trio) in (0..).zip(&script.trios) {
        let center = place(trio.at);
        let heading = (place(trio.towards) - center).normalize_or(Vec3::X);
        let seconds = trio.seconds;
        spawn_trio(&mut commands, Trio { number, members: TRIO, center, heading, seconds });
    }
    let mut taken = Taken::default();
    let mut first = 0;
    for school in &script.schools {
        let members = first..first + school.members;
        first = members.end;
        let center = place(school.at);
        let heading = (place(school.towards) - center).normalize_or(Vec3::X);
        let school = School { members, center, heading, radius: school.radius };
        spawn_school(&mut commands, school, &mut taken, &mut dice.0);
    }
    commands.insert_resource(script);
    Ok(())
}

fn place((x, y): Place) -> Vec3 {
    Vec3::new(x, y, 0.0)
}
