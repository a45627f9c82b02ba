//! Pursue and seek side by side.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "pursue",
    title: "Pursue",
    caption: "Both are slower than the blue fish. Seek (red) runs after it; Pursue (orange) \
              heads for where it will be. The score counts catches.",
    spawn,
    explain: |gizmos| (gizmos.targets, gizmos.guesses) = (Paint::Own, Paint::Own),
    score: Some(score),
    controls: Some(controls),
    tick: Some(|world| run(world, catch_prey)),
    ..Scene::DEFAULT
};

const PREY: SteeringLayers = SteeringLayers::layer(1);
/// The distance at which the prey is caught, in units.
const REACH: f32 = 24.0;

/// Chases the prey and returns to its home after each catch.
#[derive(Component, Clone, Copy, Debug)]
pub struct Chaser {
    home: Vec2,
    /// How often it has caught the prey.
    pub catches: u32,
    resting: bool,
}

fn spawn(world: &mut World) {
    let track: Vec<Vec2> = (0..40)
        .map(|i| {
            let angle = core::f32::consts::TAU * i as f32 / 40.0;
            Vec2::new(400.0, 215.0) * Vec2::from_angle(angle)
        })
        .collect();
    let prey = (
        body(215.0),
        PREY,
        PathFollow::new(Path::new(track)).by_waypoints(30.0).with_end(PathEnd::Loop),
        Look::new(Silhouette::Fish, palette::SKY),
        Trail::line(1.5),
        at(400.0, 0.0),
    );
    let prey = put(world, prey);
    let mut chaser = |color: Color, home: Vec2| {
        let chaser = (
            body(195.0).with_radius(12.0),
            Chaser { home, catches: 0, resting: false },
            Look::new(Silhouette::Raptor, color),
            Trail::line(2.0),
            Arrive::new(home).with_stop_radius(6.0).disabled(),
            at(home.x, home.y),
        );
        put(world, chaser)
    };
    let pursuer = chaser(palette::ORANGE, Vec2::new(-70.0, 0.0));
    let seeker = chaser(palette::RED, Vec2::new(70.0, 0.0));
    world.entity_mut(pursuer).insert(Pursue::new(prey));
    world.entity_mut(seeker).insert(Seek::new(prey));
}

fn catch_prey(
    mut chasers: Query<(
        &Transform,
        &mut Chaser,
        &mut Arrive,
        Option<&mut Pursue>,
        Option<&mut Seek>,
    )>,
    prey: Single<&Transform, (With<PathFollow>, Without<Chaser>)>,
) {
    for (place, mut chaser, mut arrive, pursue, seek) in &mut chasers {
        let place = place.translation;
        let caught = !chaser.resting && place.distance(prey.translation) < REACH;
        let is_home = chaser.resting && place.truncate().distance(chaser.home) < 10.0;
        if !caught && !is_home {
            continue;
        }
        chaser.catches += u32::from(caught);
        chaser.resting = caught;
        arrive.set_enabled(caught);
        pursue.into_iter().for_each(|mut pursue| pursue.set_enabled(!caught));
        seek.into_iter().for_each(|mut seek| seek.set_enabled(!caught));
    }
}

fn score(world: &mut World) -> Vec<Score> {
    let mut chasers = world.query::<(&Chaser, Has<Pursue>)>();
    let mut catches = |pursues| {
        let of = chasers.iter(world).filter(|(_, does)| *does == pursues);
        of.map(|(chaser, _)| chaser.catches).sum::<u32>()
    };
    [("Pursue", palette::ORANGE, true), ("Seek", palette::RED, false)]
        .map(|(name, color, pursues)| Score::new(format!("{name}: {}", catches(pursues)), color))
        .into()
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Vehicle, With<Chaser>>(world, ui, "max_speed", 100.0..=300.0, |v| &mut v.max_speed);
    slider::<Pursue, ()>(world, ui, "look ahead, s", 0.0..=5.0, |p| &mut p.max_look_ahead);
    ui.label("Prediction by");
    let predictions = [
        ("distance", Prediction::Distance),
        ("own speed", Prediction::OwnSpeed),
        ("intercept", Prediction::Intercept),
    ];
    choice::<Pursue, (), _>(world, ui, &predictions, |p| &mut p.prediction);
}
