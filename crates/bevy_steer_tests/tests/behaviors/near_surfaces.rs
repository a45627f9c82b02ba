//! What a game's own behaviour is told of the obstacles and walls near its agent.

use bevy::prelude::*;
use bevy_steer::{NearSurfaces, ParamOf, SurfaceReach, Velocity, prelude::*};

use crate::common::{Sim, at};

/// Notes what it is told: entities, distances and normals.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Feel {
    around: f32,
    look_ahead: f32,
    layers: SteeringLayers,
    told: Vec<Told>,
    blend: Blend,
}

#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
struct Told {
    entity: Entity,
    distance: f32,
    normal: Vec3,
}

impl Feel {
    fn around(distance: f32) -> Self {
        Self { around: distance, layers: SteeringLayers::ALL, ..default() }
    }
}

impl SteeringBehavior for Feel {
    type Param = NearSurfaces<'static>;
    const PRIORITY: Priority = Priority::Normal;
    const DRIVES: bool = false;
    const SURFACES: bool = true;
    const LIMITS: bool = true;
    bevy_steer::blend_field!();

    fn surface_reach(&self, _: &Agent) -> SurfaceReach {
        let Self { around, look_ahead, layers, .. } = *self;
        SurfaceReach { look_ahead, clearance: 1.0, layers, ..SurfaceReach::around(around) }
    }

    fn steer(&mut self, agent: &Agent, surfaces: &ParamOf<Self>) -> Steering {
        let told = surfaces.of(agent, self.layers).map(|surface| Told {
            entity: surface.obstacle.entity,
            distance: surface.distance,
            normal: surface.normal,
        });
        self.told = told.collect();
        Steering::NONE
    }

    fn limits(&mut self, agent: &Agent, surfaces: &ParamOf<Self>, _: &mut VelocityLimits) {
        assert_eq!(surfaces.of(agent, self.layers).count(), self.told.len(), "the same list");
    }
}

fn sim() -> Sim {
    let mut sim = Sim::without_motion();
    sim.app.add_steering_behavior::<Feel>();
    sim
}

fn told(sim: &mut Sim, agent: Entity) -> Vec<Entity> {
    sim.tick();
    sim.get::<Feel>(agent).told.iter().map(|told| told.entity).collect()
}

#[test]
fn the_nearest_comes_first_with_its_distance_and_normal() {
    let mut sim = sim();
    let wall = sim.spawn(Wall::new(Vec2::new(-9.0, 4.0), Vec2::new(9.0, 4.0)));
    let ball = sim.spawn((Obstacle::sphere(1.0), at(3.0, 0.0)));
    sim.spawn((Obstacle::sphere(1.0), at(-20.0, 0.0)));
    let agent = sim.spawn((Vehicle::default(), Feel::around(5.0)));
    sim.tick();
    assert_eq!(
        sim.get::<Feel>(agent).told,
        [
            Told { entity: ball, distance: 2.0, normal: Vec3::NEG_X },
            Told { entity: wall, distance: 4.0, normal: Vec3::NEG_Y },
        ]
    );
}

#[test]
fn an_agent_is_told_of_what_it_and_others_run_into() {
    let mut sim = sim();
    let ahead = sim.spawn((Obstacle::sphere(1.0), at(20.0, 1.5)));
    let crossing = sim.spawn((Obstacle::sphere(1.0), at(10.0, 30.0), Velocity(Vec3::NEG_Y * 15.0)));
    sim.spawn((Obstacle::sphere(1.0), at(20.0, 9.0)));
    sim.spawn((Obstacle::sphere(1.0), at(-9.0, 0.0)));
    let feel = Feel { look_ahead: 4.0, ..Feel::around(1.0) };
    let agent = sim.spawn((Vehicle::default(), Velocity(Vec3::X * 5.0), feel));
    assert_eq!(told(&mut sim, agent), [ahead, crossing]);
}

#[test]
fn layers_heights_and_the_agent_itself_are_left_out() {
    let plugin = SteeringPlugin::new(Update).with_plane(SteeringPlane::Xz).without_integration();
    let mut sim = Sim::with(plugin, 64.0);
    sim.app.add_steering_behavior::<Feel>();
    let beside = |x, y| Transform::from_xyz(x, y, 0.0);
    let [low, high] = [0, 1].map(SteeringLayers::layer);
    let seen = sim.spawn((Obstacle::sphere(1.0).with_layers(low), beside(3.0, 0.0)));
    sim.spawn((Obstacle::sphere(1.0).with_layers(high), beside(-3.0, 0.0)));
    sim.spawn((Obstacle::sphere(1.0).with_layers(low), beside(3.0, 9.0)));
    let feel = Feel { layers: low, ..Feel::around(5.0) };
    let body = Obstacle::sphere(0.5).with_layers(low);
    let agent = sim.spawn((Vehicle::default(), feel, body, Transform::default()));
    assert_eq!(told(&mut sim, agent), [seen]);
}

#[test]
fn a_world_that_wraps_is_seen_across_its_seam() {
    let mut sim = sim();
    let edges = Bounds::rect(Vec2::splat(-50.0), Vec2::splat(50.0), BoundsEdge::Wrap);
    sim.app.insert_resource(WorldBounds(edges));
    let ball = sim.spawn((Obstacle::sphere(1.0), at(-48.0, 0.0)));
    let agent = sim.spawn((Vehicle::default(), Feel::around(5.0), at(49.0, 0.0)));
    sim.tick();
    let told = Told { entity: ball, distance: 2.0, normal: Vec3::NEG_X };
    assert_eq!(sim.get::<Feel>(agent).told, [told]);
}

#[test]
fn at_most_sixteen_are_told_the_nearest_ones() {
    let mut sim = sim();
    let balls: Vec<Entity> = (0..30)
        .map(|i| sim.spawn((Obstacle::sphere(0.5), at(2.0 + 0.1 * i as f32, 0.0))))
        .collect();
    let agent = sim.spawn((Vehicle::default(), Feel::around(9.0)));
    assert_eq!(told(&mut sim, agent), balls[..16]);
}

#[test]
fn an_agent_is_told_in_its_turns_and_while_a_behaviour_looks() {
    let mut sim = sim();
    let ball = sim.spawn((Obstacle::sphere(1.0), at(3.0, 0.0)));
    let agent = sim.spawn((Vehicle::default(), Feel::around(5.0), ThinkEvery(3)));
    for _ in 0..7 {
        sim.get_mut::<Feel>(agent).told.clear();
        let told = told(&mut sim, agent);
        assert!(told.is_empty() || told == [ball]);
    }
    sim.app.world_mut().entity_mut(agent).remove::<ThinkEvery>();
    assert_eq!(told(&mut sim, agent), [ball]);
    let other = Feel { around: 1.0, ..sim.get::<Feel>(agent).clone() };
    let mut entity = sim.app.world_mut().entity_mut(agent);
    entity.remove::<Feel>();
    entity.insert(Several::new([other.clone(), Feel::around(5.0), other.disabled()]));
    sim.tick();
    let several = sim.get::<Several<Feel>>(agent);
    assert_eq!([0, 1].map(|i| several[i].told.len()), [1, 1], "what one asks for all are told");
    sim.get_mut::<Several<Feel>>(agent)[1].set_enabled(false);
    sim.tick();
    assert!(sim.get::<Several<Feel>>(agent)[0].told.is_empty());
}
