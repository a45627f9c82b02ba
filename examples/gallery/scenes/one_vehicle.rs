//! A classic: one vehicle, and a key for each behaviour.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "one-vehicle",
    title: "One vehicle",
    caption: "Seek, Flee within the circle and Arrive at three speeds, each with its own key. \
              Red is the force. Click to move the target.",
    group: Group::Classics,
    spawn,
    explain: |gizmos| (gizmos.force, gizmos.targets) = (FORCE, Paint::Own),
    switches: &[
        Switch::of::<Seek>("Seek"),
        Switch::of::<Flee>("Flee"),
        arrive_switch::<0>("Arrive, slow"),
        arrive_switch::<1>("Arrive, normal"),
        arrive_switch::<2>("Arrive, fast"),
    ],
    controls: Some(controls),
    click: Some(goal::move_here),
    ..Scene::DEFAULT
};

/// The panic distance, in units.
const PANIC: f32 = 100.0;
const PROFILES: [ArriveProfile; 3] =
    [ArriveProfile::SLOW, ArriveProfile::NORMAL, ArriveProfile::FAST];

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Bounce);
    let places = [
        Vec2::new(170.0, 120.0),
        Vec2::new(-260.0, 60.0),
        Vec2::new(60.0, -170.0),
        Vec2::new(300.0, -40.0),
    ];
    let target = goal::put_touring(world, &places, 5.0);
    world.entity_mut(target).insert(Halo(PANIC));
    let vehicle = (
        body(200.0).with_max_force(400.0).with_radius(14.0),
        Seek::new(target),
        Flee::new(target).within(PANIC).disabled(),
        Arrive::new(target).with_stop_radius(3.0).disabled(),
        Look::new(Silhouette::Arrow, palette::YELLOW),
        Trail::line(2.0),
        at(-300.0, -120.0),
    );
    put(world, vehicle);
}

/// Turns on arriving with a profile, and the others off.
const fn arrive_switch<const PROFILE: usize>(name: &'static str) -> Switch {
    Switch {
        name,
        is_on: |world| {
            let mut all = world.query::<&Arrive>();
            let is_own = |arrive: &Arrive| arrive.profile == PROFILES[PROFILE];
            is_on::<Arrive>(world) && all.iter(world).any(is_own)
        },
        set: |world, is_on| {
            set_all::<Arrive>(world, |arrive| {
                arrive.profile = PROFILES[PROFILE];
                arrive.set_enabled(is_on);
            });
        },
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Vehicle, ()>(world, ui, "max_speed", 20.0..=500.0, |v| &mut v.max_speed);
    slider::<Vehicle, ()>(world, ui, "max_force", 20.0..=2000.0, |v| &mut v.max_force);
}
