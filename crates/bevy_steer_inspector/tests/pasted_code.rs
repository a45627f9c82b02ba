//! The code of agents with components and behaviours of a game. That code compiles is tested in the
//! package of the examples.

use bevy::{ecs::system::SystemParamItem, platform::collections::HashMap, prelude::*};
use bevy_steer::{
    AngularVelocity, AvoidWallsWith, BehaviorRegistry, FeelerCaster, FeelerHit, Path, prelude::*,
};
use bevy_steer_inspector::{Language, write_code};

use crate::common::app;

const LANGUAGES: [Language; 2] = [Language::Rust, Language::Bsn];

/// An agent with these components, as code in both languages.
fn code(app: &mut App, components: impl Bundle) -> [String; 2] {
    let agent = app.world_mut().spawn((Vehicle::default(), components)).id();
    LANGUAGES.map(|language| write_code(app.world_mut(), agent, language, None).expect("code"))
}

#[test]
fn what_makes_an_agent_turn_is_written() {
    let mut app = app();
    for code in code(&mut app, (Wish::turn(Vec3::Z), AngularVelocity(Vec3::Z))) {
        assert!(code.contains("AngularVelocity") && !code.contains("AngularVelocity("), "{code}");
    }
    for code in code(&mut app, Face::new(Vec2::X)) {
        assert!(!code.contains("AngularVelocity"), "Face requires it: {code}");
    }
    for code in code(&mut app, Obstacle::sphere(3.0)) {
        assert!(code.contains("Obstacle { shape: "), "{code}");
    }
}

#[test]
fn what_a_planner_sets_is_not_written() {
    #[derive(Component, Clone, Default)]
    #[require(PathFollow)]
    struct Planned;

    let mut app = app();
    let follow = PathFollow::new(Path::new([Vec2::ZERO, Vec2::X]));
    for code in code(&mut app, (Planned, follow.clone())) {
        assert!(code.contains("PathFollow") && !code.contains("Path::new"), "{code}");
    }
    for code in code(&mut app, follow) {
        assert!(code.contains("path: ") && code.contains("Path::new"), "{code}");
    }
}

#[test]
fn an_empty_list_of_behaviours_imports_them() {
    let mut app = app();
    for code in code(&mut app, SteeringWish::default()) {
        let uses = code.lines().find(|line| line.starts_with("// use bevy_steer::{"));
        let uses = uses.expect("a line with names");
        for name in ["Several", "SteeringLayers", "Vehicle", "Wish"] {
            assert!(uses.contains(name), "{name} in {uses}");
        }
    }
}

#[test]
fn a_behaviour_is_written_by_its_type_and_not_by_its_name() {
    #[derive(Component, Reflect, Clone, Debug, Default)]
    #[reflect(Component, Default)]
    struct NightPatrol {
        blend: Blend,
    }
    impl SteeringBehavior for NightPatrol {
        type Param = ();
        const PRIORITY: Priority = Priority::Low;
        bevy_steer::blend_field!();
        fn name() -> &'static str {
            "Night patrol"
        }
        fn steer(&mut self, _: &Agent, (): &()) -> Steering {
            Steering::NONE
        }
    }
    let mut app = app();
    app.add_steering_behavior::<NightPatrol>();
    let agent = (NightPatrol::default(), Several::new([NightPatrol::default()]));
    let [rust, bsn] = code(&mut app, agent);
    assert!(rust.contains("    NightPatrol::default(),\n"), "{rust}");
    assert!(rust.contains("    Several::<NightPatrol>(vec![NightPatrol::default()]),\n"), "{rust}");
    assert!(bsn.contains("    NightPatrol\n"), "{bsn}");
    let uses = concat!("// use ", module_path!(), "::{NightPatrol};\n");
    for code in [rust, bsn] {
        assert!(code.contains(uses) && !code.contains("Night patrol"), "{code}");
    }
}

#[test]
fn a_caster_names_the_alias_for_it() {
    #[derive(TypePath)]
    struct Cliff;
    impl FeelerCaster for Cliff {
        type Param = ();
        const BEHAVIOR: Option<&'static str> = Some("hunt::walls::AvoidCliffs");
        fn cast(
            _: &Agent,
            _: Vec3,
            _: f32,
            _: SteeringLayers,
            (): &SystemParamItem<Self::Param>,
        ) -> Option<FeelerHit> {
            None
        }
    }
    let mut app = app();
    app.add_steering_behavior::<AvoidWallsWith<Cliff>>();
    let last = app.world().resource::<BehaviorRegistry>().iter().last();
    assert_eq!(last.map(|behavior| behavior.name), Some("AvoidCliffs"));
    let [rust, bsn] = code(&mut app, AvoidWallsWith::<Cliff>::default().with_margin(2.5));
    assert!(rust.contains("    AvoidCliffs { margin: 2.5, ..default() },\n"), "{rust}");
    assert!(bsn.contains("    AvoidCliffs { margin: 2.5 }\n"), "{bsn}");
    for code in [rust, bsn] {
        assert!(code.contains("// use hunt::walls::{AvoidCliffs};\n"), "{code}");
    }
}

/// A behaviour with fields of many types.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default)]
struct Hunt {
    call: String,
    towards: Dir3,
    limit: f64,
    delay: core::time::Duration,
    prices: HashMap<String, f32>,
    lead: f32,
    patience: Option<f32>,
    blend: Blend,
}

impl Default for Hunt {
    fn default() -> Self {
        Self {
            call: String::new(),
            towards: Dir3::X,
            limit: 1.0,
            delay: core::time::Duration::ZERO,
            prices: HashMap::default(),
            lead: 1.0,
            patience: None,
            blend: Blend::default(),
        }
    }
}

impl SteeringBehavior for Hunt {
    type Param = ();
    const PRIORITY: Priority = Priority::Low;
    bevy_steer::blend_field!();
    fn steer(&mut self, _: &Agent, (): &()) -> Steering {
        Steering::NONE
    }
}

#[test]
fn fields_of_many_types_are_written() {
    let mut app = app();
    app.add_steering_behavior::<Hunt>();
    let hunt = Hunt {
        call: "\"Hoo\"".to_owned(),
        towards: Dir3::Y,
        limit: f64::INFINITY,
        delay: core::time::Duration::from_millis(1500),
        prices: [("fox".to_owned(), 2.0)].into_iter().collect(),
        lead: -0.5,
        patience: Some(8.0),
        ..default()
    };
    let [rust, bsn] = code(&mut app, hunt.clone());
    let fields = [
        r#"Hunt { call: String::from("\"Hoo\""), "#,
        "towards: Dir3::new_unchecked(Vec3::new(0.0, 1.0, 0.0)), limit: f64::INFINITY, ",
        "delay: core::time::Duration::new(1, 500000000), ",
        "lead: -0.5, patience: Some(8.0), ..default() },\n",
    ];
    assert!(rust.contains(&fields.concat()), "{rust}");
    let fields = [
        r#"Hunt { call: {String::from("\"Hoo\"")}, "#,
        "towards: {Dir3::new_unchecked(Vec3::new(0.0, 1.0, 0.0))}, limit: {f64::INFINITY}, ",
        "delay: {core::time::Duration::new(1, 500000000)}, ",
        "lead: {-0.5_f32}, patience: {Some(8.0_f32)} }\n",
    ];
    assert!(bsn.contains(&fields.concat()), "{bsn}");
    for code in [rust, bsn] {
        assert!(code.contains("// Hunt.prices: not written, a HashMap<String, f32"), "{code}");
    }
    // What is written means the same.
    let pasted = Hunt {
        call: String::from("\"Hoo\""),
        towards: Dir3::new_unchecked(Vec3::new(0.0, 1.0, 0.0)),
        limit: f64::INFINITY,
        delay: core::time::Duration::new(1, 500_000_000),
        lead: -0.5,
        patience: Some(8.0),
        ..default()
    };
    assert_eq!(pasted, Hunt { prices: HashMap::default(), ..hunt });
}
