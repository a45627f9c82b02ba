//! A school of fish in a tank, in all three dimensions.

use bevy_steer::AvoidWallsWith;

use super::{parts::*, tank::Glass};

pub(super) const SCENE: Scene = Scene {
    name: "school",
    title: "School in a tank",
    caption: "In three dimensions, fish school, keep away from the glass and scatter ahead of \
              the shark. (SteeringPlane::Free)",
    group: Group::Combined,
    view: View::Space,
    spawn,
    explain: |gizmos| {
        (gizmos.targets, gizmos.guesses, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
    },
    controls: Some(controls),
    ..Scene::DEFAULT
};

const FISH: SteeringLayers = SteeringLayers::layer(0);
const SHARK: SteeringLayers = SteeringLayers::layer(1);
const COLORS: [Color; 3] = [palette::SKY, palette::GREEN, palette::YELLOW];

fn spawn(world: &mut World) {
    world.insert_resource(WorldBounds(Bounds::cuboid(-TANK, TANK, BoundsEdge::Clamp)));
    for (i, place) in grid(12, 10, Vec2::new(9.0, 4.5)).enumerate() {
        let direction = varied_direction(i);
        let depth = varied_direction(i * 3).y * 5.0;
        let fish = (
            Vehicle::new(4.0).with_max_force(12.0).with_radius(0.42),
            FISH,
            Flock::new(3.5).with_separation_radius(1.5).with_rules(1.0, 1.0, 0.6).with_layers(FISH),
            Evade::new(Target::nearest(SHARK, 3.5)).with_max_look_ahead(0.8),
            Wander::default(),
            AvoidWallsWith::<Glass>::default().with_look_ahead(0.7).with_margin(2.0),
            Look::new(Silhouette::Fish, COLORS[i % 7 % 3]),
            Velocity(Vec3::new(2.0, 0.3, 1.0) + direction.extend(0.0)),
            Transform::from_xyz(place.x, place.y, depth),
        );
        put(world, fish);
    }
    let shark = (
        Vehicle::new(3.9).with_max_force(7.0).with_radius(1.1),
        SHARK,
        Pursue::new(Target::nearest(FISH, f32::INFINITY)).with_max_look_ahead(1.0),
        Hunt { company: 3.5 },
        AvoidWallsWith::<Glass>::default().with_look_ahead(0.7),
        Look::new(Silhouette::Fish, palette::ORANGE),
        Trail::line(2.5),
        Transform::from_xyz(-9.0, 3.0, 0.0),
    );
    let shark = put(world, shark);
    mark(world, shark);
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<Flock, ()>(world, ui, "separation", 0.0..=4.0, |f| &mut f.separation);
    slider::<Flock, ()>(world, ui, "alignment", 0.0..=4.0, |f| &mut f.alignment);
    slider::<Flock, ()>(world, ui, "cohesion", 0.0..=4.0, |f| &mut f.cohesion);
    degrees::<Flock, ()>(world, ui, "view angle", 30.0..=360.0, |f| &mut f.view_angle);
    slider::<Vehicle, With<Pursue>>(world, ui, "shark", 1.0..=8.0, |v| &mut v.max_speed);
}
