//! A flock and a predator.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "predator",
    title: "Flock and predator",
    caption: "The flock splits ahead of the hunter and closes behind it; evading fish are \
              yellow. (Flock, Evade, Pursue, Wander)",
    group: Group::Combined,
    spawn,
    explain: |gizmos| {
        (gizmos.targets, gizmos.guesses, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
    },
    controls: Some(controls),
    tick: Some(|world| run(world, fear)),
    ..Scene::DEFAULT
};

const PREY: SteeringLayers = SteeringLayers::layer(0);
const HUNTER: SteeringLayers = SteeringLayers::layer(1);
const FEAR: f32 = 95.0;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    for (i, place) in grid(14, 9, ARENA * Vec2::new(0.6, 0.9)).enumerate() {
        let prey = (
            body(120.0).with_radius(7.0),
            PREY,
            Flock::new(80.0).with_separation_radius(28.0).with_rules(1.0, 1.0, 0.7),
            Evade::new(Target::nearest(HUNTER, FEAR)).with_max_look_ahead(0.6),
            Wander::default(),
            Look::new(Silhouette::Fish, palette::SKY),
            Velocity(Vec3::new(70.0, 20.0, 0.0)),
            at(place.x - 60.0, place.y + varied_direction(i).x * 8.0),
        );
        put(world, prey);
    }
    let hunter = (
        body(118.0).with_radius(17.0).with_max_force(300.0),
        HUNTER,
        Pursue::new(Target::nearest(PREY, f32::INFINITY)).with_max_look_ahead(1.0),
        Hunt { company: 80.0 },
        Look::new(Silhouette::Raptor, palette::ORANGE),
        Trail::line(2.0),
        at(430.0, 0.0),
    );
    let hunter = put(world, hunter);
    mark(world, hunter);
}

fn fear(mut prey: Query<(&Evade, &mut Look, &mut Vehicle)>) {
    for (evade, mut look, mut vehicle) in &mut prey {
        let afraid = evade.is_afraid();
        let color = if afraid { palette::YELLOW } else { palette::SKY };
        look.set_if_neq(Look { color, ..*look });
        vehicle.max_speed = if afraid { 165.0 } else { 100.0_f32.max(vehicle.max_speed - 1.0) };
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Flock, ()>(world, ui, "separation", 0.0..=4.0, |f| &mut f.separation);
    slider::<Flock, ()>(world, ui, "alignment", 0.0..=4.0, |f| &mut f.alignment);
    slider::<Flock, ()>(world, ui, "cohesion", 0.0..=4.0, |f| &mut f.cohesion);
    slider::<Vehicle, With<Pursue>>(world, ui, "hunter", 40.0..=250.0, |v| &mut v.max_speed);
}
