//! A classic: waypoints by click, with and without a loop.

use super::{
    parts::*,
    points::{add_point, mark_points, remove_points},
};

pub(super) const SCENE: Scene = Scene {
    name: "waypoints",
    title: "Waypoints",
    caption: "A vehicle moves from point to point, and stops at the last one or starts again. \
              Click to add a point.",
    group: Group::Classics,
    spawn,
    explain: |gizmos| {
        (gizmos.force, gizmos.paths, gizmos.targets) = (FORCE, Paint::Own, Paint::Own);
    },
    switches: &[Switch { name: "loop", is_on: loops, set: set_loop }],
    controls: Some(controls),
    click: Some(add_point),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    let points =
        [(-300.0, -150.0), (-180.0, 170.0), (120.0, 60.0), (330.0, 190.0), (260.0, -170.0)]
            .map(Vec2::from);
    let follow = PathFollow::new(Path::new(points)).by_waypoints(16.0).with_end(PathEnd::Loop);
    let vehicle = (
        body(190.0).with_max_force(420.0).with_radius(12.0),
        follow,
        Look::new(Silhouette::Arrow, palette::SKY),
        Trail::line(3.0),
        at(-430.0, -240.0),
    );
    put(world, vehicle);
    mark_points(world, &points.map(|point| point.extend(0.0)));
}

fn loops(world: &mut World) -> bool {
    world.query::<&PathFollow>().iter(world).any(|follow| follow.end == PathEnd::Loop)
}

fn set_loop(world: &mut World, is_on: bool) {
    set_all::<PathFollow>(world, |follow| {
        follow.end = if is_on { PathEnd::Loop } else { PathEnd::Stop };
        follow.progress.finished = false;
    });
}

fn controls(world: &mut World, ui: &mut Ui) {
    remove_points(world, ui);
    slider::<Vehicle, ()>(world, ui, "max_speed", 40.0..=400.0, |v| &mut v.max_speed);
    slider::<Vehicle, ()>(world, ui, "max_force", 50.0..=1500.0, |v| &mut v.max_force);
}
