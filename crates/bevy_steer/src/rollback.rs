//! Rollback with `bevy_ggrs`: all that steering keeps from tick to tick, registered by one call.

use core::hash::Hasher;

use bevy::{
    ecs::{
        component::{Mutable, RequiredComponentsError},
        entity::EntityHashMap,
    },
    prelude::*,
};
use bevy_ggrs::{
    CloneStrategy, ComponentChecksumPlugin, GgrsComponentSnapshots, GgrsResourceSnapshots,
    LoadWorld, LoadWorldSystems, ResourceChecksumPlugin, ResourceSnapshotPlugin, Rollback,
    RollbackApp, RollbackFrameCount, RollbackId, checksum_hasher,
};

use crate::{
    arbitration::Arbitration,
    behavior::SteeringBehavior,
    behaviors::*,
    bounds::{Bounds, WorldBounds},
    layers::SteeringLayers,
    neighbors::Demand,
    number::{AgentNumber, NextAgentNumber},
    obstacles::{Obstacle, Wall},
    plane::SteeringPlane,
    plugin::SteeringSettings,
    think::{SteeringTick, ThinkEvery},
    trace::SteeringTrace,
    vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
};

/// Has `bevy_ggrs` roll steering back (feature `ggrs`).
///
/// Steering runs in `GgrsSchedule`, and one call has all of it saved, restored and compared between peers. Call it before
/// anything is spawned. What runs in `GgrsSchedule` beside steering must say whether it does before or after
/// [`RunSteering`](crate::RunSteering), as `bevy_ggrs` refuses what is ambiguous.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_ggrs::{LocalInputs, LocalPlayers, prelude::*};
/// use bevy_steer::prelude::*;
///
/// type Config = GgrsConfig<u8>;
///
/// fn spawn(mut commands: Commands) {
///     // No `Rollback` is needed here: every agent has one.
///     commands.spawn((Vehicle::default(), Wander::default()));
///     // Nobody would know that this is to be rolled back, too.
///     let mouse = commands.spawn((Transform::default(), Rollback)).id();
///     commands.spawn((Vehicle::default(), Seek::new(mouse)));
/// }
///
/// fn move_by_input(inputs: Res<PlayerInputs<Config>>, mut vehicles: Query<&mut Vehicle>) {
///     for mut vehicle in &mut vehicles {
///         vehicle.max_speed = f32::from(inputs[0].0);
///     }
/// }
///
/// fn read_inputs(mut commands: Commands, players: Res<LocalPlayers>) {
///     let inputs = players.0.iter().map(|&player| (player, 5)).collect();
///     commands.insert_resource(LocalInputs::<Config>(inputs));
/// }
///
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// // While the game is developed, each frame is simulated several times and must come out the same.
/// let session = SessionBuilder::<Config>::new()
///     .with_num_players(1)?
///     .with_check_distance(4)
///     .add_player(PlayerType::Local, 0)?
///     .start_synctest_session()?;
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, GgrsPlugin::<Config>::default()))
///     .add_plugins(SteeringPlugin::new(GgrsSchedule).with_seed(7))
///     .rollback_steering()
///     .add_systems(ReadInputs, read_inputs)
///     .add_systems(GgrsSchedule, move_by_input.before(RunSteering))
///     .add_systems(Startup, spawn)
///     .insert_resource(Session::SyncTest(session));
/// # app.add_observer(|mismatch: On<SyncTestMismatch>| panic!("{mismatch:?}"));
/// # let step = core::time::Duration::from_secs_f64(1.0 / 60.0);
/// # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(step));
/// # for _ in 0..20 {
/// #     app.update();
/// # }
/// # Ok(())
/// # }
/// ```
///
/// # What is state and what is not
///
/// | | what |
/// | --- | --- |
/// | restored | `Transform`, [`Velocity`], [`AngularVelocity`], [`Heading`], [`SteeringForce`] (the last one counts where an agent has [`ThinkEvery`]), [`AgentNumber`] and its counter [`NextAgentNumber`], [`SteeringTick`] |
/// | restored, with all that they remember | the behaviours of this crate: targets and who was lost, the point and the stream of random numbers of [`Wander`], progress on a path, the side on which to pass, who has [`Arrived`](crate::Arrived); [`Arbitration`] and its dice |
/// | restored, as games change them | [`Vehicle`], [`SteeringPlane`], [`SteeringLayers`], [`Bounds`], [`KeepRotation`], [`ThinkEvery`], [`Obstacle`], [`Wall`], [`WorldBounds`], [`SteeringSettings`]; for tools [`SteeringTrace`] and `ShowSteeringGizmos` |
/// | restored, hidden | whether any agent has ever asked for the [`NeighborIndex`](crate::NeighborIndex) |
/// | computed anew in each tick | the sums of wishes on each agent, its place in the index, [`NeighborIndex`](crate::NeighborIndex), [`ObstacleIndex`](crate::ObstacleIndex), the events of the tick |
/// | not of the simulation | what has been warned of, the registry of behaviours, what is measured and drawn |
///
/// Compared between peers are `Transform`, [`Velocity`], [`Heading`], [`AngularVelocity`], [`SteeringForce`],
/// [`AgentNumber`], the point and the stream of [`Wander`], the dice of [`Arbitration`], [`NextAgentNumber`] and
/// [`SteeringTick`]. Whatever else differs comes to differ in these.
///
/// # What is left to the game
///
/// - Its own behaviours: [`rollback_steering_behavior`](Self::rollback_steering_behavior) for each.
/// - `Rollback` for what steering looks at and that is neither an agent, an [`Obstacle`] nor a [`Wall`] and has no
///   [`SteeringLayers`]: the entity behind the mouse that is a [`Target`](crate::Target), a moving parent of one.
/// - Its own components and resources, by `bevy_ggrs`' `RollbackApp`.
/// - No order of entities, which a rollback changes: a rule that depends on who comes first sorts by [`AgentNumber`].
/// - No change detection in rules, as restoring counts as a change.
/// - Events are told anew with each simulation of a frame: an observer may change what is rolled back, but should not play a sound.
pub trait SteeringRollbackExt {
    /// Registers everything that steering keeps, and has agents, obstacles, walls and whatever has [`SteeringLayers`] rolled
    /// back. A second call does nothing.
    ///
    /// A component that the game has registered before stays registered as it is; one that it registers afterwards, such as
    /// `Transform`, is registered twice, which Bevy refuses.
    ///
    /// # Panics
    /// If there are agents, obstacles or walls already: they would be left out.
    fn rollback_steering(&mut self) -> &mut Self;

    /// Registers a behaviour of the game, and has the entities mapped that are marked with `#[entities]` in it: who has been
    /// despawned and comes back is another entity. A second call does nothing.
    fn rollback_steering_behavior<B: SteeringBehavior + Clone>(&mut self) -> &mut Self;
}

impl SteeringRollbackExt for App {
    fn rollback_steering(&mut self) -> &mut Self {
        if !self.is_plugin_added::<RollbackPlugin>() {
            self.add_plugins(RollbackPlugin);
        }
        self
    }

    fn rollback_steering_behavior<B: SteeringBehavior + Clone>(&mut self) -> &mut Self {
        if !self.world().contains_resource::<Respawned>() {
            self.init_resource::<Respawned>()
                .add_systems(LoadWorld, find_respawned.in_set(LoadWorldSystems::Mapping));
        }
        if restore::<B>(self) {
            let map = map_entities::<B>.in_set(LoadWorldSystems::Mapping).after(find_respawned);
            self.add_systems(LoadWorld, map);
        }
        self
    }
}

struct RollbackPlugin;

impl Plugin for RollbackPlugin {
    fn build(&self, app: &mut App) {
        require_rollback::<Vehicle>(app);
        require_rollback::<SteeringLayers>(app);
        require_rollback::<Obstacle>(app);
        require_rollback::<Wall>(app);
        restore_bodies(app);
        restore_resources(app);
        restore_behaviors(app);
        compare(app);
    }
}

fn require_rollback<C: Component>(app: &mut App) {
    use RequiredComponentsError::DuplicateRegistration;
    match app.try_register_required_components::<C, Rollback>() {
        Ok(()) | Err(DuplicateRegistration(..)) => {}
        Err(error) => panic!("`rollback_steering` comes before anything is spawned: {error}"),
    }
}

fn restore_bodies(app: &mut App) {
    restore::<Transform>(app);
    restore::<Velocity>(app);
    restore::<AngularVelocity>(app);
    restore::<Heading>(app);
    restore::<SteeringForce>(app);
    restore::<AgentNumber>(app);
    restore::<Vehicle>(app);
    restore::<SteeringPlane>(app);
    restore::<SteeringLayers>(app);
    restore::<Bounds>(app);
    restore::<KeepRotation>(app);
    restore::<ThinkEvery>(app);
    restore::<Arbitration>(app);
    restore::<Obstacle>(app);
    restore::<Wall>(app);
    restore::<SteeringTrace>(app);
    #[cfg(feature = "gizmos")]
    restore::<crate::gizmos::ShowSteeringGizmos>(app);
}

fn restore_resources(app: &mut App) {
    restore_resource::<SteeringSettings>(app);
    restore_resource::<SteeringTick>(app);
    restore_resource::<WorldBounds>(app);
    restore_resource::<Demand>(app);
    if restore_resource::<NextAgentNumber>(app) {
        // Once more: who comes back from the dead may count as a new agent before it has its number back.
        let load = ResourceSnapshotPlugin::<CloneStrategy<NextAgentNumber>>::load;
        app.add_systems(LoadWorld, load.in_set(LoadWorldSystems::Mapping));
    }
}

fn restore_behaviors(app: &mut App) {
    app.rollback_steering_behavior::<Seek>()
        .rollback_steering_behavior::<Flee>()
        .rollback_steering_behavior::<Arrive>()
        .rollback_steering_behavior::<Pursue>()
        .rollback_steering_behavior::<Evade>()
        .rollback_steering_behavior::<OffsetPursue>()
        .rollback_steering_behavior::<PathFollow>()
        .rollback_steering_behavior::<MatchVelocity>()
        .rollback_steering_behavior::<Wander>()
        .rollback_steering_behavior::<Flock>()
        .rollback_steering_behavior::<AvoidObstacles>()
        .rollback_steering_behavior::<AvoidWalls>()
        .rollback_steering_behavior::<AvoidAgents>()
        .rollback_steering_behavior::<Align>()
        .rollback_steering_behavior::<Face>()
        .rollback_steering_behavior::<LookWhereYouGo>();
}

/// Has a component restored unless the game sees to it. Returns whether that is so.
fn restore<C: Component<Mutability = Mutable> + Clone>(app: &mut App) -> bool {
    let is_new = !app.world().contains_resource::<GgrsComponentSnapshots<C>>();
    if is_new {
        app.rollback_component_with_clone::<C>();
    }
    is_new
}

/// The same for a resource.
fn restore_resource<R: Resource<Mutability = Mutable> + Clone>(app: &mut App) -> bool {
    let is_new = !app.world().contains_resource::<GgrsResourceSnapshots<R>>();
    if is_new {
        app.rollback_resource_with_clone::<R>();
    }
    is_new
}

/// Who had another id in the frame that is gone back to. `bevy_ggrs` has such a map too, but does not apply it to those who are in
/// it themselves: two that chase each other and come back together would chase ghosts.
#[derive(Resource, Default)]
struct Respawned(EntityHashMap<Entity>);

fn find_respawned(
    now: Query<(&RollbackId, Entity)>,
    snapshots: Res<GgrsComponentSnapshots<Entity>>,
    frame: Res<RollbackFrameCount>,
    mut respawned: ResMut<Respawned>,
) {
    respawned.0.clear();
    let Some(then) = snapshots.peek(frame.0) else { return };
    for (id, now) in &now {
        if let Some(&then) = then.get(id)
            && then != now
        {
            respawned.0.insert(then, now);
        }
    }
}

fn map_entities<C: Component<Mutability = Mutable>>(
    mut components: Query<&mut C, With<RollbackId>>,
    mut respawned: ResMut<Respawned>,
) {
    if respawned.0.is_empty() {
        return;
    }
    for mut component in &mut components {
        C::map_entities(&mut *component, &mut respawned.0);
    }
}

fn compare(app: &mut App) {
    compare_components(app, |transform: &Transform| {
        let Transform { translation, rotation, scale } = *transform;
        let numbers = [translation.to_array(), scale.to_array()].concat();
        hash(numbers.into_iter().chain(rotation.to_array()), None)
    });
    compare_components(app, |velocity: &Velocity| hash(velocity.to_array(), None));
    compare_components(app, |spin: &AngularVelocity| hash(spin.to_array(), None));
    compare_components(app, |heading: &Heading| hash(heading.to_array(), None));
    compare_components(app, |force: &SteeringForce| {
        hash([force.linear.to_array(), force.angular.to_array()].concat(), None)
    });
    compare_components(app, |number: &AgentNumber| number.0);
    compare_components(app, |wander: &Wander| {
        hash(wander.displacement.to_array(), wander.stream.next())
    });
    compare_components(app, |arbitration: &Arbitration| match arbitration {
        Arbitration::Dithered { stream, .. } => hash([], stream.next()),
        _ => 0,
    });
    compare_resources(app, |next: &NextAgentNumber| next.0);
    compare_resources(app, |tick: &SteeringTick| tick.0.rotate_left(32));
}

fn hash(numbers: impl IntoIterator<Item = f32>, random: Option<u64>) -> u64 {
    let mut hasher = checksum_hasher();
    for number in numbers {
        hasher.write_u32(number.to_bits());
    }
    hasher.write_u64(random.unwrap_or_default());
    hasher.finish()
}

fn compare_components<C: Component>(app: &mut App, hasher: for<'a> fn(&'a C) -> u64) {
    if !app.is_plugin_added::<ComponentChecksumPlugin<C>>() {
        app.checksum_component(hasher);
    }
}

fn compare_resources<R: Resource>(app: &mut App, hasher: for<'a> fn(&'a R) -> u64) {
    if !app.is_plugin_added::<ResourceChecksumPlugin<R>>() {
        app.checksum_resource(hasher);
    }
}
