//! Targets: children of what moves, the nearest, all in reach, found and lost.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, Neighbor, NeighborQuery, TargetMemory, Velocity, prelude::*};

use crate::common::{Sim, at, log_lines};

const PREY: SteeringLayers = SteeringLayers::layer(1);

/// Notes how it sees its target.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Watch {
    target: Target,
    memory: TargetMemory,
    place: Vec3,
    velocity: Vec3,
    heading: Vec3,
    blend: Blend,
}

impl SteeringBehavior for Watch {
    type Param = STargets;
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        let view = targets.find(agent, &self.target, &mut self.memory).expect("a target");
        (self.place, self.velocity, self.heading) =
            (agent.position + view.offset, view.velocity, view.heading);
        Steering::NONE
    }
}

fn watch(sim: &mut Sim, target: Entity) -> Entity {
    sim.app.add_steering_behavior::<Watch>();
    sim.spawn((Vehicle::new(0.0), Watch { target: target.into(), ..default() }))
}

/// Watches a target for a second, and compares how it is said to move with how it does.
fn assert_motion_is_seen(sim: &mut Sim, target: Entity, tolerance: f32, case: &str) {
    let watcher = watch(sim, target);
    let mut before = None;
    for _ in 0..64 {
        sim.tick();
        let seen = sim.get::<Watch>(watcher);
        if let Some(before) = before.replace(seen.place) {
            let velocity = (seen.place - before) * sim.hz;
            let error = (velocity - seen.velocity).length();
            assert!(velocity.length() > 1.0, "{case}: it moves");
            assert!(error < tolerance, "{case}: {velocity} and not {}", seen.velocity);
        }
    }
}

#[test]
fn a_child_of_a_moving_parent_is_hit_as_soon_as_a_root() {
    let hit_after = |has_turret: bool| {
        let mut sim = Sim::new();
        let seek = Seek::new(Vec2::new(30.0, 1e4));
        let tank = (Vehicle::new(8.0), PREY, Velocity(Vec3::Y * 8.0), seek, at(30.0, 0.0));
        let tank = sim.spawn(tank);
        let turret = sim.spawn((at(0.0, 0.0), PREY, ChildOf(tank)));
        let pursue = Pursue::new(if has_turret { turret } else { tank });
        let hunter = sim.spawn((Vehicle::new(10.0), pursue, at(0.0, 0.0)));
        let mut ticks = 0;
        while sim.position(hunter).distance(sim.position(tank)) > 1.0 {
            sim.tick();
            ticks += 1;
            assert!(ticks < 64 * 30, "never hit");
        }
        // Others see the same motion in the index.
        sim.ask(|_| ());
        sim.tick();
        let here = NeighborQuery::at(Vec3::ZERO).with_layers(PREY);
        let found: Vec<Neighbor> = sim.ask(|index| index.within(here, 1e3).collect());
        let moves = |one: &Neighbor| (one.velocity - Vec3::Y * 8.0).length() < 0.1;
        assert!(found.len() == 2 && found.iter().all(moves), "{found:?}");
        ticks as f32 / 64.0
    };
    let (root, turret) = (hit_after(false), hit_after(true));
    // Meeting point: |(30, 8T)| = 10T gives T = 5 s.
    assert!((4.8..5.4).contains(&root), "{root}");
    assert!((root - turret).abs() < 0.1, "{turret} against {root}");
}

#[test]
fn a_child_moves_as_its_parent_turns() {
    // A carousel that a game turns, on a cart, and a seat that slides on it.
    let mut sim = Sim::new();
    let cart = sim.spawn((at(5.0, 3.0), Velocity(Vec3::new(2.0, 1.0, 0.0))));
    let carousel = sim.spawn((at(1.0, 0.0), AngularVelocity(Vec3::Z * 2.0), ChildOf(cart)));
    let seat = (at(4.0, 0.0).with_scale(Vec3::splat(2.0)), Velocity(Vec3::Y), ChildOf(carousel));
    let seat = sim.spawn(seat);
    sim.app.add_systems(
        SteeringSchedule,
        (move |mut all: Query<(&mut Transform, Option<&Velocity>, Option<&AngularVelocity>)>,
               time: Res<Time>| {
            for entity in [cart, carousel, seat] {
                let (mut transform, velocity, spin) = all.get_mut(entity).unwrap();
                let velocity = velocity.copied().unwrap_or_default().0;
                transform.translation += velocity * time.delta_secs();
                let spin = spin.copied().unwrap_or_default().0;
                transform.rotate(Quat::from_scaled_axis(spin * time.delta_secs()));
            }
        })
        .in_set(SteeringSystems::Prepare),
    );
    assert_motion_is_seen(&mut sim, seat, 0.3, "carousel");

    // A turret at the rear of an agent that turns as it goes.
    let mut sim = Sim::new();
    let wander = Wander::default().with_weight(2.0);
    let tank = sim.spawn((Vehicle::new(5.0), Velocity(Vec3::X * 5.0), wander, at(5.0, 0.0)));
    let turret = sim.spawn((at(-2.0, 1.0), ChildOf(tank)));
    assert_motion_is_seen(&mut sim, turret, 0.3, "turret");
}

#[test]
fn a_child_looks_where_its_rotation_in_the_world_says() {
    let mut sim = Sim::new();
    let quarter = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    let tank = sim.spawn((at(5.0, 3.0).with_rotation(quarter), Velocity(Vec3::Y)));
    let turret = sim.spawn((at(1.0, 0.0).with_rotation(quarter), ChildOf(tank)));
    let watcher = watch(&mut sim, turret);
    sim.tick();
    let seen = sim.get::<Watch>(watcher);
    assert!((seen.place - Vec3::new(5.0, 4.0, 0.0)).length() < 1e-5, "{}", seen.place);
    assert!((seen.heading - Vec3::NEG_X).length() < 1e-5, "{}", seen.heading);
    assert_eq!(seen.velocity, Vec3::Y);
}

#[test]
fn agents_below_a_moved_parent_are_named_in_one_warning() {
    let mut sim = Sim::new();
    let level = sim.spawn(Transform::IDENTITY);
    let train = sim.spawn((Transform::IDENTITY, ChildOf(level)));
    let agent =
        |sim: &mut Sim, parent| sim.spawn((Vehicle::default(), Wander::default(), ChildOf(parent)));
    agent(&mut sim, level);
    let passengers = [(); 3].map(|()| agent(&mut sim, train).to_string()).join(", ");
    log_lines::catch();
    sim.run(0.5);
    assert!(log_lines::caught().is_empty(), "{:?}", log_lines::caught());
    sim.get_mut::<Transform>(train).translation.x = 3.0;
    sim.run(2.0);
    let [line] = &log_lines::caught()[..] else { panic!("{:?}", log_lines::caught()) };
    assert!(line.contains(&format!("{passengers}: ChildOf is ")), "{line}");
}

/// What the events say, in order.
#[derive(Resource, Default)]
struct Told(Vec<(&'static str, Entity)>);

fn listen(sim: &mut Sim) {
    sim.app
        .init_resource::<Told>()
        .add_observer(|found: On<TargetFound>, mut told: ResMut<Told>| {
            told.0.push(("found", found.target));
        })
        .add_observer(|lost: On<TargetLost>, mut told: ResMut<Told>| {
            told.0.push(("lost", lost.target));
        });
}

fn told(sim: &mut Sim) -> Vec<(&'static str, Entity)> {
    core::mem::take(&mut sim.app.world_mut().resource_mut::<Told>().0)
}

#[test]
fn a_nearest_target_is_kept_until_another_is_clearly_nearer() {
    let mut sim = Sim::without_motion();
    listen(&mut sim);
    let a = sim.spawn((PREY, at(10.0, 0.0)));
    let b = sim.spawn((PREY, at(0.0, 11.0)));
    let nearest = Target::nearest(PREY, 20.0);
    let agent = sim.spawn((Vehicle::default(), Seek::new(nearest), at(0.0, 0.0)));
    let after = |sim: &mut Sim, entity, place| {
        *sim.get_mut::<Transform>(entity) = place;
        sim.tick();
        (sim.get::<Seek>(agent).memory.current, told(sim))
    };
    assert_eq!(after(&mut sim, a, at(10.0, 0.0)), (Some(a), vec![("found", a)]));
    assert_eq!(after(&mut sim, b, at(0.0, 8.1)), (Some(a), vec![]));
    assert_eq!(after(&mut sim, b, at(0.0, 7.9)), (Some(b), vec![("found", b)]));
    assert_eq!(after(&mut sim, b, at(0.0, 12.0)), (Some(b), vec![]), "10 is no less than 0.8·12");
    // Once found it is kept until 24.
    sim.get_mut::<Transform>(a).translation.x = 30.0;
    assert_eq!(after(&mut sim, b, at(0.0, 23.9)), (Some(b), vec![]));
    sim.get_mut::<Transform>(a).translation.x = 19.9;
    assert_eq!(after(&mut sim, b, at(0.0, 24.1)), (Some(a), vec![("found", a)]), "out of reach");
    assert_eq!(after(&mut sim, a, at(30.0, 0.0)), (None, vec![("lost", a)]));
    assert_eq!(after(&mut sim, a, at(20.1, 0.0)), (None, vec![]));
    assert_eq!(after(&mut sim, a, at(19.0, 0.0)), (Some(a), vec![("found", a)]));
    // Out of its layers it is no target, however near.
    sim.app.world_mut().entity_mut(a).insert(SteeringLayers::layer(5));
    assert_eq!(after(&mut sim, b, at(0.0, 19.5)), (Some(b), vec![("found", b)]));
    sim.app.world_mut().entity_mut(a).insert(PREY);
    // Always the nearest, for those that want it.
    if let Target::Nearest { switch_ratio, .. } = &mut sim.get_mut::<Seek>(agent).target {
        *switch_ratio = 1.0;
    }
    assert_eq!(after(&mut sim, a, at(19.4, 0.0)), (Some(a), vec![("found", a)]));
}

#[test]
fn the_first_of_all_targets_is_found_and_the_last_is_lost() {
    let mut sim = Sim::without_motion();
    listen(&mut sim);
    let [a, b] = [5.0, 6.0].map(|x| sim.spawn((PREY, at(x, 0.0))));
    sim.spawn((Vehicle::default(), Flee::new(Target::all(PREY, 20.0)), at(0.0, 0.0)));
    sim.tick();
    assert_eq!(told(&mut sim), [("found", a)]);
    sim.get_mut::<Transform>(b).translation.x = 3.0;
    sim.tick();
    assert_eq!(told(&mut sim), []);
    sim.app.world_mut().despawn(b);
    sim.tick();
    assert_eq!(told(&mut sim), []);
    sim.app.world_mut().despawn(a);
    sim.tick();
    assert_eq!(told(&mut sim), [("lost", a)]);
}

#[test]
fn an_entity_is_found_only_after_it_was_lost() {
    let mut sim = Sim::without_motion();
    listen(&mut sim);
    let prey = sim.spawn(at(5.0, 0.0));
    sim.spawn((Vehicle::default(), Seek::new(prey), at(0.0, 0.0)));
    sim.tick();
    assert_eq!(told(&mut sim), []);
    sim.app.world_mut().entity_mut(prey).remove::<Transform>();
    sim.run(0.1);
    assert_eq!(told(&mut sim), [("lost", prey)]);
    sim.app.world_mut().entity_mut(prey).insert(at(9.0, 0.0));
    sim.run(0.1);
    assert_eq!(told(&mut sim), [("found", prey)]);
}

#[test]
fn without_a_target_a_behavior_requests_nothing() {
    log_lines::catch();
    let gives: [fn(&mut EntityWorldMut); 8] = [
        |agent| _ = agent.insert(Seek::default()),
        |agent| _ = agent.insert(Arrive::default()),
        |agent| _ = agent.insert(Pursue::default()),
        |agent| _ = agent.insert(OffsetPursue::default()),
        |agent| _ = agent.insert(MatchVelocity::default()),
        |agent| _ = agent.insert(Flee::default()),
        |agent| _ = agent.insert(Evade::default()),
        |agent| _ = agent.insert(Face::default()),
    ];
    for idle in [WhenIdle::Brake, WhenIdle::Coast] {
        let mut sim = Sim::new();
        listen(&mut sim);
        let place = Vec3::new(30.0, 20.0, 0.0);
        let body =
            (Vehicle::default(), idle, Velocity(Vec3::Y), Transform::from_translation(place));
        let agents = gives.map(|give| {
            let mut agent = sim.app.world_mut().spawn(body);
            give(&mut agent);
            agent.id()
        });
        sim.run(2.0);
        let velocity = if idle == WhenIdle::Coast { Vec3::Y } else { Vec3::ZERO };
        assert_eq!(agents.map(|agent| sim.velocity(agent)), [velocity; 8], "{idle:?}");
        assert_eq!(told(&mut sim), []);
    }
    assert_eq!(log_lines::caught(), Vec::<String>::new());
}

#[test]
fn a_target_that_is_taken_away_is_not_lost() {
    let mut sim = Sim::without_motion();
    listen(&mut sim);
    let prey = sim.spawn((PREY, at(5.0, 0.0)));
    let agent =
        sim.spawn((Vehicle::default(), Seek::new(Target::nearest(PREY, 9.0)), at(0.0, 0.0)));
    sim.tick();
    assert_eq!(told(&mut sim), [("found", prey)]);
    sim.get_mut::<Seek>(agent).target = Target::None;
    sim.tick();
    assert_eq!(told(&mut sim), []);
    assert_eq!(*sim.get::<Seek>(agent).memory, TargetMemory::default());
}
