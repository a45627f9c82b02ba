//! People, for scenes of crowds: agents of the size and the speed of pedestrians, as in
//! `examples/scenarios/crowds.rs`.

use rand::RngExt;
pub(super) use rand_pcg::Pcg32;

use super::parts::*;

/// The size of a metre in a flat scene, in units.
pub(super) const METER: f32 = 28.0;
/// The radius of a person, in units: half a metre.
pub(super) const RADIUS: f32 = 0.5 * METER;
/// How fast people walk at the beginning, in units a second: 1.3 m/s.
pub(super) const WALK: f32 = 1.3 * METER;

/// Marks people.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Person;

/// How fast people walk, in units a second.
pub(super) fn pace(world: &mut World) -> f32 {
    let mut people = world.query_filtered::<&Vehicle, With<Person>>();
    people.iter(world).next().map_or(WALK, |vehicle| vehicle.max_speed)
}

/// Spawns a person, who walks as fast as the others.
pub(super) fn put_person(
    world: &mut World,
    place: Vec2,
    color: Color,
    behaviors: impl Bundle,
) -> Entity {
    let speed = pace(world);
    let person = (
        Person,
        Vehicle::new(speed).with_radius(RADIUS),
        behaviors,
        (AvoidAgents::default(), AvoidWalls::default()),
        Look::new(Silhouette::Person, color),
        Trail::line(2.0),
        at(place.x, place.y),
    );
    put(world, person)
}

/// Whether a body at this place would touch a person.
pub(super) fn is_taken(world: &mut World, place: Vec2) -> bool {
    const ROOM: f32 = 2.2 * RADIUS;
    let mut people = world.query_filtered::<&Transform, With<Person>>();
    people.iter(world).any(|at| at.translation.truncate().distance(place) < ROOM)
}

/// Marks the person nearest to a place, unless one is marked: those that are leave some time.
pub(super) fn keep_one_marked(world: &mut World, place: Vec2) {
    let mut marked = world.query_filtered::<(), (With<Person>, With<ShowSteeringGizmos>)>();
    if marked.iter(world).next().is_some() {
        return;
    }
    let mut people = world.query_filtered::<(Entity, &Transform), With<Person>>();
    let nearest = people.iter(world).min_by(|(_, a), (_, b)| {
        let distance = |at: &Transform| at.translation.truncate().distance_squared(place);
        distance(a).total_cmp(&distance(b))
    });
    if let Some((person, _)) = nearest {
        mark(world, person);
    }
}

/// A random number between −1 and 1.
pub(super) fn spread(rng: &mut Pcg32) -> f32 {
    rng.random_range(-1.0..1.0)
}

/// Sets the top speed of all people.
pub(super) fn speed_slider(world: &mut World, ui: &mut Ui) {
    slider::<Vehicle, With<Person>>(world, ui, "max_speed", 10.0..=100.0, |v| &mut v.max_speed);
}
