//! A herd and a dog, on the ground of a 3D world.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "ground",
    title: "Herd on the ground",
    caption: "On the ground of a 3D world, a dog drives a herd around pillars. Hold the mouse \
              button to lead the dog. (SteeringPlane::Xz)",
    group: Group::Combined,
    view: View::Ground,
    spawn,
    explain: |gizmos| {
        (gizmos.targets, gizmos.guesses, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
    },
    controls: Some(controls),
    click: Some(lead),
    ..Scene::DEFAULT
};

const SHEEP: SteeringLayers = SteeringLayers::layer(0);
const DOG: SteeringLayers = SteeringLayers::layer(1);

fn spawn(world: &mut World) {
    world.insert_resource(WorldBounds(Bounds::ground(-GROUND, GROUND, BoundsEdge::Clamp)));
    let corner = |x: f32, z: f32| Vec3::new(GROUND.x * x, 0.0, GROUND.y * z);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    for (i, &from) in corners.iter().enumerate() {
        put(world, Wall::new(from, corners[(i + 1) % corners.len()]));
    }
    for (x, z, radius) in
        [(-8.0, -4.5, 1.3), (-1.5, 4.5, 1.6), (5.5, -5.0, 1.5), (10.0, 3.5, 1.2), (1.5, -1.0, 1.0)]
    {
        put(world, (Obstacle::sphere(radius), Transform::from_xyz(x, 0.0, z)));
    }
    for (i, place) in grid(8, 5, Vec2::new(5.0, 3.0)).enumerate() {
        let direction = varied_direction(i);
        let sheep = (
            Vehicle::new(3.2).with_max_force(14.0).with_radius(0.42),
            SHEEP,
            Flock::new(3.2)
                .with_separation_radius(1.7)
                .with_rules(1.0, 1.0, 0.6)
                .with_layers(SHEEP),
            Evade::new(Target::nearest(DOG, 6.0)).with_max_look_ahead(0.8),
            Wander::default(),
            (AvoidObstacles::default(), AvoidWalls::default()),
            AvoidAgents::default().with_layers(SHEEP).with_margin(0.05).with_look_ahead(0.5),
            Look::new(Silhouette::Beetle, palette::SKY),
            Velocity(Vec3::new(direction.x, 0.0, direction.y)),
            Transform::from_xyz(place.x - 8.5, 0.0, place.y + 2.0),
        );
        put(world, sheep);
    }
    let dog = (
        Vehicle::new(4.0).with_max_force(18.0).with_radius(0.62),
        DOG,
        (Pursue::new(Target::nearest(SHEEP, f32::INFINITY)), Hunt { company: 3.2 }),
        Arrive::default().with_stop_radius(0.5).disabled(),
        (AvoidObstacles::default(), AvoidWalls::default()),
        Look::new(Silhouette::Raptor, palette::ORANGE),
        Trail::line(2.5),
        Transform::from_xyz(13.0, 0.0, 7.0),
    );
    let dog = put(world, dog);
    mark(world, dog);
}

fn lead(world: &mut World, click: Click) {
    let mut dogs = world.query::<(&mut Pursue, &mut Arrive)>();
    for (mut pursue, mut arrive) in dogs.iter_mut(world) {
        pursue.set_enabled(false);
        arrive.set_enabled(true);
        arrive.target = Target::from(click.place);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Flock, ()>(world, ui, "separation", 0.0..=4.0, |f| &mut f.separation);
    slider::<Flock, ()>(world, ui, "alignment", 0.0..=4.0, |f| &mut f.alignment);
    slider::<Flock, ()>(world, ui, "cohesion", 0.0..=4.0, |f| &mut f.cohesion);
    slider::<Vehicle, With<Pursue>>(world, ui, "dog", 1.0..=8.0, |v| &mut v.max_speed);
    if ui.button("let the dog pursue").clicked() {
        set_all::<Pursue>(world, |pursue| pursue.set_enabled(true));
        let mut dogs = world.query_filtered::<&mut Arrive, With<Pursue>>();
        dogs.iter_mut(world).for_each(|mut arrive| arrive.set_enabled(false));
    }
}
