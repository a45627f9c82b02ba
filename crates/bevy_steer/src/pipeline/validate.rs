//! The first step for an agent in a tick: is it valid, and is it its turn to think?

use crate::{
    agent::{
        columns::{AgentColumns, AgentParts},
        contributions::{self, ACTIVE, CHECKED, Contributions, Stage},
        invalid_input::InvalidInputLog,
        tick_context::TickRef,
        vehicle::VehicleBlock,
    },
    behavior::agent_block::AgentBlock,
    ecs::columns::aligned,
    simd::{
        lanes::{Arithmetic, Lanes, WIDTH},
        one::One,
        vector::{Vector, is_valid, positions, side_by_side},
    },
    space::vector,
};

/// Validates an agent that has not been validated in this tick. Warns of an invalid one.
#[inline(always)]
pub(crate) fn validate_one(parts: &AgentParts, contributions: &mut Contributions, tick: TickRef) {
    if contributions.stage() == Stage::Unchecked {
        contributions.begin(check(parts, tick));
    }
}

/// [`validate_one`] for eight [plain agents](AgentColumns::are_plain). Returns which of them are
/// steered in this tick, one bit each.
#[inline(always)]
pub(crate) fn validate_block<L: Lanes>(
    l: L,
    block: &AgentBlock,
    contributions: &mut [Contributions; WIDTH],
) -> u8 {
    let unchecked = !contributions::with_flag(contributions, CHECKED);
    if unchecked != 0 {
        let AgentBlock { agents, first, tick, .. } = *block;
        let position = positions(l, aligned(agents.transform, first));
        let velocity = side_by_side(l, aligned(agents.velocity, first));
        let valid = l.bits(is_valid_agent(l, position, velocity, block.vehicle(l)));
        if unchecked & valid == u8::MAX {
            let due = block.due();
            for (i, one) in contributions.iter_mut().enumerate() {
                one.begin(stage_of_valid(due >> i & 1 == 1));
            }
            return due;
        }
        validate_each(*agents, first, contributions, *tick);
    }
    contributions::with_flag(contributions, ACTIVE)
}

/// Validates eight agents one by one. Outlined to keep the hot loop in registers.
#[inline(never)]
fn validate_each(
    agents: AgentColumns,
    first: usize,
    contributions: &mut [Contributions; WIDTH],
    tick: TickRef,
) {
    for (i, one) in contributions.iter_mut().enumerate() {
        validate_one(&agents.row::<false>(first + i), one, tick);
    }
}

/// Whether an agent's state and vehicle are within their ranges. The one place where this is
/// decided.
#[inline(always)]
fn is_valid_agent<L: Arithmetic>(
    l: L,
    position: Vector<L>,
    velocity: Vector<L>,
    vehicle: VehicleBlock<L>,
) -> L::M {
    let state = l.and(is_valid(l, position), is_valid(l, velocity));
    l.and(state, vehicle.is_valid(l))
}

#[inline(always)]
fn check(parts: &AgentParts, tick: TickRef) -> Stage {
    let (position, velocity) =
        (parts.transform.translation.to_array(), parts.velocity.0.to_array());
    let is_valid = is_valid_agent(One, position, velocity, parts.vehicle.into())
        & parts.spin.is_none_or(|spin| vector::is_valid(spin.0));
    if is_valid {
        stage_of_valid(parts.think.is_none_or(|think| think.is_due(*parts.id, tick.count)))
    } else {
        warn_invalid(parts, tick.invalid_input);
        Stage::Invalid
    }
}

/// Of a valid agent, by whether it is its turn to think.
#[inline]
fn stage_of_valid(is_due: bool) -> Stage {
    if is_due { Stage::Active } else { Stage::Sleeping }
}

#[cold]
fn warn_invalid(parts: &AgentParts, invalid_input: &InvalidInputLog) {
    let spin = parts.spin.copied().unwrap_or_default().0;
    let vectors = [
        ("Transform.translation", parts.transform.translation),
        ("Velocity", parts.velocity.0),
        ("AngularVelocity", spin),
    ];
    let invalid = vectors.into_iter().find(|&(_, vector)| !vector::is_valid(vector));
    let (field, value) = match invalid {
        Some((field, vector)) => (field, vector.to_string()),
        None => {
            let field = parts.vehicle.invalid_field();
            field.map_or(("Vehicle", String::new()), |(field, value)| (field, value.to_string()))
        }
    };
    let problem = format!("is {value}; the agent does not move; set a valid value");
    invalid_input.warn(parts.entity, field, &problem);
}
