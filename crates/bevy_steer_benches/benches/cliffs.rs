//! What one unusual thing costs a world: `cargo bench -p bevy_steer_benches --bench cliffs`.
//!
//! Each row is a world without and with it: microseconds a tick, the least of many ticks that are
//! measured in turns, and the ratio. Costs follow what is near, so few ratios are above 2. Rows
//! can be picked by a part of their names.
#![allow(missing_docs, reason = "a program")]

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_steer::{Arbitration, Path, Velocity, prelude::*};

/// So short that nothing gets anywhere.
const STILL: Duration = Duration::from_micros(1);
/// As in a game.
const GAME: Duration = Duration::from_micros(15_625);

const TARGETS: SteeringLayers = SteeringLayers::layer(3);

/// Something that happens before each tick; the tick is counted.
type Each = fn(&mut World, u32);

struct Crowd {
    app: App,
    each: Each,
    tick: u32,
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    /// From zero to one.
    fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn place(&mut self, side: f32) -> Vec3 {
        Vec3::new(self.share() - 0.5, self.share() - 0.5, 0.0) * side
    }

    fn velocity(&mut self, speed: f32) -> Velocity {
        let turn = self.share() * core::f32::consts::TAU;
        Velocity(Vec2::from_angle(turn).extend(0.0) * (speed * (0.5 + 0.5 * self.share())))
    }
}

/// A world with agents that have some components, and what else `fill` puts there.
fn crowd<B: Bundle>(
    count: usize,
    side: f32,
    mut behavior: impl FnMut(&mut Dice) -> B,
    fill: impl FnOnce(&mut World, &mut Dice),
) -> Crowd {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
    let mut dice = Dice(1);
    for _ in 0..count {
        let body = (Vehicle::default(), dice.velocity(5.0));
        let place = Transform::from_translation(dice.place(side));
        let behavior = behavior(&mut dice);
        app.world_mut().spawn((body, place, behavior));
    }
    fill(app.world_mut(), &mut Dice(2));
    Crowd { app, each: |_, _| {}, tick: 0 }
}

impl Crowd {
    fn before_each(mut self, each: Each) -> Self {
        self.each = each;
        self
    }

    /// One tick, in microseconds.
    fn tick(&mut self, step: Duration) -> f64 {
        let world = self.app.world_mut();
        world.resource_mut::<Time>().advance_by(step);
        self.tick += 1;
        let begin = Instant::now();
        (self.each)(world, self.tick);
        world.run_schedule(SteeringSchedule);
        begin.elapsed().as_secs_f64() * 1e6
    }
}

fn compare(name: &str, mut before: Crowd, mut after: Crowd) {
    let (mut least, mut spent) = ([f64::INFINITY; 2], 0.0);
    for turn in 0..200 {
        let times = [before.tick(STILL), after.tick(STILL)];
        // What happens once is not what is measured.
        if turn >= 3 {
            least = [0, 1].map(|i| least[i].min(times[i]));
        }
        spent += times[0] + times[1];
        if turn >= 8 && spent > 600_000.0 {
            break;
        }
    }
    report(name, least);
}

/// The mean of the first second of a world that is new.
fn compare_from_the_start(name: &str, build: [fn() -> Crowd; 2]) {
    let mean = |build: fn() -> Crowd| {
        let mut crowd = build();
        (0..64).map(|_| crowd.tick(GAME)).sum::<f64>() / 64.0
    };
    report(name, build.map(mean));
}

fn report(name: &str, [before, after]: [f64; 2]) {
    println!("{name:<58} {before:9.0} {after:9.0} {:7.2}", after / before);
}

fn nothing(_: &mut World, _: &mut Dice) {}

fn avoiders(fill: impl FnOnce(&mut World)) -> Crowd {
    crowd(2_000, 200.0, |_| AvoidAgents::default(), |world, _| fill(world))
}

/// A body at rest.
fn body(x: f32, radius: f32) -> (Vehicle, Transform) {
    (Vehicle::default().with_radius(radius), Transform::from_xyz(x, 0.0, 0.0))
}

fn fast(speed: f32) -> (Velocity, Transform) {
    (Velocity(Vec3::X * speed), Transform::from_xyz(20.0, 10.0, 0.0))
}

fn heap(count: usize) -> Crowd {
    crowd(count, 0.0, |_| AvoidAgents::default(), nothing)
}

fn stones(count: usize) -> impl FnOnce(&mut World, &mut Dice) {
    move |world, dice| {
        for _ in 0..count {
            let place = Transform::from_translation(dice.place(200.0));
            world.spawn((Obstacle::sphere(0.4), place));
        }
    }
}

fn among_stones(count: usize, fill: impl FnOnce(&mut World)) -> Crowd {
    crowd(
        2_000,
        200.0,
        |_| AvoidObstacles::default(),
        |world, dice| {
            stones(count)(world, dice);
            fill(world);
        },
    )
}

/// The obstacle that moves.
#[derive(Component)]
struct Mover;

fn move_it(world: &mut World, tick: u32) {
    let mut movers = world.query_filtered::<&mut Transform, With<Mover>>();
    for mut place in movers.iter_mut(world) {
        place.translation.x = 20.0 + tick as f32 * 1e-3;
    }
}

fn seekers(targets: Option<usize>) -> Crowd {
    let mut number = 0;
    let layer = if targets.is_some() { TARGETS } else { SteeringLayers::ALL };
    let agent = move |_: &mut Dice| {
        number += 1;
        let is_target = targets.is_some_and(|count| number <= count);
        let own = if is_target { TARGETS } else { SteeringLayers::default() };
        (own, Seek::new(Target::nearest(layer, f32::INFINITY)))
    };
    crowd(2_000, 200.0, agent, nothing)
}

fn walls(world: &mut World, dice: &mut Dice, count: usize, length: f32) {
    for _ in 0..count {
        let from = dice.place(200.0);
        world.spawn(Wall::new(from, from + dice.velocity(1.0).0.normalize() * length));
    }
}

fn among_walls(long: usize) -> Crowd {
    crowd(
        2_000,
        200.0,
        |_| AvoidWalls::default(),
        |world, dice| {
            walls(world, dice, 400, 4.0);
            walls(world, dice, long, 100.0);
        },
    )
}

fn many<B: Bundle>(more: impl Fn() -> B) -> Crowd {
    crowd(20_000, 600.0, |dice| (Seek::new(dice.place(600.0)), more()), nothing)
}

fn assign(world: &mut World, tick: u32) {
    let mut seekers = world.query::<&mut Seek>();
    for (i, mut seek) in seekers.iter_mut(world).enumerate() {
        seek.target = Vec3::new((i % 601) as f32, tick as f32, 0.0).into();
    }
}

/// Agents that follow a closed path of this many points.
fn followers(points: usize) -> Crowd {
    let mut dice = Dice(3);
    let path = Path::new((0..points).map(|_| dice.place(200.0)));
    crowd(
        500,
        200.0,
        |_| PathFollow::new(path.clone()).along_corridor(2.0, 0.5).with_end(PathEnd::Loop),
        nothing,
    )
}

fn flocks(storeys: usize, fill: impl FnOnce(&mut World, &mut Dice)) -> Crowd {
    let mut crowd = crowd(20_000, 600.0, |_| (Flock::default(), SteeringHeight(2.0)), fill);
    let mut places = crowd.app.world_mut().query_filtered::<&mut Transform, With<Flock>>();
    for (i, mut place) in places.iter_mut(crowd.app.world_mut()).enumerate() {
        place.translation.z = (i % storeys) as f32 * 10.0;
    }
    // In flight.
    (0..5 * 64).for_each(|_| _ = crowd.tick(GAME));
    crowd
}

type Row = (&'static str, fn() -> [Crowd; 2]);

const ROWS: &[Row] = &[
    ("AvoidAgents: a bullet at 300 in no layer", || {
        let bullet = (fast(300.0), SteeringLayers::NONE);
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn(bullet))]
    }),
    ("AvoidAgents: a bullet at 300 in the first layer", || {
        let bullet = (fast(300.0), SteeringLayers::default());
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn(bullet))]
    }),
    ("AvoidAgents: a bullet at 300 with a Vehicle", || {
        let bullet = (fast(300.0), Vehicle::new(300.0).with_radius(0.1));
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn(bullet))]
    }),
    ("AvoidAgents: a car at 30", || {
        let car = (fast(30.0), Vehicle::new(30.0).with_radius(1.0));
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn(car))]
    }),
    ("AvoidAgents: one in fifty is a car at 30", || {
        let car = |i: u8| {
            let place = Transform::from_xyz(
                f32::from(i) - 100.0,
                f32::from(i.wrapping_mul(77)) - 100.0,
                0.0,
            );
            (Velocity(Vec3::X * 30.0), Vehicle::new(30.0).with_radius(1.0), place)
        };
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn_batch((0..40).map(|i| car(i * 5))))]
    }),
    ("AvoidAgents: a giant of radius 100, 500 away", || {
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn(body(700.0, 100.0)))]
    }),
    ("AvoidAgents: a boss of radius 20 in the middle", || {
        [avoiders(|_| {}), avoiders(|world| _ = world.spawn(body(0.0, 20.0)))]
    }),
    ("AvoidAgents: all on one spot", || [avoiders(|_| {}), heap(2_000)]),
    ("AvoidObstacles: 1,000 rocks, one at 30", || {
        let stone = (fast(30.0), Obstacle::sphere(0.4));
        [among_stones(1_000, |_| {}), among_stones(1_000, |world| _ = world.spawn(stone))]
    }),
    ("AvoidObstacles: 1,000 rocks, one at 300", || {
        let stone = (fast(300.0), Obstacle::sphere(0.4));
        [among_stones(1_000, |_| {}), among_stones(1_000, |world| _ = world.spawn(stone))]
    }),
    ("AvoidObstacles: 10,000 rocks, one moves", || {
        let stone = (fast(1.0), Mover, Obstacle::sphere(0.4));
        let after = among_stones(10_000, |world| _ = world.spawn(stone));
        [among_stones(10_000, |_| {}), after.before_each(move_it)]
    }),
    ("AvoidObstacles: 10,000 rocks, one moves, no Velocity", || {
        let stone = (fast(1.0).1, Mover, Obstacle::sphere(0.4));
        let after = among_stones(10_000, |world| _ = world.spawn(stone));
        [among_stones(10_000, |_| {}), after.before_each(move_it)]
    }),
    ("nearest: of all, of 1,000 in a layer", || [seekers(None), seekers(Some(1_000))]),
    ("nearest: of all, of twenty in a layer", || [seekers(None), seekers(Some(20))]),
    ("nearest: of all, of one in a layer", || [seekers(None), seekers(Some(1))]),
    ("nearest: of all, of none in a layer", || [seekers(None), seekers(Some(0))]),
    ("AvoidWalls: 400 short walls, 60 long ones too", || [among_walls(0), among_walls(60)]),
    ("500 PathFollow: 5 points, 10,000 points", || [followers(5), followers(10_000)]),
    ("20,000 Flock: one thing in another layer", || {
        let thing = (TARGETS, Transform::IDENTITY);
        [flocks(1, nothing), flocks(1, |world, _| _ = world.spawn(thing))]
    }),
    ("20,000 Flock: on four floors, not on one", || [flocks(1, nothing), flocks(4, nothing)]),
    ("20,000 Seek: targets that a system assigns", || {
        [many(|| ()), many(|| ()).before_each(assign)]
    }),
    ("20,000 Seek: the default plane as a component", || [many(|| ()), many(|| SteeringPlane::Xy)]),
    ("20,000 Seek: the default arbitration as a component", || {
        [many(|| ()), many(|| Arbitration::Prioritized)]
    }),
];

type Start = (&'static str, [fn() -> Crowd; 2]);

const STARTS: &[Start] = &[
    ("AvoidAgents: 2,000 spawned on one spot, first second", [|| avoiders(|_| {}), || heap(2_000)]),
    (
        "AvoidAgents: 5,000 spawned on one spot, first second",
        [|| crowd(5_000, 316.0, |_| AvoidAgents::default(), nothing), || heap(5_000)],
    ),
];

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(&**part));
    println!("{:<58} {:>9} {:>9} {:>7}", "microseconds a tick", "before", "after", "ratio");
    for (name, build) in ROWS.iter().filter(|(name, _)| is_wanted(name)) {
        let [before, after] = build();
        compare(name, before, after);
    }
    for (name, build) in STARTS.iter().filter(|(name, _)| is_wanted(name)) {
        compare_from_the_start(name, *build);
    }
}
