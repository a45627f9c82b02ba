//! [`state_hash`]: one number for the states of all agents.

use core::hash::Hasher;

use bevy_steer::AgentId;
use fnv::FnvHasher;

/// The hash of the bits of some numbers of each agent, in the order of the agents' ids. It is the
/// same on every platform, which other hashers do not promise.
pub fn state_hash<const N: usize>(mut agents: Vec<(AgentId, [f32; N])>) -> String {
    agents.sort_unstable_by_key(|(id, _)| id.0);
    let mut hasher = FnvHasher::default();
    for (id, numbers) in agents {
        hasher.write(&id.0.to_le_bytes());
        for number in numbers {
            hasher.write(&number.to_bits().to_le_bytes());
        }
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_depends_on_ids_and_bits_but_not_on_the_order() {
        let [one, two] = [(AgentId(1), [0.0, 1.0]), (AgentId(2), [0.5, -1.0])];
        let hash = state_hash(vec![one, two]);
        // FNV's offset basis.
        assert_eq!(state_hash::<0>(Vec::new()), "cbf29ce484222325");
        assert_eq!(hash, state_hash(vec![two, one]));
        assert_ne!(hash, state_hash(vec![(AgentId(1), [-0.0, 1.0]), two]));
        assert_ne!(hash, state_hash(vec![(AgentId(3), one.1), two]));
    }
}
