//! The registration of behaviours, and the [`BehaviorRegistry`] of those that are.

use core::any::TypeId;

use bevy::{ecs::component::RequiredComponentsError, prelude::*};

use crate::{
    agent::{Blend, Priority, SurfaceSlot, Vehicle, VelocityLimits},
    behavior::{Several, SteeringBehavior},
    pipeline::{
        behave::{BatchStrategy, Scalar, steer_agents},
        drawings::{CollectDrawings, DebugDrawings, collect_drawings},
        limit::gather_limits,
        schedule::{BehaviorStep, SteeringSchedule, Step},
        sense::ask_for_surfaces,
        validate::check_behaviors,
    },
    sensing::{demand_encounters, note_goals, request_encounters},
};

/// The registered behaviours, in the order of their registration.
#[derive(Resource, Debug, Default)]
pub struct BehaviorRegistry {
    entries: Vec<RegisteredBehavior>,
}

/// A registered behaviour, for tools that do not know its type.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// The type of the component [`Several`] of it.
    pub several_type_id: TypeId,
    /// Its [name](SteeringBehavior::name): `Seek`.
    pub name: &'static str,
    /// The [path](SteeringBehavior::code_path) by which code names its type.
    pub path: &'static str,
    /// The default tier, if its [`Blend`] has none.
    pub priority: Priority,
    /// Whether it [moves](SteeringBehavior::DRIVES) its agent; otherwise it runs after those that
    /// do.
    pub drives: bool,
    /// Whether [presets hold it](SteeringBehavior::IN_PRESETS).
    pub in_presets: bool,
    blend: for<'w> fn(EntityRef<'w>, Option<usize>) -> Option<&'w Blend>,
    edit_blend: fn(&mut EntityWorldMut, Option<usize>, &mut dyn FnMut(&mut Blend)) -> bool,
    is_enabled: fn(EntityRef) -> bool,
    set_enabled: fn(&mut EntityWorldMut, bool) -> bool,
    /// Adds the system in which it draws itself.
    pub(crate) collect_drawings: fn(&mut App),
}

impl RegisteredBehavior {
    fn of<B: SteeringBehavior>() -> Self {
        Self {
            type_id: TypeId::of::<B>(),
            several_type_id: TypeId::of::<Several<B>>(),
            name: B::name(),
            path: B::code_path(),
            priority: B::PRIORITY,
            drives: B::DRIVES,
            in_presets: B::IN_PRESETS,
            blend: |entity, place| match place {
                None => entity.get::<B>().map(B::blend),
                Some(place) => entity.get::<Several<B>>()?.get(place).map(B::blend),
            },
            edit_blend: |entity, place, edit| {
                let blend = match place {
                    None => entity.get_mut::<B>().map(|one| one.into_inner().blend_mut()),
                    Some(place) => entity
                        .get_mut::<Several<B>>()
                        .and_then(|all| all.into_inner().get_mut(place).map(B::blend_mut)),
                };
                blend.map(edit).is_some()
            },
            is_enabled: |entity| {
                let several = entity.get::<Several<B>>().into_iter().flat_map(|several| &several.0);
                entity.get::<B>().into_iter().chain(several).any(B::is_enabled)
            },
            set_enabled: |entity, enabled| {
                let one = entity.get_mut::<B>();
                let has_one = one.map(|mut one| one.set_enabled(enabled)).is_some();
                let Some(mut several) = entity.get_mut::<Several<B>>() else { return has_one };
                several.iter_mut().for_each(|one| one.set_enabled(enabled));
                has_one || !several.is_empty()
            },
            collect_drawings: |app| {
                app.add_systems(
                    PostUpdate,
                    collect_drawings::<B>.in_set(CollectDrawings).ambiguous_with(CollectDrawings),
                );
            },
        }
    }

    /// The blend of this behaviour of an entity, if the entity has it.
    pub fn blend<'w>(&self, entity: impl Into<EntityRef<'w>>) -> Option<&'w Blend> {
        self.blend_at(entity, None)
    }

    /// The blend of one of [`Several`] of it, by its [place](crate::Contribution::place); `None`
    /// for the component itself.
    pub fn blend_at<'w>(
        &self,
        entity: impl Into<EntityRef<'w>>,
        place: Option<usize>,
    ) -> Option<&'w Blend> {
        (self.blend)(entity.into(), place)
    }

    /// Changes the blend. Returns whether the entity has the behaviour.
    pub fn edit_blend(&self, entity: &mut EntityWorldMut, edit: impl FnMut(&mut Blend)) -> bool {
        self.edit_blend_at(entity, None, edit)
    }

    /// Changes the blend of one of [`Several`] of it, see [`blend_at`](Self::blend_at). Returns
    /// whether the entity has it.
    pub fn edit_blend_at(
        &self,
        entity: &mut EntityWorldMut,
        place: Option<usize>,
        mut edit: impl FnMut(&mut Blend),
    ) -> bool {
        (self.edit_blend)(entity, place, &mut edit)
    }

    /// Whether this entity has the component, enabled or not.
    pub fn has<'w>(&self, entity: impl Into<EntityRef<'w>>) -> bool {
        entity.into().contains_type_id(self.type_id)
    }

    /// Whether it is enabled on this entity, as the component or as one of [`Several`].
    pub fn is_enabled<'w>(&self, entity: impl Into<EntityRef<'w>>) -> bool {
        (self.is_enabled)(entity.into())
    }

    /// Enables or disables it, the component and all of [`Several`]. Returns whether the entity has
    /// any.
    pub fn set_enabled(&self, entity: &mut EntityWorldMut, enabled: bool) -> bool {
        (self.set_enabled)(entity, enabled)
    }
}

impl BehaviorRegistry {
    /// All of them, in the order of their registration.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredBehavior> {
        self.entries.iter()
    }

    /// One of them, by its index in that order.
    pub fn get(&self, index: usize) -> Option<&RegisteredBehavior> {
        self.entries.get(index)
    }

    pub(crate) fn index_of<B: SteeringBehavior>(&self) -> usize {
        let found = self.entries.iter().position(|entry| entry.type_id == TypeId::of::<B>());
        found.unwrap_or(self.entries.len())
    }
}

/// Registers behaviours.
pub trait SteeringAppExt {
    /// Registers `B`, and [`Several<B>`](crate::Several), as steering behaviours of this app. They
    /// run after the ones registered before; those that only correct others
    /// ([`DRIVES`](SteeringBehavior::DRIVES)) after all that move an agent. A second call does
    /// nothing.
    ///
    /// From then on `B` requires a [`Vehicle`](crate::Vehicle): an entity that is spawned with the
    /// behaviour alone is an agent with the default vehicle. Entities that got `B` before, without
    /// a `Vehicle`, are not steered; a warning says so.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self {
        register::<B, Scalar>(self)
    }
}

/// Registers a behaviour that processes agents with the strategy `M`.
pub(crate) fn register<B: SteeringBehavior, M: BatchStrategy<B>>(app: &mut App) -> &mut App {
    let mut registry =
        app.init_resource::<BehaviorRegistry>().world_mut().resource_mut::<BehaviorRegistry>();
    let link = registry.index_of::<B>();
    if link < registry.entries.len() {
        return app;
    }
    let registered = RegisteredBehavior::of::<B>();
    let last_alike = registry.entries.iter().rposition(|entry| entry.drives == B::DRIVES);
    registry.entries.push(registered);
    if app.world().contains_resource::<DebugDrawings>() {
        (registered.collect_drawings)(app);
    }
    let steer = if B::DRIVES { Step::Move } else { Step::Correct };
    let own = |step| BehaviorStep(step, link);
    for step in [Step::Check, Step::Ask, Step::Gather, Step::Request, steer] {
        let last = if step == steer { last_alike } else { link.checked_sub(1) };
        app.configure_sets(SteeringSchedule, own(step).in_set(step));
        if let Some(last) = last {
            app.configure_sets(SteeringSchedule, own(step).after(BehaviorStep(step, last)));
        }
    }
    if !require::<B, Vehicle>(app) {
        warn_of_early_spawns::<B>(app);
    }
    if B::SURFACES {
        require::<B, SurfaceSlot>(app);
        app.add_systems(SteeringSchedule, ask_for_surfaces::<B>.in_set(own(Step::Ask)));
    }
    if B::LIMITS {
        require::<B, VelocityLimits>(app);
        app.add_systems(SteeringSchedule, gather_limits::<B>.in_set(own(Step::Gather)));
    }
    if B::ENCOUNTERS {
        app.add_systems(
            SteeringSchedule,
            (
                demand_encounters::<B>.in_set(Step::Demand).ambiguous_with(Step::Demand),
                demand_encounters::<B>.in_set(Step::DemandAgain).ambiguous_with(Step::DemandAgain),
                request_encounters::<B>.in_set(own(Step::Request)),
            ),
        );
    }
    if B::HAS_GOAL {
        app.add_systems(
            SteeringSchedule,
            note_goals::<B>.in_set(Step::NoteGoals).ambiguous_with(Step::NoteGoals),
        );
    }
    app.register_type::<B>().register_type::<Several<B>>().add_systems(
        SteeringSchedule,
        (check_behaviors::<B>.in_set(own(Step::Check)), steer_agents::<B, M>.in_set(own(steer))),
    )
}

/// Names an entity that got the behaviour before it was registered.
fn warn_of_early_spawns<B: SteeringBehavior>(app: &mut App) {
    let world = app.world_mut();
    let mut early = world.query_filtered::<Entity, Or<(With<B>, With<Several<B>>)>>();
    let entity = early.iter(world).next().map(|entity| format!("{entity}: ")).unwrap_or_default();
    log::warn!(
        "bevy_steer: {entity}{} was spawned before it was registered; it does not add a Vehicle to \
         its entities; add SteeringPlugin and register behaviours before you spawn agents",
        B::name()
    );
}

/// Agents with the behaviour, once or several times, have `C` as well. Returns false if there are
/// such agents already, which is too late.
fn require<B: SteeringBehavior, C: Component + Default>(app: &mut App) -> bool {
    let results = [
        app.try_register_required_components::<B, C>(),
        app.try_register_required_components::<Several<B>, C>(),
    ];
    // Any other error says that the behaviour requires the component itself.
    !results.iter().any(|one| matches!(one, Err(RequiredComponentsError::ArchetypeExists(_))))
}
