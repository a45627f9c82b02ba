//! [`EditHistory`]: the edits that can be undone and redone.

use std::collections::{BTreeSet, VecDeque};

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_egui::egui;

use super::{
    gesture::{Gesture, gesture},
    kept::Kept,
    memento::Memento,
};
use crate::editors::registry::Editors;

/// The maximum number of steps that are kept.
const MOST_STEPS: usize = 100;
/// The maximum number of parts that are kept, for edits of all agents of a large world. The last
/// step is always kept.
const MOST_PARTS: usize = 200_000;

/// The edits that can be undone and redone.
#[derive(Resource, Debug, Default)]
pub(crate) struct EditHistory {
    /// The newest is last.
    done: VecDeque<Step>,
    /// The one that was undone last is last.
    undone: Vec<Step>,
    /// What the last undo or redo did.
    pub(crate) message: String,
    presses: u64,
    gesture: Option<Gesture>,
    /// The gesture that the newest step is part of, while it lasts.
    open: Option<Gesture>,
}

/// What is undone at once.
#[derive(Debug)]
struct Step {
    /// What was edited: `Flock.cohesion`.
    name: String,
    kept: Vec<Kept>,
    /// Whether a preset has it.
    is_saved: bool,
}

impl Step {
    /// The parts of agents that were edited.
    fn parts(&self) -> impl Iterator<Item = &Memento> {
        self.kept.iter().filter_map(Kept::part)
    }
}

impl EditHistory {
    /// Looks at what the user does in this frame.
    pub(crate) fn begin_frame(&mut self, ui: &egui::Ui) {
        self.gesture = gesture(ui, &mut self.presses);
        if self.open != self.gesture {
            self.open = None;
        }
    }

    /// Ends the newest step, so that the next edit is a step of its own.
    pub(crate) fn seal(&mut self) {
        self.open = None;
    }

    /// Whether an edit of the same thing is part of the newest step.
    fn continues(&self, name: &str) -> bool {
        self.open.is_some() && self.done.back().is_some_and(|step| step.name == name)
    }

    fn push(&mut self, name: String, kept: Vec<Kept>) {
        if kept.is_empty() {
            return;
        }
        self.undone.clear();
        self.message.clear();
        self.done.push_back(Step { name, kept, is_saved: false });
        self.open = self.gesture;
        let mut count: usize = self.done.iter().map(|step| step.kept.len()).sum();
        while self.done.len() > MOST_STEPS || count > MOST_PARTS && self.done.len() > 1 {
            count -= self.done.pop_front().map_or(0, |step| step.kept.len());
        }
    }

    /// What would be undone next.
    pub(crate) fn next_undo(&self) -> Option<&str> {
        self.done.back().map(|step| step.name.as_str())
    }

    /// What would be redone next.
    pub(crate) fn next_redo(&self) -> Option<&str> {
        self.undone.last().map(|step| step.name.as_str())
    }

    /// Notes that a preset of this agent was saved, which has some of its parts. Returns the edits
    /// of the agent that the preset does not have.
    pub(crate) fn mark_saved(
        &mut self,
        agent: Entity,
        is_in_preset: impl Fn(&Memento) -> bool,
    ) -> BTreeSet<String> {
        self.seal();
        for step in self.done.iter_mut().chain(&mut self.undone) {
            let is_saved =
                step.parts().any(|memento| memento.agent == agent && is_in_preset(memento));
            step.is_saved |= is_saved;
        }
        let is_left_out =
            |step: &&Step| !step.is_saved && step.parts().any(|memento| memento.agent == agent);
        self.done.iter().filter(is_left_out).map(|step| step.name.clone()).collect()
    }

    /// The number of edits of agents that still exist and that no preset has. Presets never have
    /// settings of the gizmos, so those do not count.
    pub(crate) fn unsaved(&self, world: &World) -> usize {
        let exists = |memento: &Memento| world.get_entity(memento.agent).is_ok();
        let steps = self.done.iter().filter(|step| !step.is_saved);
        steps.filter(|step| step.parts().any(exists)).count()
    }

    /// Undoes or redoes the next step of something that still exists.
    fn travel(&mut self, world: &mut World, registry: &TypeRegistry, is_undo: bool) {
        self.seal();
        let mut skipped = 0;
        let verb = if is_undo { "Undone" } else { "Redone" };
        self.message = loop {
            let step = if is_undo { self.done.pop_back() } else { self.undone.pop() };
            let Some(mut step) = step else { break String::new() };
            let all = step.kept.len();
            step.kept.reverse();
            step.kept.retain_mut(|one| one.swap(world, registry));
            let left = step.kept.len();
            if left == 0 {
                skipped += 1;
                continue;
            }
            let text = match all - left {
                0 => format!("{verb}: {}", step.name),
                gone => format!("{verb}: {}; {gone} of {all} are gone", step.name),
            };
            if is_undo {
                self.undone.push(step);
            } else {
                self.done.push_back(step);
            }
            break text;
        };
        if skipped > 0 {
            let edits = if skipped == 1 { "edit" } else { "edits" };
            let text = format!("Skipped {skipped} {edits} of despawned entities. ");
            self.message.insert_str(0, &text);
        }
    }
}

/// Keeps what is edited as it is before an edit with this name, unless the edit is part of the same
/// gesture as the last one.
pub(crate) fn remember<K: Into<Kept>>(
    world: &mut World,
    name: &str,
    kept: impl FnOnce(&mut World) -> Vec<K>,
) {
    if world.resource::<EditHistory>().continues(name) {
        return;
    }
    let kept = kept(world).into_iter().map(Into::into).collect();
    world.resource_mut::<EditHistory>().push(name.to_owned(), kept);
}

/// Undoes the last edit.
pub(crate) fn undo(world: &mut World) {
    travel(world, true);
}

/// Redoes the edit that was undone last.
pub(crate) fn redo(world: &mut World) {
    travel(world, false);
}

fn travel(world: &mut World, is_undo: bool) {
    world.resource_scope(|world, mut history: Mut<EditHistory>| {
        world.resource_scope(|world, editors: Mut<Editors>| {
            history.travel(world, &editors.registry, is_undo);
        });
    });
}

#[cfg(test)]
mod tests {
    use bevy_steer::{Seek, Vehicle};
    use core::any::TypeId;

    use super::*;
    use crate::change::gizmos::GizmoSetting;

    fn memento(agent: Entity) -> Kept {
        let value = Box::new(Seek::default());
        Memento::field(agent, TypeId::of::<Seek>(), String::new(), value).into()
    }

    #[test]
    fn the_number_of_steps_is_bounded() {
        let agent = World::new().spawn_empty().id();
        let mut history = EditHistory::default();
        for number in 0..3 * MOST_STEPS {
            history.push(number.to_string(), vec![memento(agent)]);
        }
        assert_eq!(history.done.len(), MOST_STEPS);
        assert_eq!(history.next_undo(), Some((3 * MOST_STEPS - 1).to_string().as_str()));
        let many = || (0..=MOST_PARTS).map(|_| memento(agent)).collect();
        history.push("many".into(), many());
        history.push("more".into(), many());
        assert_eq!((history.done.len(), history.next_undo()), (1, Some("more")));
    }

    #[test]
    fn a_gesture_is_one_step() {
        let agent = World::new().spawn_empty().id();
        let mut history = EditHistory { gesture: Some(Gesture::Press(1)), ..default() };
        history.push("a".into(), vec![memento(agent)]);
        assert!(history.continues("a") && !history.continues("b"));
        history.seal();
        assert!(!history.continues("a"));
    }

    #[test]
    fn edits_count_as_unsaved_while_their_agents_exist() {
        let mut world = World::new();
        let [one, other] = [(), ()].map(|()| world.spawn(Vehicle::default()).id());
        let mut history = EditHistory::default();
        history.push("one".into(), vec![memento(one)]);
        history.push("both".into(), vec![memento(one), memento(other)]);
        history.push("other".into(), vec![memento(other)]);
        history.push("gizmos".into(), vec![GizmoSetting::Enabled(true).into()]);
        assert_eq!(history.unsaved(&world), 3);
        let left_out = history.mark_saved(one, |_| false);
        assert_eq!((left_out.len(), history.unsaved(&world)), (2, 3));
        assert!(history.mark_saved(one, |_| true).is_empty());
        assert_eq!(history.unsaved(&world), 1);
        world.despawn(other);
        assert_eq!(history.unsaved(&world), 0);
    }
}
