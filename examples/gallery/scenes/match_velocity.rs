//! Match velocity: fish copy the motion of a leader.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "match-velocity",
    title: "MatchVelocity",
    caption: "Wherever they are, the blue fish move as the orange one does: same direction, same \
              speed.",
    group: Group::Groups,
    spawn,
    explain: |gizmos| gizmos.velocity = VELOCITY,
    controls: Some(controls),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    let leader = (
        body(140.0).with_radius(14.0),
        Wander::default().with_rate(3.0),
        Look::new(Silhouette::Fish, palette::ORANGE),
        Trail::line(3.0),
        Velocity(Vec3::X * 100.0),
        at(0.0, 0.0),
    );
    let leader = put(world, leader);
    for (i, place) in grid(7, 4, ARENA).enumerate() {
        let follower = (
            body(140.0).with_radius(10.0).with_response(0.25),
            MatchVelocity::new(leader),
            Look::new(Silhouette::Fish, palette::SKY),
            Trail::line(1.2),
            varied_velocity(i, 60.0),
            at(place.x, place.y),
        );
        put(world, follower);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    type Followers = With<MatchVelocity>;
    slider::<Vehicle, Followers>(world, ui, "max_force", 20.0..=800.0, |v| &mut v.max_force);
    slider::<Vehicle, Followers>(world, ui, "response", 0.1..=3.0, |v| &mut v.response);
    slider::<Vehicle, With<Wander>>(world, ui, "leader", 20.0..=300.0, |v| &mut v.max_speed);
}
