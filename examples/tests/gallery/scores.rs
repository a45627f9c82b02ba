//! The scores of scenes: what they count, and where it is shown.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_steer::{Paint, prelude::*};
use bevy_steer_examples::gallery::{
    scenes::{self, SCENES, evade::RunOver, pursue::Chaser},
    title,
};
use egui_kittest::{Harness, kittest::Queryable};

use super::play::Play;

const WIDTH: f32 = 1000.0;

#[test]
fn all_scores_are_shown_in_one_place_and_in_one_size() {
    let mut shown = Vec::new();
    let mut places = Vec::new();
    for scene in SCENES {
        let mut play = Play::new(scene.name);
        play.run(0.5);
        let Some(score) = scene.score else { continue };
        // Text in the arena would lie on what moves there.
        assert!(play.all::<&Text2d, (), _>(|_| ()).is_empty(), "{scene:?}");
        let parts = score(play.world());
        assert!(!parts.is_empty(), "{scene:?}");
        let show = |ui: &mut egui::Ui, play: &mut Play| title::show(play.world(), ui, scene);
        let size = egui::vec2(WIDTH, 60.0);
        let harness = Harness::builder().with_size(size).build_ui_state(show, play);
        let title = harness.get_by_label(scene.title).rect();
        let rects: Vec<_> =
            parts.iter().map(|part| harness.get_by_label(&part.text).rect()).collect();
        let mut left = title.right();
        for rect in &rects {
            assert!(rect.left() > left, "{scene:?}: {rects:?} after {title}");
            assert!((rect.center().y - title.center().y).abs() < 2.0, "{scene:?}: {rects:?}");
            left = rect.right();
        }
        let last = rects[rects.len() - 1];
        places.push((last.right().round(), last.top().round(), last.height().round()));
        shown.push(scene.name);
    }
    assert_eq!(shown, ["pursue", "evade", "crossing", "door", "hallway"]);
    places.dedup();
    assert!(places.len() == 1 && places[0].2 >= 17.0, "{places:?}");
}

#[test]
fn limits_have_a_legend_where_they_are_drawn() {
    let mut with_limits = Vec::new();
    for scene in SCENES {
        let mut gizmos = SteeringGizmos { limits: Paint::Off, ..default() };
        (scene.explain)(&mut gizmos);
        if gizmos.limits == Paint::Off {
            continue;
        }
        with_limits.push(scene.name);
        let play = Play::new(scene.name);
        let controls = scene.controls.expect("a place for the legend");
        let show = |ui: &mut egui::Ui, play: &mut Play| controls(play.world(), ui);
        let harness =
            Harness::builder().with_size(egui::vec2(300.0, 600.0)).build_ui_state(show, play);
        for line in ["dim arrow: requested", "bright arrow: permitted", "bar: a limit between"] {
            assert!(harness.query_by_label_contains(line).is_some(), "{scene:?}: {line}");
        }
    }
    assert_eq!(with_limits, ["avoid-obstacles", "avoid-walls", "avoid-agents"]);
}

#[test]
fn pursue_catches_more_than_seek() {
    let mut play = Play::new("pursue");
    play.run(60.0);
    let catches = |is_pursuer| {
        move |(chaser, pursues): (&Chaser, bool)| (pursues == is_pursuer).then_some(chaser.catches)
    };
    let of = |play: &mut Play, is_pursuer| -> u32 {
        play.all::<(&Chaser, Has<Pursue>), (), _>(catches(is_pursuer)).into_iter().flatten().sum()
    };
    let (pursuer, seeker) = (of(&mut play, true), of(&mut play, false));
    assert!(pursuer >= 5 && pursuer > seeker, "{pursuer} and {seeker}");
    let score = scenes::find("pursue").and_then(|scene| scene.score).expect("a score");
    let texts: Vec<String> = score(play.world()).into_iter().map(|part| part.text).collect();
    assert_eq!(texts, [format!("Pursue: {pursuer}"), format!("Seek: {seeker}")]);
}

/// Bulls are nearly twice as fast as beetles: one that runs straight ahead is caught up with. Those
/// that evade step out of the track instead; only one that is between two bulls, or that wanders
/// into a track when the bull is close, is hit. In two minutes they were a third to a quarter of
/// those that flee; half leaves room for other numbers.
#[test]
fn beetles_that_evade_are_rarely_run_over() {
    let mut play = Play::new("evade");
    let mut before = RunOver::default();
    for seconds in [30.0, 90.0] {
        play.run(seconds);
        let now = play.all::<&RunOver, (), _>(|count| *count)[0];
        assert!(now.fleeing > before.fleeing, "none that flees is run over in {seconds} s");
        before = now;
    }
    let RunOver { fleeing, evading } = before;
    assert!(evading * 2 <= fleeing, "{evading} evading and {fleeing} fleeing beetles");
    assert!(fleeing >= 10, "{fleeing} fleeing beetles in two minutes");
}
