//! Evade and flee side by side.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "evade",
    title: "Evade",
    caption: "Fleeing beetles (blue) run ahead of the bulls; evading ones (green) \
              step aside.",
    group: Group::Threats,
    spawn,
    explain: |gizmos| (gizmos.guesses, gizmos.shown) = (Paint::Own, Shown::Marked),
    controls: Some(controls),
    ..Scene::DEFAULT
};

const BULL: SteeringLayers = SteeringLayers::layer(1);
const FEAR: f32 = 150.0;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    for (y, speed) in [(150.0, 120.0), (0.0, -135.0), (-150.0, 110.0)] {
        // No behaviour and no force: its velocity stays the same.
        let bull = (
            Vehicle::new(200.0).with_max_force(0.0).with_radius(22.0),
            BULL,
            Velocity(Vec3::X * speed),
            Look::new(Silhouette::Bull, palette::ORANGE),
            Trail::line(1.0),
            at(-speed * 3.0, y),
        );
        put(world, bull);
    }
    for (i, place) in grid(6, 4, ARENA).enumerate() {
        let evades = (i + i / 6) % 2 == 0;
        let color = if evades { palette::GREEN } else { palette::SKY };
        let prey = (
            body(105.0).with_max_force(700.0),
            Wander::default(),
            Look::new(Silhouette::Beetle, color),
            Trail::line(1.0),
            varied_velocity(i, 50.0),
            at(place.x, place.y),
        );
        let prey = put(world, prey);
        let threat = Target::nearest(BULL, FEAR);
        if evades && i % 3 == 0 {
            mark(world, prey);
        }
        let mut prey = world.entity_mut(prey);
        if evades {
            prey.insert(Evade::new(threat))
        } else {
            prey.insert(Flee::new(threat))
        };
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Evade, ()>(world, ui, "prediction, s", 0.0..=5.0, |e| &mut e.max_prediction);
    ui.label("Prediction by");
    let predictions = [
        ("distance", Prediction::Distance),
        ("own speed", Prediction::OwnSpeed),
        ("intercept", Prediction::Intercept),
    ];
    choice::<Evade, (), _>(world, ui, &predictions, |e| &mut e.prediction);
    slider::<Vehicle, With<Wander>>(world, ui, "max_speed", 40.0..=300.0, |v| &mut v.max_speed);
}
