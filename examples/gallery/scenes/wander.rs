//! Wander: smooth random motion.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "wander",
    title: "Wander",
    caption: "Smooth random motion: a point moves at random on a circle ahead of each beetle, \
              which heads for it.",
    spawn,
    explain: |gizmos| (gizmos.wander, gizmos.shown) = (Paint::Own, Shown::Marked),
    controls: Some(controls),
    ..Scene::DEFAULT
};

const COLORS: [Color; 4] = [palette::SKY, palette::ORANGE, palette::GREEN, palette::YELLOW];

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Wrap);
    for (i, place) in grid(5, 3, ARENA).enumerate() {
        let beetle = (
            body(80.0).with_radius(13.0),
            Wander::default(),
            Look::new(Silhouette::Beetle, COLORS[i % COLORS.len()]),
            Trail::line(4.0),
            varied_velocity(i, 60.0),
            at(place.x, place.y),
        );
        let beetle = put(world, beetle);
        if i % 4 == 0 {
            mark(world, beetle);
        }
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Wander, ()>(world, ui, "distance", 0.5..=12.0, |w| &mut w.distance);
    slider::<Wander, ()>(world, ui, "radius", 0.0..=12.0, |w| &mut w.radius);
    slider::<Wander, ()>(world, ui, "rate", 0.0..=10.0, |w| &mut w.rate);
    slider::<Vehicle, ()>(world, ui, "max_speed", 20.0..=300.0, |v| &mut v.max_speed);
}
