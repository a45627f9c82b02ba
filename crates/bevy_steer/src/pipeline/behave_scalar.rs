//! [`Scalar`]: the strategy that steers agents one by one.

use crate::{
    behavior::steering_behavior::SteeringBehavior,
    ecs::columns::Columns,
    pipeline::{
        batch::{BatchStrategy, BehaviorBatch, BehaviorContext},
        behave_one::steer_one,
        validate::validate,
    },
};

/// The strategy of most behaviours.
pub(crate) struct Scalar;

impl<B: SteeringBehavior> BatchStrategy<B> for Scalar {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>) {
        steer_rows::<B, true>(batch, context);
    }
}

/// So many rows are validated before they are steered, while they are still in the nearest cache.
const VALIDATE_CHUNK: usize = 64;

/// Compiled once for agents without any of the rarer components (`PLAIN`), and once for the others.
pub(crate) fn steer_rows<B: SteeringBehavior, const PLAIN: bool>(
    batch: BehaviorBatch<B>,
    context: BehaviorContext<B>,
) {
    let mut left = batch.agents.len();
    let mut rest = (batch.agents, batch.behaviors, batch.outputs);
    while left > 0 {
        let count = left.min(VALIDATE_CHUNK);
        let (rows, others) = rest.split_at(count);
        (left, rest) = (left - count, others);
        let (agents, behaviors, mut outputs) = rows;
        validate(&agents, outputs.contributions, context.tick);
        let agents = agents.first(count);
        let behaviors = &mut behaviors[..count];
        outputs.contributions = &mut outputs.contributions[..count];
        outputs.tiers = &mut outputs.tiers[..count];
        for (row, behavior) in behaviors.iter_mut().enumerate() {
            steer_one(&agents.row::<PLAIN>(row), behavior, outputs.row::<PLAIN>(row), context);
        }
    }
}
