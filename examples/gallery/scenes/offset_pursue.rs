//! Offset pursue: a wedge of birds behind a leader.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "offset-pursue",
    title: "OffsetPursue",
    caption: "Each bird keeps its position relative to the leader (orange), also in bends.",
    spawn,
    explain: |gizmos| gizmos.guesses = Paint::Own,
    controls: Some(controls),
    tick: Some(|world| run(world, lead)),
    ..Scene::DEFAULT
};

/// A follower's offset from the leader, in multiples of the spacing.
#[derive(Component)]
struct Place(Vec2);

/// The spacing at the beginning, in units.
const SPACING: f32 = 34.0;

/// The distance between places, in units.
#[derive(Component)]
struct Spacing(f32);

/// The leader's way: wide bends, so that the followers on the outside can keep up.
const WAY: Vec2 = Vec2::new(345.0, 195.0);
/// How far ahead of the leader the point is that it seeks, in radians of the way.
const AHEAD: f32 = 0.3;

/// Where the leader goes from here. The point moves as smoothly as the leader: on a path of
/// straight legs it would turn in steps, which grow with the distance of a follower.
fn carrot(here: Vec2) -> Vec2 {
    WAY * Vec2::from_angle((here / WAY).to_angle() + AHEAD)
}

fn lead(mut leader: Single<(&Transform, &mut Seek)>) {
    let (at, seek) = &mut *leader;
    seek.target = Target::from(carrot(at.translation.truncate()));
}

fn spawn(world: &mut World) {
    let leader = (
        body(120.0).with_max_force(150.0).with_radius(12.0),
        Seek::new(carrot(WAY * Vec2::X)),
        Look::new(Silhouette::Bird, palette::ORANGE),
        Trail::line(2.5),
        Spacing(SPACING),
        at(WAY.x, 0.0).with_rotation(Quat::from_rotation_z(core::f32::consts::FRAC_PI_2)),
    );
    let leader = put(world, leader);
    for i in 1..=4 {
        for side in [1.0, -1.0] {
            let place = Vec2::new(-(i as f32), side * i as f32 * 0.65);
            let offset = (place * SPACING).extend(0.0);
            let follower = (
                body(230.0).with_max_force(900.0).with_radius(11.0),
                // A short deceleration: in a bend the places move faster than the leader.
                OffsetPursue {
                    profile: ArriveProfile::Deceleration(0.15),
                    ..OffsetPursue::new(leader, offset)
                },
                AvoidAgents::default().with_look_ahead(0.4),
                Place(place),
                Look::new(Silhouette::Bird, palette::SKY),
                Trail::line(1.0),
                at(WAY.x - offset.y, offset.x),
            );
            put(world, follower);
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Spacing, ()>(world, ui, "spacing", 25.0..=70.0, |s| &mut s.0);
    let spacing = world.query::<&Spacing>().iter(world).next().map_or(SPACING, |s| s.0);
    let mut all = world.query::<(&Place, &mut OffsetPursue)>();
    for (place, mut pursue) in all.iter_mut(world) {
        let offset = (place.0 * spacing).extend(0.0);
        if pursue.offset != offset {
            pursue.offset = offset;
        }
    }
    slider::<Vehicle, With<Spacing>>(world, ui, "leader", 40.0..=220.0, |v| &mut v.max_speed);
    slider::<Vehicle, With<Place>>(world, ui, "followers", 40.0..=400.0, |v| &mut v.max_speed);
}
