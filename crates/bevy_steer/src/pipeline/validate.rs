//! The first look at an agent in a tick: does it make sense, and is it its turn to think?

use crate::{
    agent::{
        columns::{AgentColumns, AgentParts},
        contributions::{self, Contributions, Stage},
        invalid_input::InvalidInputLog,
        tick_context::TickRef,
        vehicle::VehicleBlock,
    },
    ecs::columns::aligned_mut,
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH},
        vector::is_finite,
    },
    space::vector,
};

/// Looks at those agents that nobody has looked at in this tick. Warns of those that make no sense.
#[inline(always)]
pub(crate) fn validate(agents: &AgentColumns, contributions: &mut [Contributions], tick: TickRef) {
    if contributions.iter().any(|one| one.stage() == Stage::Unchecked) {
        dispatch(Look { agents, contributions, tick });
    }
}

/// [`validate`] for one agent.
#[inline(always)]
pub(crate) fn validate_one(parts: &AgentParts, contributions: &mut Contributions, tick: TickRef) {
    if contributions.stage() == Stage::Unchecked {
        contributions.begin(check(parts, tick));
    }
}

/// What a look at eight agents tells.
pub(crate) struct Validation {
    /// Who may be asked, one bit each.
    pub(crate) active: u8,
    /// All eight may, and nobody has asked any of them in this tick.
    pub(crate) is_new: bool,
}

/// [`validate`] for eight [plain agents](AgentColumns::are_plain).
#[inline(always)]
pub(crate) fn validate_block<L: Lanes>(
    l: L,
    agents: &AgentColumns,
    first: usize,
    contributions: &mut [Contributions; WIDTH],
    tick: &TickRef,
) -> Validation {
    let fresh = !contributions::checked(contributions);
    if fresh == 0 {
        return Validation { active: contributions::active(contributions), is_new: false };
    }
    let valid = are_valid(l, agents, first);
    if fresh & valid == u8::MAX {
        let due = agents.due(first, tick.count);
        for (i, one) in contributions.iter_mut().enumerate() {
            one.begin(stage_of_valid(due >> i & 1 == 1));
        }
        return Validation { active: due, is_new: due == u8::MAX };
    }
    validate_each(*agents, first, fresh & valid, contributions, *tick);
    Validation { active: contributions::active(contributions), is_new: false }
}

/// Looks at eight one by one, of whom some are known to make sense. By itself, so that those who need it not do not carry its
/// burden of addresses along.
#[inline(never)]
fn validate_each(
    agents: AgentColumns,
    first: usize,
    valid: u8,
    contributions: &mut [Contributions; WIDTH],
    tick: TickRef,
) {
    for (i, one) in contributions.iter_mut().enumerate() {
        if valid >> i & 1 == 1 {
            one.begin(stage_of_valid(agents.is_due(first + i, tick.count)));
        } else {
            validate_one(&agents.row::<false>(first + i), one, tick);
        }
    }
}

struct Look<'a, 'w> {
    agents: &'a AgentColumns<'w>,
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
            validate_block(l, &agents, first, aligned_mut(contributions, first), &tick);
        }
        for (row, one) in contributions.iter_mut().enumerate().skip(blocks * WIDTH) {
            validate_one(&agents.row::<false>(row), one, tick);
        }
    }
}

/// Which of eight plain agents make sense, one bit each.
#[inline(always)]
fn are_valid<L: Lanes>(l: L, agents: &AgentColumns, first: usize) -> u8 {
    let (position, velocity) = (agents.position(l, first), agents.velocity(l, first));
    let is_finite = l.and(is_finite(l, position), is_finite(l, velocity));
    let (zero, largest) = (l.splat(0.0), l.splat(f32::MAX));
    let VehicleBlock { mass, max_speed, max_force, radius, response } = agents.vehicle(l, first);
    let numbers = [max_force, max_speed, radius, response];
    let is_heavy = l.and(l.le(l.splat(f32::MIN_POSITIVE), mass), l.le(mass, largest));
    let is_strong = l.le(max_force, l.mul(largest, mass));
    let mut is_valid = l.and(is_finite, l.and(is_heavy, is_strong));
    for number in numbers {
        is_valid = l.and(is_valid, l.and(l.le(zero, number), l.le(number, largest)));
    }
    l.bits(is_valid)
}

#[inline(always)]
fn check(parts: &AgentParts, tick: TickRef) -> Stage {
    let state = vector::is_finite(parts.transform.translation)
        & vector::is_finite(parts.velocity)
        & parts.spin.is_none_or(vector::is_finite);
    if !(state & parts.vehicle.is_valid()) {
        warn_invalid(parts, tick.invalid_input);
        Stage::Invalid
    } else {
        stage_of_valid(parts.think.is_none_or(|think| think.is_due(parts.id, tick.count)))
    }
}

/// For an agent that makes sense, by whether it is its turn to think.
#[inline(always)]
fn stage_of_valid(is_due: bool) -> Stage {
    if is_due { Stage::Active } else { Stage::Sleeping }
}

#[cold]
#[inline(never)]
fn warn_invalid(parts: &AgentParts, invalid_input: &InvalidInputLog) {
    let field = if !parts.transform.translation.is_finite() {
        "Transform.translation"
    } else if !parts.velocity.is_finite() {
        "Velocity"
    } else {
        parts.vehicle.invalid_field().unwrap_or("AngularVelocity")
    };
    let what = "makes no sense (zero mass, negative or not finite)";
    invalid_input.warn(parts.entity, field, what);
}
