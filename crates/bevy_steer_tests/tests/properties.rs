//! What holds in every world: limits are kept, planes are never left, and no direction or place is
//! special.

use core::f32::consts::TAU;

use bevy::prelude::*;
use bevy_steer::{AgentId, Velocity, prelude::*};
use proptest::prelude::*;

use crate::common::{
    Sim, random_behaviors,
    rng::cases,
    worlds::{Motion, Plan, plans},
};

/// A length may be this much over its limit, as a share of it.
const ROUNDING: f32 = 1e-4;

/// The part of a vector that is outside a plane.
fn height(plane: SteeringPlane, v: Vec3) -> f32 {
    match plane {
        SteeringPlane::Xy => v.z,
        SteeringPlane::Xz => v.y,
        SteeringPlane::Free => 0.0,
    }
}

/// `before` is the speed before the tick.
fn assert_in_limits(sim: &Sim, agent: Entity, before: f32) {
    let vehicle = sim.get::<Vehicle>(agent);
    let force = sim.get::<SteeringForce>(agent);
    assert!(force.linear.is_finite() && force.angular.is_finite(), "{force:?}");
    let limit = vehicle.max_force * (1.0 + ROUNDING);
    assert!(force.linear.length() <= limit, "{force:?} of {vehicle:?}");

    let velocity = sim.velocity(agent);
    // One that is too fast slows down by its force.
    let slower = before - vehicle.max_acceleration() / sim.hz;
    let limit = vehicle.max_speed.max(slower) * (1.0 + ROUNDING);
    assert!(velocity.is_finite() && velocity.length() <= limit, "{velocity} of {vehicle:?}");

    let heading = sim.heading(agent);
    assert!((heading.length() - 1.0).abs() < 1e-3, "heading {heading}");
    assert_eq!(height(sim.plane(agent), heading), 0.0, "heading {heading}");

    let transform = sim.get::<Transform>(agent);
    assert!(transform.is_finite(), "{transform:?}");
    assert!((transform.rotation.length() - 1.0).abs() < 1e-3, "{transform:?}");
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn force_speed_and_heading_keep_their_limits(plan in plans(14)) {
        let (mut sim, agents) = plan.build();
        for _ in 0..60 {
            let speed = |&agent: &Entity| sim.velocity(agent).length();
            let before: Vec<f32> = agents.iter().map(speed).collect();
            sim.tick();
            for (&agent, before) in agents.iter().zip(before) {
                assert_in_limits(&sim, agent, before);
            }
        }
    }

    #[test]
    fn planar_agents_never_leave_their_plane(plan in plans(14), climb in -2.0_f32..2.0) {
        let (mut sim, agents) = plan.build();
        // What a game does with the height is its own affair, and stays as it is; a velocity out of
        // the plane does not.
        for &agent in &agents {
            let normal = sim.plane(agent).normal();
            sim.get_mut::<Velocity>(agent).0 += normal * climb;
        }
        let planar = |sim: &Sim| -> Vec<_> {
            let planar = agents.iter().filter(|&&agent| sim.plane(agent).is_planar());
            planar
                .map(|&agent| {
                    let plane = sim.plane(agent);
                    (height(plane, sim.position(agent)).to_bits(), height(plane, sim.velocity(agent)))
                })
                .collect()
        };
        let before: Vec<_> = planar(&sim).into_iter().map(|(place, _)| (place, 0.0)).collect();
        for _ in 0..60 {
            sim.tick();
            prop_assert_eq!(&planar(&sim), &before);
            for &agent in &agents {
                let plane = sim.plane(agent);
                prop_assert_eq!(height(plane, sim.get::<SteeringForce>(agent).linear), 0.0);
            }
        }
    }

    #[test]
    fn steering_is_invariant_under_rotation(plan in plans(10), angle in 0.1..TAU) {
        let plan = without_chance(plan);
        assert_moves_alike(&plan, &Motion::turn(plan.plane, angle), 5e-2);
    }

    #[test]
    fn steering_is_invariant_under_translation(
        plan in plans(10),
        shift in prop::array::uniform3(-100.0_f32..100.0),
    ) {
        let plan = without_chance(plan);
        assert_moves_alike(&plan, &Motion::shift(Vec3::from_array(shift)), 5e-2);
    }
}

/// One plane, which has one normal to turn about, and no behaviours that draw random numbers.
fn without_chance(mut plan: Plan) -> Plan {
    plan.is_mixed = false;
    for agent in &mut plan.agents {
        *agent &= !random_behaviors::with_random_stream();
    }
    plan
}

/// Runs a world here and the same one elsewhere for half a second, in which an agent goes up to
/// five units, and compares where they all are to `tolerance` units.
fn assert_moves_alike(plan: &Plan, motion: &Motion, tolerance: f32) {
    let (mut here, agents) = plan.build();
    let (mut there, moved) = plan.build_moved(motion);
    let starts: Vec<Vec3> = agents.iter().map(|&agent| here.position(agent)).collect();
    here.run(0.5);
    there.run(0.5);
    for ((&agent, &other), start) in agents.iter().zip(&moved).zip(starts) {
        let (position, found) = (motion.point(here.position(agent)), there.position(other));
        let name = here.get::<AgentId>(agent);
        assert!(position.distance(found) < tolerance, "{name:?}: {position} but {found}");
        assert!(start.distance(here.position(agent)) < 6.0);
    }
}
