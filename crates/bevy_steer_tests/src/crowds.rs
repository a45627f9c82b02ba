//! Random crowds for neighbour queries, and a linear search to compare with.

use core::ops::RangeInclusive;

use bevy::prelude::*;
use bevy_steer::{AgentId, NeighborQuery, SteeringSettings, prelude::*};
use proptest::prelude::*;

use crate::{Sim, rng::TestRng};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    Even,
    /// Some knots with nothing between them.
    Clumped,
    /// An even crowd and a few members that are a thousand times as far away.
    Outliers,
    /// Places of a coarse lattice, so that many are equally far.
    Lattice,
    OneSpot,
}

#[derive(Clone, Debug)]
pub struct Crowd {
    pub seed: u64,
    pub count: usize,
    pub spread: Spread,
    /// How far from the origin the crowd reaches, in units.
    pub reach: f32,
    pub wraps: bool,
    pub is_mixed: bool,
    pub plane: SteeringPlane,
}

pub fn crowds(counts: RangeInclusive<usize>) -> impl Strategy<Value = Crowd> {
    let spreads =
        vec![Spread::Even, Spread::Clumped, Spread::Outliers, Spread::Lattice, Spread::OneSpot];
    (
        any::<u64>(),
        counts,
        proptest::sample::select(spreads),
        proptest::sample::select(vec![0.5_f32, 20.0, 300.0]),
        any::<[bool; 2]>(),
        proptest::sample::select(SteeringPlane::ALL.to_vec()),
    )
        .prop_map(|(seed, count, spread, reach, [wraps, is_mixed], plane)| Crowd {
            seed,
            count,
            spread,
            reach,
            wraps,
            is_mixed,
            plane,
        })
}

/// One of a crowd, as it was spawned.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub entity: Entity,
    pub number: u64,
    pub position: Vec3,
    pub layers: SteeringLayers,
}

impl Crowd {
    pub fn rng(&self, salt: u64) -> TestRng {
        TestRng::new(self.seed, salt)
    }

    /// A box that a part of the crowd stands outside of, not centred and of another size on each
    /// axis.
    pub fn bounds(&self) -> Bounds {
        if !self.wraps {
            return Bounds::UNBOUNDED;
        }
        let (min, max) = (Vec3::new(-0.9, -0.7, -0.8), Vec3::new(0.8, 0.95, 0.6));
        Bounds::cuboid(min * self.reach, max * self.reach, BoundsEdge::Wrap)
    }

    pub fn place(&self, rng: &mut TestRng) -> Vec3 {
        let reach = self.reach;
        match self.spread {
            Spread::Clumped => {
                let knot = rng.index(4) as u64;
                self.rng(900 + knot).point(reach) + rng.point(reach * 0.02)
            }
            Spread::Outliers if rng.chance(0.05) => rng.point(reach * 1000.0),
            Spread::Even | Spread::Outliers => rng.point(reach),
            Spread::Lattice => (rng.point(4.0)).round() * (reach * 0.25),
            Spread::OneSpot => Vec3::new(0.3, -0.2, 0.1) * reach,
        }
    }

    /// A world with the crowd in it, after a tick. Every third is no agent; numbers are given in no
    /// order.
    pub fn gather(&self) -> (Sim, Vec<Member>) {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(self.plane), 64.0);
        sim.app.insert_resource(WorldBounds(self.bounds()));
        let mut rng = self.rng(1);
        // Integration would bring agents inside the bounds.
        sim.app.world_mut().resource_mut::<SteeringSettings>().integrate = false;
        let members = (0..self.count)
            .map(|i| {
                let position = self.place(&mut rng);
                let layers = SteeringLayers(rng.pick(&[1, 2, 4, 6, 0]));
                let number = (i as u64 * 7919) % 100_003;
                let transform = Transform::from_translation(position);
                let mut entity = sim.app.world_mut().spawn((transform, layers, AgentId(number)));
                if i % 3 > 0 {
                    entity.insert(Vehicle::default());
                }
                if self.is_mixed {
                    entity.insert(rng.pick(&SteeringPlane::ALL));
                }
                Member { entity: entity.id(), number, position, layers }
            })
            .collect();
        sim.ask(|_| ());
        sim.tick();
        (sim, members)
    }
}

/// What is asked of a crowd.
pub struct Question {
    pub query: NeighborQuery,
    pub plane: SteeringPlane,
    pub radius: f32,
}

impl Crowd {
    pub fn question(&self, sim: &Sim, members: &[Member], rng: &mut TestRng) -> Question {
        let member = (!members.is_empty()).then(|| members[rng.index(members.len())]);
        let center = match member {
            Some(member) if rng.chance(0.5) => member.position,
            _ => self.place(rng) + rng.point(self.reach * 0.1),
        };
        let mut query = NeighborQuery::at(center);
        let mut plane = self.plane;
        if rng.chance(0.7) {
            plane = rng.pick(&SteeringPlane::ALL);
            query = query.in_plane(plane);
        }
        // A plane without agents is not indexed, and the default one answers.
        let mut world_planes = vec![self.plane];
        world_planes.extend(
            members
                .iter()
                .filter(|member| sim.app.world().get::<Vehicle>(member.entity).is_some())
                .map(|member| sim.plane(member.entity)),
        );
        if !world_planes.contains(&plane) {
            plane = self.plane;
        }
        if rng.chance(0.5) {
            query = query.with_layers(rng.pick(&[
                SteeringLayers::layer(0),
                SteeringLayers::layer(1),
                SteeringLayers(5),
                SteeringLayers::NONE,
            ]));
        }
        if let Some(member) = member
            && rng.chance(0.5)
        {
            query = query.except(member.entity);
        }
        let share = rng.pick(&[0.0, 0.01, 0.1, 0.4, 1.5, 3000.0]);
        Question { query, plane, radius: share * self.reach }
    }
}

impl Question {
    /// All members that match the query, at any distance, with their offsets; nearest first,
    /// equally near ones by id.
    pub fn search_linearly(&self, members: &[Member], bounds: &Bounds) -> Vec<(Member, Vec3)> {
        let mut found: Vec<(Member, Vec3)> = members
            .iter()
            .filter(|member| {
                member.layers.overlaps(self.query.layers)
                    && Some(member.entity) != self.query.except
            })
            .map(|&member| {
                // A member outside of a world that wraps counts where it would come in.
                let mut place = member.position;
                bounds.confine(&mut place, &mut Vec3::default());
                let offset = self.plane.flatten(place - self.query.center.in_plane(self.plane));
                (member, bounds.shortest(offset))
            })
            .collect();
        found.sort_by(|(a, to_a), (b, to_b)| {
            let nearer = to_a.length_squared().total_cmp(&to_b.length_squared());
            nearer.then(a.number.cmp(&b.number))
        });
        found
    }
}
