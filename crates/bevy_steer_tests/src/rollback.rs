//! Rollback for tests: a sync-test session of `ggrs`, and snapshots built with [`visit_state`].
//!
//! In every frame the session goes some frames back and simulates them again. The results must be
//! the same each time.

use core::{any::type_name, time::Duration};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use bevy::{
    ecs::{
        component::Mutable,
        entity::EntityHashMap,
        lifecycle::HookContext,
        schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
        world::DeferredWorld,
    },
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_steer::{StateData, StateVisitor, prelude::*, visit_state};
use ggrs::{
    GgrsError, GgrsRequest, InputStatus, PlayerType, PredictRepeatLast, SessionBuilder,
    SyncTestSession,
};
use rand::RngExt;
use rand_pcg::Pcg32;

pub const PLAYERS: usize = 2;
/// How many frames a test plays.
pub const FRAMES: i32 = 600;
/// The time step of a frame.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// The schedule of one frame of the simulation. Refuses systems in an ambiguous order.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameFrame;

/// The number of the frame that is simulated, from 1.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Frame(pub i32);

/// A number per player for this frame. The game derives from it what the player does.
#[derive(Resource, Clone, Debug, Default)]
pub struct PlayerInputs(pub Vec<u64>);

/// Marks an entity that is saved and restored, by an id that outlives the entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(on_insert = assign_rollback_id)]
pub struct Rollback(u64);

impl Rollback {
    const UNASSIGNED: Self = Self(u64::MAX);
}

impl Default for Rollback {
    fn default() -> Self {
        Self::UNASSIGNED
    }
}

/// Part of every snapshot, so an entity has the same id in each simulation of its first frame.
#[derive(Resource, Default)]
struct NextRollbackId(u64);

fn assign_rollback_id(mut world: DeferredWorld, context: HookContext) {
    if world.get(context.entity) == Some(&Rollback::UNASSIGNED) {
        let mut next = world.resource_mut::<NextRollbackId>();
        let id = next.0;
        next.0 += 1;
        *world.get_mut(context.entity).expect("it was just inserted") = Rollback(id);
    }
}

/// All entities that a frame had, by their ids.
type Entities = BTreeMap<u64, Entity>;

fn entities(world: &mut World) -> Entities {
    let mut marked = world.query::<(&Rollback, Entity)>();
    marked.iter(world).map(|(rollback, entity)| (rollback.0, entity)).collect()
}

/// A frame that can be returned to.
struct Snapshot {
    entities: Entities,
    next_id: u64,
    states: Vec<Box<dyn Saved>>,
}

impl Snapshot {
    fn save(world: &mut World) -> Self {
        let registered = world.resource::<RolledBack>();
        let kinds: Vec<Kind> =
            registered.components.iter().chain(&registered.resources).copied().collect();
        Self {
            entities: entities(world),
            next_id: world.resource::<NextRollbackId>().0,
            states: kinds.iter().map(|kind| (kind.save)(world)).collect(),
        }
    }

    fn load(&self, world: &mut World) {
        let mut present = entities(world);
        for (_, entity) in present.extract_if(.., |id, _| !self.entities.contains_key(id)) {
            world.despawn(entity);
        }
        let mut respawned = EntityHashMap::default();
        for (&id, &then) in &self.entities {
            let now = *present.entry(id).or_insert_with(|| world.spawn(Rollback(id)).id());
            if now != then {
                respawned.insert(then, now);
            }
        }
        for state in &self.states {
            state.load(world, &present, &mut respawned);
        }
        world.resource_mut::<NextRollbackId>().0 = self.next_id;
    }
}

/// One kind of component or resource, as it was in some frame.
trait Saved: Send + Sync {
    /// Restores it. `respawned` has the present ids of entities that had another one then.
    fn load(&self, world: &mut World, entities: &Entities, respawned: &mut EntityHashMap<Entity>);
}

struct SavedComponents<C>(HashMap<u64, C>);

impl<C: Component<Mutability = Mutable> + Clone> SavedComponents<C> {
    fn save(world: &mut World) -> Box<dyn Saved> {
        let mut all = world.query::<(&Rollback, &C)>();
        Box::new(Self(all.iter(world).map(|(id, component)| (id.0, component.clone())).collect()))
    }
}

impl<C: Component<Mutability = Mutable> + Clone> Saved for SavedComponents<C> {
    fn load(&self, world: &mut World, entities: &Entities, respawned: &mut EntityHashMap<Entity>) {
        for (id, &entity) in entities {
            let mut entity = world.entity_mut(entity);
            let Some(mut saved) = self.0.get(id).cloned() else {
                entity.remove::<C>();
                continue;
            };
            C::map_entities(&mut saved, respawned);
            match entity.get_mut::<C>() {
                Some(mut present) => *present = saved,
                None => _ = entity.insert(saved),
            }
        }
    }
}

struct SavedResource<R>(Option<R>);

impl<R: Resource<Mutability = Mutable> + Clone> SavedResource<R> {
    fn save(world: &mut World) -> Box<dyn Saved> {
        Box::new(Self(world.get_resource::<R>().cloned()))
    }
}

impl<R: Resource<Mutability = Mutable> + Clone> Saved for SavedResource<R> {
    fn load(&self, world: &mut World, _: &Entities, respawned: &mut EntityHashMap<Entity>) {
        match self.0.clone() {
            Some(mut saved) => {
                R::map_entities(&mut saved, respawned);
                world.insert_resource(saved);
            }
            None => _ = world.remove_resource::<R>(),
        }
    }
}

/// A type that is saved, and how.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    save: fn(&mut World) -> Box<dyn Saved>,
}

/// What is saved and restored. Resources come last: entities that come back change `NextAgentId`.
#[derive(Resource, Default)]
pub struct RolledBack {
    components: Vec<Kind>,
    resources: Vec<Kind>,
}

impl RolledBack {
    /// Leaves out a type, to see that it is missed.
    pub fn forget(&mut self, name: &str) {
        let count = |kinds: &Self| kinds.components.len() + kinds.resources.len();
        let before = count(self);
        self.components.retain(|kind| kind.name != name);
        self.resources.retain(|kind| kind.name != name);
        assert!(count(self) < before, "`{name}` is not rolled back");
    }
}

/// A type's name without its path and its parameters.
pub fn name_of<T>() -> &'static str {
    let path = type_name::<T>();
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// Says what is rolled back.
pub trait RollbackAppExt {
    fn roll_back_component<C: Component<Mutability = Mutable> + Clone>(&mut self) -> &mut Self;
    fn roll_back_resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) -> &mut Self;
    /// All that steering keeps, for every entity that takes part in steering.
    fn roll_back_steering(&mut self) -> &mut Self;
}

impl RollbackAppExt for App {
    fn roll_back_component<C: Component<Mutability = Mutable> + Clone>(&mut self) -> &mut Self {
        let kind = Kind { name: name_of::<C>(), save: SavedComponents::<C>::save };
        self.world_mut().resource_mut::<RolledBack>().components.push(kind);
        self
    }

    fn roll_back_resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) -> &mut Self {
        let kind = Kind { name: name_of::<R>(), save: SavedResource::<R>::save };
        self.world_mut().resource_mut::<RolledBack>().resources.push(kind);
        self
    }

    fn roll_back_steering(&mut self) -> &mut Self {
        visit_state(&mut RollBack(self));
        self.register_required_components::<Vehicle, Rollback>()
            .register_required_components::<SteeringLayers, Rollback>()
            .register_required_components::<Obstacle, Rollback>()
            .register_required_components::<Wall, Rollback>();
        self
    }
}

struct RollBack<'a>(&'a mut App);

impl StateVisitor for RollBack<'_> {
    fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
        self.0.roll_back_component::<C>();
    }

    fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
        self.0.roll_back_resource::<R>();
    }
}

struct Config;

impl ggrs::Config for Config {
    type Input = u64;
    type InputPredictor = PredictRepeatLast;
    type State = Arc<Snapshot>;
    type Address = ();
}

#[derive(Resource)]
struct Session {
    session: SyncTestSession<Config>,
    /// What the players do. Outside of the simulation, so not rolled back.
    inputs: Pcg32,
    checksum: fn(&mut World) -> u64,
}

/// An app that plays in a session which goes `check_distance` frames back in every frame, and never
/// if that is zero. `checksum` tells apart worlds that have come out differently.
pub fn app(seed: u64, check_distance: usize, checksum: fn(&mut World) -> u64) -> App {
    let mut builder = SessionBuilder::<Config>::new()
        .with_num_players(PLAYERS)
        .expect("a number of players")
        .with_check_distance(check_distance);
    for player in 0..PLAYERS {
        builder = builder.add_player(PlayerType::Local, player).expect("a player");
    }
    let session = builder.start_synctest_session().expect("a session");
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .insert_resource(Session { session, inputs: Pcg32::new(seed, 77), checksum })
        .init_resource::<RolledBack>()
        .init_resource::<NextRollbackId>()
        .init_resource::<Frame>()
        .init_resource::<PlayerInputs>()
        .init_schedule(GameFrame)
        .edit_schedule(GameFrame, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
    app
}

/// Plays `frames` frames. If one of them comes out differently when simulated again, stops and
/// returns its number as the error.
pub fn play(app: &mut App, frames: i32) -> Result<(), i32> {
    for _ in 0..frames {
        app.update();
        app.world_mut()
            .resource_scope(|world, mut session: Mut<Session>| session.advance(world))?;
    }
    Ok(())
}

impl Session {
    fn advance(&mut self, world: &mut World) -> Result<(), i32> {
        for player in 0..PLAYERS {
            self.session.add_local_input(player, self.inputs.random()).expect("a player");
        }
        let requests = match self.session.advance_frame() {
            Ok(requests) => requests,
            Err(GgrsError::MismatchedChecksum { mismatched_frames, .. }) => {
                return Err(mismatched_frames[0]);
            }
            Err(error) => panic!("{error}"),
        };
        for request in requests {
            self.fulfil(request, world);
        }
        Ok(())
    }

    fn fulfil(&self, request: GgrsRequest<Config>, world: &mut World) {
        match request {
            GgrsRequest::SaveGameState { cell, frame } => {
                assert_eq!(frame, world.resource::<Frame>().0);
                let checksum = (self.checksum)(world);
                cell.save(frame, Some(Arc::new(Snapshot::save(world))), Some(checksum.into()));
            }
            GgrsRequest::LoadGameState { cell, frame } => {
                cell.load().expect("a saved frame").load(world);
                world.resource_mut::<Frame>().0 = frame;
            }
            GgrsRequest::AdvanceFrame { inputs } => advance_frame(world, &inputs),
        }
    }
}

fn advance_frame(world: &mut World, inputs: &[(u64, InputStatus)]) {
    let mut frame = world.resource_mut::<Frame>();
    // The clock goes by the frame, so that it is right when a frame is simulated again.
    let mut time = Time::<()>::default();
    time.advance_to(STEP * u32::try_from(frame.0).expect("no frame before the first"));
    time.advance_by(STEP);
    frame.0 += 1;
    world.insert_resource(time);
    world.resource_mut::<PlayerInputs>().0 = inputs.iter().map(|&(input, _)| input).collect();
    world.run_schedule(GameFrame);
}
