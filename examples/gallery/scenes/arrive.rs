//! Arrive: four braking profiles side by side.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "arrive",
    title: "Arrive",
    caption: "Four braking profiles. Dots are an eighth of a second apart: the closer, the \
              slower. Click to move the targets.",
    spawn,
    explain: |gizmos| gizmos.force = FORCE,
    controls: Some(controls),
    click: Some(click),
    tick: Some(turn_back),
    ..Scene::DEFAULT
};

/// The distance of the targets from the centre, in units.
const REACH: f32 = 380.0;
/// The time after which the targets change sides, in seconds.
const STAY: f32 = 6.0;

/// The `x` of all targets.
#[derive(Component)]
struct Finish {
    x: f32,
    /// Whether a click has set it; until then, the targets change sides by themselves.
    is_set: bool,
}

fn spawn(world: &mut World) {
    let lanes = [
        ("Slow", ArriveProfile::SLOW, palette::SKY),
        ("Normal", ArriveProfile::NORMAL, palette::GREEN),
        ("Fast", ArriveProfile::FAST, palette::YELLOW),
        ("Braking", ArriveProfile::Braking, palette::ORANGE),
    ];
    put(world, Finish { x: REACH, is_set: false });
    for (i, (name, profile, color)) in lanes.into_iter().enumerate() {
        let y = 195.0 - 130.0 * i as f32;
        let look = Look::sized(Shape::Goal, color, 12.0);
        let goal = put(world, (Goal, look, Transform::from_xyz(REACH, y, -2.0)));
        put(world, label(name, -490.0, y + 34.0, color));
        let arrive = Arrive::new(goal).with_profile(profile).with_stop_radius(4.0);
        let vehicle = body(340.0).with_max_force(700.0).with_response(0.05).with_radius(11.0);
        let look = Look::new(Silhouette::Arrow, color);
        put(world, (vehicle, arrive, look, Trail::dots(2.4), at(-REACH, y)));
    }
}

fn turn_back(world: &mut World) {
    let clock = world.resource::<SceneClock>().0;
    let mut finish = 0.0;
    set_all::<Finish>(world, |line| {
        if !line.is_set {
            line.x = if ((clock / STAY) as u32).is_multiple_of(2) { REACH } else { -REACH };
        }
        finish = line.x;
    });
    let mut goals = world.query_filtered::<&mut Transform, With<Goal>>();
    goals.iter_mut(world).for_each(|mut goal| goal.translation.x = finish);
}

fn click(world: &mut World, click: Click) {
    set_all::<Finish>(world, |line| *line = Finish { x: click.place.x, is_set: true });
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Vehicle, ()>(world, ui, "max_speed", 60.0..=800.0, |v| &mut v.max_speed);
    slider::<Vehicle, ()>(world, ui, "max_force", 50.0..=3000.0, |v| &mut v.max_force);
    slider::<Arrive, ()>(world, ui, "stop_radius", 1.0..=60.0, |a| a.stop_radius.number_mut());
}
