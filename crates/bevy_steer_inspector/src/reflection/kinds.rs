//! Which fields of a behaviour are its memory, not its parameters.

use core::any::TypeId;

use bevy::reflect::TypeInfo;
use bevy_steer::{Passing, PathProgress, RandomStream, TargetMemory};

/// Fields of `bevy_steer`'s own behaviours that are memory and have a type that parameters have too.
const NAMES: [&str; 3] = ["arrived", "displacement", "seen_heading"];

/// Whether a field of a behaviour is what it remembers from tick to tick.
///
/// A user's behaviour is known to remember what is of a type that `bevy_steer` remembers with.
pub(crate) fn is_state(owner: &TypeInfo, name: &str, field: TypeId) -> bool {
    let remembered = [
        TypeId::of::<TargetMemory>(),
        TypeId::of::<RandomStream>(),
        TypeId::of::<Passing>(),
        TypeId::of::<PathProgress>(),
    ];
    let is_ours = owner.type_path_table().crate_name() == Some("bevy_steer");
    remembered.contains(&field) || (is_ours && NAMES.contains(&name))
}
