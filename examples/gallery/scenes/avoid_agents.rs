//! Avoid agents: agents on a ring swap places through its centre.

use super::parts::*;

pub(super) const SCENE: Scene = Scene {
    name: "avoid-agents",
    title: "AvoidAgents",
    caption: "All agents move to the opposite side of the ring. They predict collisions and pass \
              each other.",
    group: Group::Avoidance,
    spawn,
    explain: |gizmos| {
        (gizmos.guesses, gizmos.ranges, gizmos.shown) = (Paint::Own, Paint::Own, Shown::Marked);
        // The goals are seen as dots.
        gizmos.set_color::<Arrive>(None);
        explain_limits(gizmos);
    },
    switches: &[Switch::of::<AvoidAgents>("avoid agents")],
    controls: Some(controls),
    tick: Some(cross_again),
    ..Scene::DEFAULT
};

const COUNT: usize = 20;
const RING: f32 = 255.0;
/// Seconds between two crossings.
const PERIOD: f32 = 11.0;

/// The position where the agent started.
#[derive(Component)]
struct Home(Vec2);

fn spawn(world: &mut World) {
    for i in 0..COUNT {
        let angle = core::f32::consts::TAU * i as f32 / COUNT as f32;
        let place = Vec2::from_angle(angle) * RING;
        // A colour wheel.
        let color = Color::oklch(0.75, 0.13, 360.0 * i as f32 / COUNT as f32);
        let goal = Transform::from_translation((-place).extend(-2.0));
        put(world, (Look::sized(Shape::Light, color.with_alpha(0.35), 5.0), goal));
        let agent = (
            body(110.0).with_radius(12.0),
            Home(place),
            Arrive::new(-place).with_stop_radius(4.0),
            AvoidAgents::default(),
            Look::new(Silhouette::Arrow, color),
            Trail::line(4.0),
            at(place.x, place.y)
                .with_rotation(Quat::from_rotation_z(angle + core::f32::consts::PI)),
        );
        let agent = put(world, agent);
        if i % 7 == 0 {
            mark(world, agent);
        }
    }
}

fn cross_again(world: &mut World) {
    let crossing = (world.resource::<SceneClock>().0 / PERIOD) as u32;
    let sign = if crossing.is_multiple_of(2) { -1.0 } else { 1.0 };
    let mut all = world.query::<(&Home, &mut Arrive)>();
    for (home, mut arrive) in all.iter_mut(world) {
        arrive.target = Target::from(home.0 * sign);
    }
}

fn controls(world: &mut World, ui: &mut Ui) {
    slider::<AvoidAgents, ()>(world, ui, "margin", 0.0..=2.0, |a| &mut a.margin);
    slider::<AvoidAgents, ()>(world, ui, "look ahead, s", 0.0..=5.0, |a| &mut a.look_ahead);
    slider::<Vehicle, ()>(world, ui, "max_speed", 30.0..=300.0, |v| &mut v.max_speed);
    legend_of_limits(ui);
}
