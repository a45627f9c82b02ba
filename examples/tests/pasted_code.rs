//! The code that the panel writes of an agent compiles, and spawns the same agent.

use bevy::{prelude::*, scene::ScenePlugin};
use bevy_steer::{
    AngularLimits, BehaviorRegistry, Feelers, KeepRotation, Length, Path, PathEnd, Several,
    SteeringHeight, ThinkEvery, WhenIdle, prelude::*,
};
use bevy_steer_formations::{Formation, FormationPlugin, MemberOf, Pattern, WaitForMembers};
use bevy_steer_inspector::{Language, write_code};
use bevy_steer_navigation::{NavigateTo, NavigationPlugin};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), ScenePlugin))
        .add_plugins(SteeringPlugin::default());
    app
}

/// What the files in `pasted` were written of.
fn agent(world: &mut World) -> Entity {
    let target = world.spawn(Transform::default()).id();
    let mut vehicle = Vehicle::new(120.0).with_radius(8.5);
    vehicle.response = 0.25;
    let body = (
        vehicle,
        AngularLimits { max_rate: 3.0, ..default() },
        SteeringHeight::default(),
        SteeringLayers(6),
        SteeringPlane::Xz,
        Bounds::ground(Vec2::splat(-50.0), Vec2::splat(50.0), BoundsEdge::Bounce),
        ThinkEvery(3),
        WhenIdle::Coast,
        KeepRotation,
        Arbitration::dithered(),
    );
    let mut avoid_walls = AvoidWalls::default().with_feelers(Feelers::Single);
    avoid_walls.blend.weight = 2.0;
    avoid_walls.blend.priority = Some(Priority::High);
    let behaviors = (
        Seek::new(Target::nearest(SteeringLayers(2), 200.0)),
        Pursue::new(target),
        Arrive::new(vec3(1.0, -2.5, 3.0)).disabled(),
        Flee::new(Vec2::new(4.0, 5.0)),
        PathFollow::new(Path::new([vec2(0.0, 1.0), vec2(2.0, 3.0)]))
            .with_end(PathEnd::Loop)
            .along_corridor(Length::Radii(3.0), 0.5),
        avoid_walls,
        AvoidAgents { pushiness: -0.5, ..default() },
        Align::to_angle(1.5),
        Flock::new(60.0).with_rules(1.5, 1.0, 0.8),
        Several::new([Wander::default().with_rate(4.0), Wander::default()]),
        Several::new([AvoidWalls::default().with_margin(2.5)]),
    );
    world.spawn((body, behaviors)).id()
}

/// The `use` lines at the top of the code.
fn uses(code: &str) -> String {
    let uses = code.lines().filter_map(|line| line.strip_prefix("// use "));
    uses.map(|what| format!("use {what}\n")).collect()
}

/// The code with no other names than its `use` lines import.
mod pasted_rust {
    include!("pasted/agent_uses.in");

    pub(super) fn spawn(world: &mut World) -> Entity {
        world.spawn(include!("pasted/agent.in")).id()
    }
}

/// The scene with no other names than its `use` lines import.
mod pasted_bsn {
    include!("pasted/scene_uses.in");

    pub(super) fn spawn(world: &mut World) -> Entity {
        world.spawn_scene(include!("pasted/scene.in")).unwrap().id()
    }
}

#[test]
fn pasted_rust_spawns_the_same_agent() {
    let mut app = app();
    let original = agent(app.world_mut());
    let code = write_code(app.world_mut(), original, Language::Rust, None).unwrap();
    assert_eq!(code, include_str!("pasted/agent.in"), "{code}");
    assert_eq!(uses(&code), include_str!("pasted/agent_uses.in"));
    let pasted = pasted_rust::spawn(app.world_mut());
    let again = write_code(app.world_mut(), pasted, Language::Rust, None).unwrap();
    assert_eq!(again, code);
    assert_same(app.world(), original, pasted);
}

#[test]
fn pasted_bsn_spawns_the_same_agent() {
    let mut app = app();
    let original = agent(app.world_mut());
    let code = write_code(app.world_mut(), original, Language::Bsn, None).unwrap();
    assert_eq!(code, include_str!("pasted/scene.in"), "{code}");
    assert_eq!(uses(&code), include_str!("pasted/scene_uses.in"));
    let pasted = pasted_bsn::spawn(app.world_mut());
    let again = write_code(app.world_mut(), pasted, Language::Bsn, None).unwrap();
    assert_eq!(again, code);
    assert_same(app.world(), original, pasted);
}

/// All but the target of `Pursue`, which the game has to set.
fn assert_same(world: &World, one: Entity, other: Entity) {
    fn same<C: Component + PartialEq + core::fmt::Debug>(world: &World, [a, b]: [Entity; 2]) {
        assert!(world.get::<C>(a).is_some());
        assert_eq!(world.get::<C>(a), world.get::<C>(b));
    }
    let both = [one, other];
    same::<Vehicle>(world, both);
    same::<SteeringLayers>(world, both);
    same::<SteeringPlane>(world, both);
    same::<Bounds>(world, both);
    same::<Arbitration>(world, both);
    same::<Seek>(world, both);
    same::<Arrive>(world, both);
    same::<Flee>(world, both);
    same::<PathFollow>(world, both);
    same::<AvoidWalls>(world, both);
    same::<AvoidAgents>(world, both);
    same::<Align>(world, both);
    same::<Flock>(world, both);
    assert_eq!(world.get::<Pursue>(other).unwrap().target, Target::Entity(Entity::PLACEHOLDER));
    let several = world.get::<Several<Wander>>(other).unwrap();
    assert_eq!(several.0, world.get::<Several<Wander>>(one).unwrap().0);
}

#[test]
fn components_of_other_crates_are_written() {
    let mut app = app();
    app.add_plugins((FormationPlugin, NavigationPlugin::default()));
    let world = app.world_mut();
    let formation = Formation::new(Pattern::Block { columns: 3 });
    let waits = WaitForMembers::default().disabled();
    let leader = world.spawn((Vehicle::default(), formation, waits)).id();
    let member = world.spawn((Vehicle::default(), MemberOf(leader))).id();
    world.get_mut::<OffsetPursue>(member).unwrap().offset = Vec3::X;
    let walker = world.spawn((Vehicle::default(), NavigateTo::new(Vec2::new(3.0, 4.0)))).id();
    world.get_mut::<PathFollow>(walker).unwrap().path = Path::new([Vec2::X]);
    for language in [Language::Rust, Language::Bsn] {
        let mut code = |agent| write_code(app.world_mut(), agent, language, None).unwrap();
        let leader = code(leader);
        assert!(leader.contains("WaitForMembers { blend: "), "{leader}");
        assert!(leader.contains("Formation { pattern: "), "{leader}");
        assert!(!leader.contains("FormationMembers"), "{leader}");
        let uses = "// use bevy_steer_formations::{Formation, Pattern, WaitForMembers};\n";
        assert!(leader.contains(uses), "{leader}");
        let member = code(member);
        assert!(member.contains("MemberOf(") && member.contains("PLACEHOLDER"), "{member}");
        for own in ["OffsetPursue", "FormationSlot"] {
            assert!(!member.contains(own), "{member}");
        }
        let walker = code(walker);
        assert!(walker.contains("NavigateTo { target: "), "{walker}");
        for own in ["PathFollow", "Path::new", "AvoidWalls"] {
            assert!(!walker.contains(own), "{walker}");
        }
    }
}

#[test]
fn one_behaviour_is_written_alone() {
    let mut app = app();
    let original = agent(app.world_mut());
    let seek = core::any::TypeId::of::<Seek>();
    let code = write_code(app.world_mut(), original, Language::Bsn, Some(seek)).unwrap();
    assert!(code.contains("    Seek {") && code.lines().count() == 5, "{code}");
}

#[test]
fn every_built_in_behaviour_can_be_written() {
    let mut app = app();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let known: Vec<_> = app.world().resource::<BehaviorRegistry>().iter().copied().collect();
    assert!(known.len() > 15);
    for behavior in known {
        let agent = app.world_mut().spawn(Vehicle::default()).id();
        let registry = registry.read();
        let reflect = registry.get_type_data::<ReflectComponent>(behavior.type_id).unwrap();
        let default = registry.get_type_data::<ReflectDefault>(behavior.type_id).unwrap().default();
        let mut entity = app.world_mut().entity_mut(agent);
        reflect.insert(&mut entity, default.as_partial_reflect(), &registry);
        drop(registry);
        for language in [Language::Rust, Language::Bsn] {
            let code = write_code(app.world_mut(), agent, language, None).unwrap();
            assert!(code.contains(behavior.name), "{code}");
        }
    }
    assert!(write_code(app.world_mut(), Entity::PLACEHOLDER, Language::Rust, None).is_err());
}
