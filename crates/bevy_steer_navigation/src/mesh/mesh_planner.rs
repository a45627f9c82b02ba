//! [`MeshPlanner`]: paths on a navigation mesh.

use bevy::prelude::*;

use crate::{
    events::NavigationFailure,
    mesh::{polygon_mesh::PolygonMesh, route::Route},
    planar::flat,
    planner::{Border, PathPlanner, PathQuery},
};

/// A [`PathPlanner`] on a mesh of convex polygons.
///
/// A path leads through the polygons of a short way (A* over the middles of their edges), pulled
/// taut, and round each corner at the distance of the agent's radius. Passages that are too narrow
/// for an agent are not passed.
///
/// The borders of the mesh become walls. If floors lie above each other, give these a height with
/// [`NavigationMap::with_border_height`](crate::NavigationMap::with_border_height).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer_navigation::{MeshPlanner, NavigationMap, PolygonMesh};
/// # fn spawn(mut commands: Commands) {
/// let corner = |x, z| Vec3::new(x, 0.0, z);
/// let vertices = [corner(0.0, 0.0), corner(9.0, 0.0), corner(9.0, 6.0), corner(0.0, 6.0)];
/// let mesh = PolygonMesh::new(vertices, [[0, 1, 2, 3]]);
/// commands.spawn(NavigationMap::new(MeshPlanner::new(mesh)));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPlanner {
    mesh: PolygonMesh,
}

/// More room than the radius, as a share of it: so an agent does not scrape along corners.
const MARGIN: f32 = 0.1;
/// How far beside the mesh an end of a path may be, in radii.
const BESIDE: f32 = 2.0;

impl MeshPlanner {
    /// Plans on this mesh.
    pub fn new(mesh: PolygonMesh) -> Self {
        Self { mesh }
    }

    /// The mesh.
    pub fn mesh(&self) -> &PolygonMesh {
        &self.mesh
    }
}

impl PathPlanner for MeshPlanner {
    fn plan(&self, query: &PathQuery) -> Result<Vec<Vec3>, NavigationFailure> {
        let within = BESIDE * query.radius + self.mesh.inset();
        let start =
            self.mesh.place_near(query.start, within).ok_or(NavigationFailure::StartOutside)?;
        let goal =
            self.mesh.place_near(query.goal, within).ok_or(NavigationFailure::GoalOutside)?;
        let clearance = (query.radius * (1.0 + MARGIN) - self.mesh.inset()).max(0.0);
        let gates = self.mesh.corridor(start, goal, clearance).ok_or(NavigationFailure::NoWay)?;
        let ends = [start, goal].map(|end| flat(self.mesh.plane(), end.position));
        let route = Route { mesh: &self.mesh, gates, ends, clearance };
        let corners = route.points();
        Ok([query.start].into_iter().chain(corners).chain([goal.position]).collect())
    }

    fn ground(&self, position: Vec3) -> Option<Vec3> {
        // On the mesh, or as far beside it as a body that touches the wall.
        let within = self.mesh.inset().max(f32::MIN_POSITIVE);
        self.mesh.place_near(position, within).map(|place| place.position)
    }

    fn borders(&self) -> Vec<Border> {
        self.mesh.borders()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planar::nearest_on_segment;

    /// Rows of unit squares on the ground, where there is a dot.
    fn floor(rows: &[&str]) -> PolygonMesh {
        let columns = rows[0].len();
        let vertices = (0..=rows.len())
            .flat_map(|z| (0..=columns).map(move |x| Vec3::new(x as f32, 0.0, z as f32)));
        let cells = rows.iter().enumerate().flat_map(|(z, row)| {
            let open = row.bytes().enumerate().filter(|&(_, cell)| cell == b'.');
            open.map(move |(x, _)| (x, z))
        });
        let polygons = cells.map(|(x, z)| {
            let first = z * (columns + 1) + x;
            [first, first + 1, first + columns + 2, first + columns + 1]
        });
        PolygonMesh::new(vertices, polygons)
    }

    fn plan(
        mesh: &PolygonMesh,
        from: [f32; 2],
        to: [f32; 2],
        radius: f32,
    ) -> Result<Vec<Vec3>, NavigationFailure> {
        let [start, goal] = [from, to].map(|[x, z]| Vec3::new(x, 0.0, z));
        MeshPlanner::new(mesh.clone()).plan(&PathQuery { start, goal, radius })
    }

    /// How near a path comes to the border.
    fn nearest_border(mesh: &PolygonMesh, path: &[Vec3]) -> f32 {
        let to_flat = |v: Vec3| Vec2::new(v.x, v.z);
        let mut nearest = f32::INFINITY;
        for border in mesh.borders() {
            let [start, end] = [border.start, border.end].map(to_flat);
            for pair in path.windows(2) {
                for i in 0..=50 {
                    let place = to_flat(pair[0].lerp(pair[1], i as f32 / 50.0));
                    nearest = nearest.min(place.distance(nearest_on_segment(place, start, end)));
                }
            }
        }
        nearest
    }

    #[test]
    fn a_free_way_is_straight() {
        let mesh = floor(&["......", "......", "......"]);
        let path = plan(&mesh, [0.5, 0.5], [5.5, 2.5], 0.3).unwrap();
        assert_eq!(path, [Vec3::new(0.5, 0.0, 0.5), Vec3::new(5.5, 0.0, 2.5)]);
    }

    #[test]
    fn paths_keep_off_corners_by_the_radius() {
        let mesh = floor(&["........", "..####..", "..####..", "........"]);
        for radius in [0.0, 0.1, 0.25, 0.4] {
            for (from, to) in [
                ([1.0, 2.0], [7.0, 2.0]),
                ([1.5, 1.5], [4.0, 0.5]),
                ([6.5, 2.5], [1.5, 1.5]),
                ([4.0, 0.5], [4.0, 3.5]),
            ] {
                let path = plan(&mesh, from, to, radius).unwrap();
                let near = nearest_border(&mesh, &path);
                assert!(near >= radius - 1e-4, "{near} for {radius}: {path:?}");
                let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                assert!(length < 10.5, "{length}: {path:?}");
            }
        }
    }

    #[test]
    fn paths_on_random_floors_keep_off_the_border() {
        let mut seed = 1_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        let (mut found, mut nearest) = (0, f32::INFINITY);
        for _ in 0..60 {
            let rows: Vec<String> = (0..8)
                .map(|_| (0..8).map(|_| if random(3) == 0 { '#' } else { '.' }).collect())
                .collect();
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let mesh = floor(&rows);
            let open = |cell: u32| rows[cell as usize / 8].as_bytes()[cell as usize % 8] == b'.';
            let middle = |cell: u32| [(cell % 8) as f32 + 0.5, (cell / 8) as f32 + 0.5];
            for _ in 0..10 {
                let [from, to] = [random(64), random(64)];
                let radius = 0.05 * (1 + random(7)) as f32;
                if !open(from) || !open(to) {
                    continue;
                }
                let Ok(path) = plan(&mesh, middle(from), middle(to), radius) else { continue };
                found += 1;
                nearest = nearest.min(nearest_border(&mesh, &path) / radius);
            }
        }
        assert!(found > 100, "{found}");
        assert!(nearest > 0.97, "{nearest} radii");
    }

    #[test]
    fn failures_have_reasons() {
        let mesh = floor(&["...#..", "...#..", ".....#", "...#.."]);
        let reason = |from, to, radius| plan(&mesh, from, to, radius).unwrap_err();
        let [a, b] = [[1.0, 1.0], [5.0, 1.0]];
        assert_eq!(reason([-9.0, 1.0], b, 0.3), NavigationFailure::StartOutside);
        assert_eq!(reason(a, [3.0, -9.0], 0.3), NavigationFailure::GoalOutside);
        assert_eq!(reason(a, b, 0.6), NavigationFailure::NoWay, "the door is narrower");
        assert!(plan(&mesh, a, b, 0.4).is_ok());
        let apart = floor(&["..#.."]);
        let query = plan(&apart, [0.5, 0.5], [4.5, 0.5], 0.1);
        assert_eq!(query, Err(NavigationFailure::NoWay));
    }

    /// Vertices that no polygon uses.
    #[test]
    fn vertices_that_are_not_finite_do_no_harm() {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0], [8.0, 0.0], [8.0, 2.0]];
        let vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z));
        for bad in [f32::NAN, f32::INFINITY] {
            let vertices = vertices.into_iter().chain([Vec3::splat(bad)]);
            let mesh = PolygonMesh::new(vertices, [[0, 1, 2, 3], [1, 4, 5, 2]]);
            let path = plan(&mesh, [1.0, 1.0], [7.0, 1.0], 0.2).unwrap();
            assert_eq!(path, [Vec3::new(1.0, 0.0, 1.0), Vec3::new(7.0, 0.0, 1.0)]);
        }
    }

    #[test]
    fn a_mesh_that_was_made_smaller_needs_no_more_room() {
        let mesh = floor(&["......", "..##..", "......"]).with_inset(0.5);
        let path = plan(&mesh, [0.5, 1.5], [5.5, 1.5], 0.45).unwrap();
        // Straight round the corners of the mesh itself.
        assert!(
            path[1..path.len() - 1].iter().all(|point| point.z == 1.0 || point.z == 2.0),
            "{path:?}"
        );
    }
}
