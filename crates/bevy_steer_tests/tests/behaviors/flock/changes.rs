//! Flocks that change between ticks and within one: agents that are spawned, disabled, enabled and
//! despawned, and parameters that the game changes.

use bevy::{
    ecs::{entity_disabling::Disabled, system::RunSystemOnce},
    prelude::*,
};
use bevy_steer::{AgentId, KeepRotation, prelude::*};

use crate::common::{Sim, at, strong};

/// What two mates of a flock of three request in their second tick, when the first of them is
/// changed before it, or by the game's own decisions during it.
fn wishes_after(change: fn(Mut<Flock>, Mut<Vehicle>), in_the_midst: bool) -> [Vec3; 2] {
    let mut sim = Sim::without_motion();
    let flock = Flock::new(8.0).with_rules(1.0, 0.0, 1.0);
    let [first, second, _] =
        [0.0, 1.0, 5.0].map(|x| sim.spawn((strong(5.0), flock, at(x, 0.5 * x * x))));
    sim.tick();
    let decide = move |mut agents: Query<(&mut Flock, &mut Vehicle)>| {
        let (flock, vehicle) = agents.get_mut(first).expect("the first one");
        change(flock, vehicle);
    };
    if in_the_midst {
        sim.app.add_systems(SteeringSchedule, decide.in_set(SteeringSystems::Decide));
    } else {
        sim.app.world_mut().run_system_once(decide).expect("a system that runs");
    }
    sim.tick();
    [first, second].map(|agent| sim.wish(agent))
}

#[test]
fn flock_changes_apply_in_the_same_tick() {
    let nothing: fn(Mut<Flock>, Mut<Vehicle>) = |_, _| {};
    let [untouched, other] = wishes_after(nothing, false);
    let changes: [fn(Mut<Flock>, Mut<Vehicle>); 5] = [
        |mut flock, _| flock.separation = 3.0,
        |mut flock, _| flock.radius = 2.0.into(),
        |mut flock, _| flock.blend.weight = 0.5,
        |mut flock, _| flock.blend.enabled = false,
        |_, mut vehicle| vehicle.max_speed = 2.0,
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let wishes = wishes_after(change, true);
        assert_eq!(wishes, wishes_after(change, false), "change {i}");
        assert!((wishes[0] - untouched).length() > 0.1, "change {i}: {}", wishes[0]);
        assert_eq!(wishes[1], other, "change {i}: the other one goes on as before");
    }
}

#[test]
fn newcomers_may_have_other_flock_parameters() {
    enum Comes {
        AtFirst,
        Late,
        Awakes,
    }
    let wish = |comes: Comes| {
        let mut sim = Sim::without_motion();
        let flock = Flock::new(8.0).with_rules(1.0, 0.0, 1.0).with_cruise(0.0);
        let [first, gone] = [0.0, 1.0].map(|x| sim.spawn((strong(5.0), flock, at(x, 0.0))));
        let other = (strong(5.0), Flock { radius: 20.0.into(), ..flock }, at(15.0, 0.0));
        let sleeps = matches!(comes, Comes::Awakes).then(|| sim.spawn((other, Disabled)));
        if !matches!(comes, Comes::AtFirst) {
            sim.run(0.1);
        }
        sim.app.world_mut().despawn(gone);
        let other = sleeps.unwrap_or_else(|| sim.spawn(other));
        sim.app.world_mut().entity_mut(other).remove::<Disabled>();
        sim.tick();
        [first, other].map(|agent| sim.wish(agent))
    };
    let [first, other] = wish(Comes::AtFirst);
    assert_eq!(wish(Comes::Late), [first, other], "as if they had been there from the beginning");
    assert_eq!(wish(Comes::Awakes), [first, other], "as if they had not slept");
    assert_eq!(first, Vec3::ZERO, "it sees less far");
    assert!(other.x < -0.1, "it sees the first one: {other}");
}

#[test]
fn flock_survives_the_loss_of_its_first_parameters() {
    let mut sim = Sim::new();
    let gone = sim.spawn((Vehicle::default(), Flock::default(), KeepRotation));
    sim.tick();
    sim.app.world_mut().despawn(gone);
    let left = sim.spawn((Vehicle::default(), Flock::default(), at(0.0, 0.0)));
    sim.spawn((Vehicle::default(), Flock::default(), at(4.0, 0.0)));
    sim.run(0.1);
    assert!(sim.velocity(left).x > 0.0, "it goes to its mate");
}

/// The requests of three mates with different parameters. In the second tick the first one is away;
/// at the end of it, and during the third, the game does with it what it likes.
fn wishes_of_three(
    leaves: fn(EntityCommands),
    returns_before: fn(EntityCommands),
    returns_in_the_midst: fn(EntityCommands),
) -> [Vec3; 3] {
    let mut sim = Sim::without_motion();
    let mut place = 0.0;
    let agents = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [3.0, 0.0, 0.5]].map(|[away, along, near]| {
        place += 1.0;
        let flock = Flock::new(8.0).with_rules(away, along, near).with_cruise(0.0);
        sim.spawn((strong(5.0), flock, at(place * place, 0.5 * place)))
    });
    let first = agents[0];
    sim.tick();
    leaves(sim.app.world_mut().commands().entity(first));
    sim.tick();
    returns_before(sim.app.world_mut().commands().entity(first));
    let decide = move |mut commands: Commands| returns_in_the_midst(commands.entity(first));
    sim.app.add_systems(SteeringSchedule, decide.in_set(SteeringSystems::Decide));
    sim.tick();
    agents.map(|agent| sim.wish(agent))
}

#[test]
fn agents_without_an_index_entry_are_not_mistaken_for_others() {
    type Change = fn(EntityCommands);
    let nothing: Change = |_| {};
    let ways: [(Change, Change); 3] = [
        (|mut agent| _ = agent.insert(Disabled), |mut agent| _ = agent.remove::<Disabled>()),
        (
            |mut agent| _ = agent.remove::<SteeringLayers>(),
            |mut agent| _ = agent.insert(SteeringLayers::default()),
        ),
        (|mut agent| _ = agent.remove::<AgentId>(), |mut agent| _ = agent.insert(AgentId(0))),
    ];
    for (i, (leaves, returns)) in ways.into_iter().enumerate() {
        let all = wishes_of_three(nothing, nothing, nothing);
        assert!(all.iter().all(|wish| wish.length() > 0.1), "{all:?}");
        assert_eq!(wishes_of_three(leaves, returns, nothing), all, "way {i}: in time");

        let [_, others @ ..] = wishes_of_three(leaves, nothing, nothing);
        assert_ne!(others, all[1..], "way {i}: one of three is missing");
        let [first, second, third] = wishes_of_three(leaves, nothing, returns);
        assert_eq!([second, third], others, "way {i}: it is not seen before the next tick");
        assert_eq!(first, Vec3::ZERO, "way {i}: it sees no mates");
    }
}
