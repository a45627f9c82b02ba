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
#[cfg(feature = "vleue_navigator")]
mod vleue_navigator;

pub use mesh_planner::MeshPlanner;
pub use polygon_mesh::PolygonMesh;
#[cfg(feature = "vleue_navigator")]
pub(crate) use vleue_navigator::follow_nav_meshes;
