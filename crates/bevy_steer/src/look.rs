//! The first look at an agent in a tick: does it make sense, and is it its turn to think?

use crate::{
    agent::{AgentParts, AgentRows},
    contributions::{self, Contributions, Stage},
    lanes::{Kernel, Lanes, WIDTH, dispatch, vector::is_finite},
    offences::Offences,
    rows::aligned_mut,
    tick::TickRef,
    vector,
    vehicle::VehicleBlock,
};

/// Looks at those agents that nobody has looked at in this tick. Warns of those that make no sense.
#[inline(always)]
pub(crate) fn look_at(agents: &AgentRows, contributions: &mut [Contributions], tick: TickRef) {
    if contributions.iter().any(|one| one.stage() == Stage::Fresh) {
        dispatch(Look { agents, contributions, tick });
    }
}

/// [`look_at`] for one agent.
#[inline(always)]
pub(crate) fn look_at_one(parts: &AgentParts, contributions: &mut Contributions, tick: TickRef) {
    if contributions.stage() == Stage::Fresh {
        contributions.begin(look(parts, tick));
    }
}

/// What a look at eight agents tells.
pub(crate) struct Looked {
    /// Who may be asked, one bit each.
    pub(crate) open: u8,
    /// All eight may, and nobody has asked any of them in this tick.
    pub(crate) is_new: bool,
}

/// [`look_at`] for eight [plain agents](AgentRows::are_plain).
#[inline(always)]
pub(crate) fn look_at_block<L: Lanes>(
    l: L,
    agents: &AgentRows,
    first: usize,
    contributions: &mut [Contributions; WIDTH],
    tick: &TickRef,
) -> Looked {
    let fresh = !contributions::looked_at(contributions);
    if fresh == 0 {
        return Looked { open: contributions::open(contributions), is_new: false };
    }
    let sane = make_sense(l, agents, first);
    if fresh & sane == u8::MAX {
        let due = agents.due(first, tick.count);
        for (i, one) in contributions.iter_mut().enumerate() {
            one.begin(stage_of_sane(due >> i & 1 == 1));
        }
        return Looked { open: due, is_new: due == u8::MAX };
    }
    look_at_each(*agents, first, fresh & sane, contributions, *tick);
    Looked { open: contributions::open(contributions), is_new: false }
}

/// Looks at eight one by one, of whom some are known to make sense. By itself, so that those who need it not do not carry its
/// burden of addresses along.
#[inline(never)]
fn look_at_each(
    agents: AgentRows,
    first: usize,
    sane: u8,
    contributions: &mut [Contributions; WIDTH],
    tick: TickRef,
) {
    for (i, one) in contributions.iter_mut().enumerate() {
        if sane >> i & 1 == 1 {
            one.begin(stage_of_sane(agents.is_due(first + i, tick.count)));
        } else {
            look_at_one(&agents.row::<false>(first + i), one, tick);
        }
    }
}

struct Look<'a, 'w> {
    agents: &'a AgentRows<'w>,
    contributions: &'a mut [Contributions],
    tick: TickRef<'a>,
}

impl Kernel for Look<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { agents, contributions, tick } = self;
        let count = contributions.len();
        let agents = agents.first(count);
        let blocks = if agents.are_plain() { count / WIDTH } else { 0 };
        for block in 0..blocks {
            let first = block * WIDTH;
            look_at_block(l, &agents, first, aligned_mut(contributions, first), &tick);
        }
        for (row, one) in contributions.iter_mut().enumerate().skip(blocks * WIDTH) {
            look_at_one(&agents.row::<false>(row), one, tick);
        }
    }
}

/// Which of eight plain agents make sense, one bit each.
#[inline(always)]
fn make_sense<L: Lanes>(l: L, agents: &AgentRows, first: usize) -> u8 {
    let (position, velocity) = (agents.position(l, first), agents.velocity(l, first));
    let is_finite = l.both(is_finite(l, position), is_finite(l, velocity));
    let (zero, largest) = (l.splat(0.0), l.splat(f32::MAX));
    let VehicleBlock { mass, max_speed, max_force, radius, response } = agents.vehicle(l, first);
    let numbers = [max_force, max_speed, radius, response];
    let is_heavy = l.both(l.le(l.splat(f32::MIN_POSITIVE), mass), l.le(mass, largest));
    let is_strong = l.le(max_force, l.mul(largest, mass));
    let mut is_sane = l.both(is_finite, l.both(is_heavy, is_strong));
    for number in numbers {
        is_sane = l.both(is_sane, l.both(l.le(zero, number), l.le(number, largest)));
    }
    l.bits(is_sane)
}

#[inline(always)]
fn look(parts: &AgentParts, tick: TickRef) -> Stage {
    let state = vector::is_finite(parts.transform.translation)
        & vector::is_finite(parts.velocity)
        & parts.spin.is_none_or(vector::is_finite);
    if !(state & parts.vehicle.is_sane()) {
        complain(parts, tick.offences);
        Stage::Senseless
    } else {
        stage_of_sane(parts.think.is_none_or(|think| think.is_due(parts.number, tick.count)))
    }
}

/// For an agent that makes sense, by whether it is its turn to think.
#[inline(always)]
fn stage_of_sane(is_due: bool) -> Stage {
    if is_due { Stage::Open } else { Stage::Resting }
}

#[cold]
#[inline(never)]
fn complain(parts: &AgentParts, offences: &Offences) {
    let field = if !parts.transform.translation.is_finite() {
        "Transform.translation"
    } else if !parts.velocity.is_finite() {
        "Velocity"
    } else {
        parts.vehicle.invalid_field().unwrap_or("AngularVelocity")
    };
    let what = "makes no sense (zero mass, negative or not finite)";
    offences.warn(parts.entity, field, what);
}
