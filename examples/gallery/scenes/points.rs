//! Paths with points that are added by clicks.

use super::parts::*;

/// Marks the dot on a point of the path, and its number.
#[derive(Component)]
struct Waypoint;

/// Replaces the dots on the points of the path.
pub(super) fn mark_points(world: &mut World, points: &[Vec3]) {
    let mut old = world.query_filtered::<Entity, With<Waypoint>>();
    let old: Vec<Entity> = old.iter(world).collect();
    old.into_iter().for_each(|entity| {
        world.despawn(entity);
    });
    for (i, point) in points.iter().enumerate() {
        let place = Transform::from_translation(point.with_z(-2.0));
        put(world, (Waypoint, Look::sized(Shape::Light, palette::GREEN, 5.0), place));
        let number = label(&(i + 1).to_string(), point.x + 9.0, point.y + 13.0, palette::GREEN);
        put(world, (Waypoint, number));
    }
}

/// Gives all agents this path. They keep their places on it.
fn set_path(world: &mut World, points: &[Vec3]) {
    let path = Path::new(points.iter().copied());
    set_all::<PathFollow>(world, |follow| follow.reroute(path.clone()));
    mark_points(world, points);
}

fn points(world: &mut World) -> Vec<Vec3> {
    let mut all = world.query::<&PathFollow>();
    all.iter(world).next().map(|follow| follow.path.points().to_vec()).unwrap_or_default()
}

/// Adds a point where the mouse button has been pressed.
pub(super) fn add_point(world: &mut World, click: Click) {
    if click.fresh {
        let mut points = points(world);
        points.push(click.place);
        set_path(world, &points);
    }
}

/// A button that removes all points.
pub(super) fn remove_points(world: &mut World, ui: &mut Ui) {
    ui.horizontal(|ui| {
        if ui.button("remove all points").clicked() {
            set_path(world, &[]);
        }
    });
}
