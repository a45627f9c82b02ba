//! Flee: a bull walks through a crowd of beetles.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "flee",
    title: "Flee",
    caption: "Beetles within the panic distance run away from the bull (yellow). Hold the mouse \
              button to lead the bull.",
    group: Group::Threats,
    spawn,
    controls: Some(controls),
    click: Some(goal::move_here),
    tick: Some(|world| run(world, fear)),
    ..Scene::DEFAULT
};

/// The panic distance, in units.
const PANIC: f32 = 130.0;
const STROLL: f32 = 45.0;
const RUN: f32 = 190.0;

fn spawn(world: &mut World) {
    wall_in(world);
    let swing = Swing {
        reach: Vec2::new(360.0, 180.0),
        rates: Vec2::new(0.42, 0.61),
        phases: Vec2::new(-1.2, 0.3),
    };
    let bull = (Goal, swing, Look::sized(Shape::Agent(Silhouette::Bull), palette::ORANGE, 24.0));
    let bull = put(world, (bull, Trail::line(1.5), Halo(PANIC)));
    for (i, place) in grid(9, 6, ARENA * 0.94).enumerate() {
        let prey = (
            body(STROLL).with_max_force(600.0),
            Flee::new(bull).within(PANIC),
            Wander::default(),
            (AvoidWalls::default(), AvoidAgents::default().with_look_ahead(0.6)),
            Look::new(Silhouette::Beetle, palette::SKY),
            varied_velocity(i, STROLL),
            at(place.x, place.y),
        );
        put(world, prey);
    }
}

fn fear(
    mut prey: Query<(&Transform, &Flee, &mut Vehicle, &mut Look)>,
    bull: Single<&Transform, (With<Goal>, Without<Flee>)>,
) {
    for (place, flee, mut vehicle, mut look) in &mut prey {
        let distance = place.translation.distance(bull.translation);
        let afraid = flee.panic_distance.is_some_and(|panic| distance < panic);
        let speed = if afraid { RUN } else { STROLL };
        // Slow down gradually.
        vehicle.max_speed = speed.max(vehicle.max_speed - 1.5);
        let color = if afraid { palette::YELLOW } else { palette::SKY };
        look.set_if_neq(Look { color, ..*look });
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    let mut panic = None;
    let mut all = world.query::<&Flee>();
    if let Some(flee) = all.iter(world).next() {
        panic = flee.panic_distance;
    }
    let Some(mut distance) = panic else { return };
    let bar = bevy_egui::egui::Slider::new(&mut distance, 30.0..=300.0);
    if ui.add(bar.text("panic").fixed_decimals(0)).changed() {
        set_all::<Flee>(world, |flee| flee.panic_distance = Some(distance));
        set_all::<Halo>(world, |halo| halo.0 = distance);
    }
}
