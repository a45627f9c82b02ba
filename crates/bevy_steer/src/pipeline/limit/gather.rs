//! Collects the limits that behaviours add.

use bevy::{
    ecs::component::{Mutable, StorageType},
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData},
        velocity_limits::VelocityLimits,
    },
    behavior::{
        near_surfaces::SurfaceLists, several::Several, steering_behavior::SteeringBehavior,
    },
    ecs::{columns::untracked, parallel::for_each_piece},
    pipeline::{batch::BehaviorContext, behavior_params::BehaviorParams, limit::one::limit_one},
};

/// The agents with a behaviour that adds limits.
type Limited<'w, 's, C> = Query<'w, 's, (AgentData, &'static mut C, &'static mut VelocityLimits)>;

/// Asks one behaviour for its limits on all agents that have it, once or several times.
pub(crate) fn gather_limits<B: SteeringBehavior>(
    mut agents: ParamSet<(Limited<B>, Limited<Several<B>>)>,
    params: BehaviorParams<B>,
    surfaces: Res<SurfaceLists>,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let context = params.context();
    let (surfaces, mut single) = (surfaces.tick, agents.p0());
    // Most agents are near nothing, and their limits need not be looked at.
    let may_limit = |agents: &AgentColumns, row| {
        !B::LIMITS_BY_SURFACES || agents.is_near_surface(row, surfaces)
    };
    if B::STORAGE_TYPE == StorageType::Table {
        for_each_piece(columns(&mut single), |count, (agents, behaviors, limits)| {
            let agents = agents.with_default(context.tick.settings.plane).first(count);
            for row in (0..count).filter(|&row| may_limit(&agents, row)) {
                let behavior = &mut behaviors[row];
                limit_one(&agents.row::<false>(row), behavior, &mut limits[row], context);
            }
        });
    } else {
        for (parts, mut behavior, mut limits) in &mut single {
            let limits = limits.bypass_change_detection();
            limit_one(&parts.into(), behavior.bypass_change_detection(), limits, context);
        }
    }
    for_each_piece(columns(&mut agents.p1()), |count, (agents, several, limits)| {
        for row in (0..count).filter(|&row| may_limit(&agents, row)) {
            let parts = agents.row::<false>(row);
            for (place, behavior) in several[row].iter_mut().enumerate() {
                let context = BehaviorContext { place: Some(place), ..context };
                limit_one(&parts, behavior, &mut limits[row], context);
            }
        }
    });
}

/// The columns of tables of agents.
fn columns<'a, C: Component<Mutability = Mutable>>(
    agents: &'a mut Limited<C>,
) -> Vec<(usize, (AgentColumns<'a>, &'a mut [C], &'a mut [VelocityLimits]))> {
    let tables = agents.contiguous_iter_mut().into_iter().flatten();
    let columns = tables.map(|(agents, behaviors, limits)| {
        let agents = AgentColumns::from(agents);
        (agents.len(), (agents, untracked(behaviors), untracked(limits)))
    });
    columns.collect()
}
