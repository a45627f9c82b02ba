//! [`visit_formation_state`]: what formations keep from tick to tick.

use bevy_steer::StateVisitor;

use crate::{formation::Formation, members::FormationSlot, wait::WaitForMembers};

/// Calls the visitor with every component that formations keep from tick to tick, as
/// [`visit_state`](bevy_steer::visit_state) does for steering.
///
/// Save [`MemberOf`](crate::MemberOf) too. As a relationship it is immutable: a rollback library
/// has another method for such a component.
pub fn visit_formation_state(visitor: &mut impl StateVisitor) {
    visitor.component::<Formation>();
    visitor.component::<FormationSlot>();
    visitor.component::<WaitForMembers>();
}
