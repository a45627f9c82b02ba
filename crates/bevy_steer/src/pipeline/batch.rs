//! The data that a behaviour's system passes to its batch strategy: agents, the destination of
//! their requests, and the context common to all.

use crate::{
    agent::{
        columns::AgentColumns,
        contributions::{AngularContributions, Contributions, TierSums},
        tick_context::TickRef,
    },
    behavior::steering_behavior::{ParamOf, SteeringBehavior},
    ecs::columns::columns_struct,
    pipeline::trace::SteeringTrace,
};

/// How a behaviour processes agents without rare components, which are nearly all.
pub(crate) trait BatchStrategy<B: SteeringBehavior>: 'static {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>);
}

/// Some agents with a behaviour.
pub(crate) struct BehaviorBatch<'a, B> {
    pub agents: AgentColumns<'a>,
    pub behaviors: &'a mut [B],
    pub outputs: OutputColumns<'a>,
}

columns_struct! {
    /// Where the requests of some agents are written.
    pub(crate) struct OutputColumns<'a> {
        pub contributions: &'a mut [Contributions],
        pub tiers: &'a mut [TierSums],
        pub angular: Option<&'a mut [AngularContributions]>,
        pub traces: Option<&'a mut [SteeringTrace]>,
    }
}

impl OutputColumns<'_> {
    /// Whether there are only the columns that all agents have.
    pub(crate) fn are_plain(&self) -> bool {
        self.angular.is_none() && self.traces.is_none()
    }

    /// One of them. `PLAIN` says that [`are_plain`](Self::are_plain).
    #[inline(always)]
    pub(crate) fn row<const PLAIN: bool>(&mut self, row: usize) -> Output<'_> {
        let (contributions, tiers) = (&mut self.contributions[row], &mut self.tiers[row]);
        if PLAIN {
            return Output::plain(contributions, tiers);
        }
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        let trace = self.traces.as_mut().map(|rows| &mut rows[row]);
        Output { contributions, tiers, angular, trace }
    }
}

/// The destination of one agent's request.
pub(crate) struct Output<'a> {
    pub contributions: &'a mut Contributions,
    pub tiers: &'a mut TierSums,
    pub angular: Option<&'a mut AngularContributions>,
    pub trace: Option<&'a mut SteeringTrace>,
}

impl<'a> Output<'a> {
    #[inline]
    pub(crate) fn plain(contributions: &'a mut Contributions, tiers: &'a mut TierSums) -> Self {
        Self { contributions, tiers, angular: None, trace: None }
    }
}

/// The context common to all agents with a behaviour.
pub(crate) struct BehaviorContext<'a, 'w, 's, B: SteeringBehavior> {
    /// The behaviour's [`Param`](SteeringBehavior::Param).
    pub params: &'a ParamOf<'w, 's, B>,
    /// The behaviour's index in the registry.
    pub index: usize,
    /// The index of the behaviour among [`Several`](crate::Several).
    pub place: Option<usize>,
    pub tick: TickRef<'a>,
}

impl<B: SteeringBehavior> Clone for BehaviorContext<'_, '_, '_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: SteeringBehavior> Copy for BehaviorContext<'_, '_, '_, B> {}
