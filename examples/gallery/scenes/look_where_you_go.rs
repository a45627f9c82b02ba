//! Look where you go: headings with and without turn limits.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "look-where-you-go",
    title: "LookWhereYouGo",
    caption: "Boats on a path with sharp corners. Orange turns its bow immediately; the others \
              turn slowly and drift through the bends.",
    group: Group::Turning,
    spawn,
    explain: |gizmos| (gizmos.velocity, gizmos.paths) = (VELOCITY, Paint::Own),
    controls: Some(controls),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    let corners = |x: f32| {
        let peaks = [250.0, 90.0, 250.0, 90.0, 250.0];
        let down = peaks.map(|y| -y);
        let xs = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|step| step * x);
        let out = xs.into_iter().zip(peaks).map(|(x, y)| Vec2::new(x, y));
        let back = xs.into_iter().rev().zip(down).map(|(x, y)| Vec2::new(x, y));
        out.chain(back).collect::<Vec<_>>()
    };
    let path = Path::new(corners(420.0));
    let boats = [(palette::ORANGE, None), (palette::SKY, Some(2.5)), (palette::GREEN, Some(1.2))];
    for (i, (color, rate)) in boats.into_iter().enumerate() {
        // Each begins at a corner, and heads for the next.
        let [start, next] = [i * 3, i * 3 + 1].map(|corner| path.points()[corner]);
        let mut follow = PathFollow::new(path.clone()).by_waypoints(14.0).with_end(PathEnd::Loop);
        follow.progress.next = i * 3 + 1;
        let boat = (
            body(140.0).with_max_force(900.0).with_radius(22.0),
            follow,
            Look::new(Silhouette::Boat, color),
            Trail::line(2.0),
            Transform::from_translation(start)
                .with_rotation(SteeringPlane::Xy.rotation(next - start)),
        );
        let boat = put(world, boat);
        if let Some(max_rate) = rate {
            let limits = TurnLimits { max_rate, max_accel: 12.0, ..default() };
            world.entity_mut(boat).insert(LookWhereYouGo::default().with_limits(limits));
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    type Look = LookWhereYouGo;
    degrees::<Look, ()>(world, ui, "max_rate", 10.0..=720.0, |l| &mut l.limits.max_rate);
    degrees::<Look, ()>(world, ui, "max_accel", 10.0..=1440.0, |l| &mut l.limits.max_accel);
    slider::<Vehicle, ()>(world, ui, "max_speed", 40.0..=300.0, |v| &mut v.max_speed);
}
