//! Match velocity: a dance that one leads.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "match-velocity",
    title: "MatchVelocity",
    look: "Wherever they are, they move as the orange one moves: as fast, the same way, at the same time.",
    group: Group::Together,
    spawn,
    explain: |gizmos| gizmos.velocity = VELOCITY,
    controls: Some(controls),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    let dancer = (
        body(140.0).with_radius(14.0),
        Wander::default().with_rate(3.0),
        Look::new(Silhouette::Fish, palette::ORANGE),
        Trail::line(3.0),
        Velocity(Vec3::X * 100.0),
        at(0.0, 0.0),
    );
    let leader = put(world, dancer);
    for (i, place) in grid(7, 4, ARENA).enumerate() {
        let other = (
            body(140.0).with_radius(10.0).with_response(0.25),
            MatchVelocity::new(leader),
            Look::new(Silhouette::Fish, palette::SKY),
            Trail::line(1.2),
            some_velocity(i, 60.0),
            at(place.x, place.y),
        );
        put(world, other);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    type Others = With<MatchVelocity>;
    slider::<Vehicle, Others>(world, ui, "max_force", 20.0..=800.0, |v| &mut v.max_force);
    slider::<Vehicle, Others>(world, ui, "response", 0.1..=3.0, |v| &mut v.response);
    words(ui, "How hard they try, and how soon", palette::FAINT_TEXT);
    slider::<Vehicle, With<Wander>>(world, ui, "leader", 20.0..=300.0, |v| &mut v.max_speed);
}
