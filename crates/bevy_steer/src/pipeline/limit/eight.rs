//! Asks a behaviour for its limits on eight agents at a time: mostly none of them has any.

use crate::{
    behavior::{agent_block::AgentBlock, simd_behavior::SimdBehavior},
    ecs::columns::aligned_mut,
    pipeline::{
        batch::{BehaviorContext, LimitBatch},
        limit::one::limit_one,
    },
    simd::lanes::{Kernel, Lanes, WIDTH, unset_lanes},
};

/// Agents without any of the rarer components.
pub(crate) struct LimitSimd<'a, 'w, 's, B: SimdBehavior> {
    pub(crate) batch: LimitBatch<'a, B>,
    pub(crate) context: BehaviorContext<'a, 'w, 's, B>,
}

impl<B: SimdBehavior> Kernel for LimitSimd<'_, '_, '_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { batch: LimitBatch { agents, behaviors, limits }, context } = self;
        let count = agents.len();
        let (behaviors, limits) = (&mut behaviors[..count], &mut limits[..count]);
        let blocks = count / WIDTH;
        for block in 0..blocks {
            let first = block * WIDTH;
            let (behaviors, limits) = (aligned_mut(behaviors, first), aligned_mut(limits, first));
            let mut requested = 0;
            for (i, (behavior, limits)) in behaviors.iter().zip(&*limits).enumerate() {
                requested |= u8::from(limits.is_open && behavior.is_enabled()) << i;
            }
            if requested == 0 {
                continue;
            }
            let block = AgentBlock::new(&context.tick, &agents, first);
            let some = B::may_limit(l, requested, behaviors, &block, context.params);
            for i in unset_lanes(!some) {
                let parts = agents.row::<true>(first + i);
                limit_one(&parts, &mut behaviors[i], &mut limits[i], context);
            }
        }
        for row in blocks * WIDTH..count {
            let parts = agents.row::<true>(row);
            limit_one(&parts, &mut behaviors[row], &mut limits[row], context);
        }
    }
}
