//! [`AgentList`]: all agents and those that match a search. Rebuilt only after changes.

use bevy::prelude::*;
use bevy_steer::{AgentId, Vehicle};

/// The least time between two rebuilds, in seconds, for worlds where agents come and go all the
/// time.
const REBUILD_INTERVAL: f64 = 0.25;

/// All agents, ordered by [`AgentId`].
#[derive(Resource, Debug)]
pub(crate) struct AgentList {
    all: Vec<Listed>,
    /// Indices of the matches.
    matches: Vec<usize>,
    /// The text that is searched for.
    pub(crate) search: String,
    searched: String,
    is_stale: bool,
    built_at: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) agent: Entity,
    pub(crate) label: String,
}

impl Default for AgentList {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            matches: Vec::new(),
            search: String::new(),
            searched: String::new(),
            is_stale: true,
            built_at: f64::NEG_INFINITY,
        }
    }
}

impl AgentList {
    /// The number of agents.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The number of matches.
    pub(crate) fn match_count(&self) -> usize {
        if self.searched.is_empty() { self.all.len() } else { self.matches.len() }
    }

    /// A match, by its row in the list.
    pub(crate) fn get(&self, row: usize) -> Option<&Listed> {
        let index = if self.searched.is_empty() { row } else { *self.matches.get(row)? };
        self.all.get(index)
    }

    /// Updates the list for a frame at time `now`, in seconds.
    pub(crate) fn refresh(world: &mut World, now: f64) {
        world.resource_scope(|world, mut list: Mut<Self>| {
            let is_due =
                list.is_stale && (now - list.built_at >= REBUILD_INTERVAL || now < list.built_at);
            if is_due {
                list.all = all_agents(world);
                (list.is_stale, list.built_at) = (false, now);
            }
            if is_due || list.search != list.searched {
                list.search_all();
            }
        });
    }

    fn search_all(&mut self) {
        self.searched.clone_from(&self.search);
        let text = self.searched.trim().to_lowercase();
        let is_match = |listed: &Listed| listed.label.to_lowercase().contains(&text);
        self.matches.clear();
        if !self.searched.is_empty() {
            let matches = self.all.iter().enumerate().filter(|(_, listed)| is_match(listed));
            self.matches.extend(matches.map(|(index, _)| index));
        }
    }
}

fn all_agents(world: &mut World) -> Vec<Listed> {
    let mut agents = world.query_filtered::<(Entity, &AgentId, Option<&Name>), With<Vehicle>>();
    let mut listed: Vec<_> = agents
        .iter(world)
        .map(|(agent, id, name)| (id.0, Listed { agent, label: label(id, name) }))
        .collect();
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

/// Marks the list as stale when agents or names are added or removed.
pub(crate) fn watch(app: &mut App) {
    app.add_observer(|_: On<Add<Vehicle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Vehicle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Insert<Name>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Name>>, mut list: ResMut<AgentList>| list.is_stale = true);
}
