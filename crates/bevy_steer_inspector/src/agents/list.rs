//! [`AgentList`]: all agents, and those that match a search and a filter. Rebuilt after changes.

use bevy::prelude::*;
use bevy_steer::{AgentId, Obstacle, Vehicle};

/// The least time between two rebuilds, in seconds, for worlds where agents come and go all the
/// time.
const REBUILD_INTERVAL: f64 = 0.25;

/// All agents, ordered by [`AgentId`].
#[derive(Resource, Debug)]
pub(crate) struct AgentList {
    all: Vec<Listed>,
    obstacles: usize,
    /// Indices of the matches.
    matches: Vec<usize>,
    pub(crate) filter: Filter,
    /// The filter of the matches.
    filtered: Option<Filter>,
    /// The agent that was shown in the last frame, to which the list need not scroll.
    pub(crate) seen: Option<Entity>,
    is_stale: bool,
    built_at: f64,
}

/// What the user wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The text that is searched for.
    pub(crate) search: String,
    /// Whether agents that are obstacles are listed.
    pub(crate) with_obstacles: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) agent: Entity,
    pub(crate) label: String,
    is_obstacle: bool,
}

impl Default for AgentList {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            obstacles: 0,
            matches: Vec::new(),
            filter: Filter::default(),
            filtered: None,
            seen: None,
            is_stale: true,
            built_at: f64::NEG_INFINITY,
        }
    }
}

impl AgentList {
    /// The number of agents that a search can find.
    pub(crate) fn count(&self) -> usize {
        self.all.len() - if self.filter.with_obstacles { 0 } else { self.obstacles }
    }

    /// The number of agents that are obstacles.
    pub(crate) fn obstacle_count(&self) -> usize {
        self.obstacles
    }

    /// The number of matches.
    pub(crate) fn match_count(&self) -> usize {
        self.matches.len()
    }

    /// A match, by its row in the list.
    pub(crate) fn get(&self, row: usize) -> Option<&Listed> {
        self.all.get(*self.matches.get(row)?)
    }

    /// The row of an agent, if it is a match.
    pub(crate) fn row_of(&self, agent: Entity) -> Option<usize> {
        self.matches.iter().position(|&index| self.all[index].agent == agent)
    }

    /// Updates the list for a frame at time `now`, in seconds.
    pub(crate) fn refresh(world: &mut World, now: f64) {
        world.resource_scope(|world, mut list: Mut<Self>| {
            let is_due =
                list.is_stale && (now - list.built_at >= REBUILD_INTERVAL || now < list.built_at);
            if is_due {
                list.all = all_agents(world);
                list.obstacles = list.all.iter().filter(|listed| listed.is_obstacle).count();
                (list.is_stale, list.built_at) = (false, now);
            }
            if is_due || list.filtered.as_ref() != Some(&list.filter) {
                list.search_all();
            }
        });
    }

    fn search_all(&mut self) {
        let Filter { search, with_obstacles } = &self.filter;
        let text = search.trim().to_lowercase();
        let is_found =
            |listed: &Listed| text.is_empty() || listed.label.to_lowercase().contains(&text);
        let is_listed = |listed: &Listed| *with_obstacles || !listed.is_obstacle;
        let all = self.all.iter().enumerate();
        let matches = all.filter(|(_, listed)| is_listed(listed) && is_found(listed));
        self.matches = matches.map(|(index, _)| index).collect();
        self.filtered = Some(self.filter.clone());
    }
}

fn all_agents(world: &mut World) -> Vec<Listed> {
    let mut agents =
        world.query_filtered::<(Entity, &AgentId, Option<&Name>, Has<Obstacle>), With<Vehicle>>();
    let listed = |(agent, id, name, is_obstacle): (_, &AgentId, _, _)| {
        (id.0, Listed { agent, label: label(id, name), is_obstacle })
    };
    let mut listed: Vec<_> = agents.iter(world).map(listed).collect();
    listed.sort_unstable_by_key(|&(id, _)| id);
    listed.into_iter().map(|(_, listed)| listed).collect()
}

fn label(id: &AgentId, name: Option<&Name>) -> String {
    match name {
        Some(name) => format!("{name}  #{}", id.0),
        None => format!("Agent #{}", id.0),
    }
}

/// The name of an agent, or of any entity, in the panel.
pub(crate) fn label_of(world: &World, entity: Entity) -> String {
    match (world.get::<AgentId>(entity), world.get::<Name>(entity)) {
        (Some(id), name) => label(id, name),
        (None, Some(name)) => name.to_string(),
        (None, None) => format!("Entity {entity}"),
    }
}

/// Marks the list as stale when agents, obstacles or names are added or removed.
pub(crate) fn watch(app: &mut App) {
    app.add_observer(|_: On<Add<Vehicle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Vehicle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Add<Obstacle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Obstacle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Insert<Name>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Name>>, mut list: ResMut<AgentList>| list.is_stale = true);
}
