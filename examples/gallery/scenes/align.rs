//! Align: a wave of turns runs through a field of needles.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "align",
    title: "Align",
    caption: "Each needle copies its left neighbour; the orange ones are given an angle. Click \
              to point them at the mouse.",
    group: Group::Turning,
    spawn,
    controls: Some(controls),
    click: Some(click),
    tick: Some(turn_first),
    ..Scene::DEFAULT
};

const COLUMNS: u32 = 12;
const ROWS: u32 = 6;
/// Seconds between two turns.
const PERIOD: f32 = 3.5;

/// Marks the needles that are given an angle.
#[derive(Component)]
struct First {
    /// Whether a click has set the angle.
    is_set: bool,
}

fn spawn(world: &mut World) {
    let mut left = None;
    for (i, place) in grid(COLUMNS, ROWS, ARENA * 0.98).enumerate() {
        let is_first = i % COLUMNS as usize == 0;
        let color = if is_first { palette::ORANGE } else { palette::SKY };
        let limits = TurnLimits { max_rate: 9.0, max_accel: 60.0, ..default() };
        let align = match left.filter(|_| !is_first) {
            Some(left) => Align::like(left),
            None => Align::to_angle(0.0),
        };
        let look = Look::new(Silhouette::Needle, color);
        let needle = (body(0.0).with_radius(14.0), align.with_limits(limits), look);
        let needle = put(world, (needle, at(place.x, place.y)));
        if is_first {
            world.entity_mut(needle).insert(First { is_set: false });
        }
        left = Some(needle);
    }
}

fn turn_first(world: &mut World) {
    // The first turn is at the start.
    let turns = (world.resource::<SceneClock>().0 / PERIOD) as u32 + 1;
    let mut all = world.query::<(&First, &mut Align)>();
    for (first, mut align) in all.iter_mut(world) {
        if !first.is_set {
            align.bearing = Bearing::Angle(turns as f32 * 2.2);
        }
    }
}

fn click(world: &mut World, click: Click) {
    let mut all = world.query::<(&Transform, &mut First, &mut Align)>();
    for (transform, mut first, mut align) in all.iter_mut(world) {
        first.is_set = true;
        let offset = click.place - transform.translation;
        if offset.length() > 1.0 {
            align.bearing = Bearing::Direction(offset.into());
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    degrees::<Align, ()>(world, ui, "max_rate", 10.0..=1080.0, |a| &mut a.limits.max_rate);
    degrees::<Align, ()>(world, ui, "max_accel", 10.0..=7200.0, |a| &mut a.limits.max_accel);
    degrees::<Align, ()>(world, ui, "slow_angle", 0.0..=180.0, |a| &mut a.limits.slow_angle);
}
