//! Every example runs and shows what it promises: with all of Bevy's plugins, but without a window
//! and a graphics card.
#![allow(dead_code, reason = "the `main` of each example, which opens a window")]

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use bevy::{ecs::query::QueryFilter, prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{Heading, SteeringTrace, Velocity, prelude::*};
use bevy_steer_inspector::Inspector;
use bevy_transform_interpolation::prelude::TransformInterpolation;

use crate::common::windowless::without_window;

#[path = "../../bevy_steer/examples/arbitration.rs"]
mod arbitration;
#[path = "../../bevy_steer/examples/curfew.rs"]
mod curfew;
#[path = "../../bevy_steer/examples/custom_behavior.rs"]
mod custom_behavior;
#[path = "../../bevy_steer/examples/events.rs"]
mod events;
#[path = "../../bevy_steer/examples/flock.rs"]
mod flock;
#[path = "../../bevy_steer/examples/free_3d.rs"]
mod free_3d;
#[path = "../../bevy_steer/examples/headless.rs"]
mod headless;
#[path = "../../bevy_steer/examples/inspector.rs"]
mod inspector;
#[path = "../../bevy_steer/examples/minimal_2d.rs"]
mod minimal_2d;
#[path = "../../bevy_steer/examples/minimal_3d_ground.rs"]
mod minimal_3d_ground;
#[path = "../../bevy_steer/examples/nearest_target.rs"]
mod nearest_target;
#[path = "../../bevy_steer/examples/obstacles_and_walls.rs"]
mod obstacles_and_walls;
#[path = "../../bevy_steer/examples/path_follow.rs"]
mod path_follow;
#[path = "../../bevy_steer/examples/player_input.rs"]
mod player_input;
#[path = "../../bevy_steer/examples/smooth_motion.rs"]
mod smooth_motion;
#[path = "../../bevy_steer/examples/steering_manager.rs"]
mod steering_manager;

/// An example that runs, at one tick of 1/64 of a second in each update.
struct Game(App);

impl Game {
    fn new(game: fn(&mut App)) -> Self {
        let mut game = Self(without_window(game));
        game.assert_says_what_to_look_at();
        game
    }

    /// Each example that shows something has a sentence in its window.
    fn assert_says_what_to_look_at(&mut self) {
        let texts = self.all::<Text, ()>().into_iter().map(|text| text.0);
        let in_world = self.all::<Text2d, ()>().into_iter().map(|text| text.0);
        let longest = texts.chain(in_world).map(|text| text.len()).max().unwrap_or(0);
        let is_seen = !self.all::<Camera, ()>().is_empty();
        assert!(longest > 25 || !is_seen, "no sentence says what to look at");
    }

    /// Runs for some seconds, and calls `each` after every tick.
    fn run_with(&mut self, seconds: usize, mut each: impl FnMut(&mut Self)) {
        for _ in 0..seconds * 64 {
            self.0.update();
            each(self);
        }
        assert!(self.all::<Transform, With<Vehicle>>().iter().all(Transform::is_finite));
    }

    fn run(&mut self, seconds: usize) {
        self.run_with(seconds, |_| {});
    }

    /// Copies of this component of all entities that pass the filter.
    fn all<C: Component + Clone, F: QueryFilter>(&mut self) -> Vec<C> {
        let world = self.0.world_mut();
        world.query_filtered::<&C, F>().iter(world).cloned().collect()
    }

    /// The places of all entities that pass the filter.
    fn places<F: QueryFilter>(&mut self) -> Vec<Vec3> {
        self.all::<Transform, F>().iter().map(|transform| transform.translation).collect()
    }

    fn agents(&mut self) -> Vec<Vec3> {
        self.places::<With<Vehicle>>()
    }

    /// What stands in the corner of the window.
    fn log(&mut self) -> String {
        self.all::<Text, ()>().remove(0).0
    }
}

#[test]
fn no_example_is_left_out() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bevy_steer");
    let readme = fs::read_to_string(package.join("../../README.md")).unwrap();
    for file in fs::read_dir(package.join("examples")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let test = format!("Game::new({name}::game)");
        assert!(include_str!("examples.rs").contains(&test), "{name} is not tested");
        assert!(readme.contains(&format!("| `{name}` |")), "{name} is not in the README");
    }
}

#[test]
fn minimal_2d_follows_its_target() {
    let mut game = Game::new(minimal_2d::game);
    game.run(5);
    let target = game.places::<(With<Mesh2d>, Without<Vehicle>)>()[0];
    let distance = game.agents()[0].distance(target);
    // The target is faster and goes round: the agent cuts the corner and stays behind in sight.
    assert!((60.0..160.0).contains(&distance), "{distance}");
}

#[test]
fn minimal_3d_ground_stays_on_the_meadow() {
    let mut game = Game::new(minimal_3d_ground::game);
    let before = game.agents();
    game.run(8);
    for (before, after) in before.iter().zip(game.agents()) {
        assert_eq!(before.y, after.y);
        assert!(after.x.abs() <= 10.0 && after.z.abs() <= 10.0, "{after}");
        assert!(before.distance(after) > 0.3, "{before} {after}");
    }
    let world = game.0.world_mut();
    for (agent, velocity) in world.query::<(&Transform, &Velocity)>().iter(world) {
        let forward = agent.forward();
        let along = forward.dot(velocity.normalize_or(*forward));
        assert!(along > 0.99, "{forward:?} {velocity:?}");
    }
}

#[test]
fn free_3d_swims_up_and_down_within_its_water() {
    let mut game = Game::new(free_3d::game);
    let bounds = **game.0.world().resource::<WorldBounds>();
    let (mut climbing, mut diving) = (0, 0);
    game.run_with(20, |game| {
        assert!(game.agents().into_iter().all(|fish| bounds.contains(fish)));
        let rises: Vec<f32> =
            game.all::<Velocity, ()>().iter().map(|velocity| velocity.y).collect();
        climbing = climbing.max(rises.iter().filter(|&&rise| rise > 0.3).count());
        diving = diving.max(rises.iter().filter(|&&rise| rise < -0.3).count());
    });
    assert!(climbing > 10 && diving > 10, "{climbing} up, {diving} down");
}

#[test]
fn flock_goes_the_same_way_as_its_neighbors() {
    /// How well headings agree with those of mates nearby: 1 is the same way.
    fn order(game: &mut Game) -> f32 {
        let birds: Vec<_> = game.agents().into_iter().zip(game.all::<Heading, ()>()).collect();
        let pairs = birds.iter().flat_map(|a| birds.iter().map(move |b| (a, b)));
        let near = pairs.filter(|(a, b)| (1.0..40.0).contains(&a.0.distance(b.0)));
        let (sum, count) = near.fold((0.0, 0.0), |(sum, n), (a, b)| (sum + a.1.dot(*b.1), n + 1.0));
        sum / count
    }
    let mut game = Game::new(flock::game);
    game.0.update();
    let before = order(&mut game);
    game.run(10);
    let after = order(&mut game);
    assert!(before < 0.2 && after > 0.8, "{before} {after}");
}

#[test]
fn path_follow_passes_all_points_and_stays_in_its_corridor() {
    #[derive(Resource, Default)]
    struct Passed(BTreeSet<(Entity, usize)>);

    let mut game = Game::new(path_follow::game);
    game.0.init_resource::<Passed>().add_observer(
        |passed: On<WaypointReached>, mut all: ResMut<Passed>| {
            all.0.insert((passed.entity, passed.index));
        },
    );
    game.run_with(20, |game| {
        let path = game.all::<PathFollow, ()>()[0].path.clone();
        for place in game.agents() {
            let along = path.project(place, 0.0, f32::INFINITY, true);
            let off = path.point_at(along, true).distance(place);
            assert!(off < 60.0, "{place} is {off} off the path");
        }
    });
    assert_eq!(game.0.world().resource::<Passed>().0.len(), 2 * 6);
}

#[test]
fn nearest_target_collects_crumbs() {
    let mut game = Game::new(nearest_target::game);
    let before = game.places::<(With<SteeringLayers>, Without<Vehicle>)>();
    game.run(10);
    let after = game.places::<(With<SteeringLayers>, Without<Vehicle>)>();
    let collected = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert!(collected > 20, "{collected} of {}", before.len());
    assert!(after.iter().all(|crumb| crumb.length() < 350.0));
}

/// A crumb at the origin was eaten for ever: it was moved by turning it round the origin.
#[test]
fn ants_do_not_pile_up_on_a_crumb() {
    let mut game = Game::new(nearest_target::game);
    game.run(30);
    let before = game.agents();
    game.run(3);
    let stay = before.iter().zip(game.agents()).filter(|(before, now)| before.distance(*now) < 5.0);
    assert_eq!(stay.count(), 0);
}

#[test]
fn obstacles_and_walls_are_not_run_into() {
    let mut game = Game::new(obstacles_and_walls::game);
    let stones = game.places::<With<Obstacle>>();
    let (mut before, mut ways) = (game.agents(), [0.0; 12]);
    game.run_with(20, |game| {
        let now = game.agents();
        for (way, (before, now)) in ways.iter_mut().zip(before.iter().zip(&now)) {
            *way += before.distance(*now);
        }
        before.clone_from(&now);
        for agent in now {
            assert!(agent.x.abs() < 500.0 && agent.y.abs() < 280.0, "{agent} is out of the room");
            for (stone, radius) in stones.iter().zip([70.0, 55.0, 40.0, 30.0]) {
                assert!(agent.distance(*stone) > radius, "{agent} is in a stone at {stone}");
            }
        }
    });
    // At top speed they get 3,000 units far.
    assert!(ways.iter().all(|way| *way > 1500.0), "{ways:?}");
}

#[test]
fn events_of_all_kinds_come() {
    let mut game = Game::new(events::game);
    // All lines that have been at the top of the log, which keeps the last few.
    let (mut last, mut log) = <(String, String)>::default();
    game.run_with(20, |game| {
        let now = game.log();
        if now != last {
            log += now.lines().next().unwrap_or_default();
        }
        last = now;
    });
    assert!((5..=8).contains(&last.lines().count()), "{last}");
    for line in
        ["point 2 of", "point 0 of", "brings a letter", "sees the postman", "has lost the postman"]
    {
        // The guard passes its first point only once, unless it has turned round at the last.
        assert!(log.matches(line).count() >= 2, "{line}: {log}");
    }
}

#[test]
fn nobody_crosses_the_line_after_dark() {
    let mut game = Game::new(curfew::game);
    let (mut by_day, mut by_night) = (0, 0);
    let mut before: Vec<f32> = game.agents().iter().map(|place| place.x).collect();
    let mut tick = 0;
    game.run_with(20, |game| {
        tick += 1;
        let now: Vec<f32> = game.agents().iter().map(|place| place.x).collect();
        let crossed = before.iter().zip(&now).filter(|(before, now)| *before * *now < 0.0).count();
        // A second of grace at dusk for those that are right before the line.
        let dark = (tick as f32 / 64.0) % 10.0;
        if (6.0..9.9).contains(&dark) {
            by_night += crossed;
        } else if dark < 5.0 {
            by_day += crossed;
        }
        before = now;
    });
    assert!(by_day > 0, "they cross it by day");
    assert_eq!(by_night, 0);
}

#[test]
fn custom_behavior_goes_round_and_says_so() {
    let mut game = Game::new(custom_behavior::game);
    game.run(15);
    let log = game.log();
    for name in ["Inner", "Middle", "Outer"] {
        assert!(log.contains(&format!("{name} has gone round")), "{name}: {log}");
    }
    assert!(log.lines().count() <= 6, "{log}");
    for (place, radius) in game.agents().iter().zip([80.0, 160.0, 240.0]) {
        assert!((place.length() - radius).abs() < 20.0, "{place} should be {radius} away");
    }
}

#[test]
fn arbitration_lets_the_weighted_sum_pass_nearest_to_the_stone() {
    let mut game = Game::new(arbitration::game);
    let stones = game.places::<With<Obstacle>>();
    let mut nearest = [f32::INFINITY; 4];
    game.run_with(12, |game| {
        for ((agent, stone), nearest) in game.agents().iter().zip(&stones).zip(&mut nearest) {
            *nearest = nearest.min(agent.distance(stone.with_z(agent.z)));
        }
    });
    // The radius of a stone and that of an agent: limits hold however wishes are arbitrated.
    let touching = 40.0 + 12.0;
    assert!(nearest.iter().all(|&nearest| nearest > touching), "{nearest:?}");
    let [weighted_sum, prioritized, first_active, dithered] = nearest;
    let others = prioritized.min(first_active).min(dithered);
    assert!(weighted_sum < others, "{nearest:?}");
}

#[test]
fn headless_ends_by_itself() {
    let mut game = Game::new(headless::game);
    game.run(5);
    assert_eq!(game.0.should_exit(), None);
    // A message lives for two updates.
    let mut exit = None;
    game.run_with(15, |game| exit = exit.take().or(game.0.should_exit()));
    assert_eq!(exit, Some(AppExit::Success));
    assert!(game.agents().iter().all(|racer| (racer.x - 40.0).abs() < 0.2));
}

#[test]
fn inspector_records_what_steers_agents() {
    let mut game = Game::new(inspector::game);
    game.run(2);
    let world = game.0.world_mut();
    let selected = world.resource::<Inspector>().selected;
    let hunters: Vec<_> = world.query_filtered::<Entity, With<Pursue>>().iter(world).collect();
    assert!(selected.is_some_and(|agent| hunters.contains(&agent)), "{selected:?}");
    let traces = game.all::<SteeringTrace, With<Pursue>>();
    assert!(!traces.is_empty() && traces.iter().all(|trace| trace.iter().len() >= 1), "{traces:?}");
}

#[test]
fn player_input_moves_the_player_and_walls_hold_it() {
    let mut game = Game::new(player_input::game);
    let hold = |game: &mut Game, key| {
        let mut keys = game.0.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.release_all();
        keys.press(key);
    };
    hold(&mut game, KeyCode::ArrowRight);
    game.run(8);
    // Before the box, which begins at 110, and not led aside.
    let place = game.agents()[0];
    assert!(place.y.abs() < 1.0 && place.x > 40.0 && place.x < 110.0 - 15.0, "{place}");
    hold(&mut game, KeyCode::ArrowUp);
    game.run(8);
    let above = game.agents()[0];
    assert!((above.x - place.x).abs() < 20.0 && above.y > 180.0 && above.y < 235.0, "{above}");
}

#[test]
fn steering_manager_leads_the_sheep_past_the_wolf() {
    let mut game = Game::new(steering_manager::game);
    let wolf = game.places::<With<steering_manager::Wolf>>()[0];
    let mut nearest = f32::INFINITY;
    game.run_with(12, |game| {
        let sheep = game.agents();
        nearest = sheep.iter().map(|sheep| sheep.distance(wolf)).fold(nearest, f32::min);
    });
    assert!(nearest > 90.0, "{nearest}");
    let arrived = game.agents().iter().filter(|sheep| sheep.x > 300.0).count();
    assert_eq!(arrived, 8);
}

#[test]
fn smooth_motion_moves_in_every_frame_and_jumps_at_the_edge() {
    let mut game = Game::new(smooth_motion::game);
    let frame = Duration::from_secs_f64(1.0 / 144.0);
    game.0.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let x = |game: &mut Game| {
        let green = game.places::<With<TransformInterpolation>>()[0].x;
        [game.places::<(With<Vehicle>, Without<TransformInterpolation>)>()[0].x, green]
    };
    for _ in 0..144 {
        game.0.update();
    }
    let (mut last, mut still, mut jumps) = (x(&mut game), 0_usize, 0);
    for _ in 0..4 * 144 {
        game.0.update();
        let [white, green] = x(&mut game);
        still += usize::from(white == last[0]);
        // 400 units a second are 2.8 a frame. The world is 1000 wide.
        let step = (green - last[1]).abs();
        assert!((2.0..4.0).contains(&step) || step > 990.0, "{step}");
        jumps += usize::from(step > 990.0);
        last = [white, green];
    }
    assert_eq!(jumps, 2);
    // 10 of 144 frames follow a tick. A frame is not a whole number of nanoseconds.
    assert!(still.abs_diff(4 * (144 - 10)) <= 1, "{still}");
}
