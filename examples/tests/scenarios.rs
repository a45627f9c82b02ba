//! Scenarios with default behaviours: arrivals, contacts, times and jitter stay within bounds.

use std::{collections::HashSet, path::Path, sync::LazyLock};

use bevy_steer_examples::scenarios::{
    self,
    bodies::{Compared, Engine},
    crowds,
    headless::{play, play_perturbed, steering},
    outcome::Outcome,
    portraits::{PORTRAITS, Portrait},
    scenario::Scenario,
    table::{self, Played},
};

#[path = "../scenarios/orca.rs"]
mod orca;

/// Each scenario is played once as it is, and this many times from perturbed start positions.
const PERTURBED: u64 = 8;

static PLAYED: LazyLock<Vec<(&Scenario, Outcome)>> = LazyLock::new(|| {
    scenarios::all()
        .map(|scenario| (scenario, play_perturbed(scenario, steering, PERTURBED)))
        .collect()
});

/// The largest number of agents, over all plays of a scenario, of which none touch each other.
const FEW: usize = 10 * (PERTURBED as usize + 1);

fn few() -> impl Iterator<Item = (&'static str, Outcome)> {
    let few = PLAYED.iter().filter(|(_, outcome)| outcome.agents <= FEW);
    few.map(|(scenario, outcome)| (scenario.name, *outcome))
}

#[test]
fn all_agents_arrive() {
    for (scenario, outcome) in &*PLAYED {
        assert_eq!(outcome.arrived, outcome.agents, "{}: {outcome:?}", scenario.name);
    }
}

#[test]
fn small_groups_have_no_contacts() {
    assert_eq!(few().map(|(_, outcome)| outcome.agents).max(), Some(FEW));
    for (name, outcome) in few() {
        assert_eq!(outcome.contacts, 0, "{name}: {outcome:?}");
    }
}

#[test]
fn agents_do_not_touch_obstacles_or_walls() {
    for (scenario, outcome) in &*PLAYED {
        assert_eq!(outcome.bumps, 0, "{}: {outcome:?}", scenario.name);
    }
}

/// Upper bounds for each scenario: mean time and longest time as multiples of the time at top
/// speed, and jitter in radians a second.
const BOUNDS: &[(&str, [f32; 3])] = &[
    ("two head-on", [1.12, 1.12, 0.02]),
    ("two nearly head-on", [1.12, 1.12, 0.025]),
    ("two crossing", [1.13, 1.15, 0.02]),
    ("groups of 4 head-on", [1.12, 1.17, 0.03]),
    ("groups of 4 head-on, on the ground", [1.12, 1.17, 0.03]),
    ("streams of 5 crossing", [1.12, 1.2, 0.03]),
    ("4 swap places", [1.16, 1.2, 0.035]),
    ("8 swap places", [1.2, 1.3, 0.055]),
    ("8 swap places, in free space", [1.18, 1.25, 0.05]),
    ("10 swap places", [1.23, 1.42, 0.07]),
    ("crowds of 30 crossing", [1.2, 2.3, 0.08]),
    ("a walker through 40 idle agents", [1.22, 1.4, 0.08]),
    ("40 swap places", [1.25, 1.6, 0.1]),
    ("8 through a door for one", [1.6, 3.0, 0.3]),
    ("a hallway, 5 each way", [1.13, 1.15, 0.04]),
    ("out of a corner", [1.15, 1.2, 0.01]),
    ("along the walls of a corner", [1.35, 1.4, 0.17]),
    ("an obstacle dead ahead", [1.2, 1.25, 0.06]),
    ("a boulder crossing the path", [1.2, 1.25, 0.06]),
    ("10 through a forest", [1.3, 2.3, 0.13]),
    ("sharp corners, from point to point", [1.1, 1.15, 0.11]),
    ("sharp corners, along a corridor", [1.15, 1.2, 0.12]),
    ("sharp corners, from point to point, on the ground", [1.1, 1.15, 0.11]),
];

#[test]
fn times_and_jitter_stay_within_bounds() {
    assert_eq!(BOUNDS.len(), PLAYED.len());
    for (scenario, outcome) in &*PLAYED {
        let name = scenario.name;
        let bounds = BOUNDS.iter().find(|(of, _)| *of == name);
        let Some((_, [mean, slowest, jitter])) = bounds else { panic!("no bounds for {name}") };
        assert!(outcome.mean_time <= *mean, "{name}: {outcome:?}");
        assert!(outcome.longest_time <= *slowest, "{name}: {outcome:?}");
        assert!(outcome.jitter <= *jitter, "{name}: {outcome:?}");
    }
}

#[test]
fn crowds_have_few_contacts() {
    let many: Vec<_> = PLAYED.iter().filter(|(_, outcome)| outcome.agents > FEW).collect();
    assert_eq!(many.len(), 2);
    for (scenario, outcome) in many {
        // Of 9 * 780 and 9 * 1770 pairs.
        assert!(outcome.contacts <= 5, "{}: {outcome:?}", scenario.name);
        assert!(outcome.deepest_contact < 0.2, "{}: {outcome:?}", scenario.name);
    }
}

#[test]
fn agents_with_bodies_do_as_well() {
    for engine in [Engine::Avian, Engine::Rapier] {
        let compared: Vec<_> =
            scenarios::all().filter_map(|scenario| Compared::play(scenario, engine, 0)).collect();
        assert!(compared.len() > 15, "{}", compared.len());
        for Compared { scenario, plain, bodies } in compared {
            let what = format!("{engine:?} {}: {plain:?} {bodies:?}", scenario.name);
            assert_eq!(bodies.arrived, plain.arrived, "{what}");
            assert!(bodies.mean_time <= 1.1 * plain.mean_time, "{what}");
            let touches = |outcome: Outcome| outcome.contacts + outcome.bumps;
            assert!(touches(bodies) <= touches(plain), "{what}");
        }
    }
}

fn crowd(name: &str) -> Outcome {
    let crowd = crowds::SCENARIOS.iter().find(|crowd| crowd.name == name);
    play(crowd.expect(name), steering, None)
}

#[test]
fn a_crowd_gets_through_a_door() {
    let outcome = crowd("100 through a door 1.4 wide");
    assert_eq!(outcome.arrived, 100, "{outcome:?}");
    assert_eq!((outcome.contacts, outcome.bumps), (0, 0), "{outcome:?}");
    // One after the other, without gaps: 1.3 a second.
    assert!((0.45..1.3).contains(&outcome.flow), "{outcome:?}");
}

#[test]
fn the_fuller_a_corridor_the_slower_its_crowd() {
    let shares = ["10", "20", "30", "40"];
    let speeds = shares.map(|share| {
        let outcome = crowd(&format!("one way, {share} % of the floor"));
        assert_eq!((outcome.contacts, outcome.bumps), (0, 0), "{share}: {outcome:?}");
        outcome.speed
    });
    for (speed, least) in speeds.into_iter().zip([0.9, 0.65, 0.45, 0.3]) {
        assert!((least..1.01).contains(&speed), "{speeds:?}");
    }
}

#[test]
fn crowds_have_names_of_their_own() {
    let names: HashSet<_> = crowds::SCENARIOS.iter().map(|crowd| crowd.name).collect();
    assert_eq!(names.len(), 13);
}

#[test]
fn orca_plays_the_same_scenarios() {
    let named = |name| scenarios::all().find(|scenario| scenario.name == name).expect(name);
    for (name, touches) in [
        ("two head-on", 0),
        ("10 swap places", 3),
        ("a walker through 40 idle agents", 3),
        ("a hallway, 5 each way", 3),
        ("out of a corner", 0),
        ("a boulder crossing the path", 0),
        ("sharp corners, from point to point, on the ground", 0),
    ] {
        let outcome = orca::play(named(name), 1).expect(name);
        assert_eq!(outcome.arrived, outcome.agents, "{name}: {outcome:?}");
        assert!(outcome.contacts + outcome.bumps <= touches, "{name}: {outcome:?}");
        assert!(outcome.deepest_contact < 0.3, "{name}: {outcome:?}");
        assert!((0.95..=4.0).contains(&outcome.longest_time), "{name}: {outcome:?}");
    }
    assert!(orca::play(named("8 swap places, in free space"), 0).is_none());
}

#[test]
fn table_has_a_row_without_orca() {
    let (scenario, outcome) = PLAYED[0];
    let other = Outcome { arrived: 17, longest_time: 9.87, ..outcome };
    let row = |orca| {
        let table = table::SCENARIOS.markdown(&[Played { scenario, outcome, orca }]);
        table.lines().last().expect("a row").to_owned()
    };
    assert!(row(Some(other)).contains("| 17 ") && row(Some(other)).contains("| 9.87 "));
    assert_eq!(row(None).matches("| – ").count(), 4);
}

#[test]
fn page_gets_the_new_table() {
    let played =
        PLAYED[..2].iter().map(|&(scenario, outcome)| Played { scenario, outcome, orca: None });
    let kind = &table::SCENARIOS;
    let table = kind.markdown(&played.collect::<Vec<_>>());
    let page = include_str!("../../docs/behaviours.md");
    let once = kind.replace_in(page, &table).expect("the page's markers");
    assert!(once.contains(&table) && once.starts_with("# The behaviours"));
    assert_eq!(kind.replace_in(&once, &table).as_ref(), Ok(&once), "the old table is replaced");
    assert!(kind.replace_in("no markers", &table).is_err());
}

#[test]
fn names_are_unique() {
    let names: HashSet<_> = PLAYED.iter().map(|(scenario, _)| scenario.name).collect();
    assert_eq!(names.len(), PLAYED.len());
}

#[test]
fn portraits_show_crowds_and_are_in_the_gallery() {
    let page = include_str!("../../docs/gallery.md");
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/pictures");
    let files: HashSet<_> = PORTRAITS.iter().map(|portrait| portrait.file).collect();
    assert_eq!(files.len(), PORTRAITS.len());
    for portrait in PORTRAITS {
        let mut crowds = crowds::SCENARIOS.iter().chain([&crowds::LANES]);
        assert!(crowds.any(|crowd| crowd.name == portrait.crowd), "{}", portrait.crowd);
        assert!(pictures.join(portrait.file).with_extension("png").exists(), "{}", portrait.file);
        assert!(page.contains(portrait.caption) && page.contains(portrait.file));
    }
    let first = Portrait { from: 0.0, to: 2.0, ..PORTRAITS[2] };
    assert!(first.draw().is_some());
    assert!(Portrait { crowd: "nobody", ..first }.draw().is_none());
}
