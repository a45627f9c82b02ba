//! Navigation meshes of `vleue_navigator`, which are those of `polyanya`.

use bevy::prelude::*;
use bevy_steer::SteeringPlane;
use vleue_navigator::{
    NavMesh,
    prelude::{ManagedNavMesh, NavMeshSettings},
};

use crate::{
    map::NavigationMap,
    mesh::{mesh_planner::MeshPlanner, polygon_mesh::PolygonMesh},
};

impl PolygonMesh {
    /// The polygons of a mesh of `vleue_navigator` 0.17, where it is in the world: in the plane of
    /// a 2D game, or on the ground, as its transform says.
    ///
    /// `agent_radius` is the radius that the mesh was generated for, 0 if it reaches up to the
    /// walls; see [`with_inset`](Self::with_inset).
    ///
    /// For meshes with one layer and a scale of 1. Of others all layers are taken, without their
    /// scale, and two are connected only where they have vertices at exactly the same position.
    /// Vertices without a height are at the height of the mesh.
    pub fn from_vleue_navigator(nav_mesh: &NavMesh, agent_radius: f32) -> Self {
        let (mesh, transform) = (nav_mesh.get(), nav_mesh.transform());
        let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
        for layer in &mesh.layers {
            let first = vertices.len();
            vertices.extend(layer.vertices.iter().enumerate().map(|(i, vertex)| {
                let heights = layer.heights().unwrap_or_default();
                let height = heights.get(i).copied().unwrap_or_default();
                // The mesh is turned to the ground so that its z axis points down.
                transform.transform_point((vertex.coords + layer.offset).extend(-height))
            }));
            polygons.extend(layer.polygons.iter().map(|polygon| {
                let used = polygon.vertices.iter().filter(|&&index| index != u32::MAX);
                used.map(|&index| first + index as usize).collect::<Vec<_>>()
            }));
        }
        let is_upright = (transform.rotation * Vec3::Z).z.abs() > 0.5;
        let plane = if is_upright { SteeringPlane::Xy } else { SteeringPlane::Xz };
        Self::in_plane(plane, vertices, polygons).with_inset(agent_radius)
    }
}

/// Gives maps beside a [`ManagedNavMesh`] the mesh that it has.
pub(crate) fn follow_nav_meshes(
    mut built: MessageReader<AssetEvent<NavMesh>>,
    meshes: Res<Assets<NavMesh>>,
    mut maps: Query<(Ref<ManagedNavMesh>, Option<&NavMeshSettings>, &mut NavigationMap)>,
) {
    let built: Vec<_> = built.read().collect();
    for (managed, settings, mut map) in &mut maps {
        let id = managed.id();
        let is_built = built.iter().any(|event| event.is_added(id) || event.is_modified(id));
        if !is_built && !managed.is_changed() && !map.is_added() {
            continue;
        }
        // A mesh that reaches up to the outermost walls counts as one that reaches up to all.
        let smaller = settings.filter(|settings| settings.agent_radius_on_outer_edge);
        let inset = smaller.map_or(0.0, |settings| settings.agent_radius);
        if let Some(mesh) = meshes.get(id) {
            map.set(MeshPlanner::new(PolygonMesh::from_vleue_navigator(mesh, inset)));
        }
    }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::FRAC_PI_2;

    use super::*;
    use crate::planner::{PathPlanner, PathQuery};

    #[test]
    fn paths_lead_round_obstacles_in_the_plane_of_the_mesh() {
        let rect = |min: Vec2, max: Vec2| vec![min, vec2(max.x, min.y), max, vec2(min.x, max.y)];
        let edges = rect(Vec2::ZERO, vec2(20.0, 10.0));
        let wall = rect(vec2(9.0, 2.0), vec2(11.0, 9.9));
        let on_screen = |place: Vec2| place.extend(5.0);
        let on_ground = |place: Vec2| Vec3::new(place.x, 5.0, place.y);
        let cases: [(Quat, &dyn Fn(Vec2) -> Vec3); 2] =
            [(Quat::IDENTITY, &on_screen), (Quat::from_rotation_x(FRAC_PI_2), &on_ground)];
        for (rotation, to_world) in cases {
            let mut mesh = NavMesh::from_edge_and_obstacles(edges.clone(), vec![wall.clone()]);
            let place = Transform::from_translation(to_world(Vec2::ZERO)).with_rotation(rotation);
            mesh.set_transform(place);
            let planner = MeshPlanner::new(PolygonMesh::from_vleue_navigator(&mesh, 0.0));
            let (start, goal) = (to_world(vec2(2.0, 8.0)), to_world(vec2(18.0, 8.0)));
            let path = planner.plan(&PathQuery { start, goal, radius: 0.5 }).expect("a path");
            let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            // Past the lower corners of the wall, half a unit off them, as its upper end leaves a
            // gap of a tenth of a unit.
            assert!((20.5..21.5).contains(&length), "{length}: {path:?}");
            let height = |point: &Vec3| point.dot((rotation * Vec3::Z).abs().round());
            assert!(path.iter().all(|point| (height(point) - 5.0).abs() < 1e-3), "{path:?}");
            assert!(path[0] == start && path[path.len() - 1].distance(goal) < 1e-3, "{path:?}");
        }
    }
}
