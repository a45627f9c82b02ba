//! What a new user writes in the first hour works, or the log says what is missing.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at, log_lines};

/// The least distance from a point within some seconds.
fn closest(sim: &mut Sim, agent: Entity, point: Vec3) -> f32 {
    let mut closest = f32::INFINITY;
    sim.run_with(3.0, |world| {
        let place = world.get::<Transform>(agent).expect("required").translation;
        closest = closest.min(place.distance(point));
    });
    closest
}

#[test]
fn a_behavior_alone_makes_an_agent() {
    let mut sim = Sim::new();
    let seeker = sim.spawn(Seek::new(vec2(3.0, 4.0)));
    assert!(closest(&mut sim, seeker, Vec3::new(3.0, 4.0, 0.0)) < 0.1);
    assert_eq!(*sim.get::<Vehicle>(seeker), Vehicle::default());
    let arriver = sim.spawn(Arrive::new(vec2(3.0, 4.0)));
    sim.run(5.0);
    assert!(sim.position(arriver).distance(Vec3::new(3.0, 4.0, 0.0)) < 0.1);
}

#[test]
fn plane_coordinates_are_those_of_the_ground_in_a_world_on_the_ground() {
    let mut sim = Sim::in_plane(SteeringPlane::Xz);
    let seeker = sim.spawn(Seek::new(vec2(3.0, 4.0)));
    assert!(closest(&mut sim, seeker, Vec3::new(3.0, 0.0, 4.0)) < 0.1);
}

#[test]
fn several_of_a_behavior_alone_make_an_agent() {
    let mut sim = Sim::new();
    let seeks = [vec2(5.0, 0.0), vec2(0.0, 5.0)].map(Seek::new);
    let seeker = sim.spawn(Several::new(seeks));
    let player = sim.spawn(SteeringWish::new([Wish::velocity(Vec3::X)]));
    sim.tick();
    assert!(sim.velocity(seeker).dot(Vec3::new(1.0, 1.0, 0.0)) > 0.0);
    assert!(sim.velocity(player).x > 0.0);
}

/// Climbs.
#[derive(Component, Reflect, Default)]
#[reflect(Component, Default)]
struct Climb {
    blend: Blend,
}

impl SteeringBehavior for Climb {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::linear(Vec3::Y * agent.vehicle.max_speed - agent.velocity)
    }
}

#[test]
fn a_behavior_of_the_game_alone_makes_an_agent() {
    log_lines::catch();
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<Climb>();
    let climber = sim.spawn(Climb::default());
    sim.run(1.0);
    assert!(sim.velocity(climber).y > 4.0 && log_lines::caught().is_empty());
}

#[test]
fn a_behavior_that_was_never_registered_is_named() {
    log_lines::catch();
    let mut sim = Sim::new();
    let climber = sim.spawn((Vehicle::default(), Climb::default()));
    sim.spawn((Vehicle::default(), Climb::default(), Velocity(Vec3::X)));
    sim.run(1.0);
    let lines = log_lines::caught();
    let [line] = &lines[..] else { panic!("one warning: {lines:?}") };
    assert!(line.contains(&format!("{climber}: Climb is not a registered behaviour")), "{line}");
    assert!(line.contains("add_steering_behavior::<Climb>()"), "{line}");
}

#[test]
fn a_behavior_that_was_spawned_before_it_was_registered_is_named() {
    log_lines::catch();
    let mut sim = Sim::new();
    let climber = sim.spawn(Climb::default());
    sim.app.add_steering_behavior::<Climb>();
    let lines = log_lines::caught();
    let [line] = &lines[..] else { panic!("one warning: {lines:?}") };
    let expected = format!("{climber}: Climb was spawned before it was registered");
    assert!(line.contains(&expected), "{line}");
    sim.run(1.0);
    assert_eq!(sim.app.world().get::<Vehicle>(climber), None);
}

mod of_the_game {
    /// Has nothing to do with steering but its name.
    #[derive(bevy::prelude::Component)]
    pub(super) struct Several<T: Send + Sync + 'static>(pub(super) T);
}

#[test]
fn several_of_a_behavior_that_was_never_registered_are_named() {
    log_lines::catch();
    let mut sim = Sim::new();
    let climber = sim.spawn((Vehicle::default(), Several::new([Climb::default()])));
    sim.spawn((Vehicle::default(), Several::new([Seek::new(Vec2::X)])));
    sim.spawn(of_the_game::Several(Climb::default()));
    sim.run(1.0);
    let lines = log_lines::caught();
    let [line] = &lines[..] else { panic!("one warning: {lines:?}") };
    assert!(line.contains(&format!("{climber}: Climb is not a registered behaviour")), "{line}");
    assert!(line.contains("add_steering_behavior::<Climb>()"), "{line}");
}

#[test]
fn a_target_that_is_nowhere_is_named_once_with_its_agent() {
    for is_child in [false, true] {
        log_lines::catch();
        let mut sim = Sim::new();
        let nowhere = sim.spawn(());
        let target = if is_child { sim.spawn((at(1.0, 1.0), ChildOf(nowhere))) } else { nowhere };
        let hunter = sim.spawn((Vehicle::default(), Pursue::new(target), at(9.0, 0.0)));
        sim.run(1.0);
        let lines = log_lines::caught();
        let [line] = &lines[..] else { panic!("one warning: {lines:?}") };
        assert!(line.contains(&format!("{hunter}: Target::Entity is {target}")), "{line}");
        assert_eq!(line.contains("its parent has no Transform"), is_child, "{line}");
    }
}

#[test]
fn a_target_that_is_gone_or_disabled_is_no_mistake() {
    use bevy::ecs::entity_disabling::Disabled;
    log_lines::catch();
    let mut sim = Sim::new();
    let gone = sim.spawn(at(1.0, 1.0));
    sim.app.world_mut().despawn(gone);
    let disabled = sim.spawn((at(1.0, 1.0), Disabled));
    for target in [gone, disabled] {
        sim.spawn((Vehicle::default(), Pursue::new(target), at(9.0, 0.0)));
    }
    sim.run(1.0);
    assert_eq!(log_lines::caught(), Vec::<String>::new());
}
