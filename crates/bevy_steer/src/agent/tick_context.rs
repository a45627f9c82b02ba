//! The data that every step of a tick needs.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{
        events::EventQueue, invalid_input::InvalidInputLog, settings::SteeringSettings,
        think::SteeringTick,
    },
    ecs::columns::Columns,
    space::bounds::{Bounds, WorldBounds},
};

#[derive(SystemParam)]
pub(crate) struct Tick<'w> {
    pub time: Res<'w, Time>,
    pub settings: Res<'w, SteeringSettings>,
    count: Res<'w, SteeringTick>,
    bounds: Option<Res<'w, WorldBounds>>,
    pub events: Res<'w, EventQueue>,
    pub invalid_input: Res<'w, InvalidInputLog>,
}

/// The same as plain references, for closures that run on many threads.
#[derive(Clone, Copy)]
pub(crate) struct TickRef<'a> {
    pub settings: &'a SteeringSettings,
    pub bounds: &'a Bounds,
    /// Of these bounds.
    pub periods: Vec3,
    pub events: &'a EventQueue,
    pub invalid_input: &'a InvalidInputLog,
    pub dt: f32,
    /// The number of ticks before this one.
    pub count: u64,
}

/// All rows have the same tick.
impl Columns for TickRef<'_> {
    fn split_at(self, _: usize) -> (Self, Self) {
        (self, self)
    }
}

static UNBOUNDED: Bounds = Bounds::UNBOUNDED;

impl Tick<'_> {
    pub(crate) fn borrow(&self) -> TickRef<'_> {
        TickRef {
            settings: &self.settings,
            bounds: self.world_bounds(),
            periods: self.world_bounds().periods(),
            events: &self.events,
            invalid_input: &self.invalid_input,
            dt: self.time.delta_secs(),
            count: self.count.0,
        }
    }

    pub(crate) fn world_bounds(&self) -> &Bounds {
        self.bounds.as_deref().map_or(&UNBOUNDED, |bounds| &bounds.0)
    }
}
