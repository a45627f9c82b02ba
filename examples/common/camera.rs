//! The camera of all windows, in flat and in solid worlds: the wheel zooms at the pointer, a drag
//! pans (flat) or orbits (solid), a drag with Shift pans in both, a key shows the whole again, and
//! an agent that the inspector begins to follow is zoomed to.

use bevy::{
    camera::{CameraUpdateSystems, ScalingMode},
    input::{
        InputSystems,
        mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    },
    math::ops,
    prelude::*,
    transform::TransformSystems,
    window::{CursorMoved, PrimaryWindow},
};
use bevy_egui::input::{EguiWantsInput, egui_wants_any_pointer_input};
use bevy_steer::prelude::*;
use bevy_steer_inspector::Inspector;

use crate::keys::{Action, Actions, KeySystems, SHIFT};

/// The camera that the mouse moves. With an orthographic projection it is one of a flat world and
/// begins with a scale of 1; with any other one it turns about the middle of a solid world.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct WindowCamera {
    home: Transform,
    /// The distance at home to the point that it turns about.
    from_middle: f32,
    /// The distance now.
    distance: f32,
    /// Whether the mouse has moved it away from home.
    is_moved: bool,
    /// The height of the view that it zooms to by itself, in units.
    approach: Option<f32>,
}

impl WindowCamera {
    /// A camera over the origin of a flat world.
    pub fn flat() -> Self {
        Self {
            home: Transform::IDENTITY,
            from_middle: 1.0,
            distance: 1.0,
            is_moved: false,
            approach: None,
        }
    }

    /// A camera at `eye` that looks at the middle of a solid world.
    pub fn solid(eye: Vec3, middle: Vec3) -> Self {
        let mut camera = Self::flat();
        camera.set_home(eye, middle);
        camera
    }

    /// Sets where the camera is until the mouse moves it, and again after the key. To be called in
    /// each frame by a window whose camera moves by itself.
    pub fn set_home(&mut self, eye: Vec3, middle: Vec3) {
        self.home = Transform::from_translation(eye).looking_at(middle, Vec3::Y);
        self.from_middle = eye.distance(middle).max(f32::MIN_POSITIVE);
    }

    /// Shows the whole again.
    pub fn go_home(&mut self) {
        (self.is_moved, self.approach) = (false, None);
    }

    /// The size of a pixel, in units; in a solid world, at the point that the camera turns about.
    /// `None` before anything has been drawn.
    pub fn units_a_pixel(&self, camera: &Camera, projection: &Projection) -> Option<f32> {
        let height = match projection {
            Projection::Orthographic(flat) => flat.area.height(),
            Projection::Perspective(solid) => 2.0 * self.distance * ops::tan(0.5 * solid.fov),
            Projection::Custom(_) => return None,
        };
        Some(height / camera.logical_viewport_size()?.y)
    }

    /// The point that it turns about.
    fn pivot(&self, place: &Transform) -> Vec3 {
        place.translation + *place.forward() * self.distance
    }
}

/// The projection that shows so much of a flat world, in units, however large the window is and
/// whatever the panel leaves of it.
pub fn fit(size: Vec2) -> Projection {
    let scaling_mode = ScalingMode::AutoMin { min_width: size.x, min_height: size.y };
    let flat = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    Projection::Orthographic(flat)
}

/// Moves the [`WindowCamera`], and keeps the [`PointerSystems`] from running while it pans. Needs
/// [`KeysPlugin`](crate::keys::KeysPlugin).
#[derive(Clone, Copy, Debug)]
pub struct CameraPlugin {
    /// The mouse buttons that drag without Shift. With Shift the left one does, too.
    pub drag: &'static [MouseButton],
}

/// The buttons that drag where the right one has no other meaning.
pub const RIGHT_OR_MIDDLE: &[MouseButton] = &[MouseButton::Right, MouseButton::Middle];

#[derive(Resource, Clone, Copy, Debug)]
struct DragButtons(&'static [MouseButton]);

/// The systems that react to the mouse in the world. They do not run while a button that was
/// pressed with Shift pans the view.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointerSystems;

/// The button that was pressed with Shift, until it is released.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Panning(Option<MouseButton>);

fn is_panning(panning: Res<Panning>) -> bool {
    panning.0.is_some()
}

impl Plugin for CameraPlugin {
    fn build(&self, app: &mut App) {
        let mouse = (zoom, drag).chain().run_if(not(egui_wants_any_pointer_input));
        app.insert_resource(DragButtons(self.drag))
            .init_resource::<Panning>()
            .configure_sets(
                PreUpdate,
                PointerSystems.after(begin_and_end_panning).run_if(not(is_panning)),
            )
            .add_systems(
                PreUpdate,
                (
                    (begin_and_end_panning, mouse).chain().after(InputSystems),
                    show_whole.in_set(KeySystems),
                ),
            )
            .add_systems(
                PostUpdate,
                (approach, settle)
                    .chain()
                    .before(CameraUpdateSystems)
                    .before(TransformSystems::Propagate),
            );
    }
}

/// The size of what is seen after a line of the wheel towards the user, relative to that before.
const STEP: f32 = 1.1;
/// The sizes at which most and least is seen, relative to that at home.
const FARTHEST: f32 = 2.0;
const NEAREST: f32 = 0.002;
/// The pixels that a touchpad reports for what a wheel reports as a line.
const PIXELS_A_LINE: f32 = 50.0;
/// The turn of a drag, in radians a pixel.
const TURN: f32 = 0.006;
/// A camera looks at most this steeply up and down, in radians.
const STEEPEST: f32 = 1.5;
/// The height of the view of a followed agent, in its radii.
const FOLLOWED: f32 = 60.0;
/// The share of the way to its height that the view covers in a second is `1 - e^-APPROACH`.
const APPROACH: f32 = 4.0;

type View<'a> =
    (&'a Camera, &'a GlobalTransform, &'a mut Transform, &'a mut Projection, &'a mut WindowCamera);

fn zoom(
    wheel: Res<AccumulatedMouseScroll>,
    window: Single<&Window, With<PrimaryWindow>>,
    view: Single<View>,
) {
    let lines = match wheel.unit {
        MouseScrollUnit::Line => wheel.delta.y,
        MouseScrollUnit::Pixel => wheel.delta.y / PIXELS_A_LINE,
    };
    let (camera, global, mut place, mut projection, mut state) = view.into_inner();
    let in_view = |at: &Vec2| camera.logical_viewport_rect().is_some_and(|rect| rect.contains(*at));
    let Some(at) = window.cursor_position().filter(in_view).filter(|_| lines != 0.0) else {
        return;
    };
    let share = ops::powf(STEP, -lines);
    if let Projection::Orthographic(flat) = &mut *projection {
        let Ok(pointed) = camera.viewport_to_world_2d(global, at) else { return };
        let scale = (flat.scale * share).clamp(NEAREST, FARTHEST);
        let fixed = pointed.extend(place.translation.z);
        place.translation = zoomed(place.translation, fixed, scale / flat.scale);
        flat.scale = scale;
    } else {
        let Ok(ray) = camera.viewport_to_world(global, at) else { return };
        let middle = state.pivot(&place);
        let plane = InfinitePlane3d { normal: place.back() };
        let Some(pointed) = ray.plane_intersection_point(middle, plane) else { return };
        let limits = [NEAREST, FARTHEST].map(|share| share * state.from_middle);
        let distance = (state.distance * share).clamp(limits[0], limits[1]);
        place.translation = zoomed(place.translation, pointed, distance / state.distance);
        state.distance = distance;
    }
    (state.is_moved, state.approach) = (true, None);
}

/// The position of a camera that shows `share` of what it has shown, with a point at the same place
/// of the picture.
pub fn zoomed(eye: Vec3, fixed: Vec3, share: f32) -> Vec3 {
    fixed + (eye - fixed) * share
}

/// The offset of a camera from the point that it turns about, after a drag by this many pixels. It
/// never looks over the top.
pub fn orbited(offset: Vec3, drag: Vec2) -> Vec3 {
    let distance = offset.length();
    let height = ops::asin((offset.y / distance.max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0));
    let height = (height + drag.y * TURN).clamp(-STEEPEST, STEEPEST);
    let around = ops::atan2(offset.x, offset.z) - drag.x * TURN;
    let ((sin, cos), (rise, reach)) = (ops::sin_cos(around), ops::sin_cos(height));
    Vec3::new(sin * reach, rise, cos * reach) * distance
}

/// The view after a drag by this many units: the world goes with the mouse. On the screen `y` goes
/// down.
pub fn panned(place: &Transform, drag: Vec2) -> Vec3 {
    place.translation - *place.right() * drag.x + *place.up() * drag.y
}

fn begin_and_end_panning(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    egui: Res<EguiWantsInput>,
    dragging: Res<DragButtons>,
    mut panning: ResMut<Panning>,
) {
    let held = panning.0.filter(|&button| buttons.pressed(button));
    let begins = keys.any_pressed(SHIFT) && !egui.wants_any_pointer_input();
    let mut able = dragging.0.iter().copied().chain([MouseButton::Left]);
    let begun = || able.find(|&button| begins && buttons.just_pressed(button));
    panning.set_if_neq(Panning(held.or_else(begun)));
}

fn drag(
    buttons: Res<ButtonInput<MouseButton>>,
    dragging: Res<DragButtons>,
    panning: Res<Panning>,
    mut moves: MessageReader<CursorMoved>,
    view: Single<View>,
) {
    let delta: Vec2 = moves.read().filter_map(|moved| moved.delta).sum();
    let pans = panning.0.is_some();
    if delta == Vec2::ZERO || !(pans || buttons.any_pressed(dragging.0.iter().copied())) {
        return;
    }
    let (camera, _, mut place, projection, mut state) = view.into_inner();
    if pans || matches!(&*projection, Projection::Orthographic(_)) {
        let Some(units_a_pixel) = state.units_a_pixel(camera, &projection) else { return };
        place.translation = panned(&place, delta * units_a_pixel);
    } else {
        let pivot = state.pivot(&place);
        let eye = pivot + orbited(place.translation - pivot, delta);
        *place = Transform::from_translation(eye).looking_at(pivot, Vec3::Y);
    }
    state.is_moved = true;
}

/// Shows the whole world again, and follows no agent any more, which would hide the rest of it.
fn show_whole(
    actions: Actions,
    inspector: Option<ResMut<Inspector>>,
    mut state: Single<&mut WindowCamera>,
) {
    if actions.just_pressed(Action::ShowWhole) {
        state.go_home();
        if let Some(mut inspector) = inspector.filter(|inspector| inspector.follows) {
            inspector.follows = false;
        }
    }
}

/// Zooms to an agent that the inspector begins to follow, until it is a good part of the view.
fn approach(
    inspector: Option<Res<Inspector>>,
    agents: Query<(&Transform, &Vehicle), Without<WindowCamera>>,
    time: Res<Time<Real>>,
    view: Single<View>,
    mut followed: Local<Option<Entity>>,
) {
    let (_, _, mut place, mut projection, mut state) = view.into_inner();
    let inspector = inspector.filter(|inspector| inspector.is_open && inspector.follows);
    let agent = inspector.and_then(|inspector| inspector.selected);
    let Some((agent, (at, body))) = agent.and_then(|agent| Some((agent, agents.get(agent).ok()?)))
    else {
        *followed = None;
        return;
    };
    if *followed != Some(agent) {
        *followed = Some(agent);
        let height = FOLLOWED * body.radius;
        state.approach = (height.is_finite() && height > 0.0).then_some(height);
    }
    state.is_moved = true;
    let share = 1.0 - ops::exp(-APPROACH * time.delta_secs());
    let step = |now: f32, wanted: f32| now * ops::powf(wanted / now, share);
    if let Projection::Orthographic(flat) = &mut *projection {
        let height = flat.area.height();
        if let Some(wanted) = state.approach.filter(|wanted| height > *wanted * 1.02) {
            flat.scale = (flat.scale * step(height, wanted) / height).max(NEAREST);
        } else {
            state.approach = None;
        }
        return;
    }
    // The camera turns about the agent that it follows.
    let distance = (at.translation - place.translation).dot(*place.forward());
    if distance > 0.0 {
        state.distance = distance;
    }
    let Projection::Perspective(solid) = &*projection else { return };
    let height = 2.0 * state.distance * ops::tan(0.5 * solid.fov);
    if let Some(wanted) = state.approach.filter(|wanted| height > *wanted * 1.02) {
        let distance = state.distance * step(height, wanted) / height;
        let forward = *place.forward();
        place.translation += forward * (state.distance - distance);
        state.distance = distance;
    } else {
        state.approach = None;
    }
}

/// Puts a camera that the mouse has not moved where it is at home.
fn settle(view: Single<(&mut Transform, &mut Projection, &mut WindowCamera)>) {
    let (mut place, mut projection, mut state) = view.into_inner();
    if state.is_moved {
        return;
    }
    let home = Transform { scale: place.scale, ..state.home };
    place.set_if_neq(home);
    if state.distance != state.from_middle {
        state.distance = state.from_middle;
    }
    if let Projection::Orthographic(flat) = projection.bypass_change_detection()
        && flat.scale != 1.0
    {
        flat.scale = 1.0;
        projection.set_changed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_under_the_pointer_stays_there() {
        let (eye, fixed) = (Vec3::new(3.0, 8.0, 20.0), Vec3::new(-4.0, 1.0, 2.0));
        let near = zoomed(eye, fixed, 0.25);
        let direction = (fixed - eye).normalize();
        assert!((fixed - near).normalize().distance(direction) < 1e-6);
        assert!((fixed.distance(near) - 0.25 * fixed.distance(eye)).abs() < 1e-5);
        assert!(zoomed(near, fixed, 4.0).distance(eye) < 1e-4);
    }

    #[test]
    fn orbits_keep_their_distance_and_end_below_the_top() {
        let offset = Vec3::new(0.0, 6.0, 8.0);
        for drag in [vec2(100.0, 0.0), vec2(-30.0, 40.0), vec2(0.0, 1e4), vec2(0.0, -1e4)] {
            let turned = orbited(offset, drag);
            assert!((turned.length() - 10.0).abs() < 1e-4, "{drag}: {turned}");
            assert!(turned.xz().length() > 0.5, "{drag}: {turned}");
        }
        // The world goes with the mouse: the camera goes to the left, and up.
        assert!(orbited(offset, vec2(50.0, 0.0)).x < -1.0);
        assert!(orbited(offset, vec2(0.0, 50.0)).y > 7.0);
        assert!(orbited(offset, Vec2::ZERO).distance(offset) < 1e-5);
    }

    #[test]
    fn a_view_that_is_panned_moves_against_the_drag_across_its_line_of_sight() {
        let flat = Transform::from_xyz(5.0, 7.0, 0.0);
        assert_eq!(panned(&flat, vec2(2.0, 3.0)), Vec3::new(3.0, 10.0, 0.0));
        let solid = Transform::from_xyz(0.0, 6.0, 8.0).looking_at(Vec3::ZERO, Vec3::Y);
        let moved = panned(&solid, vec2(2.0, 3.0)) - solid.translation;
        assert!((moved.length() - vec2(2.0, 3.0).length()).abs() < 1e-5, "{moved}");
        assert!(moved.dot(*solid.forward()).abs() < 1e-5 && moved.x < 0.0 && moved.y > 0.0);
    }
}
