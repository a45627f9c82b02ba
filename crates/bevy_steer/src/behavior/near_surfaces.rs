//! [`NearSurfaces`]: the obstacles and walls near each agent.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{SolidLayers, SteeringLayers, SurfaceReach, SurfaceSlot, SurfaceTick},
    behavior::agent::{Agent, AgentBlock},
    ecs::aligned,
    obstacles::{
        ObstacleIndex, PlacedObstacle,
        near::{FoundSurface, SurfaceSearch},
    },
};

/// The obstacles and walls near the agents in this tick, as the `Param` of a behaviour or a part of
/// it: those that [`SteeringBehavior::surface_reach`](crate::SteeringBehavior::surface_reach) asked
/// for.
///
/// They are looked for once a tick for all behaviours of an agent, at the beginning of
/// [`SteeringSystems::Behave`](crate::SteeringSystems::Behave): the nearest 16, the nearest one
/// first. Where other behaviours look farther there are also some that this one did not ask for, so
/// mind the distance.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{NearSurfaces, ParamOf, SurfaceReach, prelude::*};
///
/// /// Keeps away from the nearest wall or obstacle.
/// #[derive(Component, Reflect, Default)]
/// #[reflect(Component, Default)]
/// struct KeepAway {
///     distance: f32,
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for KeepAway {
///     type Param = NearSurfaces<'static>;
///     const PRIORITY: Priority = Priority::Normal;
///     const SURFACES: bool = true;
///     bevy_steer::blend_field!();
///
///     fn surface_reach(&self, _: &Agent) -> SurfaceReach {
///         SurfaceReach::around(self.distance)
///     }
///
///     fn steer(&mut self, agent: &Agent, surfaces: &ParamOf<Self>) -> Steering {
///         let nearest = surfaces.of(agent, SteeringLayers::ALL).next();
///         let near = nearest.filter(|surface| surface.distance < self.distance);
///         let away = near.map_or(Vec3::ZERO, |surface| surface.normal);
///         Steering::linear(away * agent.vehicle.max_speed)
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<KeepAway>();
/// ```
#[derive(SystemParam)]
pub struct NearSurfaces<'w> {
    lists: Res<'w, SurfaceLists>,
    index: Res<'w, ObstacleIndex>,
}

/// An obstacle or wall near an agent.
#[derive(Clone, Copy, Debug)]
pub struct NearSurface<'a> {
    /// Its entity, shape, layers and velocity.
    pub obstacle: &'a PlacedObstacle,
    /// The distance of its surface from the agent's position, in units; below zero inside of it.
    pub distance: f32,
    /// The unit vector away from its surface, in the agent's plane: the nearest point is
    /// [`distance`](Self::distance) units against it. Zero in the middle of what is round.
    pub normal: Vec3,
}

impl Agent<'_> {
    /// How it looks for obstacles and walls within this reach.
    pub(crate) fn surface_search(&self, reach: SurfaceReach) -> SurfaceSearch {
        SurfaceSearch {
            position: self.position,
            velocity: self.velocity,
            plane: self.plane,
            periods: self.periods,
            span: self.span(),
            except: self.entity,
            reach,
        }
    }
}

impl NearSurface<'_> {
    /// The velocity in the world of its nearest point, in units a second: that of the obstacle, and
    /// what its rotation adds there.
    pub fn velocity(&self, agent: &Agent) -> Vec3 {
        let from = -agent.towards(self.obstacle.position);
        self.obstacle.velocity_at(from - self.normal * self.distance)
    }
}

/// What was found for all agents.
#[derive(Resource, Debug, Default)]
pub(crate) struct SurfaceLists {
    /// Of this tick; behaviours ask for the next one.
    pub tick: SurfaceTick,
    /// One for each piece of work.
    pub lists: Vec<Vec<FoundSurface>>,
}

impl NearSurfaces<'_> {
    /// The obstacles and walls near an agent that are in one of these layers, the nearest one
    /// first.
    #[inline]
    pub fn of(
        &self,
        agent: &Agent,
        layers: SteeringLayers,
    ) -> impl Iterator<Item = NearSurface<'_>> {
        let surfaces = agent.surfaces.into_iter().flat_map(|slot| self.found(slot));
        surfaces.filter(move |surface| surface.obstacle.layers.overlaps(layers))
    }

    #[inline]
    fn found(&self, slot: &SurfaceSlot) -> impl Iterator<Item = NearSurface<'_>> + use<'_> {
        let range = slot.found(self.lists.tick);
        let list = self.lists.lists.get(range.list as usize);
        let first = range.first as usize;
        let found = list.and_then(|list| list.get(first..first + range.count as usize));
        found.unwrap_or_default().iter().map(|found| {
            let FoundSurface { distance, normal, .. } = *found;
            NearSurface { obstacle: self.index.placed(found), distance, normal }
        })
    }

    /// What stops the agent with this slot.
    pub(crate) fn solid(
        &self,
        slot: &SurfaceSlot,
    ) -> impl Iterator<Item = NearSurface<'_>> + use<'_> {
        let solid = slot.solid(self.lists.tick);
        self.found(slot).filter(move |surface| stops(solid, surface.obstacle))
    }

    /// What stops the agent with this slot and is within `distance` units of the place at `offset`
    /// from it, which may be out of its sight.
    pub(crate) fn solid_at(
        &self,
        slot: &SurfaceSlot,
        agent: &Agent,
        offset: Vec3,
        distance: f32,
    ) -> impl Iterator<Item = &PlacedObstacle> {
        let solid = slot.solid(self.lists.tick);
        let layers = solid.obstacles.or(solid.walls);
        let reach = SurfaceReach::around(distance).with_layers(layers);
        let position = agent.position + offset;
        let search = SurfaceSearch { position, ..agent.surface_search(reach) };
        let mut found = Vec::new();
        self.index.find_near(&search, &mut found);
        let placed = found.into_iter().map(|found| self.index.placed(&found));
        placed.filter(move |obstacle| stops(solid, obstacle))
    }

    pub(crate) fn tick(&self) -> SurfaceTick {
        self.lists.tick
    }

    /// Whether there is anything near the agent with this slot.
    #[inline]
    pub(crate) fn has_any(&self, slot: &SurfaceSlot) -> bool {
        slot.has_any(self.lists.tick)
    }

    /// Which of eight agents have any near them, one bit each.
    #[inline(always)]
    pub(crate) fn near_block(&self, agents: &AgentBlock) -> u8 {
        self.near(agents.agents.surfaces, agents.first)
    }

    /// Which of eight agents with these slots have any near them, one bit each.
    #[inline(always)]
    pub(crate) fn near(&self, slots: Option<&[SurfaceSlot]>, first: usize) -> u8 {
        let Some(slots) = slots else { return 0 };
        let slots = aligned(slots, first).iter().enumerate();
        slots.fold(0, |some, (i, slot)| some | u8::from(self.has_any(slot)) << i)
    }
}

fn stops(solid: SolidLayers, obstacle: &PlacedObstacle) -> bool {
    let layers = if obstacle.is_wall { solid.walls } else { solid.obstacles };
    obstacle.layers.overlaps(layers)
}
