//! A list of 100,000 agents lays out its visible rows only.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::Inspector;
use egui_kittest::kittest::Queryable;

use crate::common::{Panel, app};

const MANY: usize = 100_000;

#[test]
fn only_visible_rows_are_laid_out() {
    let mut app = app();
    app.world_mut().spawn_batch((0..MANY).map(|_| Vehicle::default())).for_each(drop);
    app.world_mut().spawn((Name::new("Needle"), Vehicle::default()));
    let mut panel = Panel::new(app);
    panel.harness.run_steps(3);
    let rows = |panel: &Panel| panel.harness.query_all_by_label_contains("Agent #").count();
    let laid_out = rows(&panel);
    assert!((4..=20).contains(&laid_out), "{laid_out} rows");
    panel.type_into("Search agents", "needle");
    assert_eq!(rows(&panel), 0);
    let found = panel.harness.query_all_by_label_contains("Needle").count();
    assert_eq!(found, 1);
    panel.harness.get_by_label_contains("Needle").click();
    panel.harness.run_steps(2);
    assert!(panel.world().resource::<Inspector>().selected.is_some());
}
