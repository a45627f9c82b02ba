//! `Flee` and `Evade` among several threats.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::{Sim, at, place};

const HUNTER: SteeringLayers = SteeringLayers::layer(2);
const SIGHT: f32 = 20.0;
const APART: f32 = 8.0;

/// How often prey turns back in ten seconds between two hunters, how near they come, and how far
/// the nearer one is in the end. `hunts` is whether the hunters pursue it.
fn run_between_two(prey: impl Bundle, start: Transform, hunts: bool) -> (u32, f32, f32) {
    let mut sim = Sim::new();
    let prey = sim.spawn((Vehicle::new(5.0), prey, start));
    let hunters = [-APART, APART].map(|x| {
        let hunter = sim.spawn((Vehicle::new(4.5), HUNTER, at(x, 0.0)));
        if hunts {
            sim.app.world_mut().entity_mut(hunter).insert(Pursue::new(prey));
        }
        hunter
    });
    let (mut turns, mut way, mut nearest) = (0, Vec3::ZERO, f32::INFINITY);
    let mut last = 0.0;
    for _ in 0..640 {
        sim.tick();
        let velocity = sim.velocity(prey);
        if way == Vec3::ZERO && velocity.length() > 1.0 {
            way = velocity;
        }
        if velocity.dot(way) < 0.0 {
            (turns, way) = (turns + 1, velocity);
        }
        let distances = hunters.map(|hunter| sim.position(hunter).distance(sim.position(prey)));
        last = distances[0].min(distances[1]);
        nearest = nearest.min(last);
    }
    (turns, nearest, last)
}

#[test]
fn prey_leaves_sideways_between_two_hunters() {
    let all = Target::all(HUNTER, SIGHT);
    for start in [at(0.0, 0.0), at(0.4, 0.1), at(-3.0, 0.0), at(5.0, -1.0)] {
        for hunts in [false, true] {
            let case = format!("from {}, hunted: {hunts}", start.translation);
            for (turns, nearest, last) in [
                run_between_two(Flee::new(all), start, hunts),
                run_between_two(Evade::new(all), start, hunts),
                run_between_two(Evade::new(all).within(12.0), start, hunts),
            ] {
                assert!(turns <= 2, "{case}: {turns} turns");
                assert!(nearest > 0.3 * (APART - start.translation.x.abs()), "{case}: {nearest}");
                let is_away = if hunts { last > 1.8 * nearest } else { last > 11.0 };
                assert!(is_away, "{case}: {last} away after {nearest}");
            }
        }
    }
}

#[test]
fn prey_that_flees_the_nearest_of_two_does_not_tremble() {
    let nearest = Target::nearest(HUNTER, SIGHT);
    for start in [at(0.0, 0.0), at(0.4, 0.1), at(-3.0, 0.0), at(0.0, 1.0)] {
        for (turns, ..) in [
            run_between_two(Flee::new(nearest), start, false),
            run_between_two(Evade::new(nearest), start, false),
        ] {
            assert!(turns <= 15, "from {}: {turns} turns", start.translation);
        }
    }
}

#[test]
fn prey_escapes_between_hunters_in_a_ring() {
    for count in 2..5 {
        let mut sim = Sim::new();
        let hunters: Vec<Entity> = (0..count)
            .map(|i| Vec2::from_angle(i as f32 * core::f32::consts::TAU / count as f32) * APART)
            .map(|place| sim.spawn((HUNTER, at(place.x, place.y))))
            .collect();
        let flee = Flee::new(Target::all(HUNTER, SIGHT));
        let prey = sim.spawn((Vehicle::new(5.0), flee, at(0.2, 0.1)));
        sim.run(10.0);
        let distance = |&hunter: &Entity| sim.position(hunter).distance(sim.position(prey));
        let nearest = hunters.iter().map(distance).fold(f32::INFINITY, f32::min);
        assert!(nearest > SIGHT - 1.0, "{count} hunters, {nearest} away");
    }
}

#[test]
fn a_single_one_of_all_threats_is_left_straight() {
    let run = |target: Target| {
        let mut sim = Sim::new();
        sim.spawn((Vehicle::new(3.0), HUNTER, at(3.0, 4.0)));
        let prey = (Vehicle::new(5.0), Flee::new(target), Evade::new(target), at(0.0, 0.0));
        let prey = sim.spawn(prey);
        sim.run(1.0);
        sim.position(prey)
    };
    assert_eq!(run(Target::all(HUNTER, SIGHT)), run(Target::nearest(HUNTER, SIGHT)));
}

#[test]
fn a_threat_that_comes_in_reach_does_not_jerk() {
    let wish = |second: f32| {
        let mut sim = Sim::without_motion();
        sim.spawn((HUNTER, at(5.0, 0.0)));
        sim.spawn((HUNTER, at(0.0, second)));
        let flee = Flee::new(Target::all(HUNTER, SIGHT));
        let prey = sim.spawn((Vehicle::new(5.0).with_max_force(1e6), flee, at(0.0, 0.0)));
        sim.tick();
        sim.wish(prey)
    };
    let change = (wish(SIGHT - 0.01) - wish(SIGHT + 0.01)).length();
    assert!(change < 0.05, "{change}");
    assert!(wish(6.0).y < -1.0, "{}", wish(6.0));
}

/// Prey that flees from hunters within a distance.
type Prey = fn(&mut EntityWorldMut, f32);

/// What prey did in half a minute while a hunter crept closer.
#[derive(Debug)]
struct Alarms {
    /// How often it set off in the worst second.
    starts: usize,
    /// How often targets were found and lost.
    told: usize,
    /// The least distance, in panic distances.
    nearest: f32,
}

fn creep_up(
    plane: SteeringPlane,
    prey: Prey,
    max_speed: f32,
    hunter_speed: f32,
    panic: f32,
) -> Alarms {
    let mut sim = Sim::in_plane(plane);
    sim.app.init_resource::<Told>();
    sim.app.add_observer(|_: On<TargetFound>, mut told: ResMut<Told>| told.0 += 1);
    sim.app.add_observer(|_: On<TargetLost>, mut told: ResMut<Told>| told.0 += 1);
    let vehicle = Vehicle::new(max_speed);
    let agent = sim.spawn(vehicle);
    let start = Transform::from_translation(place(plane, Vec2::X * panic * 1.4));
    let hunter = sim.spawn((Vehicle::new(hunter_speed), HUNTER, Seek::new(agent), start));
    let mut agent = sim.app.world_mut().entity_mut(agent);
    prey(&mut agent, panic);
    if let Some(mut flee) = agent.get_mut::<Flee>()
        && flee.target == Target::None
    {
        flee.target = hunter.into();
    }
    let agent = agent.id();
    let (mut runs, mut starts, mut nearest) = (false, [0; 30], f32::INFINITY);
    for tick in 0..30 * 64 {
        sim.tick();
        let offset = sim.position(agent) - sim.position(hunter);
        nearest = nearest.min(offset.length() / panic);
        let force = sim.get::<SteeringForce>(agent).linear.dot(offset.normalize());
        if force > 0.05 * vehicle.max_force && !runs {
            (runs, starts[tick / 64]) = (true, starts[tick / 64] + 1);
        } else if force < -0.05 * vehicle.max_force {
            runs = false;
        }
    }
    let told = sim.app.world().resource::<Told>().0;
    Alarms { starts: starts.into_iter().max().unwrap(), told, nearest }
}

#[derive(Resource, Default)]
struct Told(usize);

#[test]
fn prey_does_not_tremble_before_a_hunter_that_creeps_up() {
    let mut failures = Vec::new();
    let prey: [Prey; 14] = [
        |agent, panic| _ = agent.insert(Flee::default().within(panic)),
        |agent, panic| _ = agent.insert(Flee::new(Target::nearest(HUNTER, panic))),
        |agent, panic| _ = agent.insert(Flee::new(Target::all(HUNTER, panic))),
        |agent, panic| {
            _ = agent.insert(Flee::new(Target::all(HUNTER, panic * 2.0)).within(panic));
        },
        |agent, panic| _ = agent.insert(Evade::new(Target::nearest(HUNTER, panic))),
        |agent, panic| _ = agent.insert(Evade::new(Target::all(HUNTER, panic))),
        |agent, panic| {
            _ = agent.insert(Evade::new(Target::nearest(HUNTER, panic * 2.0)).within(panic));
        },
        |agent, panic| {
            let flee = Several::new([Flee::new(Target::all(HUNTER, panic))]);
            _ = agent.insert((flee, ThinkEvery(4)));
        },
        |agent, panic| {
            let flee = Evade::new(Target::all(HUNTER, panic));
            _ = agent.insert((flee, Arbitration::WeightedSum));
        },
        |agent, panic| {
            let flee = Flee::new(Target::nearest(HUNTER, panic));
            _ = agent.insert((flee, Arbitration::WeightedSum, ThinkEvery(3)));
        },
        |agent, panic| {
            let flee = Flee::new(Target::nearest(HUNTER, panic));
            _ = agent.insert((flee, Arbitration::FirstActive { epsilon: 0.01 }));
        },
        |agent, panic| {
            let flee = Evade::new(Target::all(HUNTER, panic));
            _ = agent.insert((flee, Arbitration::FirstActive { epsilon: 0.01 }));
        },
        |agent, panic| {
            let flee = Flee::new(Target::all(HUNTER, panic));
            _ = agent.insert((flee, Arbitration::dithered()));
        },
        |agent, panic| {
            let flee = Evade::new(Target::nearest(HUNTER, panic));
            _ = agent.insert((flee, Arbitration::dithered()));
        },
    ];
    let [xy, xz, free] = [SteeringPlane::Xy, SteeringPlane::Xz, SteeringPlane::Free];
    for (plane, max_speed, panic, shares) in [
        (xy, 5.0, 10.0, &[0.02, 0.1, 0.3, 0.5, 0.8][..]),
        (xy, 5.0, 3.0, &[0.02, 0.1, 0.3, 0.5, 0.8]),
        (xy, 1.0, 4.0, &[0.02, 0.5]),
        (xy, 20.0, 10.0, &[0.1, 0.8]),
        (xz, 5.0, 10.0, &[0.3]),
        (free, 5.0, 10.0, &[0.1]),
    ] {
        for &share in shares {
            for (i, &prey) in prey.iter().enumerate() {
                let alarms = creep_up(plane, prey, max_speed, share * max_speed, panic);
                let case = format!("{i} {plane:?}: {max_speed} {panic} {share}: {alarms:?}");
                if alarms.starts > 1 || alarms.told > 12 || alarms.nearest < 0.7 {
                    failures.push(case);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
}
