//! A crowd of people before a door.

use super::{parts::*, people::*};

pub(super) const SCENE: Scene = Scene {
    name: "door",
    title: "Door",
    caption: "A hundred people leave through a door. They wait in an arch around it, and the arch \
              flows. (PathFollow, AvoidAgents, AvoidWalls)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.paths, gizmos.links, gizmos.feelers) = (Paint::Own, Paint::Own, Paint::Own);
        (gizmos.body, gizmos.shown) = (SELECTED, Shown::Marked);
    },
    score: Some(score),
    controls: Some(controls),
    tick: Some(come_and_go),
    ..Scene::DEFAULT
};

/// What the sliders set, and what the scene counts.
#[derive(Component, Clone, Debug)]
pub struct Door {
    /// The width, in metres.
    width: f32,
    rng: Pcg32,
    /// The number of people that have passed.
    pub passed: u32,
    /// When the last ones have passed, in seconds of the scene.
    times: Vec<f32>,
}

/// Whether a person has passed the door.
#[derive(Component, Clone, Copy, Debug, Default)]
struct HasPassed(bool);

const PEOPLE: u32 = 100;
/// Where the wall with the door is.
const WALL: f32 = 120.0;
/// The seconds over which the flow is measured.
const WINDOW: f32 = 20.0;
/// How far from the edges people come and go, in units.
const EDGE: f32 = 2.0 * RADIUS;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Clamp);
    let mut door = Door { width: 2.0, rng: Pcg32::new(5, 1), passed: 0, times: Vec::new() };
    build(world, door.width);
    for i in 0..PEOPLE {
        enter(world, half_disc(i), &mut door);
    }
    put(world, door);
}

/// Where the `i`th person is at the beginning: in a half disc before the door that all of them fill
/// evenly, as the seeds of a sunflower do.
fn half_disc(i: u32) -> Vec2 {
    const GOLDEN_SECTION: f32 = 0.618_034;
    const REACH: f32 = 285.0;
    let turn = (i as f32 * GOLDEN_SECTION).fract() + 0.5;
    let distance = REACH * ((i as f32 + 0.5) / PEOPLE as f32).sqrt();
    let center = Vec2::new(WALL - 2.0 * RADIUS, 0.0);
    center + Vec2::from_angle(turn * core::f32::consts::PI) * distance
}

/// Replaces the two parts of the wall.
fn build(world: &mut World, width: f32) {
    let mut old = world.query_filtered::<Entity, With<Wall>>();
    let old: Vec<Entity> = old.iter(world).collect();
    old.into_iter().for_each(|wall| _ = world.despawn(wall));
    for side in [-1.0, 1.0] {
        let post = Vec2::new(WALL, 0.5 * width * METER * side);
        put(world, Wall::new(post, Vec2::new(WALL, ARENA.y * side)));
    }
}

/// The path of a person: through the door as near to its own row as the body fits, then to a place
/// at the right edge.
fn path(start: Vec2, door: &mut Door) -> Path {
    let spare = (0.5 * door.width * METER - 1.2 * RADIUS).max(0.0);
    let lane = start.y.clamp(-spare, spare);
    let beside = 1.2 * RADIUS;
    let end = Vec2::new(ARENA.x + 2.0 * EDGE, spread(&mut door.rng) * (ARENA.y - EDGE));
    Path::new([start, Vec2::new(WALL - beside, lane), Vec2::new(WALL + beside, lane), end])
}

fn enter(world: &mut World, place: Vec2, door: &mut Door) {
    let follow = PathFollow::new(path(place, door));
    put_person(world, place, palette::SKY, (follow, HasPassed::default()));
}

/// Lets people out at the right edge and in at the left one, so that they stay a hundred.
fn come_and_go(world: &mut World) {
    let clock = world.resource::<SceneClock>().0;
    let Ok(mut door) = world.query::<&Door>().single(world).cloned() else { return };
    let mut people = world.query::<(Entity, &Transform, &mut HasPassed, &mut Look)>();
    let mut out = Vec::new();
    let mut count = 0;
    for (person, at, mut has_passed, mut look) in people.iter_mut(world) {
        let x = at.translation.x;
        if x > WALL + RADIUS && !has_passed.0 {
            has_passed.0 = true;
            look.color = palette::GREEN;
            door.passed += 1;
            door.times.push(clock);
        }
        count += 1;
        if x > ARENA.x - EDGE {
            out.push(person);
        }
    }
    count -= out.len() as u32;
    out.into_iter().for_each(|person| _ = world.despawn(person));
    door.times.retain(|time| clock - time <= WINDOW);
    let place = Vec2::new(EDGE - ARENA.x, spread(&mut door.rng) * (ARENA.y - EDGE));
    // Where there is no room, the next one tries elsewhere.
    if count < PEOPLE && !is_taken(world, place) {
        enter(world, place, &mut door);
    }
    set_all::<Door>(world, |kept| *kept = door.clone());
    keep_one_marked(world, Vec2::new(WALL - 0.3 * ARENA.x, 0.0));
}

fn score(world: &mut World) -> Vec<Score> {
    let clock = world.resource::<SceneClock>().0;
    let Ok(door) = world.query::<&Door>().single(world) else { return Vec::new() };
    let flow = door.times.len() as f32 / clock.clamp(1.0, WINDOW);
    let passed = Score::new(format!("{} have passed", door.passed), palette::GREEN);
    vec![passed, Score::plain(format!("{flow:.1} a second"))]
}

fn controls(world: &mut World, ui: &mut Ui) {
    let Some(before) = world.query::<&Door>().iter(world).next().cloned() else { return };
    slider::<Door, ()>(world, ui, "door, m", 1.2..=6.0, |d| &mut d.width);
    let Some(mut after) = world.query::<&Door>().iter(world).next().cloned() else { return };
    if after.width != before.width {
        build(world, after.width);
        let mut people = world.query::<(&mut PathFollow, &HasPassed)>();
        for (mut follow, has_passed) in people.iter_mut(world) {
            if let Some(&start) = follow.path.points().first().filter(|_| !has_passed.0) {
                follow.reroute(path(start.truncate(), &mut after));
            }
        }
        set_all::<Door>(world, |kept| *kept = after.clone());
    }
    speed_slider(world, ui);
    slider::<AvoidAgents, ()>(world, ui, "margin", 0.0..=1.0, |a| &mut a.margin);
    slider::<AvoidAgents, ()>(world, ui, "look ahead, s", 0.0..=5.0, |a| &mut a.look_ahead);
}
