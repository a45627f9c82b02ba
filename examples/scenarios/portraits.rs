//! Pictures of the trails of crowds, for `docs/gallery.md`.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use bevy::{math::ops, prelude::*};
use bevy_steer::{ObstacleShape, prelude::*};

use super::{
    crowds,
    headless::{set_up, steering},
    scenario::Trip,
};
use crate::{
    clock, palette,
    trails::{Picture, Trail},
};

/// A picture of a part of a crowd's world, with the agents' trails of some seconds.
#[derive(Clone, Copy, Debug)]
pub struct Portrait {
    /// The name of the picture, without its end.
    pub file: &'static str,
    /// The name of the scenario.
    pub crowd: &'static str,
    /// What is seen, in a sentence.
    pub caption: &'static str,
    /// The corners of the part, in metres.
    pub min: Vec2,
    /// The upper right one.
    pub max: Vec2,
    /// Pixels a metre.
    pub scale: f32,
    /// When the trails begin, in seconds.
    pub from: f32,
    /// When they end.
    pub to: f32,
}

/// All pictures, in the order of the page.
pub const PORTRAITS: [Portrait; 6] = [
    Portrait {
        file: "crowd-door",
        crowd: "200 through a door 2.4 wide",
        caption: "Two hundred people leave through a door of 2.4 m: they wait in an arch around \
                  it, from which it fills.",
        min: Vec2::new(-32.0, -13.0),
        max: Vec2::new(14.0, 13.0),
        scale: 20.0,
        from: 18.0,
        to: 42.0,
    },
    Portrait {
        file: "crowd-hallway-to-a-portal",
        crowd: "500 down a hallway to a portal",
        caption: "Five hundred people walk down a hallway of 3.4 m to a portal at its end. The \
                  last 60 m are shown.",
        min: Vec2::new(-60.0, -2.5),
        max: Vec2::new(2.0, 2.5),
        scale: 15.0,
        from: 40.0,
        to: 55.0,
    },
    Portrait {
        file: "crowd-streams",
        crowd: "4 streams of 100, in the open",
        caption: "Four streams of a hundred people each meet in the open, on their ways to the \
                  opposite sides.",
        min: Vec2::splat(-33.0),
        max: Vec2::splat(33.0),
        scale: 12.0,
        from: 45.0,
        to: 85.0,
    },
    Portrait {
        file: "crowd-streams-round-a-block",
        crowd: "4 streams of 100, round a round block",
        caption: "The same streams, with a round block of 8 m where they meet.",
        min: Vec2::splat(-33.0),
        max: Vec2::splat(33.0),
        scale: 12.0,
        from: 60.0,
        to: 110.0,
    },
    Portrait {
        file: "crowd-squeeze",
        crowd: "1000 through a squeeze",
        caption: "A thousand people go from a hall of 24 m into a hallway of 6 m.",
        min: Vec2::new(-60.0, -13.0),
        max: Vec2::new(13.0, 13.0),
        scale: 13.0,
        from: 30.0,
        to: 50.0,
    },
    Portrait {
        file: "crowd-hallway-both-ways",
        crowd: "a wide hallway, 60 each way",
        caption: "Sixty people each way in a hallway of 10 m walk in lanes.",
        min: Vec2::new(-30.0, -6.0),
        max: Vec2::new(30.0, 6.0),
        scale: 16.0,
        from: 8.0,
        to: 19.0,
    },
];

/// Ticks between two points of a trail.
const EVERY: u32 = 8;

impl Portrait {
    /// Plays the crowd and writes the picture into a folder.
    ///
    /// # Errors
    /// If there is no such crowd, or the file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), String> {
        let path = folder.join(self.file).with_extension("png");
        let picture = self.draw().ok_or_else(|| format!("no picture of {:?}", self.crowd))?;
        picture.save(&path)
    }

    /// Plays the crowd and draws the picture; `None` if there is no such crowd, or no room in the
    /// picture.
    pub fn draw(&self) -> Option<Picture> {
        let mut crowds = crowds::SCENARIOS.iter().chain([&crowds::LANES]);
        let scenario = crowds.find(|crowd| crowd.name == self.crowd)?;
        let mut app = set_up(scenario, steering, Some(0));
        clock::start(&mut app);
        let tick = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
        let [first, last] = [self.from, self.to].map(|time| (time / tick).round() as u32);
        // Trails keep their order, so that the same ones are on top each time.
        let mut trails: Vec<Trail> = Vec::new();
        let mut of: HashMap<Entity, usize> = HashMap::new();
        let mut agents = app.world_mut().query::<(Entity, &Transform, &Trip)>();
        for i in 0..=last {
            // The first ones are seen at the beginning, where the direction of their trip is clear.
            if i == 0 || (i >= first && i.is_multiple_of(EVERY)) {
                for (agent, at, trip) in agents.iter(app.world()) {
                    let here = at.translation.truncate();
                    let index = *of.entry(agent).or_insert_with(|| {
                        let color = color(here, trip);
                        trails.push(Trail { color, positions: Vec::new() });
                        trails.len() - 1
                    });
                    if i >= first {
                        trails[index].positions.push(here);
                    }
                }
            }
            app.update();
        }
        let mut picture = Picture::new(self.min, self.max, self.scale)?;
        let left: HashSet<usize> =
            agents.iter(app.world()).filter_map(|(agent, ..)| of.get(&agent).copied()).collect();
        trails.iter().for_each(|trail| picture.path(trail));
        let here = trails.iter().enumerate().filter(|(index, _)| left.contains(index));
        here.for_each(|(_, trail)| picture.end(trail));
        draw_world(app.world_mut(), &mut picture);
        Some(picture)
    }
}

fn draw_world(world: &mut World, picture: &mut Picture) {
    let (fill, rim) = (palette::STONE, palette::STONE_RIM);
    for (at, obstacle) in world.query::<(&Transform, &Obstacle)>().iter(world) {
        let center = at.translation.truncate();
        match obstacle.shape {
            ObstacleShape::Sphere { radius } => picture.disc(center, radius, fill, rim),
            ObstacleShape::Box { half_size } => {
                picture.block(center, half_size.truncate(), fill, rim);
            }
            ObstacleShape::Capsule { .. } | ObstacleShape::Segment { .. } => {}
        }
    }
    for wall in world.query::<&Wall>().iter(world) {
        let [start, end] = wall.ends(SteeringPlane::Xy).map(Vec3::truncate);
        picture.wall(start, end, rim);
    }
}

/// The colour of an agent, by the direction of its trip.
fn color(here: Vec2, trip: &Trip) -> Color {
    let ahead = match trip {
        Trip::To { goal, .. } => goal.truncate() - here,
        Trip::Along(velocity) => velocity.truncate(),
    };
    let quarter = ops::atan2(ahead.y, ahead.x) / core::f32::consts::FRAC_PI_2;
    let colors = [palette::SKY, palette::GREEN, palette::ORANGE, palette::YELLOW];
    colors[(quarter.round() as i32).rem_euclid(4) as usize]
}
