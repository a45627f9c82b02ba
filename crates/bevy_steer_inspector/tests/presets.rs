//! Presets are saved and loaded; invalid ones change nothing.

use std::{env, fs, path::PathBuf};

use bevy::prelude::*;
use bevy_steer::{Length, Path, PathStyle, prelude::*};
use bevy_steer_inspector::presets::{Preset, write};

use crate::common::{Orbit, agent, app, names};

fn shipped() -> PathBuf {
    // At run time: the executable may have been built in another copy of the workspace.
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("run by cargo"))
        .join("../../assets/presets")
}

fn read_error(text: &str) -> String {
    let mut app = app();
    Preset::read(text, app.world_mut()).expect_err("a broken preset").to_string()
}

#[test]
fn shipped_presets_load_and_steer() {
    let mut count = 0;
    for entry in fs::read_dir(shipped()).expect("assets/presets") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a preset");
        let mut app = app();
        let mate = agent(&mut app, Wander::default());
        let agent = agent(&mut app, ());
        let preset = Preset::read(&text, app.world_mut());
        let preset = preset.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(preset.vehicle.is_some(), "{}", path.display());
        preset.apply(app.world_mut(), agent, true);
        let mut expected: Vec<_> = preset.behaviors().collect();
        let mut found = names(&app, agent);
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        app.world_mut().get_mut::<Transform>(mate).unwrap().translation.x = 2.0;
        (0..20).for_each(|_| app.update());
        assert!(app.world().get::<Transform>(agent).unwrap().translation.is_finite());
        count += 1;
    }
    assert!(count >= 5, "{count}");
}

#[test]
fn saved_presets_load_unchanged() {
    let mut app = app();
    app.add_steering_behavior::<Orbit>();
    let corridor = PathStyle::Corridor { radius: 2.0.into(), look_ahead: 0.7 };
    let behaviors = (
        Flee {
            target: Target::nearest(SteeringLayers(6), f32::INFINITY),
            panic_distance: Some(3.5),
            ..default()
        }
        .with_weight(1.25)
        .with_priority(Priority::Critical),
        Wander { rate: 0.3, ..default() }.disabled(),
        PathFollow { style: corridor, ..PathFollow::new(Path::new([Vec2::ZERO, Vec2::X])) },
        Orbit { distance: 9.0, ..default() },
        Arbitration::FirstActive { epsilon: 0.25 },
    );
    let from = agent(&mut app, behaviors);
    (0..5).for_each(|_| app.update());
    let text = write(app.world_mut(), from).expect("a preset");
    for state in ["memory", "progress", "angle:"] {
        assert!(!text.contains(state), "{state} in {text}");
    }
    let to = agent(&mut app, Seek::default());
    let preset = Preset::read(&text, app.world_mut()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    preset.apply(app.world_mut(), to, false);
    assert_eq!(names(&app, to), names(&app, from));
    let get = |agent| {
        let world = app.world();
        let flee = world.get::<Flee>(agent).unwrap();
        let wander = world.get::<Wander>(agent).unwrap();
        let follow = world.get::<PathFollow>(agent).unwrap();
        (
            (flee.target, flee.panic_distance, flee.blend),
            (wander.rate, wander.distance, wander.blend),
            (follow.path.clone(), follow.style, follow.end, follow.blend),
            world.get::<Orbit>(agent).cloned(),
            world.get::<Arbitration>(agent).cloned(),
        )
    };
    assert_eq!(get(to), get(from));
}

#[test]
fn targets_stay_unless_the_preset_names_them() {
    let mut app = app();
    let prey = agent(&mut app, ());
    let hunter = agent(&mut app, Pursue::new(prey));
    let text = write(app.world_mut(), hunter).expect("a preset");
    assert!(!text.contains("target"), "{text}");
    let other_prey = agent(&mut app, ());
    let other = agent(&mut app, Pursue { max_look_ahead: 1.0, ..Pursue::new(other_prey) });
    let fresh = agent(&mut app, ());
    let preset = Preset::read(&text, app.world_mut()).unwrap();
    preset.apply(app.world_mut(), other, false);
    preset.apply(app.world_mut(), fresh, false);
    let pursue = |agent| *app.world().get::<Pursue>(agent).unwrap();
    assert_eq!(pursue(other).target, Target::Entity(other_prey));
    assert_eq!(pursue(other).max_look_ahead, 5.0);
    assert_eq!(pursue(fresh).target, Target::default());
}

#[test]
fn several_of_a_kind_are_saved_and_replaced() {
    let mut app = app();
    let evade = |max_look_ahead, weight| {
        Evade { max_look_ahead, ..Evade::new(Target::nearest(SteeringLayers(2), 6.0)) }
            .with_weight(weight)
    };
    let evades = Several::new([evade(1.0, 1.0), evade(2.0, 0.5)]);
    let from = agent(&mut app, (evades.clone(), Evade::new(Vec2::Y)));
    let text = write(app.world_mut(), from).expect("a preset");
    let preset = Preset::read(&text, app.world_mut()).unwrap_or_else(|e| panic!("{e}\n{text}"));

    let others = (Several::new([Seek::new(Vec2::X)]), Several::new([evade(9.0, 9.0)]));
    let to = agent(&mut app, others);
    let large = app.world_mut().spawn(Vehicle::default().with_radius(1.0)).id();
    for agent in [to, large] {
        preset.apply(app.world_mut(), agent, false);
        assert!(app.world().get::<Several<Seek>>(agent).is_none());
        assert_eq!(app.world().get::<Evade>(agent).unwrap().target, Vec2::Y.into());
    }
    assert_eq!(app.world().get::<Several<Evade>>(to), Some(&evades));
    let scaled = &app.world().get::<Several<Evade>>(large).unwrap()[1];
    assert_eq!(scaled.target, Target::nearest(SteeringLayers(2), 12.0));
    assert_eq!((scaled.max_look_ahead, scaled.blend.weight), (2.0, 0.5));

    let hand_written = r#"(behaviors: {}, several: {"Seek": [(), (blend: (weight: 3.0))]})"#;
    Preset::read(hand_written, app.world_mut()).unwrap().apply(app.world_mut(), to, false);
    assert!(app.world().get::<Several<Evade>>(to).is_none() && names(&app, to).is_empty());
    let seeks = app.world().get::<Several<Seek>>(to).unwrap();
    assert_eq!(**seeks, [Seek::default(), Seek::default().with_weight(3.0)]);
}

#[test]
fn targets_of_several_stay_unless_the_preset_names_them() {
    let mut app = app();
    let [one, other] = [0, 1].map(|_| agent(&mut app, ()));
    let hunter = agent(&mut app, Several::new([Pursue::new(one)]));
    let preset = r#"(behaviors: {}, several: {"Pursue": [(max_look_ahead: 1.5), ()]})"#;
    Preset::read(preset, app.world_mut()).unwrap().apply(app.world_mut(), hunter, false);
    let pursues = app.world().get::<Several<Pursue>>(hunter).unwrap();
    assert_eq!((pursues[0].target, pursues[0].max_look_ahead), (Target::Entity(one), 1.5));
    assert_eq!(pursues[1], Pursue::default());
    let copy = agent(&mut app, Several::new([Pursue::new(other), Pursue::new(one)]));
    let text = write(app.world_mut(), hunter).expect("a preset");
    assert!(!text.contains("Entity"), "{text}");
    Preset::read(&text, app.world_mut()).unwrap().apply(app.world_mut(), copy, false);
    let target = app.world().get::<Several<Pursue>>(copy).unwrap()[0].target;
    assert_eq!(target, Target::Entity(other));
}

#[test]
fn omitted_fields_get_their_defaults() {
    let mut app = app();
    let agent = agent(&mut app, Flock { cohesion: 4.0, ..default() });
    let text =
        r#"(behaviors: {"Flock": (radius: Units(8.0), blend: (weight: 2.0)), "Wander": ()})"#;
    let preset = Preset::read(text, app.world_mut()).unwrap();
    preset.apply(app.world_mut(), agent, false);
    let flock = app.world().get::<Flock>(agent).unwrap();
    let expected = Flock { radius: 8.0.into(), ..default() }.with_weight(2.0);
    assert_eq!(*flock, expected);
}

#[test]
fn lengths_are_scaled_to_the_body() {
    let mut app = app();
    let text = r#"(
        vehicle: (radius: 0.5, max_speed: 4.0),
        behaviors: {
            "Flee": (target: Nearest(layers: (1), within: 6.0), panic_distance: 3.0),
            "PathFollow": (style: Corridor(radius: Units(2.0), look_ahead: 0.5)),
            "Flock": (radius: Units(5.0), separation_radius: Radii(4.0), view_angle: 3.0),
            "OffsetPursue": (offset: (1.0, 0.0, -2.0), profile: SlowRadius(3.0)),
        },
    )"#;
    let preset = Preset::read(text, app.world_mut()).unwrap();
    let large = app.world_mut().spawn(Vehicle::default().with_radius(10.0)).id();
    preset.apply(app.world_mut(), large, false);
    let world = app.world();
    let flee = world.get::<Flee>(large).unwrap();
    assert_eq!(flee.panic_distance, Some(60.0));
    assert_eq!(flee.target, Target::nearest(SteeringLayers(1), 120.0));
    let style = world.get::<PathFollow>(large).unwrap().style;
    assert_eq!(style, PathStyle::Corridor { radius: 40.0.into(), look_ahead: 0.5 });
    let flock = world.get::<Flock>(large).unwrap();
    assert_eq!((flock.radius, flock.view_angle), (100.0.into(), 3.0));
    assert_eq!(flock.separation_radius, Length::Radii(4.0));
    let slot = world.get::<OffsetPursue>(large).unwrap();
    assert_eq!(slot.offset, Vec3::new(20.0, 0.0, -40.0));
    assert_eq!(slot.profile, ArriveProfile::SlowRadius(60.0));
    assert_eq!(world.get::<Vehicle>(large).unwrap().max_speed, 5.0);

    preset.apply(app.world_mut(), large, true);
    assert_eq!(app.world().get::<Vehicle>(large).unwrap().radius, 0.5);
    assert_eq!(app.world().get::<Flee>(large).unwrap().panic_distance, Some(3.0));
}

#[test]
fn errors_name_the_position_and_the_problem() {
    let cases = [
        ("(behaviors: {\n  \"Seek\": (target: Point((1.0, 2.0)\n})", "line"),
        ("(behaviors: {\n    \"Sek\": (),\n})", "no behaviour is registered as \"Sek\""),
        ("(behaviors: {\n \"Flock\": (radus: 3.0)})", "radus"),
        ("(behaviors: {\"Flock\": (radius: \"far\")})", "line 1"),
        ("(behaviours: {})", "behaviours"),
        ("(vehicle: (radius: 1.0))", "behaviors"),
        ("(behaviors: {\"Flock\": (radius: Units(NaN))})", "Flock.radius is not a number"),
        ("(behaviors: {\"Wander\": (), \"Wander\": ()})", "occurs twice"),
        ("(behaviors: {}, several: {\"Sek\": []})", "no behaviour is registered as \"Sek\""),
        ("(behaviors: {}, several: {\"Flock\": (radius: 3.0)})", "line 1"),
        ("(behaviors: {\"Seek\": (target: Entity(4294967295))})", "entity"),
        (
            "(behaviors: {\"PathFollow\": (path: [World((1.0, NaN, 0.0))])})",
            "PathFollow.path[0].y is not a number",
        ),
        (
            "(arbitration: FirstActive(epsilon: NaN), behaviors: {})",
            "arbitration.epsilon is not a number",
        ),
        ("", "line 1"),
        ("(behaviors: {}) more", "line 1"),
    ];
    for (text, part) in cases {
        let error = read_error(text);
        assert!(error.contains(part), "{text}\n{error}");
    }
    let error = read_error("(behaviors: {\n    \"Wander\": (),\n    \"Sek\": (),\n})");
    assert!(error.starts_with("line 3, column "), "{error}");
}

#[test]
fn numbers_in_lists_and_tuples_are_checked() {
    #[derive(Component, Reflect, Clone, Debug, Default)]
    #[reflect(Component, Default)]
    struct Patrol {
        times: Vec<f32>,
        ends: (f32, f64),
        blend: Blend,
    }
    impl SteeringBehavior for Patrol {
        type Param = ();
        const PRIORITY: Priority = Priority::Low;
        bevy_steer::blend_field!();
        fn steer(&mut self, _: &Agent, (): &()) -> Steering {
            Steering::NONE
        }
    }
    let mut app = app();
    app.add_steering_behavior::<Patrol>();
    for (field, place) in [("times: [1.0, NaN]", "times[1]"), ("ends: (1.0, NaN)", "ends[1]")] {
        let text = format!("(behaviors: {{\"Patrol\": ({field})}})");
        let error = Preset::read(&text, app.world_mut()).unwrap_err();
        assert_eq!(error.message, format!("Patrol.{place} is not a number"));
    }
}

#[test]
fn behaviour_with_a_hidden_field_is_applied() {
    #[derive(Component, Reflect, Default)]
    #[reflect(Component, Default)]
    struct Ambush {
        patience: f32,
        #[reflect(ignore)]
        seen: Vec<u32>,
        blend: Blend,
    }
    impl SteeringBehavior for Ambush {
        type Param = ();
        const PRIORITY: Priority = Priority::Low;
        bevy_steer::blend_field!();
        fn steer(&mut self, _: &Agent, (): &()) -> Steering {
            Steering::linear(Vec3::Y * self.seen.len() as f32)
        }
    }
    let mut app = app();
    app.add_steering_behavior::<Ambush>();
    let agent = agent(&mut app, ());
    let text = r#"(behaviors: {"Ambush": (patience: 4.0)}, several: {"Ambush": [()]})"#;
    Preset::read(text, app.world_mut()).unwrap().apply(app.world_mut(), agent, false);
    assert_eq!(app.world().get::<Ambush>(agent).map(|ambush| ambush.patience), Some(4.0));
    assert_eq!(app.world().get::<Several<Ambush>>(agent).map(|ambushes| ambushes.len()), Some(1));
}

#[test]
fn behaviour_without_reflection_is_rejected() {
    #[derive(Component, Reflect, Clone, Debug, Default)]
    struct Bare(Blend);
    impl SteeringBehavior for Bare {
        type Param = ();
        const PRIORITY: Priority = Priority::Low;
        fn blend(&self) -> &Blend {
            &self.0
        }
        fn blend_mut(&mut self) -> &mut Blend {
            &mut self.0
        }
        fn steer(&mut self, _: &Agent, (): &()) -> Steering {
            Steering::NONE
        }
    }
    let mut app = app();
    app.add_steering_behavior::<Bare>();
    let error = Preset::read("(behaviors: {\"Bare\": (())})", app.world_mut()).unwrap_err();
    assert!(error.message.contains("#[reflect(Component, Default)]"), "{error}");
}
