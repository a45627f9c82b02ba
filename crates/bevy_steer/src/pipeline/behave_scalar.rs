//! [`Scalar`]: the strategy that steers agents one by one.

use crate::{
    behavior::steering_behavior::SteeringBehavior,
    pipeline::{
        batch::{BatchStrategy, BehaviorBatch, BehaviorContext},
        behave_one::steer_one,
        validate::validate_one,
    },
};

/// The strategy of most behaviours.
pub(crate) struct Scalar;

impl<B: SteeringBehavior> BatchStrategy<B> for Scalar {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>) {
        steer_rows::<B, true>(batch, context);
    }
}

/// Compiled once for agents without rare components (`PLAIN`), and once for the others.
pub(crate) fn steer_rows<B: SteeringBehavior, const PLAIN: bool>(
    batch: BehaviorBatch<B>,
    context: BehaviorContext<B>,
) {
    let BehaviorBatch { agents, behaviors, mut outputs } = batch;
    let count = agents.len();
    let (agents, behaviors) = (agents.first(count), &mut behaviors[..count]);
    outputs.contributions = &mut outputs.contributions[..count];
    outputs.tiers = &mut outputs.tiers[..count];
    for (row, behavior) in behaviors.iter_mut().enumerate() {
        let (parts, output) = (agents.row::<PLAIN>(row), outputs.row::<PLAIN>(row));
        validate_one(&parts, output.contributions, context.tick);
        steer_one(&parts, behavior, output, context);
    }
}
