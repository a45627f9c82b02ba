//! Avoid walls: agents wander through rooms.

use bevy_steer::Feelers;

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "avoid-walls",
    title: "AvoidWalls",
    caption: "Feelers reach ahead. Where a feeler touches a wall, the beetle turns away before \
              it gets there.",
    group: Group::Avoidance,
    spawn,
    explain: |gizmos| {
        gizmos.feelers = Paint::Own;
        explain_limits(gizmos);
    },
    switches: &[Switch::of::<AvoidWalls>("avoid walls")],
    controls: Some(controls),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    wall_in(world);
    let walls = [
        ((-250.0, 300.0), (-250.0, 60.0)),
        ((-250.0, -80.0), (-250.0, -300.0)),
        ((-250.0, -80.0), (-60.0, -80.0)),
        ((-60.0, 160.0), (110.0, 160.0)),
        ((110.0, 160.0), (110.0, -40.0)),
        ((110.0, -170.0), (110.0, -300.0)),
        ((260.0, 40.0), (500.0, 40.0)),
        ((260.0, -120.0), (350.0, -210.0)),
    ];
    for (from, to) in walls {
        put(world, Wall::new(Vec2::from(from), Vec2::from(to)));
    }
    let places = [
        (-400.0, 200.0),
        (-380.0, -40.0),
        (-370.0, -220.0),
        (-150.0, 220.0),
        (-100.0, 20.0),
        (-100.0, -200.0),
        (20.0, 70.0),
        (210.0, 220.0),
        (400.0, 180.0),
        (210.0, -30.0),
        (400.0, -80.0),
        (230.0, -240.0),
    ];
    for (i, (x, y)) in places.into_iter().enumerate() {
        let beetle = (
            body(95.0).with_radius(11.0),
            Wander::default(),
            AvoidWalls::default(),
            AvoidAgents::default(),
            Look::new(Silhouette::Beetle, palette::SKY),
            Trail::line(2.0),
            varied_velocity(i, 60.0),
            at(x, y),
        );
        put(world, beetle);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidWalls, ()>(world, ui, "look_ahead", 0.1..=3.0, |a| &mut a.look_ahead);
    slider::<AvoidWalls, ()>(world, ui, "margin", 0.0..=5.0, |a| &mut a.margin);
    let feelers = [("whiskers", Feelers::default()), ("one feeler", Feelers::Single)];
    choice::<AvoidWalls, (), _>(world, ui, &feelers, |a| &mut a.feelers);
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
    legend_of_limits(ui);
}
