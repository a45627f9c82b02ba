//! Two streams of people in one hallway.

use super::{parts::*, people::*};

pub(super) const SCENE: Scene = Scene {
    name: "hallway",
    title: "Hallway",
    caption: "People come in from both ends of a hallway and mix; lanes form by themselves. \
              (MatchVelocity, AvoidAgents, AvoidWalls)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.links, gizmos.feelers, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
        gizmos.body = SELECTED;
        // What they match is seen nowhere.
        gizmos.set_color::<MatchVelocity>(None);
    },
    switches: &[Switch::of::<AvoidAgents>("avoid agents")],
    score: Some(score),
    controls: Some(controls),
    tick: Some(come_and_go),
    ..Scene::DEFAULT
};

/// What the sliders set, and what the scene counts.
#[derive(Component, Clone, Debug)]
pub struct Hallway {
    /// The number of people that come in on each side, a second.
    rate: f32,
    /// The width, in metres.
    width: f32,
    /// The people that should have come in on either side.
    owed: [f32; 2],
    rng: Pcg32,
    /// The number that has reached the other end.
    pub through: u32,
}

impl Default for Hallway {
    fn default() -> Self {
        let owed = [0.0, 0.5];
        Self { rate: 1.5, width: 10.0, owed, rng: Pcg32::new(4, 1), through: 0 }
    }
}

/// The direction of a stream: 1 to the right, −1 to the left.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Stream(pub f32);

/// The invisible entity at whose velocity a stream walks.
#[derive(Component, Clone, Copy)]
struct Current;

const STREAMS: [f32; 2] = [1.0, -1.0];
/// How far from the ends people come in, in units, so that all of a body is in the picture.
const END: f32 = 1.5 * RADIUS;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Clamp);
    let mut hallway = Hallway::default();
    for stream in STREAMS {
        let velocity = Velocity(Vec3::X * (stream * WALK));
        put(world, (Current, Stream(stream), velocity, Transform::default()));
    }
    build(world, hallway.width);
    // As many as are on their way when the first ones arrive, both streams mixed.
    let count = (2.0 * hallway.rate * 2.0 * ARENA.x / WALK) as u32;
    for i in 0..count {
        // Almost everywhere there is room at once.
        for _ in 0..20 {
            let x = spread(&mut hallway.rng) * (ARENA.x - END);
            let place = Vec2::new(x, hallway.entrance());
            if !is_taken(world, place) {
                enter(world, place, STREAMS[(i % 2) as usize]);
                break;
            }
        }
    }
    put(world, hallway);
}

impl Hallway {
    /// Where the next person comes in, across the hallway.
    fn entrance(&mut self) -> f32 {
        spread(&mut self.rng) * (0.5 * self.width * METER - 1.4 * RADIUS)
    }
}

/// Replaces the walls.
fn build(world: &mut World, width: f32) {
    let mut old = world.query_filtered::<Entity, With<Wall>>();
    let old: Vec<Entity> = old.iter(world).collect();
    old.into_iter().for_each(|wall| _ = world.despawn(wall));
    for y in [-0.5 * width * METER, 0.5 * width * METER] {
        put(world, Wall::new(Vec2::new(-ARENA.x, y), Vec2::new(ARENA.x, y)));
    }
}

fn enter(world: &mut World, place: Vec2, stream: f32) {
    let mut currents = world.query_filtered::<(Entity, &Stream, &Velocity), With<Current>>();
    let Some(current) = currents.iter(world).find(|(_, of, _)| of.0 == stream) else { return };
    let (current, _, &velocity) = current;
    let color = if stream > 0.0 { palette::SKY } else { palette::ORANGE };
    let walk = (MatchVelocity::new(current), velocity, Stream(stream));
    let person = put_person(world, place, color, walk);
    let heading = if stream > 0.0 { Vec3::X } else { Vec3::NEG_X };
    if let Some(mut transform) = world.get_mut::<Transform>(person) {
        transform.rotation = SteeringPlane::Xy.rotation(heading);
    }
}

/// Lets people in at both ends, where there is room, and out at the others.
fn come_and_go(world: &mut World) {
    let pace = pace(world);
    let mut currents = world.query_filtered::<(&Stream, &mut Velocity), With<Current>>();
    for (stream, mut velocity) in currents.iter_mut(world) {
        velocity.0 = Vec3::X * (stream.0 * pace);
    }
    let dt = world.resource::<Time>().delta_secs();
    let mut hallways = world.query::<&Hallway>();
    let Ok(mut hallway) = hallways.single(world).cloned() else { return };
    let mut people = world.query_filtered::<(Entity, &Transform, &Stream), With<Person>>();
    let is_out = |at: &Transform, stream: &Stream| at.translation.x * stream.0 > ARENA.x - END;
    let out: Vec<Entity> =
        people.iter(world).filter(|(_, at, stream)| is_out(at, stream)).map(|one| one.0).collect();
    hallway.through += out.len() as u32;
    out.into_iter().for_each(|person| _ = world.despawn(person));
    for (i, stream) in STREAMS.into_iter().enumerate() {
        // Those that find no room wait, but no crowd gathers outside.
        hallway.owed[i] = (hallway.owed[i] + hallway.rate * dt).min(3.0);
        let place = Vec2::new(stream * (END - ARENA.x), hallway.entrance());
        // Where there is no room, the next one tries elsewhere.
        if hallway.owed[i] >= 1.0 && !is_taken(world, place) {
            enter(world, place, stream);
            hallway.owed[i] -= 1.0;
        }
    }
    set_all::<Hallway>(world, |kept| *kept = hallway.clone());
    keep_one_marked(world, Vec2::new(-0.4 * ARENA.x, 0.0));
}

/// How far people walk in lanes: 0 if those before and behind each are of both streams alike, 1 if
/// all are of its own stream.
pub fn lanes(people: &[(Vec2, Stream)]) -> f32 {
    const HALF_WIDTH: f32 = RADIUS;
    const LENGTH: f32 = 12.0 * RADIUS;
    let (mut same, mut other) = (0.0_f32, 0.0_f32);
    for (i, &(here, stream)) in people.iter().enumerate() {
        for &(there, of) in &people[i + 1..] {
            let offset = (there - here).abs();
            if offset.y < HALF_WIDTH && offset.x < LENGTH {
                *(if of == stream { &mut same } else { &mut other }) += 1.0;
            }
        }
    }
    ((same - other) / (same + other).max(1.0)).max(0.0)
}

fn score(world: &mut World) -> Vec<Score> {
    let mut people = world.query_filtered::<(&Transform, &Stream), With<Person>>();
    let all: Vec<(Vec2, Stream)> =
        people.iter(world).map(|(at, stream)| (at.translation.truncate(), *stream)).collect();
    let Ok(hallway) = world.query::<&Hallway>().single(world) else { return Vec::new() };
    vec![
        Score::plain(format!("{} people", all.len())),
        Score::plain(format!("{} got through", hallway.through)),
        Score::plain(format!("{:.0} % in lanes", 100.0 * lanes(&all))),
    ]
}

fn controls(world: &mut World, ui: &mut Ui) {
    let Some(before) = world.query::<&Hallway>().iter(world).next().cloned() else { return };
    slider::<Hallway, ()>(world, ui, "people/s", 0.0..=2.0, |h| &mut h.rate);
    slider::<Hallway, ()>(world, ui, "width, m", 5.0..=25.0, |h| &mut h.width);
    speed_slider(world, ui);
    let after = world.query::<&Hallway>().iter(world).next().cloned().unwrap_or_default();
    if after.width != before.width {
        build(world, after.width);
    }
    slider::<AvoidAgents, ()>(world, ui, "margin", 0.0..=1.0, |a| &mut a.margin);
    slider::<AvoidAgents, ()>(world, ui, "look ahead, s", 0.0..=5.0, |a| &mut a.look_ahead);
}
