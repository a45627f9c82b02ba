//! The demand for the index, and the system that builds it where something searches it.

use core::ops::Deref;

use bevy::{
    ecs::{
        archetype::Archetypes, component::ComponentId, entity_disabling::Disabled,
        system::SystemParam,
    },
    prelude::*,
};

use crate::{
    agent::{
        AgentId, Hierarchy, IndexSlot, Motion, SteeringHeight, SteeringLayers, Tick, Vehicle,
        Velocity, forget_entry,
    },
    neighbors::{build::Wanted, entry_table::Table, index::NeighborIndex},
    space::SteeringPlane,
};

/// The [`NeighborIndex`], as a parameter of a system or of a
/// [`SteeringBehavior`](crate::SteeringBehavior).
///
/// A system with it has the index built in every tick. A behaviour with it has the index built as
/// soon as an agent has the behaviour, switched on or not. Where nobody needs the index it is not
/// built, so take this only where you search. A system that is added while the app runs sees an
/// empty index until the next tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// /// Keeps to the middle of what is within ten units.
/// #[derive(Component, Reflect, Default)]
/// #[reflect(Component, Default)]
/// struct Huddle {
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for Huddle {
///     type Param = SNeighbors;
///     const PRIORITY: Priority = Priority::Normal;
///     bevy_steer::blend_field!();
///
///     fn steer(&mut self, agent: &Agent, neighbors: &ParamOf<Self>) -> Steering {
///         let near = neighbors.within(agent.around(SteeringLayers::ALL), 10.0);
///         let (sum, count) = near.fold((Vec3::ZERO, 0.0), |(sum, count), neighbor| {
///             (sum + neighbor.offset, count + 1.0)
///         });
///         if count == 0.0 {
///             return Steering::NONE;
///         }
///         Steering::linear(sum / count - agent.velocity)
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct Neighbors<'w, 's> {
    index: Res<'w, CurrentIndex>,
    _demand: Local<'s, Demand>,
}

/// [`Neighbors`] with `'static` lifetimes: how to write it as the `Param` of a behaviour.
pub type SNeighbors = Neighbors<'static, 'static>;

impl Deref for Neighbors<'_, '_> {
    type Target = NeighborIndex;

    fn deref(&self) -> &NeighborIndex {
        &self.index.0
    }
}

/// The index of this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct CurrentIndex(pub NeighborIndex);

/// What the behaviours of agents demand of the index. Each behaviour that searches it tells so in
/// [`SteeringSystems::Sense`](crate::SteeringSystems::Sense), before it is built.
///
/// Never withdrawn, except by a rollback: an index that is built for nothing changes no result, but
/// it does make a difference whether the game decided something before it was built, as in the tick
/// in which the first agent comes to want it.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct AgentDemand {
    neighbors: bool,
    identities: bool,
    classes: bool,
    /// The radius of the searches of this tick that are most common, in units; reset when the
    /// index is built.
    radius: f32,
}

impl AgentDemand {
    /// Searches for places and velocities alone, up to this far, in units.
    pub(crate) fn want_neighbors(&mut self, radius: f32) {
        self.neighbors = true;
        self.radius = self.radius.max(radius);
    }

    /// Searches that tell which entities they find.
    pub(crate) fn want_identities(&mut self) {
        (self.neighbors, self.identities) = (true, true);
    }

    /// Searches that reach the farther, the faster and larger what they look for is: entries of
    /// different [classes](super::Level) are sorted apart.
    pub(crate) fn want_classes(&mut self) {
        self.want_identities();
        self.classes = true;
    }
}

/// The systems and behaviours with [`Neighbors`] as a parameter. Never withdrawn, as that is known
/// only once, when a system is initialised.
#[derive(Resource, Debug, Default)]
pub(crate) struct NeighborUsers {
    /// Whether any system has it; of a behaviour's systems see
    /// [`begin_behavior`](Self::begin_behavior).
    has_system: bool,
    /// Whether any had before the parameters of the present behaviour.
    had_system: bool,
    /// Behaviours that have it.
    behaviors: Vec<ComponentId>,
}

impl NeighborUsers {
    /// The parameters of a behaviour are initialised next.
    pub(crate) fn begin_behavior(&mut self) {
        self.had_system = core::mem::take(&mut self.has_system);
    }

    /// The parameters of a behaviour with these components have been initialised.
    pub(crate) fn end_behavior(&mut self, components: [ComponentId; 2]) {
        if core::mem::replace(&mut self.has_system, self.had_system) {
            self.behaviors.extend(components);
        }
    }
}

/// The demand of behaviours with [`Neighbors`]: there is one as soon as an agent has any.
pub(crate) fn demand_for_behaviors(
    users: Res<NeighborUsers>,
    archetypes: &Archetypes,
    mut demand: ResMut<AgentDemand>,
) {
    let is_had = |&behavior| {
        archetypes.iter().any(|archetype| !archetype.is_empty() && archetype.contains(behavior))
    };
    if !demand.identities && users.behaviors.iter().any(is_had) {
        demand.want_identities();
    }
}

/// The demand of one that has [`Neighbors`]: its initialisation, before a system runs for the first
/// time.
#[derive(Debug)]
pub(crate) struct Demand(());

impl FromWorld for Demand {
    fn from_world(world: &mut World) -> Self {
        world.get_resource_or_init::<NeighborUsers>().has_system = true;
        Self(())
    }
}

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<CurrentIndex>()
        .init_resource::<AgentDemand>()
        .init_resource::<NeighborUsers>()
        .add_observer(forget_entry::<Add<Disabled>>)
        .add_observer(forget_entry::<Remove<(SteeringLayers, AgentId)>>);
}

/// The entities that are indexed.
type Indexed = (
    Entity,
    &'static Transform,
    &'static SteeringLayers,
    &'static AgentId,
    Option<&'static Velocity>,
    Option<&'static Vehicle>,
    Option<&'static SteeringPlane>,
    Option<&'static SteeringHeight>,
    Option<&'static IndexSlot>,
    Has<ChildOf>,
);

pub(crate) fn build_index(
    mut index: ResMut<CurrentIndex>,
    mut demand: ResMut<AgentDemand>,
    users: Res<NeighborUsers>,
    indexed: Query<Indexed>,
    hierarchy: Hierarchy,
    tick: Tick,
) {
    let index = &mut index.0;
    let widest = core::mem::take(&mut demand.radius);
    if !(demand.neighbors || users.has_system) {
        for plane in &mut index.planes {
            plane.built = false;
            plane.reset();
        }
        return;
    }
    let Ok(tables) = indexed.contiguous_iter() else { return };
    let tables: Vec<_> = tables.collect();
    // The parent of an agent has the identity transform; other entities may be anywhere in a
    // hierarchy.
    let lost = Motion { position: Vec3::NAN, ..default() };
    let motion = |&entity: &Entity| hierarchy.motion(entity, Vec3::ZERO).unwrap_or(lost);
    let motions: Vec<Option<Vec<Motion>>> = tables
        .iter()
        .map(|(entities, .., vehicles, _, _, _, is_child)| {
            (*is_child && vehicles.is_none()).then(|| entities.iter().map(motion).collect())
        })
        .collect();
    let tables = tables.iter().zip(&motions).map(|(table, motions)| {
        let &(entities, transforms, layers, ids, velocities, vehicles, planes, heights, own, _) =
            table;
        let motions = motions.as_deref();
        Table {
            entities,
            transforms,
            layers,
            ids,
            velocities,
            vehicles,
            planes,
            heights,
            entries: own,
            motions,
        }
    });
    let tables: Vec<_> = tables.filter(|table| table.len() > 0).collect();
    let wanted = Wanted {
        widest,
        identities: demand.identities || users.has_system,
        classes: demand.classes,
    };
    index.build(&tables, tick.settings.plane, tick.world_bounds(), wanted);
}

/// Whether the index is in demand now and was not built in this tick.
pub(crate) fn is_missing(
    index: Res<CurrentIndex>,
    demand: Res<AgentDemand>,
    users: Res<NeighborUsers>,
) -> bool {
    (demand.neighbors || users.has_system) && !index.0.planes.iter().any(|plane| plane.built)
}
