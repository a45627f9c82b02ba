//! What a behaviour learns of other agents that its agent may collide with.

use bevy::prelude::*;
use bevy_steer::{
    Bounds, BoundsEdge, EncounterRequest, Encounters, ParamOf, Velocity, WorldBounds, prelude::*,
};
use proptest::prelude::*;

use crate::common::{
    Sim, at,
    rng::{TestRng, cases},
};

/// A behaviour of a game that remembers the agents that it may collide with.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component)]
struct Probe {
    layers: SteeringLayers,
    room: f32,
    look_ahead: f32,
    seen: Vec<Entity>,
    offsets: Vec<Vec3>,
    claims: usize,
    blend: Blend,
}

impl Default for Probe {
    fn default() -> Self {
        Self {
            layers: SteeringLayers::ALL,
            room: 1.0,
            look_ahead: 1.5,
            seen: Vec::new(),
            offsets: Vec::new(),
            claims: 0,
            blend: Blend::default(),
        }
    }
}

impl SteeringBehavior for Probe {
    type Param = Encounters<'static>;
    const PRIORITY: Priority = Priority::Normal;
    const DRIVES: bool = false;
    const ENCOUNTERS: bool = true;
    bevy_steer::blend_field!();

    fn encounter_request(&self, _: &Agent) -> Option<EncounterRequest> {
        Some(EncounterRequest {
            layers: self.layers,
            ..EncounterRequest::new(self.room, self.look_ahead)
        })
    }

    fn steer(&mut self, agent: &Agent, encounters: &ParamOf<Self>) -> Steering {
        let found = || encounters.of(agent);
        self.seen = found().map(|other| other.entity).collect();
        self.offsets = found().map(|other| other.offset).collect();
        self.claims = found().filter(|other| other.claim.is_some()).count();
        Steering::NONE
    }
}

fn sim_in(plane: SteeringPlane) -> Sim {
    let plugin = SteeringPlugin::new(Update).with_plane(plane).without_integration();
    let mut sim = Sim::with(plugin, 64.0);
    sim.app.add_steering_behavior::<Probe>();
    sim
}

fn seen(sim: &Sim, agent: Entity) -> &[Entity] {
    &sim.app.world().get::<Probe>(agent).expect("a probe").seen
}

#[test]
fn a_behavior_of_a_game_is_told_who_comes() {
    let mut sim = sim_in(SteeringPlane::Xy);
    let agent = sim.spawn((Vehicle::default(), Probe::default()));
    let comes = Velocity(Vec3::NEG_X * 5.0);
    let walker = sim.spawn((Vehicle::default(), at(5.0, 0.2), comes, AvoidAgents::default()));
    let mover = sim.spawn((at(0.0, 3.0), Velocity(Vec3::NEG_Y * 4.0), SteeringLayers::ALL));
    // One that goes away, one that passes by, and something that does not move.
    sim.spawn((Vehicle::default(), at(-5.0, 0.0), comes));
    sim.spawn((Vehicle::default(), at(5.0, 4.0), comes));
    sim.spawn((at(2.0, 0.0), SteeringLayers::ALL));
    sim.tick();
    assert_eq!(seen(&sim, agent), [mover, walker], "the nearest first");
    let probe = sim.app.world().get::<Probe>(agent).expect("a probe");
    assert_eq!(probe.offsets, [Vec3::Y * 3.0, Vec3::new(5.0, 0.2, 0.0)]);
    assert_eq!(probe.claims, 1, "only the walker avoids others");
}

#[test]
fn a_behavior_that_is_switched_off_does_not_look() {
    let mut sim = sim_in(SteeringPlane::Xy);
    let place = |x: f32| (Vehicle::default(), at(x, 0.0), Probe::default());
    let [a, b] = [0.0, 1.0].map(|x| sim.spawn(place(x)));
    sim.tick();
    assert_eq!([seen(&sim, a), seen(&sim, b)], [[b], [a]]);
    sim.app.world_mut().get_mut::<Probe>(a).expect("a probe").set_enabled(false);
    sim.app.world_mut().despawn(b);
    sim.tick();
    assert_eq!(seen(&sim, a), [b], "as it was when it was switched off");
}

#[test]
fn what_one_behavior_asks_for_changes_nothing_for_another() {
    let wish = |with_probe: bool| {
        let mut sim = sim_in(SteeringPlane::Xy);
        let avoid = AvoidAgents::default().with_layers(SteeringLayers::layer(1));
        let way = (Velocity(Vec3::X * 5.0), Seek::new(Vec2::X * 50.0));
        let agent = sim.spawn((Vehicle::default(), avoid, way));
        if with_probe {
            let probe = Probe { room: 3.0, look_ahead: 4.0, ..Probe::default() };
            sim.app.world_mut().entity_mut(agent).insert(probe);
        }
        for (y, layer) in [(0.3, 1), (-0.3, 2)] {
            sim.spawn((Vehicle::default(), at(4.0, y), SteeringLayers::layer(layer)));
        }
        sim.tick();
        let count = with_probe.then(|| seen(&sim, agent).len());
        (sim.app.world().get::<SteeringForce>(agent).expect("a force").linear, count)
    };
    let (alone, both) = (wish(false), wish(true));
    assert_eq!(alone.0, both.0);
    assert_eq!(both.1, Some(2), "the probe looks in all layers");
}

#[test]
fn a_crowd_does_not_hide_a_bullet() {
    let mut sim = sim_in(SteeringPlane::Xy);
    let agent = sim.spawn((Vehicle::default(), Probe::default()));
    let mut rng = TestRng::new(4, 2);
    for _ in 0..300 {
        let place = Vec3::new(rng.number(-12.0..12.0), rng.number(-12.0..12.0), 0.0);
        let comes = Velocity(-place.normalize_or_zero());
        sim.spawn((Vehicle::default(), Transform::from_translation(place), comes));
    }
    let bullet = sim.spawn((Vehicle::new(60.0), at(50.0, 0.0), Velocity(Vec3::NEG_X * 60.0)));
    sim.tick();
    assert!(seen(&sim, agent).len() >= 16 && seen(&sim, agent).contains(&bullet));
}

#[test]
fn in_a_pile_each_regards_a_few_others_and_not_all_the_same() {
    let mut sim = sim_in(SteeringPlane::Xy);
    let probe = Probe::default();
    let all: Vec<Entity> =
        (0..3000).map(|_| sim.spawn((Vehicle::default(), at(1.0, 1.0), probe.clone()))).collect();
    sim.tick();
    let mut regarded: Vec<Entity> = Vec::new();
    for &agent in &all {
        assert_eq!(seen(&sim, agent).len(), 8);
        regarded.extend(seen(&sim, agent));
    }
    regarded.sort_unstable();
    regarded.dedup();
    assert!(regarded.len() > all.len() / 4, "{}", regarded.len());
}

proptest! {
    #![proptest_config(cases(40))]

    /// Against a search of all pairs: in all planes, also where the world wraps, of mixed sizes,
    /// speeds and layers, and with stragglers.
    #[test]
    fn whoever_collides_is_found_once(seed: u64, wraps: bool, plane in 0..3_usize) {
        const HALF: f32 = 30.0;
        let plane = SteeringPlane::ALL[plane];
        let mut sim = sim_in(plane);
        let edges = Bounds::cuboid(Vec3::splat(-HALF), Vec3::splat(HALF), BoundsEdge::Wrap);
        let bounds = if wraps { edges } else { Bounds::UNBOUNDED };
        sim.app.insert_resource(WorldBounds(bounds));
        let mut rng = TestRng::new(seed, 1);
        let mut all = Vec::new();
        for i in 0..150 {
            let mut point = |half: f32| {
                plane.flatten(Vec3::from_array([(); 3].map(|()| rng.number(-half..half))))
            };
            let is_rare = i % 17 == 3;
            let place = point(if is_rare && !wraps { 900.0 } else { HALF });
            let velocity = point(3.0) * if is_rare { 40.0 } else { 1.0 };
            let radius = if i % 23 == 5 { 8.0 } else { 0.5 };
            let layers = SteeringLayers([1, 2, 3][i % 3]);
            let probe = Probe {
                layers: SteeringLayers([1, 2, u32::MAX][i % 3]),
                look_ahead: rng.number(0.0..2.0),
                ..Probe::default()
            };
            let place_of = Transform::from_translation(place);
            let body = Vehicle::new(200.0).with_radius(radius);
            let entity =
                sim.spawn((body, place_of, layers, Velocity(velocity), probe.clone()));
            all.push((entity, place, velocity, radius, layers, probe));
        }
        sim.tick();
        let (mut found, mut left_out) = (0, 0);
        for (entity, place, velocity, _, _, probe) in &all {
            let seen = seen(&sim, *entity);
            let mut unique = seen.to_vec();
            unique.sort_unstable();
            unique.dedup();
            prop_assert_eq!(unique.len(), seen.len(), "each once");
            for (other, there, other_velocity, radius, layers, _) in &all {
                let offset = bounds.shortest(*there - *place);
                let relative = *velocity - *other_velocity;
                let squared = relative.length_squared().max(f32::MIN_POSITIVE);
                let time = (relative.dot(offset) / squared).clamp(0.0, probe.look_ahead);
                let collides = (offset - relative * time).length() < 1.0 + radius - 1e-2;
                let counts = layers.overlaps(probe.layers) && other != entity;
                let is_seen = seen.contains(other);
                prop_assert!(counts || !is_seen, "itself, or another layer");
                // Where the nearest 16 are many, farther ones are left out.
                let is_full = seen.len() >= 16;
                prop_assert!(!(counts && collides) || is_seen || is_full, "{} {}", offset, time);
                found += usize::from(is_seen);
                left_out += usize::from(counts && !is_seen);
            }
        }
        prop_assert!(found > 0 && left_out > found, "{} {}", found, left_out);
    }
}
