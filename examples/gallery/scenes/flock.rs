//! Flock: three rules, and many who follow them.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "flock",
    title: "Flock",
    look: "Together, not too close, the same way: strangers become flocks, and flocks meet and join.",
    group: Group::Together,
    spawn,
    explain: |gizmos| {
        (gizmos.views, gizmos.links, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
    },
    controls: Some(controls),
    ..Scene::DEFAULT
};

const COUNT: u32 = 16 * 9;
/// How wide they see, in radians: all but what is behind them.
const NARROW: f32 = 4.7;

fn spawn(world: &mut World) {
    edges(world, Edge::Wrap);
    for (i, place) in grid(16, COUNT / 16, ARENA).enumerate() {
        let color = if i % 12 == 0 { palette::YELLOW } else { palette::SKY };
        let bird = (
            body(110.0).with_radius(7.0),
            Flock::new(75.0)
                .with_separation_radius(30.0)
                .with_view_angle(NARROW)
                .with_rules(1.0, 1.0, 0.5),
            // Beside the flock's wishes, not after them: it is what keeps all on the move.
            Wander::default().with_priority(Priority::Normal),
            Look::new(Silhouette::Bird, color),
            some_velocity(i * 7, 80.0),
            at(place.x, place.y),
        );
        let bird = put(world, bird);
        if i % 12 == 0 {
            world.entity_mut(bird).insert(Trail::line(1.5));
        }
        if i == 60 {
            mark(world, bird);
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Flock, ()>(world, ui, "separation", 0.0..=4.0, |f| &mut f.separation);
    slider::<Flock, ()>(world, ui, "alignment", 0.0..=4.0, |f| &mut f.alignment);
    slider::<Flock, ()>(world, ui, "cohesion", 0.0..=4.0, |f| &mut f.cohesion);
    slider::<Flock, ()>(world, ui, "radius", 20.0..=200.0, |f| &mut f.radius);
    slider::<Flock, ()>(world, ui, "too near", 5.0..=100.0, |f| &mut f.separation_radius);
    degrees::<Flock, ()>(world, ui, "view angle", 30.0..=360.0, |f| &mut f.view_angle);
}
