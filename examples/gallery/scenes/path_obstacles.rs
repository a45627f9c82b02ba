//! A path with obstacles on it.

use bevy::math::ops;

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "path-obstacles",
    title: "Path with obstacles",
    caption: "Agents go around the obstacles on the path and return to it. (PathFollow, \
              AvoidObstacles, AvoidAgents)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.paths, gizmos.feelers, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
    },
    switches: &[Switch::of::<AvoidObstacles>("avoid obstacles")],
    controls: Some(controls),
    ..Scene::DEFAULT
};

const COLORS: [Color; 3] = [palette::SKY, palette::ORANGE, palette::GREEN];

fn spawn(world: &mut World) {
    // A figure of eight.
    let path = (0..48).map(|i| {
        let angle = core::f32::consts::TAU * i as f32 / 48.0;
        let (sin, cos) = ops::sin_cos(angle);
        Vec2::new(410.0 * sin, 470.0 * sin * cos)
    });
    let path = Path::new(path);
    let length = path.length(true);
    for (share, radius) in
        [(0.09, 24.0), (0.2, 32.0), (0.34, 22.0), (0.63, 30.0), (0.76, 20.0), (0.9, 28.0)]
    {
        let place = path.point_at(share * length, true);
        put(world, (Obstacle::sphere(radius), Transform::from_translation(place)));
    }
    for i in 0..9 {
        let place = path.point_at((0.03 + i as f32 / 9.0) * length, true);
        let walker = (
            body(110.0).with_radius(10.0),
            PathFollow::new(path.clone()).along_corridor(14.0, 0.4).with_end(PathEnd::Loop),
            AvoidObstacles::default(),
            AvoidAgents::default(),
            Look::new(Silhouette::Beetle, COLORS[i % COLORS.len()]),
            Trail::line(2.5),
            Transform::from_translation(place),
        );
        let walker = put(world, walker);
        if i % 4 == 0 {
            mark(world, walker);
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidObstacles, ()>(world, ui, "look_ahead", 0.1..=4.0, |a| &mut a.look_ahead);
    slider::<AvoidObstacles, ()>(world, ui, "margin", 0.0..=4.0, |a| &mut a.margin);
    slider::<PathFollow, ()>(world, ui, "path radius", 4.0..=60.0, |follow| {
        match &mut follow.style {
            PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. } => {
                radius.number_mut()
            }
        }
    });
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
}
