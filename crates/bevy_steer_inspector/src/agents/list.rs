//! [`AgentList`]: all agents and those that a search finds, made anew only when that can have changed.

use bevy::prelude::*;
use bevy_steer::{AgentId, Vehicle};

/// Worlds in which agents come and go all the time have their list made anew this often, in seconds.
const PATIENCE: f64 = 0.25;

/// All agents, in the order of their numbers.
#[derive(Resource, Debug)]
pub(crate) struct AgentList {
    all: Vec<Listed>,
    found: Vec<usize>,
    /// What is looked for.
    pub(crate) search: String,
    searched: String,
    is_stale: bool,
    made_at: f64,
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
            found: Vec::new(),
            search: String::new(),
            searched: String::new(),
            is_stale: true,
            made_at: f64::NEG_INFINITY,
        }
    }
}

impl AgentList {
    /// How many agents there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// How many the search has found.
    pub(crate) fn found(&self) -> usize {
        if self.searched.is_empty() { self.all.len() } else { self.found.len() }
    }

    /// One of those that the search has found.
    pub(crate) fn get(&self, row: usize) -> Option<&Listed> {
        let place = if self.searched.is_empty() { row } else { *self.found.get(row)? };
        self.all.get(place)
    }

    /// Makes it true for a frame at time `now`, in seconds.
    pub(crate) fn refresh(world: &mut World, now: f64) {
        world.resource_scope(|world, mut list: Mut<Self>| {
            let is_due = list.is_stale && (now - list.made_at >= PATIENCE || now < list.made_at);
            if is_due {
                list.all = all_agents(world);
                (list.is_stale, list.made_at) = (false, now);
            }
            if is_due || list.search != list.searched {
                list.search_all();
            }
        });
    }

    fn search_all(&mut self) {
        self.searched.clone_from(&self.search);
        let wanted = self.searched.trim().to_lowercase();
        let finds = |listed: &Listed| listed.label.to_lowercase().contains(&wanted);
        self.found.clear();
        if !self.searched.is_empty() {
            let found = self.all.iter().enumerate().filter(|(_, listed)| finds(listed));
            self.found.extend(found.map(|(place, _)| place));
        }
    }
}

fn all_agents(world: &mut World) -> Vec<Listed> {
    let mut agents = world.query_filtered::<(Entity, &AgentId, Option<&Name>), With<Vehicle>>();
    let mut numbered: Vec<_> = agents
        .iter(world)
        .map(|(agent, number, name)| (number.0, Listed { agent, label: label(number, name) }))
        .collect();
    numbered.sort_unstable_by_key(|&(number, _)| number);
    numbered.into_iter().map(|(_, listed)| listed).collect()
}

fn label(number: &AgentId, name: Option<&Name>) -> String {
    match name {
        Some(name) => format!("{name}  #{}", number.0),
        None => format!("Agent #{}", number.0),
    }
}

/// What an agent, or any entity, is called in the panel.
pub(crate) fn label_of(world: &World, entity: Entity) -> String {
    match (world.get::<AgentId>(entity), world.get::<Name>(entity)) {
        (Some(number), name) => label(number, name),
        (None, Some(name)) => name.to_string(),
        (None, None) => format!("Entity {entity}"),
    }
}

/// Notices agents that come and go and names that are given and taken.
pub(crate) fn watch(app: &mut App) {
    app.add_observer(|_: On<Add<Vehicle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Vehicle>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Insert<Name>>, mut list: ResMut<AgentList>| list.is_stale = true)
        .add_observer(|_: On<Remove<Name>>, mut list: ResMut<AgentList>| list.is_stale = true);
}
