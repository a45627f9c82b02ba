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
        gizmos.ranges = Paint::Own;
    },
    controls: Some(controls),
    ..Scene::DEFAULT
};

const COUNT: u32 = 16 * 9;
/// All but what is behind, in radians.
const NARROW: f32 = 4.7;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    for (i, place) in grid(16, COUNT / 16, ARENA).enumerate() {
        let color = if i % 12 == 0 { palette::YELLOW } else { palette::SKY };
        let bird = (
            body(110.0).with_radius(7.0),
            Flock::new(75.0).with_separation_radius(30.0),
            // In the tier of the flock: with a narrow view nobody is pushed on from behind.
            Wander::default().with_priority(Priority::Normal),
            Look::new(Silhouette::Bird, color),
            some_velocity(i * 7, 80.0),
            at(place.x, place.y),
        );
        let bird = put(world, bird);
        if i % 12 == 0 {
            world.entity_mut(bird).insert(Trail::line(1.5));
        }
        if i == 72 {
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
    let views = [("all round", core::f32::consts::TAU), ("not behind", NARROW)];
    choice::<Flock, (), _>(world, ui, &views, |f| &mut f.view_angle);
    degrees::<Flock, ()>(world, ui, "view angle", 30.0..=360.0, |f| &mut f.view_angle);
}
