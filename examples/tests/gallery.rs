//! Every scene of the gallery as somebody who watches it would judge it.

use std::collections::{HashMap, HashSet};

use bevy::{ecs::query::QueryFilter, prelude::*};
use bevy_egui::egui;
use bevy_steer::{BehaviorRegistry, prelude::*};
use bevy_steer_examples::{
    clock,
    gallery::{
        scene::View,
        scenes::{self, SCENES},
        stage::{ARENA, GROUND, StagePlugin, TANK, show},
    },
};

/// A scene without a window.
struct Play {
    app: App,
}

impl Play {
    fn new(name: &str) -> Self {
        let scene = scenes::find(name).unwrap_or_else(|| panic!("no scene {name}"));
        let mut app = clock::headless_app(Some(1));
        app.add_plugins(StagePlugin { scene });
        clock::start(&mut app);
        Self { app }
    }

    fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Plays on for this many simulated seconds, and looks at the world after each tick.
    fn watch(&mut self, seconds: f32, mut look: impl FnMut(&mut World)) {
        let tick = self.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
        for _ in 0..(seconds / tick).round() as u32 {
            self.app.update();
            look(self.app.world_mut());
        }
    }

    fn run(&mut self, seconds: f32) {
        self.watch(seconds, |_| {});
    }

    fn all<D: bevy::ecs::query::IterQueryData + 'static, F: QueryFilter + 'static, R>(
        &mut self,
        look: impl FnMut(D::Item<'_, '_>) -> R,
    ) -> Vec<R> {
        let world = self.app.world_mut();
        let mut query = world.query_filtered::<D, F>();
        query.iter_mut(world).map(look).collect()
    }
}

/// Scenes in which agents come to rest, or have nothing to move for.
const RESTFUL: [&str; 6] = ["arrive", "avoid-agents", "crossing", "doorway", "face", "align"];

#[test]
fn every_scene_is_alive_and_nobody_is_stuck() {
    const STUCK_SECONDS: f32 = 4.0;
    for scene in SCENES {
        let mut play = Play::new(scene.name);
        let mut begin: HashMap<Entity, Transform> = HashMap::new();
        let mut since: HashMap<Entity, (Vec3, f32)> = HashMap::new();
        let mut time = 0.0;
        let mut stuck = Vec::new();
        play.watch(10.0, |world| {
            time += 1.0 / 64.0;
            let mut all = world.query::<(Entity, &Transform)>();
            for (entity, transform) in all.iter(world) {
                assert!(transform.is_finite(), "{scene:?}: {transform:?}");
                begin.entry(entity).or_insert(*transform);
            }
            let mut agents = world.query::<(Entity, &Transform, &Vehicle)>();
            for (entity, transform, vehicle) in agents.iter(world) {
                if vehicle.max_speed == 0.0 {
                    continue;
                }
                let place = transform.translation;
                let last = since.entry(entity).or_insert((place, time));
                if place.distance(last.0) > vehicle.radius {
                    *last = (place, time);
                } else if time - last.1 > STUCK_SECONDS && !RESTFUL.contains(&scene.name) {
                    stuck.push((entity, place));
                    *last = (place, time);
                }
            }
        });
        assert!(stuck.is_empty(), "{scene:?}: somebody is stuck: {stuck:?}");
        let moved = play.all::<(Entity, &Transform), With<Vehicle>, _>(|(entity, transform)| {
            let before = begin[&entity];
            let turned = transform.rotation.angle_between(before.rotation) > 0.1;
            turned || transform.translation.distance(before.translation) > 0.5
        });
        let count = moved.iter().filter(|moved| **moved).count();
        assert!(count > 0 && count * 10 >= moved.len() * 8, "{scene:?}: only {count} moved");
        let is_inside = |place: Vec3| match scene.view {
            View::Flat => place.truncate().abs().cmple(ARENA + 0.01).all(),
            View::Ground => place.abs().xz().cmple(GROUND + 0.01).all() && place.y == 0.0,
            View::Space => place.abs().cmple(TANK + 0.01).all(),
        };
        let outside = play.all::<&Transform, With<Vehicle>, _>(|at| at.translation);
        let outside: Vec<_> = outside.into_iter().filter(|place| !is_inside(*place)).collect();
        assert!(outside.is_empty(), "{scene:?}: somebody is outside the view: {outside:?}");
    }
}

#[test]
fn names_are_unique_and_words_are_short_enough_for_their_line() {
    let names: HashSet<_> = SCENES.iter().map(|scene| scene.name).collect();
    assert_eq!(names.len(), SCENES.len());
    for scene in SCENES {
        // 15 px letters over the width of the view.
        assert!(scene.look.len() <= 150, "{scene:?}: {}", scene.look.len());
        assert!(!scene.title.is_empty() && !scene.look.is_empty());
        let after = scenes::beside(scene, true);
        assert_eq!(scenes::beside(after, false).name, scene.name);
    }
    assert_eq!(scenes::list().lines().count(), SCENES.len());
}

#[test]
fn each_behaviour_is_in_some_scene() {
    let mut missing: Option<HashSet<&str>> = None;
    let mut play = Play::new("seek");
    for scene in SCENES {
        show(play.world(), scene);
        play.run(0.1);
        let world = play.world();
        let missing = missing.get_or_insert_with(|| {
            world.resource::<BehaviorRegistry>().iter().map(|behavior| behavior.name).collect()
        });
        let behaviors: Vec<_> = world
            .resource::<BehaviorRegistry>()
            .iter()
            .map(|behavior| (behavior.type_id, behavior.name))
            .collect();
        for (type_id, name) in behaviors {
            let Some(id) = world.components().get_id(type_id) else { continue };
            let is_there = world
                .archetypes()
                .iter()
                .any(|archetype| archetype.contains(id) && !archetype.is_empty());
            if is_there {
                missing.remove(name);
            }
        }
    }
    assert_eq!(missing, Some(HashSet::new()));
}

#[test]
fn a_scene_is_the_same_whatever_was_shown_before() {
    let state = |play: &mut Play| {
        let mut places = play.all::<(&AgentNumber, &Transform), With<Vehicle>, _>(|(n, at)| {
            (n.0, at.translation.to_array().map(f32::to_bits))
        });
        places.sort_unstable();
        places
    };
    let mut fresh = Play::new("flock");
    fresh.run(3.0);
    let expected = state(&mut fresh);
    let mut other = Play::new("school");
    other.run(1.0);
    show(other.world(), scenes::find("flock").unwrap());
    other.run(3.0);
    assert_eq!(state(&mut other), expected);
}

#[test]
fn all_controls_can_be_shown() {
    let context = egui::Context::default();
    let mut play = Play::new("seek");
    for scene in SCENES {
        show(play.world(), scene);
        let Some(controls) = scene.controls else { continue };
        let world = play.world();
        let _ = context.run_ui(egui::RawInput::default(), |ui| controls(world, ui));
        play.run(0.5);
    }
}

#[test]
fn seeking_weaklings_swing_wider() {
    let mut play = Play::new("seek");
    let mut farthest: HashMap<u64, f32> = HashMap::new();
    play.run(2.2);
    // All have passed the target by now, and it has not moved yet.
    play.watch(1.7, |world| {
        let mut all = world.query::<(&AgentNumber, &Transform, &Seek)>();
        for (number, transform, seek) in all.iter(world) {
            let Target::Entity(target) = seek.target else { continue };
            let target = world.get::<Transform>(target).unwrap().translation;
            let distance = transform.translation.truncate().distance(target.truncate());
            let most = farthest.entry(number.0).or_default();
            *most = most.max(distance);
        }
    });
    let mut swings: Vec<_> = farthest.into_iter().collect();
    swings.sort_unstable_by_key(|(number, _)| *number);
    let swings: Vec<f32> = swings.into_iter().map(|(_, swing)| swing).collect();
    assert!(swings.is_sorted() && swings[0] > 20.0, "strong to weak: {swings:?}");
}

#[test]
fn who_arrives_rests_at_the_target() {
    let mut play = Play::new("arrive");
    play.run(5.9);
    let rests = play.all::<(&Arrive, &Velocity), (), _>(|(arrive, v)| (arrive.arrived, v.length()));
    assert_eq!(rests.len(), 4);
    assert!(rests.iter().all(|(arrived, speed)| *arrived && *speed < 1.0), "{rests:?}");
}

#[test]
fn who_pursues_catches_more() {
    let mut play = Play::new("pursue");
    play.run(60.0);
    let scores = play.all::<&Text2d, (), _>(|text| text.0.clone());
    let of = |name: &str| -> u32 {
        let text = scores.iter().find(|text| text.starts_with(name)).unwrap();
        text.split(": ").nth(1).unwrap().parse().unwrap()
    };
    assert!(of("Pursue") >= 5 && of("Pursue") > of("Seek"), "{scores:?}");
}

#[test]
fn the_wedge_keeps_its_places() {
    let mut play = Play::new("offset-pursue");
    play.run(6.0);
    let mut worst = 0.0_f32;
    play.watch(20.0, |world| {
        let mut all = world.query::<(&Transform, &OffsetPursue)>();
        for (transform, pursue) in all.iter(world) {
            let Target::Entity(leader) = pursue.target else { continue };
            let leader = world.get::<Transform>(leader).unwrap();
            let slot = leader.translation + leader.rotation * pursue.offset;
            worst = worst.max(slot.distance(transform.translation));
        }
    });
    assert!(worst < 45.0, "somebody is {worst} units from its place");
}

#[test]
fn all_points_of_the_path_are_passed() {
    let mut play = Play::new("path-follow");
    #[derive(Resource, Default)]
    struct Passed(HashMap<Entity, HashSet<usize>>);
    play.world().init_resource::<Passed>();
    play.world().add_observer(|reached: On<WaypointReached>, mut passed: ResMut<Passed>| {
        passed.0.entry(reached.entity).or_default().insert(reached.index);
    });
    play.run(35.0);
    let passed: Vec<usize> =
        play.world().resource::<Passed>().0.values().map(HashSet::len).collect();
    assert_eq!(passed, [8, 8]);
}

#[test]
fn nobody_lets_the_bull_come_near() {
    let mut play = Play::new("flee");
    play.run(3.0);
    let mut nearest = f32::MAX;
    play.watch(30.0, |world| {
        let mut all = world.query::<(&Transform, &Flee)>();
        for (transform, flee) in all.iter(world) {
            let Target::Entity(bull) = flee.target else { continue };
            let bull = world.get::<Transform>(bull).unwrap().translation;
            nearest = nearest.min(bull.distance(transform.translation));
        }
    });
    assert!(nearest > 33.0, "the bull has come within {nearest}");
}

#[test]
fn who_evades_is_run_over_less() {
    let mut play = Play::new("evade");
    let (mut fled, mut evaded) = (0, 0);
    play.watch(60.0, |world| {
        let mut bulls = world.query_filtered::<&Transform, Without<Wander>>();
        let bulls: Vec<Vec3> = bulls.iter(world).map(|bull| bull.translation).collect();
        let mut prey = world.query::<(&Transform, Has<Evade>, &Wander)>();
        for (transform, evades, _) in prey.iter(world) {
            let near = bulls.iter().any(|bull| bull.distance(transform.translation) < 60.0);
            *(if evades { &mut evaded } else { &mut fled }) += u32::from(near);
        }
    });
    assert!(evaded * 2 < fled, "ticks near a bull: {evaded} evading, {fled} fleeing");
}

/// The share of agents and ticks at which an agent overlaps a round obstacle or another agent by more than a tenth.
fn overlaps(play: &mut Play, seconds: f32) -> [f32; 2] {
    let (mut stones_hit, mut agents_hit, mut all) = (0, 0, 0);
    play.watch(seconds, |world| {
        let mut stones = world.query::<(&Transform, &Obstacle)>();
        let stones: Vec<(Vec3, f32)> = stones
            .iter(world)
            .filter_map(|(at, obstacle)| match obstacle.shape {
                ObstacleShape::Sphere { radius } => Some((at.translation, radius)),
                _ => None,
            })
            .collect();
        let mut agents = world.query_filtered::<(&Transform, &Vehicle), Without<Obstacle>>();
        let agents: Vec<(Vec3, f32)> =
            agents.iter(world).map(|(at, vehicle)| (at.translation, vehicle.radius)).collect();
        for (i, &(at, radius)) in agents.iter().enumerate() {
            let hits = |(other, size): &(Vec3, f32)| at.distance(*other) < 0.9 * (size + radius);
            all += 1;
            stones_hit += u32::from(stones.iter().any(hits));
            agents_hit += u32::from(agents[i + 1..].iter().any(hits));
        }
    });
    [stones_hit as f32 / all as f32, agents_hit as f32 / all as f32]
}

#[test]
fn nobody_walks_through_stones_or_others() {
    for name in
        ["avoid-obstacles", "path-obstacles", "avoid-agents", "crossing", "ground", "doorway"]
    {
        let [stones, agents] = overlaps(&mut Play::new(name), 13.0);
        assert!(stones < 0.002, "{name}: {stones} through stones");
        // Sheep and people at a door push.
        let most = if ["ground", "doorway"].contains(&name) { 0.06 } else { 0.02 };
        assert!(agents < most, "{name}: {agents} through others");
    }
}

#[test]
fn nobody_dawdles_at_a_stone_on_the_path() {
    const LONGEST_SECONDS: f32 = 0.2;
    let mut play = Play::new("path-obstacles");
    play.run(1.0);
    let mut slow: HashMap<Entity, f32> = HashMap::new();
    play.watch(30.0, |world| {
        let mut agents = world.query::<(Entity, &Velocity, &Vehicle, &Transform)>();
        for (entity, velocity, vehicle, at) in agents.iter(world) {
            let seconds = slow.entry(entity).or_default();
            let is_slow = velocity.length() < 0.2 * vehicle.max_speed;
            *seconds = if is_slow { *seconds + 1.0 / 64.0 } else { 0.0 };
            assert!(*seconds < LONGEST_SECONDS, "at {}", at.translation);
        }
    });
    assert_eq!(slow.len(), 9);
}

#[test]
fn nobody_walks_through_walls() {
    let mut play = Play::new("avoid-walls");
    let mut nearest = f32::MAX;
    play.watch(30.0, |world| {
        let mut walls = world.query::<&Wall>();
        let walls: Vec<Segment3d> =
            walls.iter(world).map(|wall| Segment3d::new(wall.start, wall.end)).collect();
        let mut agents = world.query_filtered::<&Transform, With<AvoidWalls>>();
        for at in agents.iter(world) {
            let gaps = walls
                .iter()
                .map(|wall| wall.closest_point(at.translation).distance(at.translation));
            nearest = gaps.fold(nearest, f32::min);
        }
    });
    assert!(nearest > 8.0, "somebody's middle is {nearest} from a wall");
}

#[test]
fn both_crowds_and_the_ring_get_to_the_other_side() {
    for (name, seconds) in [("crossing", 17.8), ("avoid-agents", 10.8)] {
        let mut play = Play::new(name);
        play.run(seconds);
        let left = play.all::<(&Arrive, &Transform), (), _>(|(arrive, at)| match arrive.target {
            Target::Point(target) => target.distance(at.translation),
            _ => f32::MAX,
        });
        let worst = left.into_iter().fold(0.0, f32::max);
        assert!(worst < 30.0, "{name}: somebody is {worst} units from where it should be");
    }
}

#[test]
fn all_get_through_the_door() {
    let mut play = Play::new("doorway");
    let mut through = HashSet::new();
    play.watch(25.0, |world| {
        let mut all = world.query::<(Entity, &Transform, &PathFollow)>();
        for (entity, at, _) in all.iter(world) {
            if at.translation.x > 60.0 {
                through.insert(entity);
            }
        }
    });
    assert_eq!(through.len(), 40);
}

#[test]
fn needles_turn_where_they_should() {
    let mut play = Play::new("align");
    play.run(6.9);
    let wanted = SteeringPlane::Xy.direction(2.2);
    let off = play.all::<&Heading, With<Align>, _>(|heading| heading.angle_between(wanted));
    let worst = off.into_iter().fold(0.0, f32::max);
    assert!(worst < 0.2, "align: {worst} radians off");

    let mut play = Play::new("face");
    play.run(5.0);
    let world = play.world();
    let mut all = world.query::<(&Transform, &Heading, &Face)>();
    let mut off: Vec<f32> = all
        .iter(world)
        .map(|(at, heading, face)| {
            let Target::Entity(light) = face.target else { return f32::MAX };
            let light = world.get::<Transform>(light).unwrap().translation;
            heading.angle_between((light - at.translation).with_z(0.0))
        })
        .collect();
    off.sort_unstable_by(f32::total_cmp);
    let usual = off[off.len() / 2];
    assert!(usual < 0.35, "face: {usual} radians off");
}

#[test]
fn all_move_as_the_leader_moves() {
    let mut play = Play::new("match-velocity");
    play.run(5.0);
    let leader = play.all::<&Velocity, With<Wander>, _>(|velocity| velocity.0)[0];
    let others = play.all::<&Velocity, With<MatchVelocity>, _>(|velocity| velocity.0);
    let worst = others.into_iter().map(|v| v.distance(leader)).fold(0.0, f32::max);
    assert!(worst < 70.0, "somebody's velocity is {worst} off");
}
