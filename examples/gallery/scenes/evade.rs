//! Evade and flee side by side.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "evade",
    title: "Evade",
    caption: "Fleeing beetles (blue) run ahead of the bulls; evading ones (green) \
              step aside. The score counts those that the bulls run over.",
    group: Group::Threats,
    spawn,
    explain: |gizmos| (gizmos.guesses, gizmos.shown) = (Paint::Own, Shown::Marked),
    score: Some(score),
    controls: Some(controls),
    tick: Some(|world| run(world, count)),
    ..Scene::DEFAULT
};

const BULL: SteeringLayers = SteeringLayers::layer(1);
const FEAR: f32 = 150.0;

/// How many beetles of either kind the bulls have run over.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct RunOver {
    /// Those that flee.
    pub fleeing: u32,
    /// Those that evade.
    pub evading: u32,
}

/// Whether a bull is on the beetle at the moment.
#[derive(Component, Default)]
struct IsHit(bool);

#[derive(Component)]
struct Bull;

fn spawn(world: &mut World) {
    put(world, RunOver::default());
    edges(world, BoundsEdge::Wrap);
    for (y, speed) in [(150.0, 190.0), (0.0, -215.0), (-150.0, 175.0)] {
        // No behaviour and no force: its velocity stays the same.
        let bull = (
            Vehicle::new(300.0).with_max_force(0.0).with_radius(22.0),
            (Bull, BULL),
            Velocity(Vec3::X * speed),
            Look::new(Silhouette::Bull, palette::ORANGE),
            Trail::line(1.0),
            at(-speed * 1.9, y),
        );
        put(world, bull);
    }
    for (i, place) in grid(6, 4, ARENA).enumerate() {
        let evades = (i + i / 6) % 2 == 0;
        let color = if evades { palette::GREEN } else { palette::SKY };
        let prey = (
            body(105.0).with_max_force(700.0),
            (Wander::default(), IsHit::default()),
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

/// A beetle counts when a bull reaches it, and again only after it has been clear of all.
fn count(
    mut beetles: Query<(&Transform, &Vehicle, &mut IsHit, Has<Evade>), Without<Bull>>,
    bulls: Query<(&Transform, &Vehicle), With<Bull>>,
    mut run_over: Single<&mut RunOver>,
    bounds: Res<WorldBounds>,
) {
    for (place, body, mut is_hit, evades) in &mut beetles {
        let now = bulls.iter().any(|(bull, bulk)| {
            let offset = bounds.shortest(place.translation - bull.translation);
            offset.length() < body.radius + bulk.radius
        });
        if now && !is_hit.0 {
            *(if evades { &mut run_over.evading } else { &mut run_over.fleeing }) += 1;
        }
        is_hit.0 = now;
    }
}

fn score(world: &mut World) -> Vec<Score> {
    let Ok(count) = world.query::<&RunOver>().single(world).copied() else { return Vec::new() };
    vec![
        Score::plain("run over:"),
        Score::new(format!("{} fleeing", count.fleeing), palette::SKY),
        Score::new(format!("{} evading", count.evading), palette::GREEN),
    ]
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Evade, ()>(world, ui, "look ahead, s", 0.0..=5.0, |e| &mut e.max_look_ahead);
    ui.label("Prediction by");
    let predictions = [
        ("distance", Prediction::Distance),
        ("own speed", Prediction::OwnSpeed),
        ("intercept", Prediction::Intercept),
    ];
    choice::<Evade, (), _>(world, ui, &predictions, |e| &mut e.prediction);
    slider::<Vehicle, With<Wander>>(world, ui, "max_speed", 40.0..=300.0, |v| &mut v.max_speed);
}
