//! What `Pursue` and `Evade` foresee.

use bevy::prelude::*;
use bevy_steer::{DebugLayer, DebugShape, Velocity, prelude::*};
use proptest::prelude::*;

use crate::common::{Sim, at, rng::cases};

/// Asks both what they request and where they draw the target that they foresee.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Both {
    pursue: Pursue,
    evade: Evade,
    /// The requested velocity and the way to the drawn guess, of each.
    asked: [(Vec3, Vec3); 2],
    blend: Blend,
}

fn ask<'w, 's, B: SteeringBehavior>(
    behavior: &mut B,
    agent: &Agent,
    params: &ParamOf<'w, 's, B>,
) -> (Vec3, Vec3) {
    let requested = behavior.steer(agent, params).linear.unwrap_or_default() + agent.velocity;
    let mut draw = DebugDraw::of([DebugLayer::Guess]);
    behavior.debug_draw(agent, params, &mut draw);
    let mark = draw.shapes().iter().find_map(|&(_, shape)| match shape {
        DebugShape::Mark(place) => Some(place),
        _ => None,
    });
    (requested, mark.expect("a guess") - agent.position)
}

impl SteeringBehavior for Both {
    type Param = (<Pursue as SteeringBehavior>::Param, <Evade as SteeringBehavior>::Param);
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, (pursue, evade): &ParamOf<Self>) -> Steering {
        self.asked = [ask(&mut self.pursue, agent, pursue), ask(&mut self.evade, agent, evade)];
        Steering::NONE
    }
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach].prop_map(|[x, y]| Vec3::new(x, y, 0.0))
}

const KINDS: [Prediction; 3] = [Prediction::Distance, Prediction::OwnSpeed, Prediction::Intercept];

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn evade_never_heads_for_the_threat_nor_pursue_away(
        place in vector(20.0),
        velocity in vector(15.0),
        own_velocity in vector(6.0),
        kind in 0..3_usize,
        max_speed in 0.5_f32..10.0,
        max_look_ahead in 0.1_f32..5.0,
    ) {
        prop_assume!(place.length() > 0.1);
        let mut sim = Sim::without_motion();
        sim.app.add_steering_behavior::<Both>();
        let target = sim.spawn((at(place.x, place.y), Velocity(velocity)));
        let prediction = KINDS[kind];
        let both = Both {
            pursue: Pursue { prediction, max_look_ahead, ..Pursue::new(target) },
            evade: Evade { prediction, max_look_ahead, ..Evade::new(target) },
            ..default()
        };
        let agent = sim.spawn((Vehicle::new(max_speed), Velocity(own_velocity), both, at(0.0, 0.0)));
        sim.tick();
        let [(pursued, guess), (evaded, evaded_guess)] = sim.get::<Both>(agent).asked;
        prop_assert_eq!(guess, evaded_guess);
        let rounding = 1e-3 * max_speed;
        prop_assert!(pursued.dot(place.normalize()) >= -rounding, "pursues by {pursued}");
        prop_assert!(evaded.dot(place.normalize()) <= rounding, "evades by {evaded}");
        if guess.length() > 1e-3 {
            let requested = guess.normalize() * max_speed;
            prop_assert!((pursued - requested).length() < rounding, "{pursued} for {requested}");
            prop_assert!((evaded + requested).length() < rounding, "{evaded} for {requested}");
        }
    }
}

#[test]
fn pursue_does_not_turn_from_what_comes_at_it() {
    for prediction in KINDS {
        let mut sim = Sim::new();
        // It will be far behind the hunter after the time that the way to it would take.
        let bull = sim.spawn((at(12.0, 0.1), Velocity(Vec3::X * -20.0)));
        let pursue = Pursue::new(bull).with_prediction(prediction);
        let hunter = sim.spawn((Vehicle::new(3.0), Velocity(Vec3::X), pursue, at(0.0, 0.0)));
        sim.run(0.4);
        assert!(sim.velocity(hunter).x > 0.9, "{prediction:?}: {}", sim.velocity(hunter));
    }
}
