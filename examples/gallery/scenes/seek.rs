//! Seek: the influence of `max_force` on the turning circle.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "seek",
    title: "Seek",
    caption: "Full speed to the target and past it, without braking. The less force, the wider \
              the turn. Click to move the target.",
    spawn,
    explain: |gizmos| (gizmos.force, gizmos.targets) = (FORCE, Paint::Own),
    controls: Some(controls),
    click: Some(goal::move_here),
    ..Scene::DEFAULT
};

// The sliders select agents by these.
#[derive(Component)]
struct Strong;
#[derive(Component)]
struct Medium;
#[derive(Component)]
struct Weak;

fn spawn(world: &mut World) {
    let places = [
        Vec2::new(240.0, 90.0),
        Vec2::new(-120.0, -150.0),
        Vec2::new(-280.0, 130.0),
        Vec2::new(150.0, -110.0),
    ];
    let target = goal::put_touring(world, &places, 4.0);
    let mut seeker = |color: Color, max_force: f32, y: f32| {
        let vehicle = body(260.0).with_max_force(max_force).with_radius(11.0);
        let look = Look::new(Silhouette::Arrow, color);
        put(world, (vehicle, Seek::new(target), look, Trail::line(2.0), at(-420.0, y)))
    };
    let [strong, medium, weak] = [
        (palette::YELLOW, 1200.0, 180.0),
        (palette::SKY, 480.0, 0.0),
        (palette::ORANGE, 240.0, -180.0),
    ]
    .map(|(color, force, y)| seeker(color, force, y));
    world.entity_mut(strong).insert(Strong);
    world.entity_mut(medium).insert(Medium);
    world.entity_mut(weak).insert(Weak);
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Vehicle, ()>(world, ui, "max_speed", 60.0..=500.0, |v| &mut v.max_speed);
    text(ui, "Strong", palette::YELLOW);
    slider::<Vehicle, With<Strong>>(world, ui, "max_force", 50.0..=3000.0, |v| &mut v.max_force);
    text(ui, "Medium", palette::SKY);
    slider::<Vehicle, With<Medium>>(world, ui, "max_force", 50.0..=3000.0, |v| &mut v.max_force);
    text(ui, "Weak", palette::ORANGE);
    slider::<Vehicle, With<Weak>>(world, ui, "max_force", 50.0..=3000.0, |v| &mut v.max_force);
}
