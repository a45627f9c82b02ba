//! Agents move smoothly in the windows, though ticks and frames do not coincide.

use core::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::prelude::*;

use crate::window_keys::{open_gallery, open_hunter_prey};

/// The arena is 1000 units wide and 600 high.
const ACROSS: f32 = 0.9 * 600.0;

/// How an agent has moved on the screen in a frame.
struct Step {
    agent: Entity,
    distance: f32,
    /// Of what it moves in a frame at top speed.
    share: f32,
}

/// How the agents have moved since `last`, which becomes where they are now.
fn steps(app: &mut App, last: &mut Vec<(Entity, Vec3)>, frame: Duration) -> Vec<Step> {
    let mut agents = app.world_mut().query::<(Entity, &Transform, &Vehicle)>();
    let places: Vec<_> = agents.iter(app.world()).collect();
    let moved = last.iter().filter_map(|(agent, before)| {
        let &(agent, now, vehicle) = places.iter().find(|(entity, ..)| entity == agent)?;
        let distance = now.translation.distance(*before);
        let share = distance / (vehicle.max_speed * frame.as_secs_f32());
        Some(Step { agent, distance, share })
    });
    let moved = moved.collect();
    *last = places.into_iter().map(|(agent, now, _)| (agent, now.translation)).collect();
    moved
}

#[test]
fn agents_of_the_gallery_move_in_every_frame_and_jump_only_at_edges() {
    for scene in ["wander", "flock", "crossing"] {
        let mut app = open_gallery(scene);
        let frame = Duration::from_secs_f64(1.0 / 144.0);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        (0..144).for_each(|_| app.update());
        let mut last = Vec::new();
        steps(&mut app, &mut last, frame);
        let (mut still, mut jumps, mut count) = (0, 0, 0);
        for _ in 0..6 * 144 {
            app.update();
            for Step { distance, share, .. } in steps(&mut app, &mut last, frame) {
                still += usize::from(share < 1e-3);
                jumps += usize::from(distance > ACROSS);
                count += 1;
                // An agent that comes in on the other side is not drawn on its way there.
                assert!(share < 1.3 || distance > ACROSS, "{scene}: {distance} {share}");
            }
        }
        // Without interpolation 80 of 144 frames.
        assert!(count > 1000 && still < count / 100, "{scene}: {still} of {count}");
        assert!(jumps > 0 || scene != "flock", "no agent has come to an edge");
    }
}

#[test]
fn caught_prey_is_not_drawn_on_its_way_to_where_it_starts_again() {
    let mut app = open_hunter_prey();
    let frame = Duration::from_secs_f64(1.0 / 144.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let mut last = Vec::new();
    steps(&mut app, &mut last, frame);
    let (mut before, mut jumps) = (Vec::new(), 0);
    for _ in 0..20 * 144 {
        app.update();
        let steps = steps(&mut app, &mut last, frame);
        let far = steps.into_iter().filter(|step| step.share > 3.0);
        let far: Vec<_> = far.map(|step| step.agent).collect();
        assert!(!far.iter().any(|agent| before.contains(agent)), "it has moved in two frames");
        jumps += far.len();
        before = far;
    }
    assert!(jumps > 3, "{jumps}");
}
