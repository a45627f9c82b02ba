//! The components that make an [`Agent`](crate::Agent), of one agent and of the columns of a table.

use bevy::{ecs::query::QueryData, prelude::*};

use crate::{
    agent::{
        id::{AgentId, IndexSlot},
        layers::SteeringHeight,
        locomotion::{AngularLimits, ThinkEvery},
        surface_slot::SurfaceSlot,
        tick_context::TickRef,
        vehicle::{AngularVelocity, Heading, Vehicle, Velocity},
    },
    ecs::columns_struct,
    space::{Bounds, SteeringPlane, unit_heading},
};

/// The components of an agent: those that all have, rare ones, and some that only part of them
/// has.
macro_rules! agent_components {
    (
        common { $($common:ident: $common_type:ty,)+ }
        rare { $($rare:ident: $rare_type:ty,)+ }
        partial { $($partial:ident: $partial_type:ty,)+ }
    ) => {
        /// The components that make an agent, as a part of queries.
        #[derive(QueryData)]
        #[query_data(contiguous(all))]
        pub(crate) struct AgentData {
            entity: Entity,
            $($common: &'static $common_type,)+
            $($rare: Option<&'static $rare_type>,)+
            $($partial: Option<&'static $partial_type>,)+
        }

        columns_struct! {
            /// The columns of many agents.
            #[derive(Clone, Copy)]
            pub(crate) struct AgentColumns<'a> {
                entity: &'a [Entity],
                $(pub $common: &'a [$common_type],)+
                $(pub $rare: Option<&'a [$rare_type]>,)+
                $(pub $partial: Option<&'a [$partial_type]>,)+
            }
        }

        /// The components of one agent.
        #[derive(Clone, Copy)]
        pub(crate) struct AgentParts<'a> {
            pub entity: Entity,
            $(pub $common: &'a $common_type,)+
            $(pub $rare: Option<&'a $rare_type>,)+
            $(pub $partial: Option<&'a $partial_type>,)+
        }

        impl<'w> From<AgentDataContiguousItem<'w, '_>> for AgentColumns<'w> {
            fn from(table: AgentDataContiguousItem<'w, '_>) -> Self {
                Self {
                    entity: table.entity,
                    $($common: table.$common,)+
                    $($rare: table.$rare,)+
                    $($partial: table.$partial,)+
                }
            }
        }

        impl<'w> From<AgentDataItem<'w, '_>> for AgentParts<'w> {
            fn from(row: AgentDataItem<'w, '_>) -> Self {
                Self {
                    entity: row.entity,
                    $($common: row.$common,)+
                    $($rare: row.$rare,)+
                    $($partial: row.$partial,)+
                }
            }
        }

        impl<'a> AgentColumns<'a> {
            /// The first `count` rows: tells the compiler their number.
            #[inline(always)]
            pub(crate) fn first(&self, count: usize) -> AgentColumns<'a> {
                AgentColumns {
                    entity: &self.entity[..count],
                    $($common: &self.$common[..count],)+
                    $($rare: self.$rare.map(|rows| &rows[..count]),)+
                    $($partial: self.$partial.map(|rows| &rows[..count]),)+
                }
            }

            /// Whether these agents have none of the rare components.
            pub(crate) fn are_plain(&self) -> bool {
                $(self.$rare.is_none())&&+
            }

            /// One of them. `PLAIN` means that [`are_plain`](Self::are_plain) is true.
            #[inline(always)]
            pub(crate) fn row<const PLAIN: bool>(&self, row: usize) -> AgentParts<'a> {
                AgentParts {
                    entity: self.entity[row],
                    $($common: &self.$common[row],)+
                    $($rare: if PLAIN { None } else { self.$rare.map(|rows| &rows[row]) },)+
                    $($partial: self.$partial.map(|rows| &rows[row]),)+
                }
            }
        }
    };
}

agent_components! {
    common {
        id: AgentId,
        transform: Transform,
        velocity: Velocity,
        heading: Heading,
        vehicle: Vehicle,
        entry: IndexSlot,
    }
    rare {
        spin: AngularVelocity,
        plane: SteeringPlane,
        height: SteeringHeight,
        bounds: Bounds,
        limits: AngularLimits,
    }
    partial {
        think: ThinkEvery,
        surfaces: SurfaceSlot,
    }
}

impl AgentColumns<'_> {
    pub(crate) fn len(&self) -> usize {
        self.entity.len()
    }

    /// The same columns, without the planes if all of them are the default plane.
    pub(crate) fn with_default(self, plane: SteeringPlane) -> Self {
        Self { plane: other_planes(self.plane, plane), ..self }
    }

    /// Whether this agent is due to think.
    #[inline]
    pub(crate) fn is_due(&self, row: usize, tick: u64) -> bool {
        self.think.is_none_or(|thinks| thinks[row].is_due(self.id[row], tick))
    }
}

/// The planes of some agents, unless all are in the default plane. Without an early exit, which is
/// faster in the usual case.
pub(crate) fn other_planes(
    planes: Option<&[SteeringPlane]>,
    default: SteeringPlane,
) -> Option<&[SteeringPlane]> {
    planes.filter(|planes| planes.iter().fold(false, |any, plane| any | (*plane != default)))
}

impl AgentParts<'_> {
    #[inline]
    pub(crate) fn plane(&self, tick: TickRef) -> SteeringPlane {
        self.plane.copied().unwrap_or(tick.settings.plane)
    }

    /// Where it looks: a unit vector in this plane.
    #[inline]
    pub(crate) fn heading(&self, plane: SteeringPlane) -> Vec3 {
        unit_heading(plane, self.heading.0, self.transform.rotation)
    }

    /// How long its decisions last, in seconds.
    #[inline]
    pub(crate) fn decision_time(&self, tick: TickRef) -> f32 {
        self.think.map_or(tick.dt, |think| tick.dt * think.ticks() as f32)
    }
}
