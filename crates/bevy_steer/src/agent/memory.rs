//! [`Memory`]: what a behaviour keeps from tick to tick, apart from its parameters; for example a
//! [`RandomStream`], which is the same on every run, platform and version.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};
use rand::RngExt;
use rand_pcg::Pcg32;

use crate::agent::{id::AgentId, parameter::RuntimeState};

/// What a behaviour keeps from tick to tick, apart from its parameters: one field of its component.
///
/// - Two memories are always equal, so that comparing two components compares their parameters.
/// - Tools show it read-only, presets omit it, and copying parameters leaves it as it is: it has
///   the attribute [`RuntimeState`].
/// - It is part of its component, so [`Several`](crate::Several), rollback and saved scenes carry
///   it.
///
/// It dereferences to its content.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{Blend, Memory, TargetMemory, Target};
///
/// #[derive(Component, Reflect, Default, PartialEq, Debug)]
/// #[reflect(Component, Default)]
/// struct Guard {
///     #[entities]
///     target: Target,
///     blend: Blend,
///     #[entities]
///     memory: Memory<TargetMemory>,
/// }
///
/// let (before, mut after) = (Guard::default(), Guard::default());
/// after.memory.current = Some(Entity::PLACEHOLDER);
/// assert_eq!(before, after);
/// assert_ne!(*before.memory, *after.memory);
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, Deref, DerefMut)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
#[reflect(@RuntimeState)]
pub struct Memory<T>(pub T);

impl<T> PartialEq for Memory<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T: MapEntities> MapEntities for Memory<T> {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.0.map_entities(mapper);
    }
}

/// A stream of random numbers that belongs to one behaviour of one agent.
///
/// Kept inside the behaviour's component, so that a clone, a save or a rollback includes it.
/// Seeded on first use from the world's seed ([`SteeringSettings::seed`](crate::SteeringSettings))
/// and the agent's id; the generator is PCG XSH-RR 64/32 (O'Neill 2014), and its output fixed.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct RandomStream(Option<Pcg32>);

impl RandomStream {
    /// The generator, which is seeded on first use. `salt` distinguishes the streams of one agent's
    /// behaviours.
    pub fn generator(&mut self, seed: u64, id: AgentId, salt: u64) -> &mut Pcg32 {
        self.0.get_or_insert_with(|| {
            let stream = id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ salt;
            let mut generator = Pcg32::new(seed ^ salt.rotate_left(32), stream);
            // Skip the first outputs: they are similar in neighbouring streams.
            for _ in 0..4 {
                let _: u32 = generator.random();
            }
            generator
        })
    }
}

/// A random number of mean zero and variance one.
///
/// Uniform: sums over several ticks are close to normal anyway, and it needs no transcendental
/// function.
pub(crate) fn unit_variance(generator: &mut Pcg32) -> f32 {
    const HALF_WIDTH: f32 = 1.732_050_8;
    (generator.random::<f32>() * 2.0 - 1.0) * HALF_WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ_by_agent_seed_and_salt() {
        let first = |seed, number, salt| -> u32 {
            let mut stream = RandomStream::default();
            stream.generator(seed, AgentId(number), salt).random()
        };
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        assert_ne!(first(1, 2, 3), first(2, 2, 3));
        assert_ne!(first(1, 2, 3), first(1, 3, 3));
        assert_ne!(first(1, 2, 3), first(1, 2, 4));
    }

    #[test]
    fn unit_variance_has_mean_zero_and_variance_one() {
        let mut stream = RandomStream::default();
        let generator = stream.generator(7, AgentId(0), 0);
        let samples: Vec<f32> = (0..20_000).map(|_| unit_variance(generator)).collect();
        let mean = samples.iter().sum::<f32>() / samples.len() as f32;
        let variance = samples.iter().map(|x| x * x).sum::<f32>() / samples.len() as f32;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance - 1.0).abs() < 0.03, "{variance}");
    }
}
