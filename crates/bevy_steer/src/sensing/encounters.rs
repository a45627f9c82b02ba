//! [`Encounters`]: other agents that each agent may collide with in this tick.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{AgentId, Claim, IndexSlot, SteeringLayers},
    behavior::Agent,
    neighbors::{CurrentIndex, NeighborIndex, PlaneIndex},
    sensing::{
        encounter_pass::{AgentRecord, EncounterLists},
        encounter_requests::EncounterRequests,
        goals::{Goals, GoalsOf, Pursuit},
    },
    simd::{Arithmetic, Lanes, One, Vector, WIDTH, each, every, length},
    space::{SteeringPlane, shortest, shortest_on_axis},
};

/// The other agents that an agent may collide with, as a parameter of behaviours.
///
/// Found once a tick for all agents that have a behaviour with
/// [`ENCOUNTERS`](crate::SteeringBehavior::ENCOUNTERS), for all their behaviours together: the
/// nearest 16 that come into their room within their look-ahead, the nearest first. Whatever is
/// much faster or larger than most is counted apart, so that a crowd does not hide a bullet. In a
/// pile of dozens of overlapping agents each regards eight of these.
///
/// Empty for an agent that is not in the neighbour index: in the tick in which it is spawned, if
/// that was after [`SteeringSystems::Sense`](crate::SteeringSystems::Sense).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{EncounterRequest, Encounters, ParamOf, prelude::*};
///
/// /// Brakes while somebody is about to walk into it.
/// #[derive(Component, Reflect, Clone, Default)]
/// #[reflect(Component)]
/// struct Startle {
///     blend: Blend,
/// }
///
/// impl SteeringBehavior for Startle {
///     type Param = Encounters<'static>;
///     const PRIORITY: Priority = Priority::High;
///     const DRIVES: bool = false;
///     const ENCOUNTERS: bool = true;
///     bevy_steer::blend_field!();
///
///     fn encounter_request(&self, agent: &Agent) -> Option<EncounterRequest> {
///         Some(EncounterRequest::new(2.0 * agent.vehicle.radius, 0.5))
///     }
///
///     fn steer(&mut self, agent: &Agent, encounters: &ParamOf<Self>) -> Steering {
///         match encounters.of(agent).next() {
///             Some(_) => Steering::linear(-agent.velocity),
///             None => Steering::NONE,
///         }
///     }
/// }
///
/// App::new()
///     .add_plugins((MinimalPlugins, SteeringPlugin::default()))
///     .add_steering_behavior::<Startle>();
/// ```
#[derive(SystemParam)]
pub struct Encounters<'w> {
    index: Res<'w, CurrentIndex>,
    requests: Res<'w, EncounterRequests>,
    lists: Res<'w, EncounterLists>,
    goals: Res<'w, Goals>,
}

/// What is slower than this share of an agent's top speed stands.
pub(super) const STANDS: f32 = 0.02;

/// Another agent that an agent may collide with, or whatever else has layers and a velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The entity.
    pub entity: Entity,
    /// Its stable identity.
    pub id: AgentId,
    /// Where it is, relative to the agent: in the agent's plane, and the short way round in a
    /// wrapping world, in units.
    pub offset: Vec3,
    /// The length of `offset`, in units.
    pub distance: f32,
    /// Its velocity, in the agent's plane, in units a second.
    pub velocity: Vec3,
    /// The radius of its body, in units; `None` if it has no [`Vehicle`](crate::Vehicle).
    pub radius: Option<f32>,
    /// Its layers.
    pub layers: SteeringLayers,
    /// Its claim to the right of way; `None` if it avoids nobody.
    pub claim: Option<Claim>,
    /// The goal that it has almost reached, relative to the agent as `offset` is; see
    /// [`SteeringBehavior::near_goal`](crate::SteeringBehavior::near_goal).
    pub near_goal: Option<Vec3>,
}

impl Encounters<'_> {
    /// The encounters of an agent, the nearest first.
    pub fn of(&self, agent: &Agent) -> impl Iterator<Item = Encounter> {
        let view = self.view(agent);
        self.slots(agent).iter().map(move |&slot| view.encounter(slot as usize))
    }

    /// The encounters with a body at most `gap` units from an agent's position. One without a body
    /// counts as if it were as large as the agent.
    pub(crate) fn close(&self, agent: &Agent, gap: f32) -> impl Iterator<Item = Encounter> {
        let (view, own) = (self.view(agent), agent.vehicle.size());
        let is_close = move |slot: &&u32| {
            let record = &view.records[**slot as usize];
            let [.., radius] = record.position;
            let reach = gap + if radius < 0.0 { own } else { radius };
            view.offset(record).length_squared() <= reach * reach
        };
        let close = self.slots(agent).iter().filter(is_close);
        close.map(move |&slot| view.encounter(slot as usize))
    }

    /// The slots of the encounters of an agent.
    pub(crate) fn slots(&self, agent: &Agent) -> &[u32] {
        self.slots_of(agent.plane, agent.entry.get())
    }

    fn slots_of(&self, plane: SteeringPlane, entry: usize) -> &[u32] {
        let slot = self.index.0.slot_of(plane, entry);
        slot.map_or(&[], |slot| self.lists.of(plane, slot))
    }

    /// The bodies among those that an agent avoids that stand and avoid nobody, but for those that
    /// it goes for.
    pub(crate) fn standing(&self, agent: &Agent) -> impl Iterator<Item = Encounter> {
        let lists = &self.lists.0[agent.plane as usize];
        let slots = if lists.have_passive { self.slots(agent) } else { &[] };
        let passive = slots.iter().filter(|slot| lists.records[**slot as usize].is_passive());
        let (view, goals) = (self.view(agent), self.goals(agent));
        let others = passive.map(move |&slot| view.encounter(slot as usize));
        let slow = STANDS * agent.vehicle.max_speed;
        let avoids = self.requests.avoids(agent.entry.get());
        others.filter(move |other| {
            other.velocity.length() <= slow
                && other.layers.overlaps(avoids)
                && !goals.pursuit(other.entity).pursues
        })
    }

    /// Which of eight agents in a plane have bodies among their encounters that avoid nobody, one
    /// bit each.
    #[inline(always)]
    pub(crate) fn passive_block(&self, plane: SteeringPlane, entries: &[IndexSlot; WIDTH]) -> u8 {
        let lists = &self.lists.0[plane as usize];
        if !lists.have_passive {
            return 0;
        }
        let is_near = |entry: &IndexSlot| {
            let mut slots = self.slots_of(plane, entry.get()).iter();
            slots.any(|&slot| lists.records[slot as usize].is_passive())
        };
        let entries = entries.iter().enumerate();
        entries.fold(0, |some, (i, entry)| some | u8::from(is_near(entry)) << i)
    }

    /// How an agent sees others.
    pub(crate) fn view(&self, agent: &Agent) -> EncounterView<'_> {
        EncounterView {
            index: &self.index.0,
            plane: &self.index.0.planes[agent.plane as usize],
            records: &self.lists.0[agent.plane as usize].records,
            center: agent.plane.flatten(agent.position),
            periods: agent.plane.flatten(self.index.0.bounds.periods()),
        }
    }

    /// The claim of an agent as others know it in this tick; `None` if it avoids nobody.
    pub fn claim(&self, agent: &Agent) -> Option<Claim> {
        let slot = self.index.0.slot_of(agent.plane, agent.entry.get())?;
        self.lists.0[agent.plane as usize].records.get(slot)?.claim()
    }

    /// What an agent and another entity want of each other in this tick.
    pub fn pursuit(&self, agent: &Agent, other: Entity) -> Pursuit {
        self.goals(agent).pursuit(other)
    }

    /// Which entities an agent goes for, and which agents go for it.
    pub(crate) fn goals(&self, agent: &Agent) -> GoalsOf<'_> {
        self.goals.of(agent.entity)
    }

    /// The layers in which the encounters of an agent are.
    pub(crate) fn layers(&self, agent: &Agent) -> SteeringLayers {
        self.requests.layers(agent.entry.get())
    }
}

/// How an agent sees others.
#[derive(Clone, Copy)]
pub(crate) struct EncounterView<'a> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    records: &'a [AgentRecord],
    /// Where the agent is, and after which lengths the world repeats.
    center: Vec3,
    periods: Vec3,
}

impl<'a> EncounterView<'a> {
    pub(crate) fn entity(&self, slot: usize) -> Entity {
        self.index.entity(self.plane, slot)
    }

    pub(crate) fn id(&self, slot: usize) -> AgentId {
        self.index.id(self.plane, slot)
    }

    pub(crate) fn layers(&self, slot: usize) -> SteeringLayers {
        SteeringLayers(self.index.layers.get(|| self.plane.entry(slot)))
    }

    /// The way from the agent to another one.
    fn offset(&self, record: &AgentRecord) -> Vec3 {
        let [place @ .., _] = record.position;
        shortest(Vec3::from_array(place) - self.center, self.periods)
    }

    fn encounter(&self, slot: usize) -> Encounter {
        let record = &self.records[slot];
        let [.., radius] = record.position;
        let [vx, vy, vz, _] = record.velocity;
        let near_goal = record.near_goal().map(|goal| shortest(goal - self.center, self.periods));
        let offset = self.offset(record);
        Encounter {
            entity: self.entity(slot),
            id: self.id(slot),
            offset,
            distance: offset.length(),
            velocity: Vec3::new(vx, vy, vz),
            radius: (radius >= 0.0).then_some(radius),
            layers: self.layers(slot),
            claim: record.claim(),
            near_goal,
        }
    }

    /// Up to eight encounters, and at least one, side by side.
    #[inline(always)]
    pub(crate) fn block<L: Lanes>(&self, l: L, found: &[u32]) -> EncounterBlock<'a, L> {
        let last = found.len() - 1;
        let slots = every!(i => found[i.min(last)] as usize);
        let all = every!(i => &self.records[slots[i]]);
        let [x, y, z, radius] = l.columns(every!(i => all[i].position));
        let [vx, vy, vz, eagerness] = l.columns(every!(i => all[i].velocity));
        let [stuck, turn, room, _] = l.columns(every!(i => all[i].claim));
        let [wx, wy, wz, factor] = l.columns(every!(i => all[i].intent));
        let desired = [wx, wy, wz].map(|x| l.mul(x, factor));
        let place = [x, y, z];
        let offset = each!(d => {
            shortest_on_axis(l, l.sub(place[d], l.splat(self.center[d])), self.periods[d])
        });
        EncounterBlock {
            view: *self,
            slots,
            lanes: u8::MAX >> (WIDTH - found.len()),
            others: Other {
                offset,
                distance: length(l, offset),
                velocity: [vx, vy, vz],
                radius,
                has_body: l.le(l.splat(0.0), radius),
                claim: Claim { eagerness, stuck, turn, desired, room },
            },
        }
    }
}

/// Eight encounters of an agent, in lanes.
pub(crate) struct EncounterBlock<'a, L: Lanes> {
    pub view: EncounterView<'a>,
    pub slots: [usize; WIDTH],
    /// The lanes in use, one bit each.
    pub lanes: u8,
    pub others: Other<L>,
}

/// An [`Encounter`] as formulas take it; several in lanes.
pub(crate) struct Other<L: Arithmetic> {
    pub offset: Vector<L>,
    pub distance: L::F,
    pub velocity: Vector<L>,
    /// Only where it [has a body](Self::has_body).
    pub radius: L::F,
    pub has_body: L::M,
    /// That of [`Claim::PASSIVE`] where it avoids nobody.
    pub claim: Claim<L::F>,
}

impl From<&Encounter> for Other<One> {
    fn from(other: &Encounter) -> Self {
        Self {
            offset: other.offset.to_array(),
            distance: other.distance,
            velocity: other.velocity.to_array(),
            radius: other.radius.unwrap_or_default(),
            has_body: other.radius.is_some(),
            claim: other.claim.unwrap_or(Claim::PASSIVE),
        }
    }
}
