//! Navigation meshes of rerecast, the Rust port of Recast.

use bevy::prelude::*;
use rerecast::{AreaType, PolygonNavmesh};

use crate::mesh::polygon_mesh::PolygonMesh;

impl PolygonMesh {
    /// The polygons of a mesh of `rerecast` 0.5, as `bevy_rerecast` 0.6 has them in
    /// `Navmesh::polygon`. Those that are not walkable are left out.
    ///
    /// `agent_radius` is the radius that the mesh was generated for
    /// (`NavmeshSettings::agent_radius`), see [`with_inset`](Self::with_inset).
    pub fn from_rerecast(mesh: &PolygonNavmesh, agent_radius: f32) -> Self {
        let size = Vec3::new(mesh.cell_size, mesh.cell_height, mesh.cell_size);
        let vertices = mesh.vertices.iter().map(|vertex| {
            let [x, y, z] = vertex.to_array().map(f32::from);
            Vec3::from_array(mesh.aabb.min.to_array()) + Vec3::new(x, y, z) * size
        });
        let corners = usize::from(mesh.max_vertices_per_polygon).max(1);
        let polygons = mesh.polygons.chunks(corners).zip(&mesh.areas);
        let walkable = polygons.filter(|&(_, &area)| area != AreaType::NOT_WALKABLE);
        let indices = walkable.map(|(polygon, _)| {
            let used = polygon.iter().take_while(|&&index| index != PolygonNavmesh::NO_INDEX);
            used.map(|&index| usize::from(index)).collect::<Vec<_>>()
        });
        Self::new(vertices, indices).with_inset(agent_radius)
    }
}
