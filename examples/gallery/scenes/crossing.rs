//! Two crowds that cross each other.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "crossing",
    title: "Crossing crowds",
    caption: "Two crowds walk through each other; lanes form by themselves. (Arrive, AvoidAgents)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.guesses, gizmos.ranges, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
        gizmos.set_color::<Arrive>(None);
    },
    switches: &[Switch::of::<AvoidAgents>("avoid agents")],
    controls: Some(controls),
    tick: Some(turn_back),
    ..Scene::DEFAULT
};

/// Seconds after which the crowds turn back although some are still under way.
const LONGEST: f32 = 18.0;
/// The distance from its place at which a walker counts as there, in units.
const THERE: f32 = 25.0;

/// The share of the walkers that have to be there before they turn back.
const MOST: f32 = 0.9;

/// The side to which the crowds walk: 1 for their own, −1 for the other.
#[derive(Component, Clone, Copy)]
struct Way {
    sign: f32,
    since: f32,
}

/// The position where the agent started.
#[derive(Component)]
struct Home(Vec2);

fn spawn(world: &mut World) {
    put(world, Way { sign: -1.0, since: 0.0 });
    for (side, color) in [(-1.0, palette::SKY), (1.0, palette::ORANGE)] {
        for (i, place) in grid(5, 8, Vec2::new(90.0, 250.0)).enumerate() {
            // Irregular, with enough room for all to stand.
            let home = place + Vec2::new(side * 390.0, side * 4.0) + varied_direction(i) * 9.0;
            let walker = (
                body(110.0).with_radius(10.0),
                Home(home),
                Arrive::default().with_stop_radius(6.0),
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

/// Sends the crowds back as soon as nearly all have crossed, so that none stands about for long.
fn turn_back(world: &mut World) {
    let clock = world.resource::<SceneClock>().0;
    let goal = |home: &Home, sign: f32| home.0 * Vec2::new(sign, 1.0);
    let mut walkers = world.query::<(&Home, &Transform)>();
    let mut ways = world.query::<&Way>();
    let Ok(&Way { mut sign, since }) = ways.single(world) else { return };
    let is_there = |(home, place): (&Home, &Transform)| {
        place.translation.truncate().distance(goal(home, sign)) < THERE
    };
    let there = walkers.iter(world).filter(|&walker| is_there(walker)).count();
    if there as f32 >= MOST * walkers.iter(world).len() as f32 || clock - since > LONGEST {
        sign = -sign;
        set_all::<Way>(world, |way| *way = Way { sign, since: clock });
    }
    let mut all = world.query::<(&Home, &mut Arrive)>();
    for (home, mut arrive) in all.iter_mut(world) {
        arrive.target = Target::from(goal(home, sign));
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidAgents, ()>(world, ui, "margin", 0.0..=2.0, |a| &mut a.margin);
    slider::<AvoidAgents, ()>(world, ui, "look ahead, s", 0.0..=5.0, |a| &mut a.look_ahead);
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
}
