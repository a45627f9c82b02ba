//! [`ObstacleGrid`]: a map that is built from the obstacles and walls of the world.

use bevy::prelude::*;
use bevy_steer::{
    AngularVelocity, Obstacle, ObstacleShape, SteeringLayers, SteeringPlane, SteeringSettings,
    SteeringTick, Unit, Vehicle, Velocity, Wall, builders,
};

use crate::{
    grid::{grid_planner::GridPlanner, outline::Outline},
    map::{BorderOf, NavigationMap},
    navigate_to::NavigateTo,
    planar::{flat, height},
};

/// Builds the [`NavigationMap`] of its entity from the [`Obstacle`]s and [`Wall`]s of the world, as
/// a [`GridPlanner`] in the plane of [`SteeringPlugin`](bevy_steer::SteeringPlugin), and builds it
/// again when they change. It replaces any other planner that the map gets.
///
/// Obstacles that move, and obstacles that are agents, are left out: they are for
/// [`AvoidObstacles`](bevy_steer::AvoidObstacles). A door that comes to rest is in the grid again.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # use bevy_steer_navigation::{NavigateTo, ObstacleGrid};
/// # fn spawn(mut commands: Commands) {
/// // Cells of half a unit.
/// commands.spawn(ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5));
/// commands.spawn(Wall::new(Vec2::new(0.0, -20.0), Vec2::new(0.0, 12.0)));
/// commands.spawn((Vehicle::default(), NavigateTo::new(Vec2::new(15.0, -9.0))));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[require(NavigationMap)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct ObstacleGrid {
    /// One corner, in the coordinates of the plane.
    pub min: Vec2,
    /// The other corner.
    pub max: Vec2,
    /// The size of a cell, in units: about the radius of the smallest agent. Default 1.
    #[reflect(@Unit::Length)]
    pub cell_size: f32,
    /// The layers of the obstacles and walls that are in it. Default: all.
    pub layers: SteeringLayers,
    /// Only what reaches above this height is in it, in units. Default −∞.
    #[reflect(@Unit::Length)]
    #[cfg_attr(feature = "serialize", serde(with = "bevy_steer::unbounded"))]
    pub low: f32,
    /// Only what reaches below this height is in it, in units. Default +∞.
    #[reflect(@Unit::Length)]
    #[cfg_attr(feature = "serialize", serde(with = "bevy_steer::unbounded"))]
    pub high: f32,
    /// How often it looks for changes of the obstacles, of its layers and of its heights, in ticks.
    /// Default 16. 0 counts as 1.
    pub check_every: u32,
}

impl Default for ObstacleGrid {
    fn default() -> Self {
        Self {
            min: Vec2::splat(-50.0),
            max: Vec2::splat(50.0),
            cell_size: 1.0,
            layers: SteeringLayers::ALL,
            low: f32::NEG_INFINITY,
            high: f32::INFINITY,
            check_every: 16,
        }
    }
}

impl ObstacleGrid {
    /// A grid from one corner to another, with cells of this size, in world units.
    pub fn new(min: Vec2, max: Vec2, cell_size: f32) -> Self {
        Self { min, max, cell_size, ..Self::default() }
    }

    builders! {
        /// Sets the layers of the obstacles and walls that are in it.
        with_layers(layers: SteeringLayers);
        /// Sets how often it looks for changes, in ticks.
        with_check_every(check_every: u32);
    }

    /// Sets the heights between which obstacles and walls are in it, in units: those of one floor
    /// of a building.
    #[must_use]
    pub fn between_heights(mut self, low: f32, high: f32) -> Self {
        (self.low, self.high) = (low, high);
        self
    }
}

/// An obstacle or a wall that stands still.
struct Standing {
    layers: SteeringLayers,
    low: f32,
    high: f32,
    outline: Outline,
}

/// What is an obstacle or a wall, and no border of a map.
type Things<'w, 's> = Query<
    'w,
    's,
    (Entity, Option<&'static Obstacle>, Option<&'static Wall>),
    (Or<(With<Obstacle>, With<Wall>)>, Without<BorderOf>, Without<Vehicle>),
>;

/// What moves an entity and its children.
type Motions<'w, 's> = Query<
    'w,
    's,
    (Option<&'static Velocity>, Option<&'static AngularVelocity>, Option<&'static ChildOf>),
>;

/// Builds each grid anew after its obstacles have changed.
pub(crate) fn build_obstacle_grids(
    mut grids: Query<(Entity, &ObstacleGrid, &mut NavigationMap)>,
    things: Things,
    motions: Motions,
    transforms: TransformHelper,
    navigators: Query<(&Vehicle, &NavigateTo)>,
    settings: Res<SteeringSettings>,
    tick: Res<SteeringTick>,
) {
    let mut standing: Option<Vec<Standing>> = None;
    for (entity, grid, mut map) in &mut grids {
        let built = map.planner().and_then(GridPlanner::of);
        let is_due = tick.0.is_multiple_of(u64::from(grid.check_every.max(1)));
        let unmeasured =
            GridPlanner::unmeasured(grid.min, grid.max, grid.cell_size).in_plane(settings.plane);
        // Compared with what was built, not asked of change detection: a component that rollback
        // has restored is no other one.
        if !is_due && built.is_some_and(|built| built.has_cells_of(&unmeasured)) {
            continue;
        }
        let standing = standing
            .get_or_insert_with(|| find_standing(&things, &motions, &transforms, settings.plane));
        let of_grid = standing.iter().filter(|one| {
            one.layers.overlaps(grid.layers) && one.low <= grid.high && one.high >= grid.low
        });
        let mut outlines: Vec<Outline> = of_grid.map(|one| one.outline.clone()).collect();
        outlines.sort_by_cached_key(Outline::bits);
        let own = navigators.iter().filter(|(_, it)| it.map.is_none_or(|map| map == entity));
        let radii = own.map(|(vehicle, _)| vehicle.radius).filter(|radius| radius.is_finite());
        let largest = radii.fold(0.0, f32::max);
        let unmeasured = unmeasured.and_for(largest);
        if built.is_some_and(|built| built.is_built_from(&unmeasured, &outlines)) {
            continue;
        }
        if unmeasured.is_empty() {
            log::warn!(
                "{entity}: ObstacleGrid is from {} to {} with cells of {}; it has none, and there \
                 are no paths; set min below max, a cell_size above 0, and at most 2^24 cells",
                grid.min,
                grid.max,
                grid.cell_size
            );
        }
        map.set(unmeasured.with_outlines(outlines));
    }
}

/// Whether it has a velocity, or is carried along by a parent that has one.
fn moves(entity: Entity, motions: &Motions) -> bool {
    let mut next = Some(entity);
    while let Some((velocity, spin, parent)) = next.and_then(|one| motions.get(one).ok()) {
        let spin = spin.map_or(Vec3::ZERO, |spin| spin.0);
        if velocity.is_some_and(|velocity| velocity.0 != Vec3::ZERO) || spin != Vec3::ZERO {
            return true;
        }
        next = parent.map(ChildOf::parent);
    }
    false
}

fn find_standing(
    things: &Things,
    motions: &Motions,
    transforms: &TransformHelper,
    plane: SteeringPlane,
) -> Vec<Standing> {
    let mut standing = Vec::new();
    for (entity, obstacle, wall) in things {
        if moves(entity, motions) {
            continue;
        }
        let Ok(place) = transforms.compute_global_transform(entity) else { continue };
        if let Some(obstacle) = obstacle {
            standing.extend(of_obstacle(obstacle, &place, plane));
        }
        if let Some(wall) = wall {
            standing.extend(of_wall(wall, &place, plane));
        }
    }
    standing
}

/// The outline of some points with a radius around them, and between which heights they are.
fn standing(
    points: &[Vec3],
    radius: f32,
    layers: SteeringLayers,
    plane: SteeringPlane,
) -> Option<Standing> {
    let outline = Outline::new(points.iter().map(|&point| flat(plane, point)), radius)?;
    let heights = points.iter().map(|&point| height(plane, point));
    let low = heights.clone().fold(f32::INFINITY, f32::min) - radius;
    let high = heights.fold(f32::NEG_INFINITY, f32::max) + radius;
    Some(Standing { layers, low, high, outline })
}

fn of_obstacle(
    obstacle: &Obstacle,
    place: &GlobalTransform,
    plane: SteeringPlane,
) -> Option<Standing> {
    // What is round stays round, with the radius that agents see.
    let (scale, rotation, _) = place.to_scale_rotation_translation();
    let radius = match obstacle.shape.scaled_by(scale, rotation, plane) {
        ObstacleShape::Sphere { radius } | ObstacleShape::Capsule { radius, .. } => radius,
        ObstacleShape::Segment { .. } | ObstacleShape::Box { .. } => 0.0,
    };
    let points = match obstacle.shape {
        ObstacleShape::Sphere { .. } => vec![Vec3::ZERO],
        ObstacleShape::Capsule { half_length, .. } => {
            vec![Vec3::Y * half_length, Vec3::NEG_Y * half_length]
        }
        ObstacleShape::Segment { start, end } => vec![start, end],
        ObstacleShape::Box { half_size } => {
            let signs = [-1.0, 1.0];
            let corners = signs.into_iter().flat_map(|x| {
                signs.into_iter().flat_map(move |y| signs.map(|z| Vec3::new(x, y, z)))
            });
            corners.map(|corner| corner * half_size).collect()
        }
    };
    let points: Vec<Vec3> = points.into_iter().map(|point| place.transform_point(point)).collect();
    standing(&points, radius, obstacle.layers, plane)
}

fn of_wall(wall: &Wall, place: &GlobalTransform, plane: SteeringPlane) -> Option<Standing> {
    let ends = wall.ends(plane).map(|end| place.transform_point(end));
    let line = standing(&ends, 0.0, wall.layers, plane)?;
    Some(match wall.height {
        Some(rise) => {
            let up = place.affine().transform_vector3(plane.normal()).length();
            Standing { high: line.high + rise * up, ..line }
        }
        None => Standing { low: f32::NEG_INFINITY, high: f32::INFINITY, ..line },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_outlines_that_agents_see() {
        let plane = SteeringPlane::Xz;
        let place = GlobalTransform::from(
            Transform::from_xyz(10.0, 1.0, 20.0)
                .with_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_2))
                .with_scale(Vec3::new(2.0, 1.0, 1.0)),
        );
        let crate_ = of_obstacle(&Obstacle::cuboid(Vec3::new(2.0, 2.0, 1.0)), &place, plane);
        let crate_ = crate_.unwrap();
        let bounds = crate_.outline.bounds();
        // Turned by a quarter: 4 units along z, one along x.
        assert!((bounds.size() - Vec2::new(1.0, 4.0)).length() < 1e-4, "{bounds:?}");
        assert!((crate_.low, crate_.high) == (0.0, 2.0));
        let ball = of_obstacle(&Obstacle::sphere(1.0), &place, plane).unwrap();
        assert_eq!(ball.outline.distance(Vec2::new(15.0, 20.0)), 3.0);
        // Agents in two dimensions do not see the scale of the depth.
        let sprite = GlobalTransform::from(Transform::from_scale(Vec3::new(0.5, 0.5, 1.0)));
        let ball = of_obstacle(&Obstacle::sphere(1.0), &sprite, SteeringPlane::Xy).unwrap();
        assert_eq!(ball.outline.distance(Vec2::X * 3.0), 2.5);
        let wall = Wall::new(Vec2::ZERO, Vec2::X).with_height(3.0);
        let wall = of_wall(&wall, &GlobalTransform::IDENTITY, plane).unwrap();
        assert_eq!((wall.low, wall.high), (0.0, 3.0));
        let tall = GlobalTransform::from(Transform::from_scale(Vec3::new(1.0, 2.0, 1.0)));
        let tall = of_wall(&Wall::new(Vec2::ZERO, Vec2::X).with_height(3.0), &tall, plane);
        assert_eq!(tall.unwrap().high, 6.0);
        assert_eq!(wall.outline.distance(Vec2::new(0.5, 2.0)), 2.0);
    }
}
