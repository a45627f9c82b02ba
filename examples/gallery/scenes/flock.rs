//! Flock: separation, alignment and cohesion.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "flock",
    title: "Flock",
    caption: "Separation, alignment and cohesion: scattered birds form flocks, and flocks that \
              meet join. Yellow birds leave trails.",
    group: Group::Groups,
    spawn,
    explain: |gizmos| {
        (gizmos.views, gizmos.links, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
        gizmos.ranges = Paint::Own;
    },
    controls: Some(controls),
    ..Scene::DEFAULT
};

const COUNT: u32 = 16 * 9;
/// A view angle without a sector behind, in radians.
const NOT_BEHIND: f32 = 4.7;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    for (i, place) in grid(16, COUNT / 16, ARENA).enumerate() {
        let color = if i % 12 == 0 { palette::YELLOW } else { palette::SKY };
        let bird = (
            body(110.0).with_radius(7.0),
            Flock::new(75.0).with_separation_radius(30.0),
            // The priority of the flock: with a narrow view, the birds in front have no neighbours
            // and would go straight on without it.
            Wander::default().with_priority(Priority::Normal),
            Look::new(Silhouette::Bird, color),
            varied_velocity(i * 7, 80.0),
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
    slider::<Flock, ()>(world, ui, "radius", 20.0..=200.0, |f| f.radius.number_mut());
    slider::<Flock, ()>(world, ui, "sep. radius", 5.0..=100.0, |f| {
        f.separation_radius.number_mut()
    });
    let views = [("all around", core::f32::consts::TAU), ("not behind", NOT_BEHIND)];
    choice::<Flock, (), _>(world, ui, &views, |f| &mut f.view_angle);
    degrees::<Flock, ()>(world, ui, "view angle", 30.0..=360.0, |f| &mut f.view_angle);
}
