//! What is drawn of a flock is what it sees.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, DebugLayer, DebugShape, Heading, Velocity, prelude::*};

use crate::common::{Sim, at};

/// Has a flock draw itself.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Drawn {
    flock: Flock,
    along: Vec3,
    around: f32,
    links: Vec<Vec3>,
    blend: Blend,
}

impl SteeringBehavior for Drawn {
    type Param = <Flock as SteeringBehavior>::Param;
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, changes: &ParamOf<Self>) -> Steering {
        let mut draw = DebugDraw::of(DebugLayer::ALL);
        self.flock.debug_draw(agent, changes, &mut draw);
        for &(layer, shape) in draw.shapes() {
            match shape {
                DebugShape::Sector { along, .. } => self.along = along,
                DebugShape::Circle { radius, .. } if layer == DebugLayer::View => {
                    self.around = radius;
                }
                DebugShape::Line(_, to) if layer == DebugLayer::Link => self.links.push(to),
                _ => {}
            }
        }
        Steering::NONE
    }
}

#[test]
fn the_drawn_view_is_the_one_that_the_flock_uses() {
    let mut sim = Sim::without_motion();
    sim.app.add_steering_behavior::<Drawn>();
    let flock = Flock::new(8.0).with_view_angle(2.0).with_cruise(0.0);
    // It goes to the right and looks up.
    let body = (Vehicle::default(), Velocity(Vec3::X), Heading(Vec3::Y), at(0.0, 0.0));
    let drawn = Drawn { flock, ..default() };
    let agent = sim.spawn((body, WhenIdle::Coast, AngularVelocity::default(), flock, drawn));
    sim.spawn((Vehicle::default(), at(0.0, 3.0)));
    sim.tick();
    assert_eq!(sim.get::<SteeringForce>(agent).linear, Vec3::ZERO, "it is beside it");
    let ahead = sim.spawn((Vehicle::default(), at(3.0, 0.0)));
    sim.tick();
    assert_ne!(sim.get::<SteeringForce>(agent).linear, Vec3::ZERO);
    let drawn = sim.get::<Drawn>(agent);
    assert_eq!(drawn.along, Vec3::X);
    assert_eq!(drawn.links, [sim.position(ahead)]);
    assert_eq!(drawn.around, 0.0);
    sim.get_mut::<Drawn>(agent).flock.view_angle = core::f32::consts::TAU;
    sim.tick();
    assert_eq!(sim.get::<Drawn>(agent).around, 8.0, "it sees all round");
}
