//! [`Sight`]: what lies under the pointer.

use bevy::prelude::*;

/// The rays through the pointer and a few pixels beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The ray through the pointer.
    pub ray: Ray3d,
    /// The ray a few pixels beside it. Every body that is at most as far from the first ray as this
    /// one is hit, however small it is.
    pub beside: Ray3d,
}

impl Sight {
    /// The distance from the ray that still hits, at a distance along the ray, in units.
    pub fn tolerance(&self, along: f32) -> f32 {
        self.ray.get_point(along).distance(self.beside.get_point(along))
    }
}

/// The body (entity, centre, radius) that is nearest to the ray, relative to its radius or to the
/// tolerance of a few pixels, whichever is larger. `None` if the ray hits none.
pub fn nearest_to_ray(
    sight: &Sight,
    bodies: impl IntoIterator<Item = (Entity, Vec3, f32)>,
) -> Option<Entity> {
    let miss = |center: Vec3, radius: f32| {
        let along = (center - sight.ray.origin).dot(*sight.ray.direction);
        let distance = sight.ray.get_point(along).distance(center);
        let reach = radius.max(sight.tolerance(along));
        (along >= 0.0 && distance <= reach && reach > 0.0).then(|| distance / reach)
    };
    let hits = bodies
        .into_iter()
        .filter_map(|(entity, center, radius)| Some((entity, miss(center, radius)?)));
    hits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(entity, _)| entity)
}
