//! Planning on a mesh of convex polygons. Knows nothing of agents.

mod borders;
mod buckets;
mod corners;
mod corridor;
mod funnel;
mod mesh_planner;
mod polygon_mesh;
#[cfg(feature = "rerecast")]
mod rerecast;
mod route;

pub use mesh_planner::MeshPlanner;
pub use polygon_mesh::PolygonMesh;
