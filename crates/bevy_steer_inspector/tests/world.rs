//! Clicks in the world select agents and set targets.

use core::any::TypeId;

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, PickRequest, Scope, Sight, click, nearest_to_ray, ring_of};

use crate::common::app;

/// Straight down on the `Xy` plane; the tolerance is two units.
fn from_above(at: Vec2) -> Sight {
    let ray = |at: Vec2| Ray3d::new(at.extend(100.0), Dir3::NEG_Z);
    Sight { ray: ray(at), beside: ray(at + Vec2::X * 2.0) }
}

/// From a point, like a perspective camera.
fn from_eye(eye: Vec3, at: Vec3) -> Sight {
    let towards = Dir3::new(at - eye).unwrap();
    let beside = Quat::from_rotation_y(0.01) * towards;
    Sight { ray: Ray3d::new(eye, towards), beside: Ray3d::new(eye, beside) }
}

fn agent(app: &mut App, at: Vec3, radius: f32) -> Entity {
    let body = Vehicle::default().with_radius(radius);
    app.world_mut().spawn((body, Seek::default(), Transform::from_translation(at))).id()
}

fn selected(app: &App) -> Option<Entity> {
    app.world().resource::<Inspector>().selected
}

#[test]
fn click_selects_the_agent_under_the_pointer() {
    let mut app = app();
    let large = agent(&mut app, Vec3::new(0.0, 0.0, 3.0), 5.0);
    let small = agent(&mut app, Vec3::new(6.0, 0.0, -3.0), 0.5);
    click(app.world_mut(), &from_above(Vec2::new(2.0, 2.0)));
    assert_eq!(selected(&app), Some(large));
    // A few pixels beside the small one.
    click(app.world_mut(), &from_above(Vec2::new(7.4, 0.5)));
    assert_eq!(selected(&app), Some(small));
    // No agent there: the selection stays.
    click(app.world_mut(), &from_above(Vec2::new(40.0, 0.0)));
    assert_eq!(selected(&app), Some(small));
}

#[test]
fn tolerance_is_in_pixels() {
    let body = |index: u32, at| (Entity::from_raw_u32(index).unwrap(), at, 0.1);
    let (near, far) = (body(1, Vec3::new(1.0, 0.0, -10.0)), body(2, Vec3::new(1.0, 0.0, -1000.0)));
    let sight = from_eye(Vec3::ZERO, Vec3::NEG_Z);
    assert_eq!(nearest_to_ray(&sight, [near]), None);
    assert_eq!(nearest_to_ray(&sight, [near, far]), Some(far.0));
    let behind = body(3, Vec3::Z * 5.0);
    assert_eq!(nearest_to_ray(&sight, [behind]), None);
    let nowhere = body(4, Vec3::NAN);
    assert_eq!(nearest_to_ray(&sight, [nowhere]), None);
}

fn pick(app: &mut App, agent: Entity) {
    let mut inspector = app.world_mut().resource_mut::<Inspector>();
    inspector.select(Some(agent));
    let (name, path) = ("Seek".to_owned(), "target".to_owned());
    inspector.pick = Some(PickRequest { component: TypeId::of::<Seek>(), name, path });
}

fn target(app: &App, agent: Entity) -> Target {
    app.world().get::<Seek>(agent).unwrap().target
}

#[test]
fn pick_sets_a_point_or_an_entity() {
    let mut app = app();
    let chooser = agent(&mut app, Vec3::new(0.0, 0.0, 3.0), 1.0);
    let chosen = agent(&mut app, Vec3::new(20.0, 0.0, 3.0), 1.0);
    // The panel copies the type registry when it is first shown.
    let mut panel = crate::common::Panel::new(app);
    panel.frame();
    let app = panel.harness.state_mut();
    pick(app, chooser);
    click(app.world_mut(), &from_above(Vec2::new(20.5, 0.0)));
    assert_eq!(target(app, chooser), Target::Entity(chosen));
    assert_eq!(selected(app), Some(chooser));
    assert_eq!(app.world().resource::<Inspector>().pick, None);
    pick(app, chooser);
    click(app.world_mut(), &from_above(Vec2::new(-7.0, 4.0)));
    assert_eq!(target(app, chooser), Target::from(Vec3::new(-7.0, 4.0, 3.0)));
    // An agent cannot be its own target.
    pick(app, chooser);
    click(app.world_mut(), &from_above(Vec2::ZERO));
    assert_eq!(target(app, chooser), Target::from(Vec3::new(0.0, 0.0, 3.0)));
}

#[test]
fn pick_sets_the_target_of_all_agents() {
    let mut app = app();
    let agents = [0.0, 10.0, 20.0].map(|x| agent(&mut app, Vec3::X * x, 1.0));
    let mut panel = crate::common::Panel::new(app);
    panel.frame();
    let app = panel.harness.state_mut();
    app.world_mut().resource_mut::<Inspector>().scope = Scope::All;
    pick(app, agents[0]);
    click(app.world_mut(), &from_above(Vec2::new(10.0, 0.0)));
    assert_eq!(target(app, agents[0]), Target::Entity(agents[1]));
    assert_eq!(target(app, agents[2]), Target::Entity(agents[1]));
    // An agent cannot be its own target.
    assert_eq!(target(app, agents[1]), Target::default());
}

#[test]
fn ring_lies_in_the_plane_or_faces_the_camera() {
    let camera = Vec3::new(3.0, 4.0, 20.0);
    for plane in [SteeringPlane::Xy, SteeringPlane::Xz] {
        let ring = ring_of(Vec3::ONE, plane, camera);
        let normal = ring.rotation * Vec3::Z;
        assert!((normal - plane.normal()).length() < 1e-5, "{plane:?} {normal}");
    }
    let center = Vec3::new(1.0, -2.0, 0.0);
    let ring = ring_of(center, SteeringPlane::Free, camera);
    let normal = ring.rotation * Vec3::Z;
    assert!((normal - (camera - center).normalize()).length() < 1e-5, "{normal}");
    let degenerate = ring_of(center, SteeringPlane::Free, center);
    assert!(degenerate.rotation.is_finite());
}
