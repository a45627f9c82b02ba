//! Which entities an agent regards: those in its [`SteeringLayers`], at its [`SteeringHeight`].

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use bevy::prelude::*;

use crate::{
    agent::{id::AgentId, vehicle::Vehicle},
    space::SteeringPlane,
};

/// The kinds of an entity ("prey", "hunter", "pickup"), a set of up to 32 bits.
///
/// [`Target::Nearest`](crate::Target::Nearest), the neighbour queries and behaviours such as
/// [`Flock`](crate::Flock) find an entity when their layers share a bit with its own.
///
/// Every [`Vehicle`] has this component; the default is the first layer. An entity without a
/// vehicle (a lure, a pickup) that has `SteeringLayers` and a `Transform` is found like an agent.
///
/// ```
/// use bevy_steer::SteeringLayers;
/// const PREY: SteeringLayers = SteeringLayers::layer(1);
/// const HUNTER: SteeringLayers = SteeringLayers::layer(2);
/// assert!((PREY | HUNTER).overlaps(PREY));
/// assert!(!HUNTER.overlaps(PREY));
/// assert!(!SteeringLayers::ALL.without(HUNTER).overlaps(HUNTER));
/// ```
///
/// The macro [`steering_layers!`](crate::steering_layers) numbers them.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AgentId)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringLayers(pub u32);

impl Default for SteeringLayers {
    fn default() -> Self {
        Self::layer(0)
    }
}

impl SteeringLayers {
    /// In no layer: such an entity is never found.
    pub const NONE: Self = Self(0);
    /// In every layer; as a filter: everything that is in any layer.
    pub const ALL: Self = Self(u32::MAX);

    /// The layer with this index, 0 to 31. A higher index wraps around.
    pub const fn layer(index: u32) -> Self {
        Self(1 << (index % 32))
    }

    /// All layers of both, as `|`, which constants cannot use.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The layers of this one that the other does not have.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the two share a layer.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for SteeringLayers {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitOrAssign for SteeringLayers {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for SteeringLayers {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for SteeringLayers {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Not for SteeringLayers {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Names the layers of a game: a module with a constant of type [`SteeringLayers`] for each.
///
/// They are numbered from 1, as agents without layers of their own are in layer 0. More than 31 do
/// not compile.
///
/// ```
/// use bevy_steer::{SteeringLayers, steering_layers};
///
/// steering_layers! {
///     /// The kinds of things in the sea.
///     pub mod layers {
///         /// What hunters chase.
///         PREY,
///         HUNTER,
///     }
/// }
///
/// assert_eq!(layers::HUNTER, SteeringLayers::layer(2));
/// assert!(!(layers::PREY | layers::HUNTER).overlaps(SteeringLayers::default()));
/// ```
#[macro_export]
macro_rules! steering_layers {
    (
        $(#[$of_module:meta])*
        $visibility:vis mod $module:ident {
            $($(#[$of_layer:meta])* $layer:ident),* $(,)?
        }
    ) => {
        $(#[$of_module])*
        $visibility mod $module {
            #[allow(dead_code, clippy::upper_case_acronyms, reason = "it only counts")]
            #[derive(Clone, Copy)]
            enum Layer {
                Default,
                $($layer,)*
                End,
            }

            const _: () = assert!(Layer::End as u32 <= 32, "more than 31 layers");

            $(
                $(#[$of_layer])*
                #[doc = concat!("The layer `", stringify!($layer), "`.")]
                #[allow(dead_code, reason = "not every name is used everywhere")]
                pub const $layer: $crate::SteeringLayers =
                    $crate::SteeringLayers::layer(Layer::$layer as u32);
            )*
        }
    };
}

/// The height of a planar agent along the normal of its plane, half of it above its position and
/// half below. Obstacles, walls, and the neighbours of `Flock` and `AvoidAgents` matter only if
/// they overlap this range. The floors of a building are thus independent: on up to 32 floors
/// agents move, bit for bit, as if each floor were alone. (Entities with layers at other heights
/// count as floors.)
///
/// Without this component an agent in the [`Xz`](SteeringPlane::Xz) plane is four radii high, like
/// a person, and one in the [`Xy`](SteeringPlane::Xy) plane infinitely high. An entity without a
/// [`Vehicle`] is flat: give it a height if its `Transform` is at its feet. Increase the height of
/// agents that flock or meet on steep slopes. In free space it has no effect.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringHeight(
    #[cfg_attr(feature = "serialize", serde(with = "crate::space::unbounded"))] pub f32,
);

impl Default for SteeringHeight {
    fn default() -> Self {
        Self(f32::INFINITY)
    }
}

/// Half the default height of an agent, in radii, in a plane whose normal points up.
const HALF_IN_RADII: f32 = 2.0;

impl SteeringHeight {
    /// Half the height of an agent, or of a thing that is none.
    #[inline]
    pub(crate) fn half(own: Option<&Self>, plane: SteeringPlane, agent: Option<&Vehicle>) -> f32 {
        match own {
            Some(height) => 0.5 * height.0.max(0.0),
            None if plane == SteeringPlane::Xz => {
                let size = agent.map_or(0.0, Vehicle::size);
                // An invalid vehicle may have any radius.
                HALF_IN_RADII * if size > 0.0 && size.is_finite() { size } else { 0.0 }
            }
            None => f32::INFINITY,
        }
    }

    /// From where to where a body reaches along the normal of a plane.
    #[inline]
    pub(crate) fn span(plane: SteeringPlane, position: Vec3, half: f32) -> HeightSpan {
        let [.., level] = plane.project(position);
        HeightSpan { low: level - half, high: level + half }
    }
}

/// From where to where something reaches along the normal of a plane, in units. Whatever has no
/// valid position has NaN and meets nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeightSpan {
    /// The lower end.
    pub low: f32,
    /// The upper end.
    pub high: f32,
}

impl HeightSpan {
    /// All heights.
    pub const ALL: Self = Self { low: f32::NEG_INFINITY, high: f32::INFINITY };

    /// Whether some height is in both.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}
