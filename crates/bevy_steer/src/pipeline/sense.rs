//! The obstacles and walls near all agents, for all of their behaviours together.

use bevy::{ecs::component::StorageType, prelude::*};

use crate::{
    agent::{
        AgentColumns, AgentData, AgentParts, Contributions, ListRange, Stage, SurfaceReach,
        SurfaceSlot, SurfaceTick, Tick, TickRef,
    },
    behavior::{Agent, AgentBlock, Several, SteeringBehavior, SurfaceLists},
    ecs::{RowCost, aligned, for_each_piece, untracked},
    obstacles::{
        ObstacleIndex,
        near::{FoundSurface, ReachBlock},
    },
    pipeline::validate::validate_one,
    simd::{Kernel, Lanes, WIDTH, dispatch, each, pack, unset_lanes},
};

/// The agents with a component that reads surfaces.
type Asking<'w, 's, C> = Query<'w, 's, (AgentData, &'static C, &'static mut Contributions)>;

/// Notes for all agents with a behaviour how far that looks.
pub(crate) fn ask_for_surfaces<B: SteeringBehavior>(
    mut agents: ParamSet<(Asking<B>, Asking<Several<B>>)>,
    lists: Res<SurfaceLists>,
    index: Res<ObstacleIndex>,
    tick: Tick,
) {
    if index.is_empty() {
        return;
    }
    let (next, tick) = (lists.tick.next(), tick.borrow());
    let ask = |parts: &AgentParts, behavior: &B, stage| {
        if let Some(slot) = parts.surfaces
            && behavior.is_enabled()
        {
            let reach = behavior.surface_reach(&Agent::new(parts, 0, tick));
            // One that does not think in this tick still has a body.
            slot.ask(if stage == Stage::Active { reach } else { reach.only_solid() }, next);
        }
    };
    if B::STORAGE_TYPE == StorageType::Table {
        ask_columns(&mut agents.p0(), tick, ask);
    } else {
        for (parts, behavior, mut contributions) in &mut agents.p0() {
            ask_one(&parts.into(), behavior, &mut contributions, tick, ask);
        }
    }
    ask_columns(&mut agents.p1(), tick, |parts, several: &Several<B>, stage| {
        several.iter().for_each(|behavior| ask(parts, behavior, stage));
    });
}

fn ask_columns<C: Component>(
    agents: &mut Asking<C>,
    tick: TickRef,
    ask: impl Fn(&AgentParts, &C, Stage) + Copy + Sync,
) {
    let tables = agents.contiguous_iter_mut().into_iter().flatten();
    let tables = tables.map(|(agents, behaviors, contributions)| {
        let agents = AgentColumns::from(agents);
        (agents.len(), (agents, behaviors, untracked(contributions)))
    });
    for_each_piece(tables.collect(), |count, (agents, behaviors, contributions)| {
        let agents = agents.first(count);
        for (row, (behavior, contributions)) in behaviors.iter().zip(contributions).enumerate() {
            ask_one(&agents.row::<false>(row), behavior, contributions, tick, ask);
        }
    });
}

/// Calls `ask` for an agent if it is valid.
fn ask_one<C>(
    parts: &AgentParts,
    behavior: &C,
    contributions: &mut Contributions,
    tick: TickRef,
    ask: impl Fn(&AgentParts, &C, Stage),
) {
    validate_one(parts, contributions, tick);
    let stage = contributions.stage();
    if stage != Stage::Invalid {
        ask(parts, behavior, stage);
    }
}

/// Finds for all agents what their behaviours have asked for.
pub(crate) fn find_surfaces(
    agents: Query<AgentData, With<SurfaceSlot>>,
    mut lists: ResMut<SurfaceLists>,
    index: Res<ObstacleIndex>,
    mut cost: Local<RowCost>,
    tick: Tick,
) {
    let SurfaceLists { tick: surface_tick, lists } = &mut *lists;
    *surface_tick = surface_tick.next();
    if index.is_empty() {
        return;
    }
    let (now, index, tick) = (*surface_tick, &*index, tick.borrow());
    lists.iter_mut().for_each(Vec::clear);
    let tables = agents.contiguous_iter().into_iter().flatten();
    let tables = tables.map(|agents| {
        let agents = AgentColumns::from(agents);
        (agents.len(), agents)
    });
    cost.for_each_piece_into(tables.collect(), lists, |count, agents, (list, found)| {
        let agents = agents.with_default(tick.settings.plane).first(count);
        let mut search = Search { agents, index, now, tick, list, found };
        if agents.are_plain() {
            dispatch(SearchPlain(search));
        } else {
            (0..count).for_each(|row| search.find(&agents.row::<false>(row)));
        }
    });
}

/// The search for some agents.
struct Search<'a> {
    agents: AgentColumns<'a>,
    index: &'a ObstacleIndex,
    now: SurfaceTick,
    tick: TickRef<'a>,
    /// The number of the list in which it is noted what they found.
    list: u32,
    found: &'a mut Vec<FoundSurface>,
}

impl Search<'_> {
    /// Finds what is near one of them.
    #[inline(never)]
    fn find(&mut self, parts: &AgentParts) {
        let Some(slot) = parts.surfaces else { return };
        let Some(asked) = slot.asked(self.now) else { return };
        let agent = Agent::new(parts, 0, self.tick);
        let approach = agent.approach_reach();
        let approach = if approach < f32::INFINITY { approach } else { 0.0 };
        let search = agent.surface_search(SurfaceReach {
            around: asked.around.max(approach),
            ..asked.with_slack(agent.vehicle.max_speed)
        });
        let first = self.found.len();
        self.index.find_near(&search, self.found);
        let count = self.found.len() - first;
        slot.answer(ListRange { list: self.list, first: first as u32, count: count as u32 });
    }
}

/// The same for agents without any of the rarer components: usually nothing is near eight of them.
struct SearchPlain<'a>(Search<'a>);

impl Kernel for SearchPlain<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let mut search = self.0;
        let (agents, index, now, tick) = (search.agents, search.index, search.now, search.tick);
        let count = agents.len();
        let agents = agents.first(count);
        let Some(slots) = agents.surfaces else { return };
        let blocks = count / WIDTH;
        for first in (0..blocks).map(|block| block * WIDTH) {
            let slots = aligned(slots, first);
            let nothing = SurfaceReach::default();
            let vehicles = aligned(agents.vehicle, first);
            let (mut asked, mut reaches) = (0, [nothing; WIDTH]);
            for (i, slot) in slots.iter().enumerate() {
                let reach = slot.asked(now);
                asked |= u8::from(reach.is_some()) << i;
                reaches[i] = reach.map_or(nothing, |reach| reach.with_slack(vehicles[i].max_speed));
            }
            if asked == 0 {
                continue;
            }
            let block = AgentBlock::new(&tick, &agents, first);
            let approach = block.approach_reach(l);
            let approach = l.mask(l.lt(approach, l.splat(f32::INFINITY)), approach);
            let around = l.max(approach, pack!(l, i => reaches[i].around));
            let look_ahead = pack!(l, i => reaches[i].look_ahead);
            let clearance = pack!(l, i => reaches[i].clearance);
            let velocity = block.velocity(l);
            let path = each!(d => l.mul(velocity[d], look_ahead));
            let position = block.position(l);
            let reach = ReachBlock { position, path, around, look_ahead, clearance };
            let near = index.may_find(l, asked, &reach);
            for i in unset_lanes(!near) {
                search.find(&agents.row::<true>(first + i));
            }
        }
        for row in blocks * WIDTH..count {
            search.find(&agents.row::<true>(row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AvoidAgents, AvoidObstacles, AvoidWalls, Obstacle, Seek, SteeringPlugin, SteeringSchedule,
        Vehicle, Wall, behavior::Several, obstacles::near::SEARCHES,
    };

    /// The number of searches of obstacles in each of some ticks.
    fn searches(agents: impl FnOnce(&mut World)) -> [usize; 4] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
        app.finish();
        agents(app.world_mut());
        app.world_mut().resource_mut::<Time>().advance_by(core::time::Duration::from_millis(16));
        core::array::from_fn(|_| {
            SEARCHES.set(0);
            app.world_mut().run_schedule(SteeringSchedule);
            app.world_mut().resource_mut::<crate::SteeringTick>().0 += 1;
            SEARCHES.get()
        })
    }

    type All = (Vehicle, Seek, AvoidObstacles, AvoidWalls, AvoidAgents);

    fn all() -> All {
        (Vehicle::default(), Seek::new(Vec2::X * 9.0), default(), default(), default())
    }

    fn surroundings(world: &mut World) {
        world.spawn((Obstacle::sphere(1.0), Transform::from_xyz(3.0, 0.0, 0.0)));
        world.spawn(Wall::new(Vec2::new(-9.0, 2.0), Vec2::new(9.0, 2.0)));
    }

    #[test]
    fn an_agent_with_all_that_avoids_searches_once_a_tick() {
        let alone = searches(|world| {
            surroundings(world);
            world.spawn(all());
        });
        // In the first one it turns off, and looks round the corner there.
        assert_eq!(alone, [2, 1, 1, 1]);
        let crowd = searches(|world| {
            surroundings(world);
            for i in 0..20 {
                let several = Several::new([AvoidObstacles::default(); 2]);
                let place = Transform::from_xyz(-0.3 * i as f32, 0.0, 0.0);
                world.spawn((all(), several, place));
            }
        });
        // Each turns off once, past at most two corners.
        assert!(crowd.iter().sum::<usize>() <= 20 * (4 + 2), "{crowd:?}");
    }

    #[test]
    fn nothing_is_searched_that_nobody_needs() {
        let without = searches(|world| _ = world.spawn(all()));
        assert_eq!(without, [0; 4], "there are no obstacles");
        let far = searches(|world| {
            surroundings(world);
            for _ in 0..8 {
                world.spawn((all(), Transform::from_xyz(-900.0, 0.0, 0.0)));
            }
        });
        assert_eq!(far, [0; 4]);
        let off = searches(|world| {
            surroundings(world);
            world.spawn((Vehicle::default(), AvoidObstacles::default().disabled()));
            world.spawn((Vehicle::default(), Seek::new(Vec2::X)));
        });
        assert_eq!(off, [0; 4]);
    }
}
