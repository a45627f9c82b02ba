//! All integration tests of `bevy_steer_formations`. One program, as each one links all of Bevy.

mod assets;
mod bad_input;
mod changes;
mod determinism;
mod examples;
mod order;
mod patterns;
mod saving;
mod turns;
mod waiting;

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_formations::{
    Formation, FormationBroken, FormationFormed, FormationPlugin, FormationSlot, MemberOf, Pattern,
};
use bevy_steer_tests::{Sim, place, rng::TestRng};

/// What has been said of formations.
#[derive(Resource, Default)]
struct Said {
    formed: Vec<Entity>,
    broken: Vec<Entity>,
}

/// A world with formations, in this plane, with 64 ticks a second.
fn forming(plane: SteeringPlane) -> Sim {
    let mut sim = Sim::in_plane(plane);
    sim.app.add_plugins(FormationPlugin).init_resource::<Said>();
    sim.app.add_observer(|formed: On<FormationFormed>, mut said: ResMut<Said>| {
        said.formed.push(formed.entity);
    });
    sim.app.add_observer(|broken: On<FormationBroken>, mut said: ResMut<Said>| {
        said.broken.push(broken.entity);
    });
    sim
}

/// A world with formations, in the `Xy` plane.
fn flat_world() -> Sim {
    forming(SteeringPlane::Xy)
}

/// How often formations have been formed, and broken.
fn said(sim: &Sim) -> (usize, usize) {
    let said = sim.app.world().resource::<Said>();
    (said.formed.len(), said.broken.len())
}

/// All patterns, with own slots.
fn patterns() -> [Pattern; 6] {
    let own = [(0.0, 1.5), (0.0, -1.5), (-1.0, 0.0), (1.5, 0.0)].map(Vec2::from);
    [
        Pattern::Line,
        Pattern::Column,
        Pattern::Block { columns: 3 },
        Pattern::Wedge,
        Pattern::Circle,
        Pattern::Slots(own.to_vec()),
    ]
}

/// A leader with this pattern at the origin, which stands.
fn leader(sim: &mut Sim, pattern: Pattern) -> Entity {
    sim.spawn((Vehicle::new(4.0), Formation::new(pattern)))
}

/// A member at a place in the coordinates of the world's plane.
fn member(sim: &mut Sim, anchor: Entity, at: Vec2) -> Entity {
    let plane = sim.app.world().resource::<bevy_steer::SteeringSettings>().plane;
    let place = Transform::from_translation(place(plane, at));
    sim.spawn((Vehicle::new(4.0), MemberOf(anchor), AvoidAgents::default(), place))
}

/// This number of members at random places.
fn members(sim: &mut Sim, anchor: Entity, count: usize, seed: u64) -> Vec<Entity> {
    let mut rng = TestRng::new(seed, 0);
    (0..count)
        .map(|_| {
            let at = Vec2::new(rng.number(-14.0..14.0), rng.number(-14.0..14.0));
            member(sim, anchor, at)
        })
        .collect()
}

fn slot(sim: &Sim, member: Entity) -> &FormationSlot {
    sim.get::<FormationSlot>(member)
}

/// The indices of the members' slots in order, which must all be different.
fn indices(sim: &Sim, members: &[Entity]) -> Vec<u32> {
    members.iter().map(|&member| slot(sim, member).index).collect()
}

/// Checks that each member has a slot of its own, and is within half a radius of it: that its
/// position is where the pattern says.
fn assert_formed(sim: &Sim, anchor: Entity, members: &[Entity], what: &str) {
    let mut taken = indices(sim, members);
    taken.sort_unstable();
    assert!(taken.iter().copied().eq(0..members.len() as u32), "{what}: {taken:?}");
    let formation = sim.get::<Formation>(anchor);
    let slots = formation.pattern.slots(members.len(), formation.memory.has_place);
    let plane = sim.plane(anchor);
    let heading = sim.app.world().get::<bevy_steer::Heading>(anchor).map_or(Vec3::ZERO, |it| it.0);
    let heading = heading.try_normalize().unwrap_or_else(|| plane.forward());
    assert!(heading.distance(formation.memory.heading) < 0.1, "{what}: the pattern has turned");
    let heading = formation.memory.heading;
    // Four radii of 0.4.
    let spacing = 1.6;
    for &member in members {
        let slot = slots[slot(sim, member).index as usize] * spacing;
        let expected = sim.position(anchor) + heading * slot.x + plane.left(heading) * slot.y;
        let off = sim.position(member).distance(expected);
        assert!(off < 0.25, "{what}: {member} is {off} from its slot");
    }
}
