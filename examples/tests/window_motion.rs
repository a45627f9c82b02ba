//! Agents move smoothly in the windows, though ticks and frames do not coincide.

use core::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::prelude::*;

use crate::window_keys::open_gallery;

/// The arena is 1000 units wide and 600 high.
const ACROSS: f32 = 0.9 * 600.0;

/// How far each agent has moved on the screen since `last`: in units, and as a share of what it
/// moves in a frame at top speed. `last` becomes where it is now.
fn steps(app: &mut App, last: &mut Vec<(Entity, Vec3)>, frame: Duration) -> Vec<(f32, f32)> {
    let mut agents = app.world_mut().query::<(Entity, &Transform, &Vehicle)>();
    let places: Vec<_> = agents.iter(app.world()).collect();
    let moved = last.iter().filter_map(|(agent, before)| {
        let (_, now, vehicle) = places.iter().find(|(entity, ..)| entity == agent)?;
        let distance = now.translation.distance(*before);
        Some((distance, distance / (vehicle.max_speed * frame.as_secs_f32())))
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
            for (distance, share) in steps(&mut app, &mut last, frame) {
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
