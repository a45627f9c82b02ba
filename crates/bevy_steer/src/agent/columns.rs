//! The components that make an [`Agent`](crate::Agent), of one agent and of the columns of a table.

use bevy::{ecs::query::QueryData, prelude::*};

use crate::{
    agent::{
        id::AgentId,
        index_slot::IndexSlot,
        think::ThinkEvery,
        tick_context::TickRef,
        vehicle::{AngularVelocity, Heading, Vehicle, VehicleBlock, Velocity},
    },
    ecs::columns::{aligned, columns_for_struct},
    simd::{
        lanes::{Lanes, WIDTH},
        vector::{Vector, positions, side_by_side},
    },
    space::{bounds::Bounds, plane::SteeringPlane},
};

/// The components that make an agent, as a part of queries.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct AgentData {
    entity: Entity,
    id: &'static AgentId,
    transform: &'static Transform,
    velocity: &'static Velocity,
    heading: &'static Heading,
    vehicle: &'static Vehicle,
    entry: &'static IndexSlot,
    spin: Option<&'static AngularVelocity>,
    plane: Option<&'static SteeringPlane>,
    bounds: Option<&'static Bounds>,
    think: Option<&'static ThinkEvery>,
}

/// The columns of many agents.
#[derive(Clone, Copy)]
pub(crate) struct AgentColumns<'a> {
    entities: &'a [Entity],
    ids: &'a [AgentId],
    transforms: &'a [Transform],
    velocities: &'a [Velocity],
    headings: &'a [Heading],
    vehicles: &'a [Vehicle],
    entries: &'a [IndexSlot],
    spins: Option<&'a [AngularVelocity]>,
    planes: Option<&'a [SteeringPlane]>,
    bounds: Option<&'a [Bounds]>,
    thinks: Option<&'a [ThinkEvery]>,
}

/// The components of one agent.
#[derive(Clone, Copy)]
pub(crate) struct AgentParts<'a> {
    pub(crate) entity: Entity,
    pub(crate) id: AgentId,
    pub(crate) transform: &'a Transform,
    pub(crate) velocity: Vec3,
    pub(crate) heading: Vec3,
    pub(crate) vehicle: &'a Vehicle,
    pub(crate) entry: &'a IndexSlot,
    pub(crate) spin: Option<Vec3>,
    pub(crate) plane: Option<SteeringPlane>,
    pub(crate) bounds: Option<&'a Bounds>,
    pub(crate) think: Option<ThinkEvery>,
}

impl<'w> From<AgentDataContiguousItem<'w, '_>> for AgentColumns<'w> {
    fn from(table: AgentDataContiguousItem<'w, '_>) -> Self {
        Self {
            entities: table.entity,
            ids: table.id,
            transforms: table.transform,
            velocities: table.velocity,
            headings: table.heading,
            vehicles: table.vehicle,
            entries: table.entry,
            spins: table.spin,
            planes: table.plane,
            bounds: table.bounds,
            thinks: table.think,
        }
    }
}

impl<'w> From<AgentDataItem<'w, '_>> for AgentParts<'w> {
    fn from(row: AgentDataItem<'w, '_>) -> Self {
        Self {
            entity: row.entity,
            id: *row.id,
            transform: row.transform,
            velocity: row.velocity.0,
            heading: row.heading.0,
            vehicle: row.vehicle,
            entry: row.entry,
            spin: row.spin.map(|spin| spin.0),
            plane: row.plane.copied(),
            bounds: row.bounds,
            think: row.think.copied(),
        }
    }
}

columns_for_struct!(AgentColumns {
    entities,
    ids,
    transforms,
    velocities,
    headings,
    vehicles,
    entries,
    spins,
    planes,
    bounds,
    thinks
});

impl<'a> AgentColumns<'a> {
    pub(crate) fn len(&self) -> usize {
        self.entities.len()
    }

    /// The first `count` rows: tells the compiler their number.
    #[inline(always)]
    pub(crate) fn first(&self, count: usize) -> AgentColumns<'a> {
        AgentColumns {
            entities: &self.entities[..count],
            ids: &self.ids[..count],
            transforms: &self.transforms[..count],
            velocities: &self.velocities[..count],
            headings: &self.headings[..count],
            vehicles: &self.vehicles[..count],
            entries: &self.entries[..count],
            spins: self.spins.map(|rows| &rows[..count]),
            planes: self.planes.map(|rows| &rows[..count]),
            bounds: self.bounds.map(|rows| &rows[..count]),
            thinks: self.thinks.map(|rows| &rows[..count]),
        }
    }

    /// The positions of eight of them.
    #[inline(always)]
    pub(crate) fn position<L: Lanes>(&self, l: L, first: usize) -> Vector<L> {
        positions(l, aligned(self.transforms, first))
    }

    /// The velocities of eight of them.
    #[inline(always)]
    pub(crate) fn velocity<L: Lanes>(&self, l: L, first: usize) -> Vector<L> {
        side_by_side(l, aligned(self.velocities, first))
    }

    /// The index slots of eight of them.
    #[inline(always)]
    pub(crate) fn entries(&self, first: usize) -> &'a [IndexSlot; WIDTH] {
        aligned(self.entries, first)
    }

    #[inline(always)]
    pub(crate) fn id(&self, row: usize) -> AgentId {
        self.ids[row]
    }

    #[inline(always)]
    pub(crate) fn translation(&self, row: usize) -> Vec3 {
        self.transforms[row].translation
    }

    pub(crate) fn vehicles(&self) -> &'a [Vehicle] {
        self.vehicles
    }

    /// The vehicles of eight of them.
    #[inline(always)]
    pub(crate) fn vehicle<L: Lanes>(&self, l: L, first: usize) -> VehicleBlock<L> {
        VehicleBlock::new(l, aligned(self.vehicles, first))
    }

    /// Whether these agents have none of the components that most agents do without, but perhaps
    /// [`ThinkEvery`].
    pub(crate) fn are_plain(&self) -> bool {
        let Self { spins, planes, bounds, .. } = self;
        spins.is_none() && planes.is_none() && bounds.is_none()
    }

    /// Whether all of them are in the default plane.
    pub(crate) fn share_plane(&self) -> bool {
        self.planes.is_none()
    }

    /// Whether all of them think in every tick.
    pub(crate) fn think_always(&self) -> bool {
        self.thinks.is_none()
    }

    /// How long the decisions of eight of them last, in seconds.
    #[inline(always)]
    pub(crate) fn decision_times(&self, first: usize, dt: f32) -> [f32; WIDTH] {
        let Some(thinks) = self.thinks else { return [dt; WIDTH] };
        aligned(thinks, first).map(|think| dt * think.ticks() as f32)
    }

    /// Whether this agent is due to think.
    #[inline(always)]
    pub(crate) fn is_due(&self, row: usize, tick: u64) -> bool {
        self.thinks.is_none_or(|thinks| thinks[row].is_due(self.ids[row], tick))
    }

    /// Which of eight are due to think, one bit each.
    #[inline(always)]
    pub(crate) fn due(&self, first: usize, tick: u64) -> u8 {
        let Some(thinks) = self.thinks else { return u8::MAX };
        let (thinks, ids) = (aligned(thinks, first), aligned(self.ids, first));
        let agents = thinks.iter().zip(ids).enumerate();
        agents.fold(0, |due, (i, (think, &id))| due | u8::from(think.is_due(id, tick)) << i)
    }

    /// One of them. `PLAIN` says that [`are_plain`](Self::are_plain).
    #[inline(always)]
    pub(crate) fn row<const PLAIN: bool>(&self, row: usize) -> AgentParts<'a> {
        AgentParts {
            entity: self.entities[row],
            id: self.ids[row],
            transform: &self.transforms[row],
            velocity: self.velocities[row].0,
            heading: self.headings[row].0,
            vehicle: &self.vehicles[row],
            entry: &self.entries[row],
            spin: if PLAIN { None } else { self.spins.map(|rows| rows[row].0) },
            plane: if PLAIN { None } else { self.planes.map(|rows| rows[row]) },
            bounds: if PLAIN { None } else { self.bounds.map(|rows| &rows[row]) },
            think: self.thinks.map(|rows| rows[row]),
        }
    }
}

impl<'a> AgentParts<'a> {
    #[inline(always)]
    pub(crate) fn plane(&self, tick: TickRef) -> SteeringPlane {
        self.plane.unwrap_or(tick.settings.plane)
    }

    /// How long its decisions last, in seconds.
    #[inline(always)]
    pub(crate) fn decision_time(&self, tick: TickRef) -> f32 {
        self.think.map_or(tick.dt, |think| tick.dt * think.ticks() as f32)
    }
}
