//! The shortest line through a row of gates.

use bevy::prelude::*;

use crate::mesh::corridor::Gate;

/// A vertex that a line bends around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bend {
    /// The index of the gate that ends at the vertex.
    pub(super) gate: usize,
    /// The vertex.
    pub(super) vertex: usize,
    /// Whether the vertex is to the left of the line.
    pub(super) is_left: bool,
    /// Where the line bends: in the gate, off the vertex.
    pub(super) place: Vec2,
}

/// One side of the funnel: which gate it leads to, and where that ends.
#[derive(Clone, Copy)]
struct Side {
    gate: usize,
    end: Vec2,
}

/// Where the shortest line from start to goal through all gates bends: the funnel of Mononen
/// (2010), "Simple Stupid Funnel Algorithm", after Lee and Preparata (1984).
pub(super) fn bends(start: Vec2, goal: Vec2, gates: &[Gate]) -> Vec<Bend> {
    let ends = |gate: usize| gates.get(gate).map_or([goal, goal], |gate| [gate.left, gate.right]);
    let mut found: Vec<Bend> = Vec::new();
    let mut apex = start;
    let [mut left, mut right] = ends(0).map(|end| Side { gate: 0, end });
    let mut gate = 1;
    // Behind the last gate is the goal, as a gate without width.
    while gate <= gates.len() {
        let [next_left, next_right] = ends(gate);
        let turn = |from: Vec2, to: Vec2| (from - apex).perp_dot(to - apex);
        // Each side may only become narrower. Where one crosses the other the line bends around the
        // end of the other, and the funnel begins again there.
        let mut around = None;
        if turn(right.end, next_right) >= 0.0 {
            if right.end == apex || turn(left.end, next_right) < 0.0 {
                right = Side { gate, end: next_right };
            } else {
                around = Some((left, true));
            }
        }
        if around.is_none() && turn(left.end, next_left) <= 0.0 {
            if left.end == apex || turn(right.end, next_left) > 0.0 {
                left = Side { gate, end: next_left };
            } else {
                around = Some((right, false));
            }
        }
        let Some((side, is_left)) = around else {
            gate += 1;
            continue;
        };
        let Some(of) = gates.get(side.gate) else { break };
        let vertex = of.vertices[usize::from(!is_left)];
        found.push(Bend { gate: side.gate, vertex, is_left, place: side.end });
        apex = side.end;
        gate = side.gate + 1;
        let [next_left, next_right] = ends(gate);
        (left, right) = (Side { gate, end: next_left }, Side { gate, end: next_right });
        gate += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(left: [f32; 2], right: [f32; 2], number: usize) -> Gate {
        let [left, right] = [left, right].map(Vec2::from);
        Gate { vertices: [2 * number, 2 * number + 1], left, right }
    }

    #[test]
    fn a_free_line_does_not_bend() {
        let gates = [gate([1.0, 1.0], [1.0, -1.0], 0), gate([2.0, 1.0], [2.0, -1.0], 1)];
        assert_eq!(bends(Vec2::ZERO, Vec2::X * 3.0, &gates), []);
        assert_eq!(bends(Vec2::ZERO, Vec2::X * 3.0, &[]), []);
    }

    #[test]
    fn it_bends_around_the_ends_of_gates() {
        // Up over one end, then down under another.
        let gates = [gate([2.0, 9.0], [2.0, 3.0], 0), gate([6.0, -3.0], [6.0, -9.0], 1)];
        let found = bends(Vec2::ZERO, Vec2::X * 8.0, &gates);
        let expected = [
            Bend { gate: 0, vertex: 1, is_left: false, place: Vec2::new(2.0, 3.0) },
            Bend { gate: 1, vertex: 2, is_left: true, place: Vec2::new(6.0, -3.0) },
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_line_that_turns_back_bends_around_one_end() {
        // Round the end of a wall along x.
        let gates = [
            gate([5.0, 0.0], [5.0, -9.0], 0),
            gate([5.0, 0.0], [9.0, 0.0], 1),
            gate([5.0, 0.0], [5.0, 9.0], 2),
        ];
        let gates = gates.map(|gate| Gate { vertices: [7, gate.vertices[1]], ..gate });
        let found = bends(Vec2::new(0.0, -1.0), Vec2::new(0.0, 1.0), &gates);
        assert!(!found.is_empty() && found.iter().all(|bend| bend.vertex == 7), "{found:?}");
        assert!(found.iter().all(|bend| bend.is_left && bend.place == Vec2::X * 5.0));
    }
}
