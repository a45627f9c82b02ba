//! A classic: boids of random colours in a box.

use rand::RngExt;
use rand_pcg::Pcg32;

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "twenty-boids",
    title: "Twenty boids",
    caption: "Boids of random colours flock in a box and bounce off its sides. The first key shows \
              what each of them sees. (Flock)",
    group: Group::Classics,
    spawn,
    explain: |gizmos| (gizmos.views, gizmos.shown) = (Paint::Own, Shown::Marked),
    switches: &[
        Switch { name: "show the view", is_on: shows_view, set: show_view },
        Switch { name: "blind behind", is_on: is_blind, set: set_blind },
        Switch::of::<Flock>("flock"),
    ],
    controls: Some(controls),
    ..Scene::DEFAULT
};

const COUNT: u32 = 20;
/// The view angle of a boid that is blind behind, in radians.
const NOT_BEHIND: f32 = 4.7;

fn spawn(world: &mut World) {
    edges(world, BoundsEdge::Bounce);
    let mut random = Pcg32::new(8, 20);
    for place in grid(COUNT / 4, 4, ARENA * 0.9) {
        let color = Color::oklch(0.78, 0.15, random.random::<f32>() * 360.0);
        let direction = Vec2::from_angle(random.random::<f32>() * core::f32::consts::TAU);
        let boid = (
            body(150.0).with_radius(11.0),
            Flock::new(110.0)
                .with_separation_radius(45.0)
                .with_view_angle(NOT_BEHIND)
                .with_rules(1.0, 1.5, 0.5),
            Look::new(Silhouette::Arrow, color),
            Trail::line(1.0),
            Velocity((direction * 110.0).extend(0.0)),
            at(place.x, place.y),
        );
        let boid = put(world, boid);
        mark(world, boid);
    }
}

fn boids(world: &mut World) -> Vec<Entity> {
    world.query_filtered::<Entity, With<Flock>>().iter(world).collect()
}

fn shows_view(world: &mut World) -> bool {
    boids(world).iter().all(|&boid| world.get::<ShowSteeringGizmos>(boid).is_some())
}

fn show_view(world: &mut World, is_on: bool) {
    for boid in boids(world) {
        if is_on {
            mark(world, boid);
        } else {
            world.entity_mut(boid).remove::<ShowSteeringGizmos>();
        }
    }
}

fn is_blind(world: &mut World) -> bool {
    world.query::<&Flock>().iter(world).any(|flock| flock.view_angle <= NOT_BEHIND)
}

fn set_blind(world: &mut World, is_on: bool) {
    let angle = if is_on { NOT_BEHIND } else { core::f32::consts::TAU };
    set_all::<Flock>(world, |flock| flock.view_angle = angle);
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Flock, ()>(world, ui, "separation", 0.0..=4.0, |f| &mut f.separation);
    slider::<Flock, ()>(world, ui, "alignment", 0.0..=4.0, |f| &mut f.alignment);
    slider::<Flock, ()>(world, ui, "cohesion", 0.0..=4.0, |f| &mut f.cohesion);
    slider::<Flock, ()>(world, ui, "radius", 20.0..=200.0, |f| f.radius.number_mut());
}
