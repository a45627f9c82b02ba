//! Face: needles turn towards a light.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "face",
    title: "Face",
    caption: "Needles turn towards the light within their turn rate. Hold the mouse button to \
              lead the light.",
    group: Group::Turning,
    spawn,
    controls: Some(controls),
    click: Some(goal::move_here),
    ..Scene::DEFAULT
};

fn spawn(world: &mut World) {
    let swing = Swing {
        reach: Vec2::new(390.0, 210.0),
        rates: Vec2::new(0.9, 1.31),
        phases: Vec2::new(0.4, 0.0),
    };
    let look = Look::sized(Shape::Light, palette::YELLOW, 9.0);
    let light = put(world, (Goal, swing, look, Trail::line(1.5)));
    for (i, place) in grid(11, 6, ARENA * 0.98).enumerate() {
        let start = varied_direction(i).to_angle();
        let needle = (
            // Turns on the spot.
            body(0.0).with_radius(14.0),
            Face::new(light),
            Look::new(Silhouette::Needle, palette::SKY),
            at(place.x, place.y).with_rotation(Quat::from_rotation_z(start)),
        );
        put(world, needle);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    degrees::<Face, ()>(world, ui, "max_rate", 10.0..=720.0, |f| &mut f.limits.max_rate);
    degrees::<Face, ()>(world, ui, "max_accel", 10.0..=2880.0, |f| &mut f.limits.max_accel);
    degrees::<Face, ()>(world, ui, "slow_angle", 0.0..=180.0, |f| &mut f.limits.slow_angle);
    text(ui, "In degrees and seconds", palette::FAINT_TEXT);
}
