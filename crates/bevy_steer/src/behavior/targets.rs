//! [`Targets`]: finds the target of a behaviour.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{
        Heading, Hierarchy, InvalidInputLog, Motion, SteeringLayers, TargetFound, TargetLost,
        Vehicle, Velocity,
    },
    behavior::{
        agent::Agent,
        target::{Target, TargetMemory, TargetView, kept_within, switch_ratio},
    },
    neighbors::CurrentIndex,
    simd::MAX_MAGNITUDE,
    space::is_valid,
};

/// Finds targets, as a parameter of a [`SteeringBehavior`](crate::SteeringBehavior).
///
/// The [`NeighborIndex`](crate::NeighborIndex) is built as soon as a component of a behaviour has a
/// [`Target::Nearest`] or [`Target::All`] in one of its fields, however deep. A behaviour that
/// looks for a target that is not in a reflected field has [`SNeighbors`](crate::SNeighbors) as a
/// further parameter.
#[derive(SystemParam)]
pub struct Targets<'w, 's> {
    entities: Query<
        'w,
        's,
        (
            &'static Transform,
            Option<&'static Velocity>,
            Option<&'static Heading>,
            Option<&'static Vehicle>,
            Has<ChildOf>,
        ),
    >,
    layers: Query<'w, 's, &'static SteeringLayers>,
    without_place: Query<'w, 's, (), Without<Transform>>,
    hierarchy: Hierarchy<'w, 's>,
    index: Res<'w, CurrentIndex>,
    invalid_input: Res<'w, InvalidInputLog>,
}

/// [`Targets`] with `'static` lifetimes: how to write it as the `Param` of a behaviour.
pub type STargets = Targets<'static, 'static>;

impl Targets<'_, '_> {
    /// Where the target is, or `None` if there is none. Of [`Target::All`] the nearest.
    ///
    /// Emits [`TargetFound`] and [`TargetLost`].
    #[inline(always)]
    pub fn find(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &mut TargetMemory,
    ) -> Option<TargetView> {
        if let Target::Point(point) = *target {
            memory.forget_entities();
            let point = point.in_plane(agent.plane);
            return is_valid(agent.plane.flatten(point)).then(|| TargetView {
                entity: None,
                radius: None,
                offset: agent.towards(point),
                velocity: Vec3::ZERO,
                heading: agent.plane.forward(),
            });
        }
        // A copy, so that the agent need not be assembled in memory if the target is a point.
        let agent = *agent;
        self.find_entity(&agent, target, memory)
    }

    /// Calls `each` with all targets of a [`Target::All`], in an order that is the same on every
    /// run. For any other target, calls it with the result of [`find`](Self::find).
    ///
    /// Triggers the same events: found for one of them, lost for the last one.
    pub fn find_all(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &mut TargetMemory,
        mut each: impl FnMut(&TargetView),
    ) {
        let Target::All { layers, within } = *target else {
            return self.find(agent, target, memory).iter().for_each(each);
        };
        let mut current = memory.current;
        let (mut nearest, mut distance_squared, mut is_kept) = (None, f32::INFINITY, false);
        self.each_in_reach(agent, layers, reach(within, memory), |view| {
            is_kept |= view.entity == current;
            if view.offset.length_squared() < distance_squared {
                (nearest, distance_squared) = (view.entity, view.offset.length_squared());
            }
            each(view);
        });
        if !is_kept {
            current = nearest;
        }
        remember(agent, target, memory, current);
    }

    /// The target that was [found](Self::find) last, without a search for a closer one and without
    /// events; for [`SteeringBehavior::debug_draw`](crate::SteeringBehavior::debug_draw).
    pub fn last_seen(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &TargetMemory,
    ) -> Option<TargetView> {
        if let Target::Point(_) = target {
            return self.find(agent, target, &mut TargetMemory::default());
        }
        target.entity(memory).and_then(|entity| self.see(agent, entity))
    }

    /// [`last_seen`](Self::last_seen) for behaviours that [find all](Self::find_all).
    pub fn last_seen_all(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &TargetMemory,
        each: impl FnMut(&TargetView),
    ) {
        if let Target::All { layers, within } = *target {
            self.each_in_reach(agent, layers, reach(within, memory), each);
        } else {
            self.last_seen(agent, target, memory).iter().for_each(each);
        }
    }

    fn each_in_reach(
        &self,
        agent: &Agent,
        layers: SteeringLayers,
        reach: f32,
        mut each: impl FnMut(&TargetView),
    ) {
        for neighbor in self.index.0.within(agent.around(layers), reach) {
            if let Some(view) = self.see(agent, neighbor.entity) {
                each(&view);
            }
        }
    }

    #[inline(never)]
    fn find_entity(
        &self,
        agent: &Agent,
        target: &Target,
        memory: &mut TargetMemory,
    ) -> Option<TargetView> {
        let found = match *target {
            Target::None | Target::Point(_) => {
                memory.forget_entities();
                return None;
            }
            Target::Entity(entity) => {
                let seen = self.see(agent, entity);
                if seen.is_none() {
                    self.warn_without_place(agent, entity);
                }
                seen
            }
            Target::Nearest { layers, within, switch_ratio } => {
                self.nearest(agent, layers, within, switch_ratio, memory.current)
            }
            Target::All { layers, within } => {
                self.nearest(agent, layers, within, switch_ratio(), memory.current)
            }
        };
        remember(agent, target, memory, found.and_then(|view| view.entity));
        found
    }

    /// Warns of a target that exists but is nowhere.
    #[cold]
    fn warn_without_place(&self, agent: &Agent, target: Entity) {
        let above = self.hierarchy.ancestors(target);
        if let Some(one) =
            core::iter::once(target).chain(above).find(|&one| self.without_place.contains(one))
        {
            let whose = if one == target { "it has" } else { "its parent has" };
            let problem = format!(
                "is {target}, but {whose} no Transform; the behaviour has no target; spawn it with \
                 a Transform"
            );
            self.invalid_input.warn(agent.entity, "Target::Entity", &problem);
        }
    }

    /// The `current` target while it is not far out of range and no other one is clearly closer,
    /// else the nearest.
    fn nearest(
        &self,
        agent: &Agent,
        layers: SteeringLayers,
        within: f32,
        switch_ratio: f32,
        current: Option<Entity>,
    ) -> Option<TargetView> {
        let is_in_layers =
            |&entity: &Entity| self.layers.get(entity).is_ok_and(|own| own.overlaps(layers));
        let current = current
            .filter(|&entity| entity != agent.entity)
            .filter(is_in_layers)
            .and_then(|entity| self.see(agent, entity))
            .filter(|view| view.offset.length() <= kept_within(within));
        let closer = current.map_or(within, |view| view.offset.length() * switch_ratio);
        let reach = closer.min(within);
        let nearer = self.index.0.nearest(agent.around(layers), reach);
        nearer.and_then(|neighbor| self.see(agent, neighbor.entity)).or(current)
    }

    /// An entity as an agent sees it; `None` if it has no valid `Transform`.
    pub fn see(&self, agent: &Agent, entity: Entity) -> Option<TargetView> {
        let (transform, velocity, heading, vehicle, is_child) = self.entities.get(entity).ok()?;
        let Motion { position, velocity, facing, .. } = if is_child {
            self.hierarchy.motion(entity, agent.plane.forward())?
        } else {
            Motion {
                position: transform.translation,
                velocity: velocity.map_or(Vec3::ZERO, |velocity| velocity.0),
                facing: heading.map_or(Vec3::ZERO, |heading| heading.0),
                ..default()
            }
        };
        if !(is_valid(position) && is_valid(velocity)) {
            let problem = "or its Velocity is NaN or beyond ±1e9: this target is ignored until both are valid";
            self.invalid_input.warn(entity, "Transform", problem);
            return None;
        }
        // An agent that targets itself is there, and does not follow itself.
        let is_other = entity != agent.entity;
        let vehicle = vehicle.filter(|_| is_other);
        let velocity = if is_other { agent.plane.flatten(velocity) } else { Vec3::ZERO };
        let heading = [agent.plane.flatten(facing), velocity];
        let heading = heading.into_iter().find_map(Vec3::try_normalize);
        Some(TargetView {
            entity: Some(entity),
            radius: vehicle.map(|vehicle| vehicle.radius.clamp(0.0, MAX_MAGNITUDE)),
            offset: agent.towards(position),
            velocity,
            heading: heading.unwrap_or_else(|| agent.plane.heading(transform.rotation)),
        })
    }
}

/// How far an agent that finds all targets within a distance looks, in units.
fn reach(within: f32, memory: &TargetMemory) -> f32 {
    if memory.current.is_some() { kept_within(within) } else { within }
}

/// Stores the entity that is the target now, and reports whether it was found or lost.
fn remember(agent: &Agent, target: &Target, memory: &mut TargetMemory, now: Option<Entity>) {
    let (before, is_new) = match *target {
        Target::Entity(entity) => (Some(entity), memory.lost == Some(entity)),
        _ => (memory.current, memory.current != now),
    };
    memory.current = now;
    match (now, before) {
        (Some(target), _) => {
            memory.lost = None;
            if is_new {
                agent.emit(TargetFound { entity: agent.entity, target });
            }
        }
        (None, Some(entity)) if memory.lost != Some(entity) => {
            memory.lost = Some(entity);
            agent.emit(TargetLost { entity: agent.entity, target: entity });
        }
        (None, _) => {}
    }
}
