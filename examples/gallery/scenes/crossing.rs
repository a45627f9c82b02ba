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
    controls: Some(controls),
    tick: Some(turn_back),
    ..Scene::DEFAULT
};

/// Seconds until the crowds turn back.
const PERIOD: f32 = 18.0;

/// The position where the agent started.
#[derive(Component)]
struct Home(Vec2);

fn spawn(world: &mut World) {
    for (side, color) in [(-1.0, palette::SKY), (1.0, palette::ORANGE)] {
        for (i, place) in grid(5, 8, Vec2::new(90.0, 250.0)).enumerate() {
            // Irregular, with enough room for all to stand.
            let home = place + Vec2::new(side * 390.0, side * 4.0) + varied_direction(i) * 9.0;
            let walker = (
                body(110.0).with_radius(10.0),
                Home(home),
                Arrive::default().with_stop_radius(6.0),
                AvoidAgents::default().with_radius(1.5).with_horizon(2.0),
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

fn turn_back(world: &mut World) {
    let turns = (world.resource::<SceneClock>().0 / PERIOD) as u32;
    let sign = if turns.is_multiple_of(2) { -1.0 } else { 1.0 };
    let mut all = world.query::<(&Home, &mut Arrive)>();
    for (home, mut arrive) in all.iter_mut(world) {
        arrive.target = Target::from(home.0 * Vec2::new(sign, 1.0));
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    switch::<AvoidAgents>(world, ui, "avoid agents");
    slider::<AvoidAgents, ()>(world, ui, "radius", 1.0..=3.0, |a| &mut a.radius);
    slider::<AvoidAgents, ()>(world, ui, "horizon", 0.0..=5.0, |a| &mut a.horizon);
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
}
