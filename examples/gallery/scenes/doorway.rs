//! A crowd that passes through a door.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "doorway",
    title: "Doorway",
    caption: "Forty agents pass a door that is wide enough for three, and come back. \
              (PathFollow, AvoidWalls, AvoidAgents)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.feelers, gizmos.paths, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
    },
    controls: Some(controls),
    ..Scene::DEFAULT
};

/// Half the width of the door, in units.
const DOOR: f32 = 38.0;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Clamp);
    let mut wall = |from: (f32, f32), to: (f32, f32)| {
        put(world, Wall::new(Vec2::from(from), Vec2::from(to)));
    };
    wall((0.0, DOOR), (0.0, ARENA.y));
    wall((0.0, -DOOR), (0.0, -ARENA.y));
    for (i, place) in grid(5, 8, Vec2::new(110.0, 230.0)).enumerate() {
        let start = place - Vec2::X * 340.0;
        let waypoints = [
            Vec2::new(-45.0, start.y * 0.08),
            Vec2::new(45.0, start.y * 0.08),
            Vec2::new(-start.x, start.y),
        ];
        let path = Path::new([start].into_iter().chain(waypoints));
        let mut follow = PathFollow::new(path).by_waypoints(30.0).with_end(PathEnd::PingPong);
        follow.progress.next = 1;
        let walker = (
            body(85.0).with_radius(9.0),
            follow,
            AvoidWalls::default().with_look_ahead(0.3).with_margin(0.2),
            AvoidAgents::default().with_margin(0.1).with_look_ahead(0.4),
            Look::new(Silhouette::Beetle, if i % 2 == 0 { palette::SKY } else { palette::GREEN }),
            Trail::line(1.0),
            at(start.x, start.y),
        );
        let walker = put(world, walker);
        if i == 13 {
            mark(world, walker);
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidAgents, ()>(world, ui, "margin", 0.0..=1.0, |a| &mut a.margin);
    slider::<AvoidAgents, ()>(world, ui, "look ahead, s", 0.0..=5.0, |a| &mut a.look_ahead);
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
}
