//! Two crowds that cross each other.

use std::collections::HashSet;

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "crossing",
    title: "Crossing crowds",
    caption: "Two crowds walk to and fro through each other. Turn avoidance off, and compare the \
              contacts. (Arrive, AvoidAgents)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.body, gizmos.guesses, gizmos.shown) = (SELECTED, Paint::Own, Shown::Marked);
    },
    switches: &[Switch::of::<AvoidAgents>("avoid agents")],
    score: Some(score),
    controls: Some(controls),
    tick: Some(|world| {
        run(world, turn_back);
        run(world, count);
    }),
    ..Scene::DEFAULT
};

/// The distance from its goal at which a walker counts as there, in units.
const THERE: f32 = 25.0;
/// The share of the sum of two radii within which the bodies touch: less than all, as a rounding
/// error is no contact.
const TOUCH: f32 = 0.98;

/// The position where the agent started, and the side that it walks to: 1 for its own, −1 for the
/// other.
#[derive(Component)]
struct Home {
    place: Vec2,
    sign: f32,
}

impl Home {
    fn goal(&self) -> Vec2 {
        self.place * Vec2::new(self.sign, 1.0)
    }
}

/// Contacts that have begun, and the seconds in which they are counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// The number of contacts.
    pub contacts: u32,
    /// The time, in seconds.
    pub seconds: f32,
}

/// The contacts with and without avoidance.
#[derive(Component, Clone, Debug, Default)]
pub struct Contacts {
    /// While agents avoid each other.
    pub on: Count,
    /// While they do not.
    pub off: Count,
    touching: HashSet<(Entity, Entity)>,
}

fn spawn(world: &mut World) {
    put(world, Contacts::default());
    for (side, color) in [(-1.0, palette::SKY), (1.0, palette::ORANGE)] {
        for (i, place) in grid(5, 8, Vec2::new(90.0, 240.0)).enumerate() {
            // Irregular, with enough room for all to stand.
            let offset = Vec2::new(side * 390.0, side * 4.0);
            let home = place + offset + varied_direction(i) * 7.0;
            let walker = (
                body(110.0).with_radius(10.0),
                Home { place: home, sign: -1.0 },
                Arrive::new(home * Vec2::new(-1.0, 1.0)).with_stop_radius(6.0),
                AvoidAgents::default().with_margin(0.5).with_look_ahead(2.0),
                Look::new(Silhouette::Arrow, color),
                Trail::line(1.0),
                at(home.x, home.y),
            );
            let walker = put(world, walker);
            if i == 19 {
                mark(world, walker);
            }
        }
    }
}

/// Sends each walker back as soon as it is there.
fn turn_back(mut walkers: Query<(&mut Home, &Transform, &mut Arrive)>) {
    for (mut home, at, mut arrive) in &mut walkers {
        if at.translation.truncate().distance(home.goal()) < THERE {
            home.sign = -home.sign;
            arrive.target = Target::from(home.goal());
        }
    }
}

/// Counts pairs of bodies that begin to touch.
fn count(
    walkers: Query<(Entity, &Transform, &Vehicle, &AvoidAgents)>,
    mut contacts: Single<&mut Contacts>,
    time: Res<Time>,
) {
    let all: Vec<(Entity, Vec2, f32)> = walkers
        .iter()
        .map(|(walker, at, body, _)| (walker, at.translation.truncate(), body.radius))
        .collect();
    let mut touching = HashSet::new();
    for (i, &(one, here, radius)) in all.iter().enumerate() {
        for &(other, there, size) in &all[i + 1..] {
            if here.distance(there) < TOUCH * (radius + size) {
                touching.insert((one, other));
            }
        }
    }
    let new = touching.difference(&contacts.touching).count() as u32;
    let avoids = walkers.iter().any(|(.., avoid)| avoid.is_enabled());
    let Contacts { on, off, .. } = &mut **contacts;
    let current = if avoids { on } else { off };
    current.contacts += new;
    current.seconds += time.delta_secs();
    contacts.touching = touching;
}

/// The contacts of both kinds, faint where they are not counted now.
fn score(world: &mut World) -> Vec<Score> {
    let avoids = is_on::<AvoidAgents>(world);
    let Ok(counts) = world.query::<&Contacts>().single(world) else { return Vec::new() };
    let score = |name: &str, Count { contacts, seconds }: Count, is_now: bool| {
        let color = if is_now { palette::TEXT } else { palette::FAINT_TEXT };
        Score::new(format!("{name}: {contacts} contacts in {seconds:.0} s"), color)
    };
    vec![score("avoidance on", counts.on, avoids), score("off", counts.off, !avoids)]
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidAgents, ()>(world, ui, "margin", 0.0..=2.0, |a| &mut a.margin);
    slider::<AvoidAgents, ()>(world, ui, "look ahead, s", 0.0..=5.0, |a| &mut a.look_ahead);
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
}
